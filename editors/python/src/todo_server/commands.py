"""The one-shot commands: each starts a server, logs in, does one thing, and prints plain lines."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional

from . import columns, completion, editor, exchange, removed
from .arguments import FIELDS, Given, has_editor, make_parser, server_options
from .client import ServerDied
from .errors import NotFound, TodoError
from .finding import Failure
from .naming import find_todos
from .text import shown, shown_json
from .todos import ConflictingTodo, Todo, TodoServer

SHORT_ID_MIN = 4
CONFLICT_CODE = 3
BAR_CELLS = 30
LIST = re.compile(r"(?<!\S)list:(\S+)", re.IGNORECASE)


class Outcome(NamedTuple):
    """What a command has to say: to programs, to people, by its exit code, and on stderr."""

    value: Any
    text: str
    code: int = 0
    failure: str = ""


def run(server: Sequence[str], given: Given) -> int:
    """Does one command; the exit code. Raises Failure, OSError and TodoError."""
    command = given["command"]
    if command == "completion":
        outcome = Outcome(None, completion.script(make_parser(), given["shell"]))
    elif command == "export":
        outcome = Outcome(None, *exchange.export_todos(server, _name(given), given))
    elif command == "import":
        outcome = Outcome(None, *exchange.import_todos(server, _name(given), given, _here(server, given)))
    else:
        note = _read_note(given)
        session = TodoServer(command=server, options=server_options(given), client_name="todo-cli", on_wait=_waiting)
        with session as todos:
            outcome = _session(todos, given, note)
    as_json = given.get("json") and outcome.value is not None
    sys.stdout.write(shown_json(outcome.value, indent=2) + "\n" if as_json else outcome.text)
    if outcome.failure:
        sys.stdout.flush()
        raise Failure(outcome.failure)
    return outcome.code


def _session(todos: TodoServer, given: Given, note: Optional[str]) -> Outcome:
    command, name = given["command"], given["account"] if "account" in given else _name(given)
    if command == "register":
        _register(todos, name, given)
    else:
        _log_in(todos, name, given)
    if command in ("login", "register"):
        _remember(name)
        key, did = ("name", "logged in as") if command == "login" else ("username", "registered")
        return Outcome({key: name}, f"{did} {shown(name)}\n")
    if command == "add":
        fields: dict[str, Any] = {name: given.get(name) for name in FIELDS}
        todo = todos.add(" ".join(given["title"]), note or "", **fields)
        return Outcome(todo.raw, _line(todo))
    if command in ("show", "edit", "done", "undone", "rm"):
        return _on_some(todos, given, note)
    if command in ("restore", "forget"):
        return _on_removed(todos, given)
    return {"list": _list, "removed": _removed, "undo": _step, "redo": _step, "sync": _sync, "conflicts": _conflicts, "resolve": _resolve,
            "lists": _lists, "watch": _watch}[command](todos, given)  # fmt: skip


# On todos


def _list(todos: TodoServer, given: Given) -> Outcome:
    query = _opened(todos, " ".join([*given.get("words", []), given.get("query") or ""]))
    failure = _load(todos)
    failure = failure and f"{failure} (Listed is what is stored here.)"
    which = {"done": given.get("done"), "sort": given.get("sort"), "limit": given.get("limit")}
    if given.get("fields"):
        fields = given["fields"].split(",")
        rows = todos.members(fields, query, **which)
        return Outcome(rows, columns.table(rows, fields), 0, failure)
    listed = todos.list(query, **which)
    if sys.stdout.isatty():
        short = _short_ids([todo.id for todo in todos.list()])
        room = columns.padded(short[todo.id] for todo in listed if todo.id in short)
        text = "".join(_terminal_line(todo, short.get(todo.id, todo.id).ljust(room)) for todo in listed)
    else:
        text = "".join(map(_line, listed))
    return Outcome([todo.raw for todo in listed], text, 0, failure)


def _opened(todos: TodoServer, query: str) -> Optional[str]:
    """Opens the list that `list:` names, and returns the rest of the query."""
    names = {name.strip('"') for name in LIST.findall(query)}
    if len(names) > 1:
        raise TodoError("list: takes one list here.", "validation")
    for name in names:
        todos.open(name)
    return LIST.sub("", query).strip() or None


def _terminal_line(todo: Todo, id: str) -> str:
    rest = _line(todo, "").rstrip("\n")
    return columns.terminal_line(shown(id), rest, todo.done, todo.sync in ("conflict", "failed"))


def _on_some(todos: TodoServer, given: Given, note: Optional[str]) -> Outcome:
    """The command for each todo that is named. All are found before the first is changed."""
    outcomes = [_on_one(todos, given, note, todo) for todo in _find(todos, given["id"], given["command"])]
    if len(outcomes) == 1:
        return outcomes[0]
    between = "\n" if given["command"] == "show" else ""
    return Outcome([one.value for one in outcomes], between.join(one.text for one in outcomes))


def _on_one(todos: TodoServer, given: Given, note: Optional[str], todo: Todo) -> Outcome:
    command = given["command"]
    if command == "rm":
        todos.remove(todo.id)
        return Outcome({"id": todo.id}, f"removed {shown(todo.id)}\n")
    if command == "show":
        text = todo.note
        if sys.stdout.isatty():  # elsewhere it is wanted byte for byte
            text = "\n".join(map(shown, text.split("\n")))
        text = shown(todo.title) + _facts(todo) + "\n" + (f"\n{text}" if text else "")
        return Outcome(todo.raw, text + "" if text.endswith("\n") else text + "\n")
    done = {"done": True, "undone": False}.get(command, given.get("done"))
    change: dict[str, Any] = {"note": note, "done": done, **{name: given.get(name) for name in ("title", "due", "priority")}}
    if given.get("labels"):  # which of them are new, the version says
        todo = todos.edit(todo, labels=_labels(todo, given["labels"]), **change)
    elif command == "edit" and all(value is None for value in change.values()):
        todo = _edit(todos, todo)
    else:
        todo = todos.edit(todo.id, **change)
    return Outcome(todo.raw, _line(todo))


def _labels(todo: Todo, changes: list[str]) -> list[str]:
    """The labels of a todo after these were added or, with a `-` in front, removed."""
    labels = list(todo.labels)
    for change in changes:
        if change.startswith("-"):
            labels = [label for label in labels if label.lower() != change[1:].lower()]
        else:
            labels.append(change)
    return labels


def _removed(todos: TodoServer, given: Given) -> Outcome:
    failure, found = _load(todos), todos.removed()
    return Outcome([removed.wire(one) for one in found], removed.text(found), 0, failure)


def _on_removed(todos: TodoServer, given: Given) -> Outcome:
    try:
        one = removed.find(todos, given["id"])
    except NotFound:
        _load(todos)
        one = removed.find(todos, given["id"])
    if given["command"] == "restore":
        todo = todos.restore(one)
        return Outcome(todo.raw, _line(todo))
    if not given.get("yes"):
        removed.confirm(one)
    todos.forget(one)
    return Outcome({"id": one.id}, f"forgotten {shown(one.id)}\n")


@contextlib.contextmanager
def _edited(text: str) -> Iterator[tuple[str, str]]:
    """The title and the note that the user's editor makes of a text; they stay in its file unless they are stored."""
    with editor.EditedText(text) as file:
        try:
            yield _split(asyncio.run(file.visit()))
        except (KeyboardInterrupt, ServerDied, TodoError) as error:
            file.keep()
            kept = f"What you wrote is kept in {file.path}."
            if isinstance(error, KeyboardInterrupt):
                print(f"todo: {kept}", file=sys.stderr)
            error.args = (f"{error} {kept}",)
            raise


