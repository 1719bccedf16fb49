"""The commands for removed todos: which there are, and to restore or forget one."""

from __future__ import annotations

import sys

from .errors import NotFound
from .finding import Failure
from .text import shown
from .todos import RemovedTodo, TodoServer

ACTORS = {"local": "by you", "document": "in a document", "assistant": "by an assistant", "source": "at the source"}


def text(removed: list[RemovedTodo]) -> str:
    """A line for each: its id, its title, and why it left the list."""
    return "".join(_line(one) for one in removed)


def wire(one: RemovedTodo) -> dict[str, object]:
    """A removed todo for programs."""
    return {**one._asdict(), "removed_at": one.removed_at.isoformat()}


def find(todos: TodoServer, prefix: str) -> RemovedTodo:
    """The removed todo whose id is or begins with this. Raises NotFound and Failure."""
    removed = todos.removed()
    found = [one for one in removed if one.id == prefix] or [one for one in removed if one.id.startswith(prefix)]
    if not prefix or not found:
        raise NotFound(f"There is no removed todo “{shown(prefix)}”. todo removed lists them.", "notFound")
    if len(found) > 1:
        raise Failure(f"“{shown(prefix)}” is the beginning of {len(found)} ids.")
    return found[0]


def confirm(one: RemovedTodo) -> None:
    """Asks whether to forget a todo. Raises Failure unless the answer is yes."""
    sys.stderr.write(f"Forget “{shown(one.title)}” and its history? Nothing can bring it back. y/n ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Failure("Nothing was forgotten.")


def _line(one: RemovedTodo) -> str:
    actor = ACTORS.get(one.who, f"by {one.who}")
    when = one.removed_at.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{shown(one.id)}  {shown(one.title)}  ({shown(one.reason)} {shown(actor)}, {when})\n"
