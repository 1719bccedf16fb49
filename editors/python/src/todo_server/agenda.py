"""The agenda: the open todos with a due date of all lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from .records import AgendaTodo, Todo

if TYPE_CHECKING:
    from . import wire

QUERY = "is:open -due:none"
PAGE_TODOS = 100_000  # the server returns fewer if their texts are long
# The days after today with which the sections end; what is later has none.
SECTIONS = {"overdue": -1, "today": 0, "tomorrow": 1, "week": 6}
LATER = "later"
AskAll = Callable[[Sequence[tuple[str, Any]]], list[Any]]


def read(lists: Sequence[wire.ListSummary], ask_all: AskAll) -> list[AgendaTodo]:
    """The agenda of these lists, on the user's local day. `ask_all` sends requests without others between them."""
    today, seen, rows = date.today(), set(), []  # type: date, set[str], list[AgendaTodo]
    for source, todo in _todos(lists, ask_all):
        if todo.url in seen or todo.date is None:
            continue
        if todo.url is not None:
            seen.add(todo.url)
        rows.append(AgendaTodo(section(todo.date, today), source, todo))
    # Stable: todos with the same date stay in the order of the lists.
    return sorted(rows, key=lambda row: row.todo.date or "")


def section(due: str, today: date) -> str:
    """The section of a due date."""
    day = due[:10]
    for name, days in SECTIONS.items():
        if day <= (today + timedelta(days=days)).isoformat():
            return name
    return LATER


def _todos(lists: Sequence[wire.ListSummary], ask_all: AskAll) -> list[tuple[str, Todo]]:
    """The todos of each list with its source, in one exchange unless a list has very long ones."""
    found: dict[str, list[Todo]] = {one["source"]: [] for one in lists}
    opened = next((one["source"] for one in lists if one["open"]), None)
    rest = list(found)
    while rest:
        requests: list[tuple[str, dict[str, Any]]] = []
        for source in rest:
            if len(found) > 1:
                requests.append(("openList", {"source": source}))
            page = {"offset": len(found[source]), "limit": PAGE_TODOS}
            requests.append(("listTodos", {"query": QUERY, "sort": "due", **page}))
        if len(found) > 1 and opened is not None:
            requests.append(("openList", {"source": opened}))
        pages = [result for (method, _), result in zip(requests, ask_all(requests)) if method == "listTodos"]
        for source, page in zip(list(rest), pages):
            found[source] += map(Todo.from_wire, page["todos"])
            if not page["todos"] or len(found[source]) >= page["total"]:
                rest.remove(source)
    return [(source, todo) for source, some in found.items() for todo in some]