def _edit(todos: TodoServer, todo: Todo) -> Todo:
    """A visit to the editor: the title on the first line, the note after an empty one."""
    with _edited(_text(todo.title, todo.note)) as (title, note):
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
            line = shown_json({**change._asdict(), "todo": change.todo and change.todo.raw}) + "\n"
        else:
            line = f"{signs[change.what]} {_line(change.todo) if change.todo else shown(change.id) + chr(10)}"
        sys.stdout.write(line)
        sys.stdout.flush()
    return Outcome(None, "")


# The source


def _sync(todos: TodoServer, given: Given) -> Outcome:
    with _bar() as show:
        result = todos.sync(dry_run=given.get("dry_run", False), all=given.get("all", False), on_progress=show)
    lines = [f"{one['what']} {shown(one['id'])}: {', '.join(one['fields'])}\n" for one in result.get("plan", [])]
    lines.append(", ".join(f"{result[key]} {key}" for key in ("pushed", "pulled", "merged", "conflicts")) + "\n")
    lines += [
        f"failed {shown(one['id'])} “{shown(one['title'])}”: {shown(one['message'])}\n" for one in result["failed"]
    ]
    if result.get("retryAt"):
        lines.append(f"the source may be asked again at {shown(result['retryAt'])}\n")
    code = 1 if result["failed"] else CONFLICT_CODE if result["conflicts"] else 0
    return Outcome(result, "".join(lines), code)


