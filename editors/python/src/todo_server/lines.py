"""Todos as the commands print them: a line each."""

from __future__ import annotations

import os
from collections.abc import Sequence

from .text import shown

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

    from .records import Todo

    Row = Mapping[str, Any]  # the members of a todo, of which LINE_FIELDS are used

SHORT_ID_MIN = 4
ALERTS = ("conflict", "failed")
LINE_FIELDS = ("id", "title", "done", "due", "sourceDue", "labels", "priority", "sync")


def line(todo: Todo) -> str:
    """The line of a todo, with its whole id."""
    return f"{row_line({**vars(todo), 'sourceDue': todo.source_due}, todo.id)}\n"


def row_line(row: Row, id: str) -> str:
    """The line without its end."""
    return shown(row_text(row, id))


def row_text(row: Row, id: str) -> str:
    """The text of the line, which is not yet safe for a terminal."""
    text = f"{id}  [{'x' if row['done'] else ' '}] {row['title']}{_facts(row)}"
    return f"{text}  ({row['sync']})" if row["sync"] in ALERTS else text


def is_alert(row: Row) -> bool:
    """Whether the user has to look at a todo: its sync has failed, or has a conflict."""
    return row["sync"] in ALERTS


def facts(row: Row) -> str:
    """The due date, the labels and the priority, as they follow a title."""
    return shown(_facts(row))


def due_text(due: str) -> str:
    """A due date for users."""
    return shown(due.replace("T", " "))


def tags(row: Row) -> str:
    """The labels and the priority, as they follow a title."""
    return shown(_tags(row))


def _facts(row: Row) -> str:
    due = row.get("due") or row.get("sourceDue")
    return f"  due {due.replace('T', ' ')}{_tags(row)}" if due else _tags(row)


def _tags(row: Row) -> str:
    text, priority = "", row.get("priority")
    for label in row.get("labels") or ():
        text += f'  #"{label}"' if " " in label else f"  #{label}"
    return f"{text}  !{priority}" if priority else text


def short_ids(ids: Sequence[str]) -> dict[str, str]:
    """The shortest beginning of each id that no other one has."""
    short, ordered, before = {}, sorted(ids), 0
    for id, after in zip(ordered, [*ordered[1:], ""]):
        common = len(os.path.commonprefix((id, after)))
        short[id] = id[: max(before + 1, common + 1, SHORT_ID_MIN)]
        before = common
    return short


def shortened(row_ids: Sequence[str], all_ids: Optional[Sequence[str]]) -> dict[str, str]:
    """A shown beginning for each id of the rows, where all ids are known."""
    short = short_ids(all_ids if all_ids is not None else row_ids)
    return {id: shown(short.get(id, id)) for id in row_ids}
