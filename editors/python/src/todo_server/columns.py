"""Lines of a list that fit a terminal, with colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from .text import clip, shown, shown_json, width

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, TextIO

BOLD, CYAN, DIM, RED, PLAIN = "\x1b[1m", "\x1b[36m", "\x1b[2m", "\x1b[31m", "\x1b[0m"
GAP = "  "


def has_colours(stream: TextIO) -> bool:
    """Whether the user wants colours there."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """The width of the terminal."""
    import shutil  # takes long, and most output goes elsewhere

    return shutil.get_terminal_size().columns


class Terminal:
    """The terminal on stdout: its width, and whether it has colours."""

    def __init__(self) -> None:
        self.columns = columns()
        self.is_coloured = has_colours(sys.stdout)

    def line(self, id: str, rest: str, is_dim: bool, is_alert: bool) -> str:
        """A line of a list: what does not fit ends with an ellipsis."""
        rest = clip(rest, max(self.columns - width(id), 1))
        if not self.is_coloured:
            return f"{id}{rest}\n"
        colour = RED if is_alert else DIM if is_dim else ""
        return f"{CYAN}{id}{PLAIN}{colour}{rest}{PLAIN if colour else ''}\n"

    def heading(self, text: str) -> str:
        """The line above a section."""
        return f"{BOLD}{text}{PLAIN}\n" if self.is_coloured else f"{text}\n"


def table(rows: Sequence[dict[str, Any]], fields: Sequence[str]) -> str:
    """The fields of todos as columns: aligned on a terminal, with tabs between them elsewhere."""
    cells = [[_cell(row.get(field)) for field in fields] for row in rows]
    if not sys.stdout.isatty():
        return "".join("\t".join(row) + "\n" for row in cells)
    widths = [max(map(width, column), default=0) for column in zip(*cells)]
    lines = (GAP.join(cell + " " * (room - width(cell)) for cell, room in zip(row, widths)) for row in cells)
    return "".join(clip(line.rstrip(), columns()) + "\n" for line in lines)


def _cell(value: Any) -> str:
    """A value on one line: texts as they are, everything else as JSON."""
    if value is None:
        return ""
    return shown(value) if isinstance(value, str) else shown_json(value)


def padded(ids: Iterable[str]) -> int:
    """The width of a column of ids."""
    return max(map(width, ids), default=0)