def _conflicts(todos: TodoServer, given: Given) -> Outcome:
    lines, found = [], todos.conflicts()
    for one in found:
        side = one.mine or one.theirs or one.merged
        title = side.title if side else ""
        lines.append(f"{shown(one.id)}  {shown(title)} ({', '.join(one.fields)})\n")
    return Outcome([_conflict_wire(one) for one in found], "".join(lines), CONFLICT_CODE if found else 0)


def _conflict_wire(one: ConflictingTodo) -> dict[str, Any]:
    sides = {
        name: side and side._asdict() for name, side in one._asdict().items() if name not in ("id", "version", "fields")
    }
    return {"id": one.id, "version": one.version, **sides, "fields": one.fields}


def _resolve(todos: TodoServer, given: Given) -> Outcome:
    found = [one for one in todos.conflicts() if one.id.startswith(given["id"])]
    found = [one for one in found if one.id == given["id"]] or found
    if len(found) != 1:
        raise Failure(
            f"“{shown(given['id'])}” is {'not in conflict' if not found else 'the beginning of several ids'}."
        )
    one, keep = found[0], given.get("keep")
    if keep is not None:
        todo = todos.resolve(one, keep)
    elif not (sys.stdin.isatty() and sys.stdout.isatty()) and not has_editor():
        raise Failure("Say which: --mine, --theirs or --merged.")
    else:
        proposal = one.merged or one.mine or one.theirs
        with _edited(_text(proposal.title, proposal.note) if proposal else "") as (title, note):
            todo = todos.resolve(one, "merged", title=title, note=note)
    return Outcome(todo.raw, _line(todo))


def _lists(todos: TodoServer, given: Given) -> Outcome:
    lists = todos.lists()
    lines = []
    for one in lists:
        counts = [f"{one[key]} {key}" for key in ("total", "pending", "conflicts") if one.get(key) or key == "total"]
        lines.append(f"{'*' if one['open'] else ' '} {shown(one['source'])}  {', '.join(counts)}\n")
    return Outcome(lists, "".join(lines))


# Lines


def _line(todo: Todo, short: Optional[str] = None) -> str:
    badge = f"  ({todo.sync})" if todo.sync in ("conflict", "failed") else ""
    short = todo.id if short is None else short
    return f"{shown(short)}  [{'x' if todo.done else ' '}] {shown(todo.title)}{_facts(todo)}{badge}\n"


def _facts(todo: Todo) -> str:
    """The due date, the labels and the priority, as they follow a title."""
    date = todo.due or todo.source_due
    due = [f"due {date.replace('T', ' ')}"] if date else []
    priority = [f"!{todo.priority}"] if todo.priority else []
    labels = [f"#{label}" if " " not in label else f'#"{label}"' for label in todo.labels]
    return "".join(f"  {shown(fact)}" for fact in [*due, *labels, *priority])


