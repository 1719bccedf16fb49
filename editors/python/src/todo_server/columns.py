"""Lines of a list that fit a terminal, with colours."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from .text import clip, shown, shown_json, width

CYAN, DIM, RED, PLAIN = "\x1b[36m", "\x1b[2m", "\x1b[31m", "\x1b[0m"
GAP = "  "


def has_colours(stream: TextIO) -> bool:
    """Whether the user wants colours there."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_line(id: str, rest: str, done: bool, alert: bool) -> str:
    """A line of the list on a terminal: what does not fit ends with an ellipsis."""
    room = shutil.get_terminal_size().columns - width(id)
    rest = clip(rest, max(room, 1))
    if not has_colours(sys.stdout):
        return f"{id}{rest}\n"
    colour = RED if alert else DIM if done else ""
    return f"{CYAN}{id}{PLAIN}{colour}{rest}{PLAIN if colour else ''}\n"


def table(rows: Sequence[dict[str, Any]], fields: Sequence[str]) -> str:
    """The fields of todos as columns: aligned on a terminal, with tabs between them elsewhere."""
    cells = [[_cell(row.get(field)) for field in fields] for row in rows]
    if not sys.stdout.isatty():
        return "".join("\t".join(row) + "\n" for row in cells)
    widths = [max(map(width, column), default=0) for column in zip(*cells)]
    lines = (GAP.join(cell + " " * (room - width(cell)) for cell, room in zip(row, widths)) for row in cells)
    return "".join(clip(line.rstrip(), shutil.get_terminal_size().columns) + "\n" for line in lines)


def _cell(value: Any) -> str:
    """A value on one line: texts as they are, everything else as JSON."""
    if value is None:
        return ""
    return shown(value) if isinstance(value, str) else shown_json(value)


def padded(ids: Iterable[str]) -> int:
    """The width of a column of ids."""
    return max(map(width, ids), default=0)
