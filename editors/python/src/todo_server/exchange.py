"""`todo export` and `todo import`: the server's own, and filters for the formats of other programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .finding import Failure
from .formats import TextIds, lines_of, unread
from .formats.beside import Beside, path_of
from .records import Todo
from .text import shown

if TYPE_CHECKING:
    from .arguments import Given

HEAD = {"format": "todo-server", "version": 1}
LINE = re.compile(r"\bline (\d+):")
TAKEN = re.compile(r"\bline (\d+): The (?:id|issue)\b")
REMOVED = "removed here"
REFUSED_MAX = 1000  # todos that the server refuses, one by one


def export_todos(server: Sequence[str], name: str, given: Given) -> tuple[str, int]:
    """The text for stdout, and the exit code."""
    source = (given.get("source") or ["local"])[0]
    if not given.get("to"):
        return _serve(server, "export", name, given, *(["--source", source] if given.get("source") else [])), 0
    format = _format(given["to"])
    beside = Beside(path_of(given.get("store")), name, format.NAME)
    todos = map(beside.give, _todos(_serve(server, "export", name, given, "--source", source)))
    return format.write(todos, _report), 0


def import_todos(server: Sequence[str], name: str, given: Given, here: dict[str, Todo]) -> tuple[str, int]:
    """Imports a file or stdin; the text for stdout, and the exit code. `here` are the present todos, by id."""
    text = _read(given["file"])
    if not given.get("format"):
        _serve(server, "import", name, given, input=text)
        return "imported\n", 0
    format = _format(given["format"])
    beside = Beside(path_of(given.get("store")), name, format.NAME)
    try:
        found = list(format.read(text, _report))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Failure(f"This is not what {given['format']} writes: {error}.") from None
    new, changed, same = [], [], 0
    refused, as_text, ids = 0, set(), TextIds(f"{format.NAME} line")  # type: int, set[str], TextIds
    for todo in found:
        known = here.get(todo["id"])
        if known is None:
            new.append(beside.take(todo))
        elif _is_same(known, todo, beside.without, format.split):
            beside.take(todo)
            same += 1
        else:
            changed.append(("changed", todo))
    # First what is beside the notes: after a failure in between, the next import finds the todos as they were.
    beside.save()
    while new:
        lines = [json.dumps(_line(one), ensure_ascii=False) for one in [HEAD, *new]]
        try:
            _serve(server, "import", name, given, input="\n".join(lines) + "\n")
            break
        except Failure as error:  # the server alone knows what was removed here, and what it refuses
            wrong = LINE.search(str(error))
            if not wrong:
                raise
            place = int(wrong[1]) - 2
            todo, refused = new[place], refused + 1
            if refused == REFUSED_MAX or todo["id"] in as_text:
                raise Failure(LINE.sub(f"line {todo['line']}:", str(error), count=1)) from None
            if TAKEN.search(str(error)):
                changed.append((REMOVED, new.pop(place)))
            else:
                reason = str(error).partition(wrong[0])[2].replace("Nothing was imported.", "").strip()
                new[place] = unread(todo["line"], lines_of(text)[todo["line"] - 1], reason, ids, _report)
                as_text.add(new[place]["id"])
    said = "".join(f"skipped ({why}): {shown(todo['id'])}  {shown(todo['title'])}\n" for why, todo in changed)
    return f"{said}{len(new)} imported, {same} unchanged, {len(changed)} skipped\n", 0


def _is_same(
    known: Todo,
    todo: dict[str, Any],
    without: Callable[[str], str],
    split: Callable[[str], tuple[str, dict[str, Any]]],
) -> bool:
    """Whether a todo is as it was imported, also by a version that read its fields as words of the title."""
    if (without(known.note), known.done) != (without(todo["note"]), todo["done"]):
        return False
    fields = {"due": known.due, "labels": list(known.labels), "priority": known.priority}
    title, words = split(known.title)
    read = {"due": todo.get("due"), "labels": todo.get("labels", []), "priority": todo.get("priority")}
    return (known.title, fields) == (todo["title"], read) or (
        title == todo["title"] and {"due": None, "labels": [], "priority": None, **words} == read
    )


def _line(todo: dict[str, Any]) -> dict[str, Any]:
    """A line for the server, which does not know those of the other format."""
    return {name: value for name, value in todo.items() if name != "line"}


def _report(line: int, message: str) -> None:
    print(f"todo: line {line}: {shown(message)}", file=sys.stderr)


def _format(name: str) -> Any:
    return import_module(f".formats.{name}", __package__)


def _todos(lines: str) -> list[dict[str, Any]]:
    """The todos of an export, without the removed ones."""
    todos = [json.loads(line) for line in lines.split("\n") if line]
    return [_with_texts(todo) for todo in todos if "title" in todo and not todo.get("removed")]


def _with_texts(todo: dict[str, Any]) -> dict[str, Any]:
    """A todo whose title and note are strings: an export has the parts of a text with U+0000."""
    texts = {name: todo[name] for name in ("title", "note")}
    return todo | {name: "\0".join(text) for name, text in texts.items() if isinstance(text, list)}


def _read(path: str) -> str:
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode()
        with open(path, "rb") as file:
            return file.read().decode()
    except UnicodeDecodeError:
        raise Failure(f"{path} is not UTF-8.") from None


def _serve(server: Sequence[str], command: str, name: str, given: Given, *more: str, input: str = "") -> str:
    """The output of a command of the server. Raises Failure with its last message."""
    store = ["--store", given["store"]] if given.get("store") else []
    done = subprocess.run([*server, command, "--name", name, *store, *more], input=input.encode(), capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        raise Failure(said.removeprefix("todo-server: ") or f"{command} failed with code {done.returncode}.")
    return done.stdout.decode()