def _short_ids(ids: list[str]) -> dict[str, str]:
    """The shortest beginning of each id that no other one has."""
    short, ordered = {}, sorted(ids)
    for index, id in enumerate(ordered):
        beside = [*ordered[max(index - 1, 0) : index], *ordered[index + 1 : index + 2]]
        common = max((len(os.path.commonprefix([id, other])) for other in beside), default=0)
        short[id] = id[: max(common + 1, SHORT_ID_MIN)]
    return short


def _text(title: str, note: str) -> str:
    return f"{title}\n\n{note}" if note else f"{title}\n"


def _split(text: str) -> tuple[str, str]:
    title, _, note = text.partition("\n")
    return title, note[1:] if note.startswith("\n") else note


@contextlib.contextmanager
def _bar() -> Any:
    """Shows how far something long is, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(message: str, percentage: Optional[int]) -> None:
        full = BAR_CELLS * (percentage or 0) // 100
        bar = f"[{'#' * full}{'.' * (BAR_CELLS - full)}] {percentage:3} % " if percentage is not None else ""
        sys.stderr.write(f"\r\x1b[K{bar}{shown(message)}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")


# Loading


def _load(todos: TodoServer) -> str:
    """Waits for the load; says what went wrong with it."""
    try:
        with _bar() as show:
            return "" if todos.load(on_progress=show) else "Not everything could be loaded."
    except TodoError as error:
        return str(error)


def _find(todos: TodoServer, words: Sequence[str], command: str) -> list[Todo]:
    """The todos, after the load if one is missing."""
    done = {"done": False, "undone": True}.get(command)
    try:
        return find_todos(todos, words, done)
    except NotFound:
        failure = _load(todos)
    try:
        return find_todos(todos, words, done)
    except NotFound as error:
        raise Failure(f"{error} {failure}".strip()) from None


def _waiting() -> None:
    print("todo: waiting for the server… Ctrl-C ends.", file=sys.stderr, flush=True)


# Who it is


def _name(given: Given) -> str:
    """Also an empty name that was given, which the server refuses: a variable of a script that is not set."""
    return given["name"] if "name" in given else os.environ.get("TODO_NAME") or _remembered()


def _here(server: Sequence[str], given: Given) -> dict[str, Todo]:
    """The todos that an import finds, by id."""
    options = {name: value for name, value in server_options(given).items() if name == "store"}
    with TodoServer(command=server, options=options, client_name="todo-cli", on_wait=_waiting) as todos:
        _log_in(todos, _name(given), given)
        return {todo.id: todo for todo in todos.list()}


def _register(todos: TodoServer, name: str, given: Given) -> None:
    password = _password("Password: ", given)
    if not given.get("password_stdin") and getpass.getpass("Again: ") != password:
        raise Failure("The passwords differ.")
    todos.register(name, password)


def _log_in(todos: TodoServer, name: str, given: Given) -> None:
    """Logs in, with a password where one is given or needed."""
    if not given.get("password_stdin"):
        try:
            return todos.login(name)
        except TodoError as error:
            if error.kind != "invalidCredentials":
                raise
            if not sys.stdin.isatty():
                raise Failure(f"{error} (--password-stdin gives a password.)") from None
    todos.login(name, _password(f"Password for {shown(name)}: ", given))


def _password(question: str, given: Given) -> str:
    try:
        if not given.get("password_stdin"):
            return getpass.getpass(question)
        return sys.stdin.buffer.readline().decode().rstrip("\r\n")
    except EOFError:
        raise Failure("No password was given.") from None
    except UnicodeDecodeError:
        raise Failure("The password is not UTF-8.") from None


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


def _name_file() -> str:
    """Where the name of the last login is kept."""
    return os.path.join(editor.state_folder(), "name")


def _remembered() -> str:
    try:
        with open(_name_file(), encoding="utf-8") as file:
            name = file.read().rstrip("\n")
    except (OSError, ValueError):
        name = ""
    return name or os.environ.get("USER") or getpass.getuser()


def _remember(name: str) -> None:
    path = _name_file()
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(name + "\n")
    os.replace(path + ".new", path)
