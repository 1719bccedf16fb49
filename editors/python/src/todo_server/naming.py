"""Which todos the words of a command mean.

- An id, or the beginning of one.
- `#7` or `7`: the number of an issue.
- `k3f9..p2q7`: in the order of the list, from one to the other; `7-9`: the issues with these numbers.
- Everything else: a title, or words of one if no other title has them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Generic, Optional, Protocol, TypeVar

from .errors import NotFound, TodoError
from .finding import Failure
from .records import RemovedTodo, Todo
from .text import shown
from .todos import TodoServer

NUMBER = re.compile(r"#?(\d+)")
NUMBERS = re.compile(r"#?(\d+)-#?(\d+)")
RANGE = re.compile(r"(.+?)\.\.(.+)")
BEGIN = r"(?:(?<!\S)|(?<!\w)(?<!\w['’-])(?=\w))"  # of a word, with the punctuation before it or without
SHOWN_MAX = 5  # todos in a message


class Named(Protocol):
    """A todo, also a removed one."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def number(self) -> Optional[int]: ...


Some = TypeVar("Some", bound=Named)


def find_todos(todos: TodoServer, words: Sequence[str], done: Optional[bool] = None) -> list[Todo]:
    """The todos that the words mean, each once. Titles are those of todos that are done or not.

    Raises NotFound, and Failure if the words are ambiguous: then the user has to write more.
    """
    try:
        if len(words) == 1 and words[0]:
            return [todos.get(words[0])]
    except TodoError as error:
        if error.kind != "notFound":
            raise
    state = {True: " that is done", False: " that is open", None: ""}[done]

    def unknown(text: str) -> str:
        return f"There is no such todo: no id begins with “{text}”, and no title{state} has it."

    listed = Listed(todos.list())
    return listed.find(words, [todo for todo in listed.all if done is None or todo.done == done], unknown)


def find_removed(todos: TodoServer, words: Sequence[str]) -> list[RemovedTodo]:
    """The removed todos that the words mean, each once. Raises NotFound and Failure as `find_todos` does."""

    def unknown(text: str) -> str:
        return f"There is no removed todo “{text}”. todo removed lists them: write an id, or words of a title."

    listed = Listed(todos.removed())
    return listed.find(words, listed.all, unknown)


class Listed(Generic[Some]):
    """The todos of a list, to be found by the user's words."""

    def __init__(self, all: Sequence[Some]):
        self.all = all
        self.places = {todo.id: place for place, todo in enumerate(all)}

    def find(self, words: Sequence[str], titled: Sequence[Some], unknown: Callable[[str], str]) -> list[Some]:
        """The todos of several ids, or the one of `titled` whose title has the words. Raises NotFound and Failure."""
        text = " ".join(words)
        title = _plain(text)
        same = [todo for todo in titled if title and _plain(todo.title) == title]
        try:
            found = [self.named(word) for word in words]
        except Failure:  # about one of the words
            if len(same) != 1 or any(todo.id.startswith(text) for todo in self.all):
                raise
            return same
        if all(found):
            return list({todo.id: todo for some in found for todo in some}.values())
        return same if len(same) == 1 else [_titled(titled, text, unknown)]

    def named(self, word: str) -> list[Some]:
        """The todos of an id, a number or a range; empty if the word is none of these."""
        if numbers := NUMBERS.fullmatch(word):
            first, last = int(numbers[1]), int(numbers[2])
            found = [todo for todo in self.all if todo.number is not None and first <= todo.number <= last]
            if found:
                return sorted(found, key=lambda todo: todo.number or 0)
        if (ends := RANGE.fullmatch(word)) and ends[1] and ends[2]:
            first_todo, last_todo = self.one(ends[1]), self.one(ends[2])
            if first_todo and last_todo:
                places = sorted(self.places[todo.id] for todo in (first_todo, last_todo))
                return list(self.all[places[0] : places[1] + 1])
        one = self.one(word)
        return [one] if one else []

    def one(self, word: str) -> Optional[Some]:
        """The todo of an id, a number or the beginning of an id."""
        if word in self.places:
            return self.all[self.places[word]]
        if number := NUMBER.fullmatch(word):
            numbered = [todo for todo in self.all if todo.number == int(number[1])]
            if len(numbered) == 1:
                return numbered[0]
        begin = [todo for todo in self.all if word and todo.id.startswith(word)]
        if len(begin) > 1:
            some = ", ".join(shown(todo.id) for todo in begin[:SHOWN_MAX]) + (", …" if len(begin) > SHOWN_MAX else "")
            raise Failure(f"“{shown(word)}” is the beginning of {len(begin)} ids: {some}.")
        others = [todo for todo in self.all if todo not in begin and _has(todo, word)]
        if begin and others:
            raise Failure(
                f"“{shown(word)}” is the beginning of an id and in a title. Write more of either:\n"
                + _lines([*begin, *others])
            )
        return begin[0] if begin else None


def _titled(pool: Sequence[Some], text: str, unknown: Callable[[str], str]) -> Some:
    """The todo whose title has all words of the text, each at the beginning of a word of it."""
    found = [todo for todo in pool if _has(todo, text)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound(unknown(shown(text)), "notFound")
    raise Failure(f"{len(found)} titles have “{shown(text)}”. Write more of one, or its id:\n" + _lines(found))


def _has(todo: Named, text: str) -> bool:
    title, words = _plain(todo.title), _plain(text).split()
    return bool(words) and all(re.search(BEGIN + re.escape(word), title) for word in words)


def _plain(text: str) -> str:
    """A text as `list` shows it, with single spaces, regardless of case."""
    return " ".join(shown(text).split()).casefold()


def _lines(todos: Sequence[Named]) -> str:
    lines = [f"{shown(todo.id)}  {shown(todo.title)}" for todo in todos[:SHOWN_MAX]]
    return "\n".join([*lines, *(["…"] if len(todos) > SHOWN_MAX else [])])
