"""The commands that print todos: list, agenda, removed, lists."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from itertools import groupby

from . import columns, removed
from .errors import NotFound, TodoError, refused
from .finding import Failure
from .lines import LINE_FIELDS, due_text, is_alert, row_line, row_text, shortened, tags
from .outcome import Outcome, load
from .text import shown, shown_lines

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    from .arguments import Given
    from .records import AgendaTodo, Draft
    from .todos import TodoServer

LIST = r"(?i)(?<!\S)list:(\S+)"  # compiled on first use, which takes long
STORED = "(Listed is what is stored here.)"
HEADINGS = {"overdue": "Overdue", "today": "Today", "tomorrow": "Tomorrow", "week": "This week", "later": "Later"}


def list_todos(todos: TodoServer, given: Given) -> Outcome:
    """The todos that match, as lines, columns or JSON; or how many they are."""
    try:
        return _list_todos(todos, given)
    except TodoError as error:
        name, _, expected = str(error).partition(": ")
        option = name.partition("[")[0]  # as in fields[1]
        if error.kind is None and option in ("sort", "fields", "limit"):
            raise Failure(refused(f"--{option}", expected)) from None
        raise


def _list_todos(todos: TodoServer, given: Given) -> Outcome:
    query = _opened(todos, " ".join([*given.get("words", []), given.get("query") or ""]))
    failure = load(todos)
    failure = failure and f"{failure} {STORED}"
    which = {"done": given.get("done"), "sort": given.get("sort"), "limit": given.get("limit")}
    if given.get("count"):
        count = todos.count(query, done=given.get("done"))
        return Outcome(count, f"{count}\n", 0, failure)
    if given.get("fields"):
        fields = given["fields"].split(",")
        rows = todos.members(fields, query, **which)
        return Outcome(rows, columns.table(rows, fields), 0, failure)
    if given.get("json"):
        return Outcome([todo.raw for todo in todos.list(query, **which)], "", 0, failure)
    rows = todos.members(LINE_FIELDS, query, **which)
    if not sys.stdout.isatty():
        return Outcome(None, shown_lines([row_text(row, row["id"]) for row in rows]), 0, failure)
    is_part = query is not None or any(value is not None for value in which.values())
    short = shortened([row["id"] for row in rows], _ids(todos) if is_part else None)
    room, terminal = columns.padded(short.values()), columns.Terminal()
    text = "".join(
        terminal.line(short[row["id"]].ljust(room), row_line(row, ""), row["done"], is_alert(row)) for row in rows
    )
    return Outcome(None, text, 0, failure)


def _opened(todos: TodoServer, query: str) -> Optional[str]:
    """Opens the list that `list:` names, and returns the rest of the query."""
    if not query.strip():
        return None
    names = {name.strip('"') for name in re.findall(LIST, query)}
    if len(names) > 1:
        raise TodoError("list: takes one list here.", "validation")
    for name in names:
        todos.open(name)
    return re.sub(LIST, "", query).strip() or None


def list_removed(todos: TodoServer, given: Given) -> Outcome:
    """The removed todos."""
    failure, found = load(todos), todos.removed()
    return Outcome([removed.wire(one) for one in found], removed.text(found), 0, failure)


def drafts(todos: TodoServer, given: Given) -> Outcome:
    """The unsaved texts, after some were discarded."""
    found, numbers = todos.drafts(), given.get("discard") or []
    unknown = set(numbers) - {one.number for one in found}
    if unknown:
        raise NotFound(f"There is no unsaved text {min(unknown)}. todo drafts lists them.", "notFound")
    for number in numbers:
        todos.discard(number)
    left = [one for one in found if one.number not in numbers]
    value = [{**one._asdict(), "typed_at": one.typed_at.isoformat()} for one in left]
    return Outcome(value, "".join(map(_draft_text, left)))


def _draft_text(draft: Draft) -> str:
    when = draft.typed_at.astimezone().strftime("%Y-%m-%d %H:%M")
    texts = draft.fields if draft.merged is None else {**draft.fields, "merged": draft.merged}
    lines = [f"{draft.number}  {when}  {shown(draft.id)}  {shown(draft.title)}"]
    for name, text in texts.items():
        first, *rest = text.split("\n")
        lines += [f"    {name}: {shown(first)}", *(f"      {shown(line)}" for line in rest)]
    return "\n".join(lines) + "\n"


def lists(todos: TodoServer, given: Given) -> Outcome:
    """The lists, with their counts."""
    lists = todos.lists()
    lines = []
    for one in lists:
        counts = [f"{one[key]} {key}" for key in ("total", "pending", "conflicts") if one.get(key) or key == "total"]
        name = one["source"] + (f"?{one['filter']}" if one.get("filter") else "")
        lines.append(f"{'*' if one['open'] else ' '} {shown(name)}  {', '.join(counts)}\n")
    return Outcome(lists, "".join(lines))


def agenda(todos: TodoServer, given: Given) -> Outcome:
    """The open todos with a due date of all lists, in sections."""
    sources = [one["source"] for one in todos.lists()]
    failure = _load_all(todos, sources)
    rows = todos.agenda()
    value = [{**row._asdict(), "todo": row.todo.raw} for row in rows]
    return Outcome(value, "" if given.get("json") else _agenda_text(todos, rows, sources), 0, failure)


def _load_all(todos: TodoServer, sources: Sequence[str]) -> str:
    """Waits for the load of each list; says what went wrong, and of which list."""
    if len(sources) == 1:
        failure = load(todos)
        return failure and f"{failure} {STORED}"
    failures = []
    for source in sources:
        try:
            todos.open(source)
            failure = load(todos)
        except TodoError as error:
            failure = str(error)
        failures += [f"{source}: {failure}"] if failure else []
    return f"{' '.join(failures)} {STORED}" if failures else ""


def _agenda_text(todos: TodoServer, rows: Sequence[AgendaTodo], sources: Sequence[str]) -> str:
    has_terminal, terminal = sys.stdout.isatty(), columns.Terminal()
    ids = {row.todo.id: shown(row.todo.id) for row in rows}
    if has_terminal:
        ids = shortened(list(ids), _ids_of(todos, sources))
    names = {source: shown(source) for source in (sources if len(sources) > 1 else [])}
    room, name_room = columns.padded(ids.values()), columns.padded(names.values())
    due_room = columns.padded(due_text(row.todo.date or "") for row in rows)
    sections = []
    for section, some in groupby(rows, key=lambda row: row.section):
        lines = [terminal.heading(HEADINGS[section]) if has_terminal else f"{HEADINGS[section]}\n"]
        for row in some:
            cells = [due_text(row.todo.date or "").ljust(due_room)]
            cells += [names[row.list].ljust(name_room)] if names else []
            rest = columns.GAP + columns.GAP.join([*cells, shown(row.todo.title) + tags(vars(row.todo))])
            id = ids[row.todo.id].ljust(room)
            is_red = section == "overdue" or is_alert(vars(row.todo))
            lines.append(terminal.line(id, rest, False, is_red) if has_terminal else f"{id}{rest}\n")
        sections.append("".join(lines))
    return "\n".join(sections)


def _ids(todos: TodoServer) -> list[str]:
    return [row["id"] for row in todos.members(["id"])]


def _ids_of(todos: TodoServer, sources: Sequence[str]) -> list[str]:
    """The ids of all lists."""
    if len(sources) == 1:
        return _ids(todos)
    ids: list[str] = []
    for source in sources:
        todos.open(source)
        ids += _ids(todos)
    return ids
