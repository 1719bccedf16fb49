"""The commands for the source of a list: sync, conflicts, resolve."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .arguments import has_editor
from .errors import CONFLICT_CODE
from .finding import Failure
from .lines import line
from .outcome import Outcome, bar
from .text import shown

if TYPE_CHECKING:
    from .arguments import Given
    from .records import ConflictingTodo
    from .todos import TodoServer


def sync(todos: TodoServer, given: Given) -> Outcome:
    """Sends and fetches changes; what was sent and fetched."""
    with bar() as show:
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


def conflicts(todos: TodoServer, given: Given) -> Outcome:
    """The todos that were changed locally and remotely."""
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


def resolve(todos: TodoServer, given: Given) -> Outcome:
    """Settles a conflict by an option, or in the user's editor."""
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
        from .edited import edited, joined

        with edited(joined(proposal.title, proposal.note) if proposal else "") as (title, note):
            todo = todos.resolve(one, "merged", title=title, note=note)
    return Outcome(todo.raw, line(todo))
