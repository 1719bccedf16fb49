"""Values that the library returns: todos, removed ones, changes, conflicts, the rows of the agenda."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

if TYPE_CHECKING:
    from . import wire


class Side(NamedTuple):
    """One of the conflicting texts."""

    title: str
    note: str
    done: bool
    version: Optional[int] = None

    @classmethod
    def from_wire(cls, wire: Optional[dict[str, Any]]) -> Optional[Side]:
        return cls(wire["title"], wire["note"], wire["done"], wire.get("version")) if wire else None


@dataclass(frozen=True)
class Todo:
    """A todo as it was when it was read. `sync` is local, synced, pending, conflict or failed.

    `failure` is why its source refused it, and `url` and `number` are those of its issue. `due` is a day, such as
    2026-12-01, or a day with a time, such as 2026-12-01T17:30. `source_due`, `assignees`, `milestone` and `comments`
    are read-only: those of its issue.
    """

    id: str
    title: str
    note: str
    done: bool
    version: int
    created_at: datetime
    updated_at: datetime
    sync: str
    url: Optional[str] = None
    number: Optional[int] = None
    failure: Optional[str] = None
    raw: Optional[wire.Todo] = field(default=None, compare=False, repr=False)  # as the server said it
    due: Optional[str] = None
    labels: tuple[str, ...] = ()
    priority: Optional[str] = None  # high, medium or low
    source_due: Optional[str] = None
    assignees: tuple[str, ...] = ()
    milestone: Optional[str] = None
    comments: int = 0
    section: Optional[str] = None  # the heading above it

    @property
    def date(self) -> Optional[str]:
        """The date that counts: its own due date, or that of its source."""
        return self.due or self.source_due

    @classmethod
    def from_wire(cls, said: wire.Todo) -> Todo:
        """A todo as the protocol has it."""
        created, updated = to_time(said["createdAt"]), to_time(said["updatedAt"])
        source, failure = said.get("source"), said.get("failure")
        details: Any = source or {}
        return cls(
            said["id"], said["title"], said["note"], said["done"], said["version"], created, updated, said["sync"],
            source and source["url"], details.get("number"), failure and failure["message"], said,
            said.get("due"), tuple(said.get("labels", ())), said.get("priority"), said.get("sourceDue"),
            tuple(details.get("assignees", ())), details.get("milestone"), details.get("comments", 0),
            said.get("section"),
        )  # fmt: skip


class Step(NamedTuple):
    """The result of `undo` or `redo`. `what` is add, edit, done, remove, restore or move; `todo` is the todo after it, if that still exists."""

    what: str
    title: str
    todo: Optional[Todo]


class RemovedTodo(NamedTuple):
    """A todo that left the list and can be restored. `reason` is removed, closed or deleted; `who` is as in a Change.

    `url` and `number` are those of its issue, if that still exists.
    """

    id: str
    title: str
    reason: str
    who: str
    removed_at: datetime
    url: Optional[str]
    number: Optional[int]

    @classmethod
    def from_wire(cls, said: wire.RemovedTodo) -> RemovedTodo:
        """A removed todo as the protocol has it."""
        source, removed_at = said.get("source"), to_time(said["removedAt"])
        url, number = (source["url"], source.get("number")) if source else (None, None)
        return cls(said["id"], said["title"], said["reason"], said["who"], removed_at, url, number)


class Draft(NamedTuple):
    """An unsaved text of the todo with this id and version, which an ended session has left.

    `fields` are the texts of the fields that the user changed. A comparison has the text `merged`, and in `fields`
    the edit in conflict.
    """

    number: int
    id: str
    version: int
    title: str
    typed_at: datetime
    fields: dict[str, str]
    merged: Optional[str]

    @classmethod
    def from_wire(cls, said: Any) -> Draft:
        """A draft as the protocol has it."""
        typed_at, fields = to_time(said["typedAt"]), said.get("fields", {})
        return cls(said["number"], said["id"], said["version"], said["title"], typed_at, fields, said.get("merged"))


class Change(NamedTuple):
    """A change that `watch` reports. `what` is added, changed or removed; `who` is local, document, assistant or source.

    `version` is the todo's after the change. `todo` is the todo as it is when the change is read, or was last; None if
    it was never read, as that of a list that is not open.
    """

    what: str
    todo: Optional[Todo]
    list: str
    id: str
    version: int
    who: str


class ConflictingTodo(NamedTuple):
    """A todo that was changed here and at its source; `fields` are those that differ, `merged` is a proposal."""

    id: str
    version: int
    base: Optional[Side]
    mine: Optional[Side]
    theirs: Optional[Side]
    merged: Optional[Side]
    fields: list[str]

    @classmethod
    def from_wire(cls, said: Any) -> ConflictingTodo:
        """A conflict as the protocol has it."""
        base, mine, theirs, merged = (Side.from_wire(said[side]) for side in ("base", "mine", "theirs", "merged"))
        return cls(said["id"], said["version"], base, mine, theirs, merged, said["fields"])


class AgendaTodo(NamedTuple):
    """An open todo with a due date. `section` is overdue, today, tomorrow, week (the five days after tomorrow) or later.

    `list` is the source of its list, or of the first one if its issue is in several.
    """

    section: str
    list: str
    todo: Todo


def to_time(text: str) -> datetime:
    """A time of the protocol."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
