"""The one-shot commands: each starts a server, logs in, does one thing, and prints plain lines."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence

from . import accounts
from .arguments import FIELDS, server_options
from .errors import NotFound, TodoError
from .finding import Failure
from .lines import facts, line
from .outcome import Outcome, load
from .text import shown, shown_json
from .todos import TodoServer

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    from .arguments import Given
    from .records import Todo


def run(server: Sequence[str], given: Given) -> int:
    """Does one command; the exit code. Raises Failure, OSError and TodoError."""
    command = given["command"]
    if command == "completion":
        from . import completion
        from .parser import make_parser

        outcome = Outcome(None, completion.script(make_parser(), given["shell"]))
    elif command in ("export", "import"):
        outcome = _exchange(server, given)
    else:
        note = _read_note(given)
        session = TodoServer(command=server, options=server_options(given), client_name="todo-cli", on_wait=_waiting)
        with contextlib.closing(session) as todos:
            todos.launch()
            from . import listing  # noqa: F401 - most commands list todos, and the server is starting meanwhile

            outcome = _session(todos, given, note)
    as_json = given.get("json") and outcome.value is not None
    sys.stdout.write(shown_json(outcome.value, indent=2) + "\n" if as_json else outcome.text)
    if outcome.failure:
        sys.stdout.flush()
        raise Failure(outcome.failure)
    return outcome.code


def _session(todos: TodoServer, given: Given, note: Optional[str]) -> Outcome:
    command, name = given["command"], given["account"] if "account" in given else accounts.profile_name(given)
    if command == "register":
        accounts.register(todos, name, given)
    else:
        accounts.log_in(todos, name, given)
    if command in ("login", "register"):
        accounts.remember(name)
        key, did = ("name", "logged in as") if command == "login" else ("username", "registered")
        return Outcome({key: name}, f"{did} {shown(name)}\n")
    if command == "add":
        fields: dict[str, Any] = {name: given.get(name) for name in FIELDS}
        todo = todos.add(" ".join(given["title"]), note or "", **fields)
        return Outcome(todo.raw, line(todo))
    if command in ("show", "edit", "done", "undone", "rm"):
        return _on_some(todos, given, note)
    if command == "move":
        return _move(todos, given)
    if command in ("restore", "forget"):
        return _on_removed(todos, given)
    if command in ("undo", "redo"):
        return _step(todos, given)
    if command == "watch":
        return _watch(todos, given)
    if command in ("conflicts", "resolve", "sync"):
        from . import source

        return {"conflicts": source.conflicts, "resolve": source.resolve, "sync": source.sync}[command](todos, given)
    from . import listing

    return {
        "agenda": listing.agenda, "drafts": listing.drafts, "list": listing.list_todos, "lists": listing.lists,
        "removed": listing.list_removed,
    }[command](todos, given)  # fmt: skip


# On todos


def _on_some(todos: TodoServer, given: Given, note: Optional[str]) -> Outcome:
    """The command for each todo that is named. All are found before the first is changed."""
    outcomes = [_on_one(todos, given, note, todo) for todo in _find(todos, given["id"], given["command"])]
    return _together(outcomes, "\n" if given["command"] == "show" else "")


def _on_one(todos: TodoServer, given: Given, note: Optional[str], todo: Todo) -> Outcome:
    command = given["command"]
    if command == "rm":
        todos.remove(todo.id)
        return Outcome({"id": todo.id}, f"removed {shown(todo.id)}\n")
    if command == "show":
        text = todo.note
        if sys.stdout.isatty():  # elsewhere it is wanted byte for byte
            text = "\n".join(map(shown, text.split("\n")))
        text = shown(todo.title) + facts(vars(todo)) + "\n" + (f"\n{text}" if text else "")
        return Outcome(todo.raw, text + "" if text.endswith("\n") else text + "\n")
    done = {"done": True, "undone": False}.get(command, given.get("done"))
    change: dict[str, Any] = {"note": note, "done": done, **{name: given.get(name) for name in ("title", "due", "priority")}}
    # What is made of the present values is for this version of the todo only.
    merged: dict[str, Any] = {}
    if given.get("labels"):
        merged["labels"] = _labels(todo, given["labels"])
    if given.get("append_note") is not None:
        merged["note"] = _appended(todo.note, given["append_note"])
    if merged:
        todo = todos.edit(todo, **{**change, **merged})
    elif command == "edit" and all(value is None for value in change.values()):
        todo = _edit(todos, todo)
    else:
        todo = todos.edit(todo.id, **change)
    return Outcome(todo.raw, line(todo))


def _appended(note: str, text: str) -> str:
    """A note with one more line."""
    return note + ("\n" if note and not note.endswith("\n") else "") + text


def _labels(todo: Todo, changes: list[str]) -> list[str]:
    """The labels of a todo after these were added or, with a `-` in front, removed."""
    labels = list(todo.labels)
    for change in changes:
        if change.startswith("-"):
            labels = [label for label in labels if label.lower() != change[1:].lower()]
        else:
            labels.append(change)
    return labels


def _move(todos: TodoServer, given: Given) -> Outcome:
    """Moves the first todo that is named next to the second one. The last `before` or `after` is between them."""
    words: list[str] = given["id"]
    places = [index for index, word in enumerate(words) if word in ("before", "after")]
    if not places or places[-1] in (0, len(words) - 1):
        raise Failure("Write which todo, before or after, and which other one: todo move milk before rent")
    split = places[-1]
    moved, target = (_find_one(todos, some) for some in (words[:split], words[split + 1 :]))
    todo = todos.move(moved, before=target) if words[split] == "before" else todos.move(moved, after=target)
    return Outcome(todo.raw, line(todo))


def _find_one(todos: TodoServer, words: list[str]) -> Todo:
    found = _find(todos, words, "move")
    if len(found) != 1:
        raise Failure(f"“{shown(' '.join(words))}” are {len(found)} todos. Name one.")
    return found[0]


def _on_removed(todos: TodoServer, given: Given) -> Outcome:
    """The command for each removed todo that is named. All are found before the first is changed."""
    from . import removed
    from .naming import find_removed

    try:
        found = find_removed(todos, given["id"])
    except NotFound:
        load(todos)
        found = find_removed(todos, given["id"])
    if given["command"] == "restore":
        restored = [todos.restore(one) for one in found]
        return _together([Outcome(todo.raw, line(todo)) for todo in restored])
    if not given.get("yes"):
        removed.confirm(found)
    for one in found:
        todos.forget(one)
    return _together([Outcome({"id": one.id}, f"forgotten {shown(one.id)}\n") for one in found])


def _together(outcomes: Sequence[Outcome], between: str = "") -> Outcome:
    """The outcome of a command that was done for several todos."""
    if len(outcomes) == 1:
        return outcomes[0]
    return Outcome([one.value for one in outcomes], between.join(one.text for one in outcomes))


def _edit(todos: TodoServer, todo: Todo) -> Todo:
    """The todo after a visit to the editor."""
    from .edited import edited, joined

    with edited(joined(todo.title, todo.note)) as (title, note):
        return todos.edit(todo, title=title, note=note)


def _step(todos: TodoServer, given: Given) -> Outcome:
    step = todos.undo() if given["command"] == "undo" else todos.redo()
    did = "undone" if given["command"] == "undo" else "redone"
    value = {"what": step.what, "title": step.title, "todo": step.todo and step.todo.raw}
    return Outcome(value, f"{did}: {step.what} “{shown(step.title)}”\n")


def _watch(todos: TodoServer, given: Given) -> Outcome:
    signs = {"added": "+", "changed": "~", "removed": "-"}
    for change in todos.watch():
        if given.get("json"):
            text = shown_json({**change._asdict(), "todo": change.todo and change.todo.raw}) + "\n"
        else:
            text = f"{signs[change.what]} {line(change.todo) if change.todo else shown(change.id) + chr(10)}"
        sys.stdout.write(text)
        sys.stdout.flush()
    return Outcome(None, "")


# Before and after


def _find(todos: TodoServer, words: Sequence[str], command: str) -> list[Todo]:
    """The todos, after the load if one is missing."""
    from .naming import find_todos

    done = {"done": False, "undone": True}.get(command)
    try:
        return find_todos(todos, words, done)
    except NotFound:
        failure = load(todos)
    try:
        return find_todos(todos, words, done)
    except NotFound as error:
        raise Failure(f"{error} {failure}".strip()) from None


def _waiting() -> None:
    print("todo: waiting for the server… Ctrl-C ends.", file=sys.stderr, flush=True)


def _exchange(server: Sequence[str], given: Given) -> Outcome:
    """An import or an export, which a command of the server does."""
    from . import exchange

    name = accounts.profile_name(given)
    if given["command"] == "export":
        return Outcome(None, *exchange.export_todos(server, name, given))
    options = {name: value for name, value in server_options(given).items() if name == "store"}
    with TodoServer(command=server, options=options, client_name="todo-cli", on_wait=_waiting) as todos:
        accounts.log_in(todos, name, given)
        present = {todo.id: todo for todo in todos.list()}
    return Outcome(None, *exchange.import_todos(server, name, given, present))


def _read_note(given: Given) -> Optional[str]:
    path = given.get("note_file")
    if path is None:
        return given.get("note")
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode()
        with open(path, "rb") as file:
            return file.read().decode()
    except UnicodeDecodeError:
        raise Failure("The note is not UTF-8.") from None
