"""Changes as they are made: those that the server reports, with their todos."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Iterator

from .errors import NotFound

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    from .records import Change, Todo
    from .todos import TodoServer

    Reported = dict[str, Any]  # the params of `todo/changed`

CHANGES = {"add": "added", "restore": "added", "edit": "changed", "done": "changed", "move": "changed", "remove": "removed"}


class Watches:
    """The watches of a session. Each has a queue of the changes that it has not read."""

    def __init__(self) -> None:
        self._queues: list[queue.SimpleQueue[Optional[Reported]]] = []

    def report(self, change: Optional[Reported]) -> None:
        """Adds a change to each queue; None ends the watches."""
        for one in list(self._queues):
            one.put(change)

    def changes(self, todos: TodoServer) -> Iterator[Change]:
        """Every change from the first `next` on, until the session has ended."""
        changes: queue.SimpleQueue[Optional[Reported]] = queue.SimpleQueue()
        self._queues.append(changes)
        try:
            todos.ask("watchTodos")
            known = {todo.id: todo for todo in todos.list()} if _open_list(todos) else {}
            for change in iter(changes.get, None):
                yield _read(todos, change, known)
        finally:
            self._queues.remove(changes)


def _open_list(todos: TodoServer) -> Optional[str]:
    return next((one["source"] for one in todos.lists() if one["open"]), None)


def _read(todos: TodoServer, change: Reported, known: dict[str, Todo]) -> Change:
    """A change with its todo. `known` has the todos that were read, also those that are removed now."""
    from .records import Change

    id, todo = change["id"], None
    if change["list"] == _open_list(todos):
        with contextlib.suppress(NotFound):
            known[id] = todos.get(id)
        todo = known.get(id)
    what = CHANGES.get(change["what"], "changed")
    return Change(what, todo, change["list"], id, change["version"], change["who"])
