"""Removed todos as the commands print them, and the question before they are forgotten."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .finding import Failure
from .text import shown

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from .records import RemovedTodo

ACTORS = {"local": "by you", "document": "in a document", "assistant": "by an assistant", "source": "at the source"}


def text(removed: Sequence[RemovedTodo]) -> str:
    """A line for each: its id, its title, and why it left the list."""
    return "".join(_line(one) for one in removed)


def wire(one: RemovedTodo) -> dict[str, object]:
    """A removed todo for programs."""
    return {**one._asdict(), "removed_at": one.removed_at.isoformat()}


def confirm(some: Sequence[RemovedTodo]) -> None:
    """Asks whether to forget todos. Raises Failure unless the answer is yes."""
    if len(some) == 1:
        question = f"Forget “{shown(some[0].title)}”, its history and its unsaved texts?"
    else:
        question = text(some) + f"Forget these {len(some)}, their history and their unsaved texts?"
    question += " Nothing can bring them back. y/n "
    sys.stderr.write(question)
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Failure("Nothing was forgotten.")


def _line(one: RemovedTodo) -> str:
    event = f"{one.reason} {ACTORS.get(one.who, f'by {one.who}')}"
    if one.reason == "leftFilter":
        event = "left the filter"
    when = one.removed_at.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{shown(one.id)}  {shown(one.title)}  ({shown(event)}, {when})\n"
