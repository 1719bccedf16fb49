"""Todos for scripts: one session with the server, without `async`.

with TodoServer(name="ann") as todos:
    todos.add("Buy milk")
    for todo in todos.list(done=False):
        print(todo.title)

Without `with`, the first call starts the server, and `close()` ends it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from .connection import CLOSED, Connection
from .errors import TodoError
from .finding import find_server
from .pipe import Pipe
from .watching import Watches

# typing, and the dataclasses of `records`, take longer to import than a command takes that does not need them.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List, Optional, Union

    from . import wire
    from .records import AgendaTodo, Change, ConflictingTodo, Draft, RemovedTodo, Step, Todo

    Progress = Callable[[str, Optional[int]], None]  # what is done now, and how many percent of all

PAGE_TODOS = 100_000  # the server returns fewer if their texts are long


class TodoServer:
    """A session of one user with a server of its own, which the first call starts, and `close()` or `with` ends.

    `command` starts the server (see `find_server`); `options` are the initializationOptions of Protocol.md, such as
    `{"store": "memory"}`. `on_wait` is called when an answer takes longer than 1.5 s. Threads may share it; a callback
    must not call it. Methods raise TodoError or one of its kinds; a server that is gone, or was closed, is a TodoError
    of the kind `died`.
    """

    def __init__(
        self,
        name: Optional[str] = None,
        password: Optional[str] = None,
        *,
        command: Optional[Sequence[str]] = None,
        options: Optional[dict[str, Any]] = None,
        client_name: str = "todo-python",
        on_wait: Optional[Callable[[], None]] = None,
    ):
        self.name, self._password = name, password
        self._pipe = Pipe(command or find_server(), self._notified, lambda _: self._watches.report(None))
        self._connection = Connection(self._pipe, client_name, options or {}, self._log_in, on_wait)
        self._tokens = itertools.count(1)
        self._progress: dict[str, Progress] = {}
        self._watches = Watches()

    def start(self) -> TodoServer:
        """Starts the server, and logs in where a name was given; the first call does it too."""
        self._connection.start()
        return self

    def launch(self) -> None:
        """Starts the server, and lets it start while the caller does something else. Raises OSError."""
        self._connection.launch()

    def close(self) -> None:
        """Ends the server. Calls that wait in other threads raise TodoError, and so do later ones."""
        self._connection.close()
        self._watches.report(None)

    def _log_in(self) -> None:
        if self.name is not None:
            self.login(self.name, self._password)

    def __enter__(self) -> TodoServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # Login

    def login(self, name: str, password: Optional[str] = None) -> None:
        """Logs in, and starts loading."""
        self.ask("login", name=name, password=password)
        self.name = name

    def register(self, name: str, password: str) -> None:
        """Makes an account, and logs in."""
        self.ask("register", username=name, password=password)
        self.name = name

    # Reading

    def list(
        self,
        query: Optional[str] = None,
        *,
        done: Optional[bool] = None,
        sort: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[Todo]:
        """All todos, or those that match the words and qualifiers of `query`, those that are done or not, in the order of `listTodos`."""
        from .records import Todo

        return [Todo.from_wire(one) for one in self._pages(limit, query=query, done=done, sort=sort)]

    def members(
        self,
        fields: Sequence[str],
        query: Optional[str] = None,
        *,
        done: Optional[bool] = None,
        sort: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[dict[str, Any]]:
        """The members of todos with these names, as `listTodos` has them. The rest is as for `list`."""
        return list(self._pages(limit, fields=[*fields], query=query, done=done, sort=sort))

    def count(self, query: Optional[str] = None, *, done: Optional[bool] = None) -> int:
        """The number of todos that `list` returns."""
        total: int = self.ask("listTodos", query=query, done=done, limit=0)["total"]
        return total

    def get(self, id: str) -> Todo:
        """One todo. Raises NotFound."""
        return _todo(self.ask("getTodo", id=id)["todo"])

    def find(self, prefix: str) -> Todo:
        """The todo whose id is or begins with this. Raises NotFound, also when more than one does."""
        try:
            return self.get(prefix)
        except TodoError as error:
            if error.kind != "notFound" or not prefix:
                raise
            begin = [one["id"] for one in self._pages(fields=["id"]) if one["id"].startswith(prefix)]
            if len(begin) == 1:
                return self.get(begin[0])
            if begin:
                some = ", ".join(begin[:5]) + (", …" if len(begin) > 5 else "")
                raise TodoError(f"“{prefix}” is the beginning of {len(begin)} ids: {some}.", "notFound") from None
            raise

    def load(self, refresh: bool = False, on_progress: Optional[Progress] = None) -> bool:
        """Updates the list from its source. False if the load was stopped before it had everything."""
        with_token = self._with_progress("loadTodos", on_progress, refresh=refresh)
        return bool(with_token["complete"])

    def watch(self) -> Iterator[Change]:
        """Every change of your lists from the first `next` on, also those of other programs; never ends by itself."""
        yield from self._watches.changes(self)
        raise TodoError(str(self._pipe.died or CLOSED), "died")

    def removed(self) -> List[RemovedTodo]:
        """The todos that left the list in the last 30 days, newest first, at most 1,000."""
        from .records import RemovedTodo

        return [RemovedTodo.from_wire(one) for one in self._pages(None, "listRemoved", "removed")]

    def drafts(self) -> List[Draft]:
        """The unsaved texts that ended sessions have left in the list, newest first."""
        from .records import Draft

        return [Draft.from_wire(one) for one in self.ask("listDrafts")["drafts"]]

    def agenda(self) -> List[AgendaTodo]:
        """The open todos with a due date of all lists, by date; an issue that is in two lists is one of them.

        It reads what is stored. Afterwards the same list is open as before; with several lists, if none was, the last one.
        """
        from . import agenda

        return agenda.read(self.lists(), self._connection.request)

    # Changing

    def add(
        self,
        title: str,
        note: str = "",
        *,
        due: Optional[str] = None,
        labels: Optional[Sequence[str]] = None,
        priority: Optional[str] = None,
    ) -> Todo:
        """Adds a todo. `due` is a date, or as users type it: `tomorrow`, `fri 17:30`. Raises InvalidValue."""
        given = {"title": title, "note": note, "due": due, "labels": _array(labels), "priority": priority}
        return _todo(self.ask("addTodo", **given)["todo"])

    def edit(
        self,
        todo: Union[Todo, str],
        *,
        title: Optional[str] = None,
        note: Optional[str] = None,
        done: Optional[bool] = None,
        due: Optional[str] = None,
        labels: Optional[Sequence[str]] = None,
        priority: Optional[str] = None,
    ) -> Todo:
        """Changes what is given. Of a Todo, only if it was not changed elsewhere: else raises Conflict.

        `none` removes the due date or the priority. `labels` are all labels: those of a Todo are merged with changes made elsewhere.
        """
        change = {"title": title, "note": note, "done": done, "due": due, "labels": _array(labels),
                  "priority": priority, **_which(todo)}  # fmt: skip
        return _todo(self.ask("editTodo", **change)["todo"])

    def remove(self, todo: Union[Todo, str]) -> None:
        """Removes a todo; a Todo only if it was not changed elsewhere. Raises Conflict and NotFound."""
        self.ask("removeTodo", **_which(todo))

    def move(
        self, todo: Union[Todo, str], *, before: Union[Todo, str, None] = None, after: Union[Todo, str, None] = None
    ) -> Todo:
        """Moves a todo before or after another one of the list; name one. Raises NotFound and InvalidValue."""
        places = {"before": before, "after": after}
        targets = {place: one if isinstance(one, str) else one.id for place, one in places.items() if one is not None}
        return _todo(self.ask("moveTodo", id=todo if isinstance(todo, str) else todo.id, **targets)["todo"])

    def restore(self, todo: Union[RemovedTodo, Todo, str]) -> Todo:
        """Restores a removed todo; `undo` reverts it. Raises NotFound and InvalidValue."""
        return _todo(self.ask("restoreTodo", id=todo if isinstance(todo, str) else todo.id)["todo"])

    def forget(self, todo: Union[RemovedTodo, Todo, str]) -> None:
        """Deletes a removed todo and its history for good. Raises NotFound and InvalidValue."""
        self.ask("forgetTodo", id=todo if isinstance(todo, str) else todo.id)

    def discard(self, draft: Union[Draft, int]) -> None:
        """Discards an unsaved text for good."""
        self.ask("discardDraft", number=draft if isinstance(draft, int) else draft.number)

    def undo(self) -> Step:
        """Reverts the last change that was made here."""
        return self._step("undo")

    def redo(self) -> Step:
        """Makes the last reverted change again."""
        return self._step("redo")

    # The source

    def sync(
        self, *, dry_run: bool = False, all: bool = False, on_progress: Optional[Progress] = None
    ) -> wire.SyncTodosResult:
        """Sends and fetches changes. Returns the result of `syncTodos` in REFERENCE.md."""
        result: wire.SyncTodosResult = self._with_progress("syncTodos", on_progress, dryRun=dry_run, all=all)
        return result

    def conflicts(self) -> List[ConflictingTodo]:
        """The todos that were changed on both sides."""
        from .records import ConflictingTodo

        return [ConflictingTodo.from_wire(one) for one in self._pages(None, "listConflicts", "conflicts")]

    def resolve(
        self,
        conflict: ConflictingTodo,
        keep: str,
        *,
        title: Optional[str] = None,
        note: Optional[str] = None,
        done: Optional[bool] = None,
    ) -> Todo:
        """Settles a conflict. `keep` is mine, theirs or merged: what is not given of merged is as proposed."""
        settled = {"id": conflict.id, "version": conflict.version, "keep": keep}
        return _todo(self.ask("resolveConflict", **settled, title=title, note=note, done=done)["todo"])

    def lists(self) -> List[wire.ListSummary]:
        """The lists of this user: `source`, its `filter`, `total`, `pending`, `conflicts`, whether it is `open`, and why it has `failed`."""
        found: List[wire.ListSummary] = self.ask("listLists")["lists"]
        return found

    def open(self, source: str) -> None:
        """Goes to the list of another source."""
        self.ask("openList", source=source)

    # Asking

    def ask(self, method: str, **params: Any) -> Any:
        """Sends any request and returns its result. A parameter with the value None is left out."""
        given = {name: value for name, value in params.items() if value is not None}
        return self._connection.request([(method, given)])[0]

    def _pages(
        self, most: Optional[int] = None, method: str = "listTodos", member: str = "todos", **params: Any
    ) -> Iterator[Any]:
        offset = 0
        while True:
            rest = PAGE_TODOS if most is None else min(PAGE_TODOS, most - offset)
            page = self.ask(method, **params, offset=offset, limit=rest)
            yield from page[member]
            offset += len(page[member])
            if not page[member] or offset >= page["total"] or offset == most:
                return

    def _step(self, method: str) -> Step:
        from .records import Step

        answer = self.ask(method)
        return Step(answer["what"], answer["title"], answer["todo"] and _todo(answer["todo"]))

    def _with_progress(self, method: str, on_progress: Optional[Progress], **params: Any) -> Any:
        token = f"{method}-{next(self._tokens)}"
        if on_progress is None:
            return self.ask(method, **params)
        self._progress[token] = on_progress
        try:
            return self.ask(method, **params, workDoneToken=token)
        finally:
            del self._progress[token]

    def _notified(self, method: str, params: Any) -> None:
        if method == "todo/changed":
            self._watches.report(params)
        on_progress = self._progress.get(params.get("token")) if method == "$/progress" else None
        if on_progress and params["value"]["kind"] != "end":
            value = params["value"]
            on_progress(value.get("message") or value.get("title", ""), value.get("percentage"))


def _todo(wire: wire.Todo) -> Todo:
    from .records import Todo

    return Todo.from_wire(wire)


def _which(todo: Union[Todo, str]) -> dict[str, Any]:
    return {"id": todo} if isinstance(todo, str) else {"id": todo.id, "version": todo.version}


def _array(texts: Optional[Sequence[str]]) -> Optional[List[str]]:
    return None if texts is None else list(texts)
