"""Rows of styled text, of which a picture is made."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, zip_longest
from typing import Optional

from ..text import clip, glyph, shown, width, wrap
from .view import Line

Row = list[tuple[str, str]]  # (text, style) pairs; a style is a name that the terminal gives a look
Target = Optional[tuple[str, object]]  # ("row", number), ("section", its title) or ("field", name)
PARAGRAPH_ROWS_MAX = 4


def start(total: int, chosen: int, room: int) -> int:
    """Which of `total` lines is the first that is seen, so that the chosen one is in the middle."""
    return max(0, min(chosen - room // 2, total - room))


def row_width(row: Row) -> int:
    return sum(width(text) for text, _ in row)


def spread(left: Row, right: Row, columns: int, style: str = "") -> Row:
    """A row with something at either end, of which the left end gives way."""
    room, row = columns - row_width(right) - 2, [(" ", style)]
    for text, look in left:
        row.append((clip(text, room), look))
        room -= width(row[-1][0])
        if row[-1][0].endswith("…") and row[-1][0] != text:  # beside a wide character is room for another one
            break
    return [*row, (" " * (room + 1), style), *right]


def beside(parts: list[list[Row]], cells: int) -> list[Row]:
    """Blocks of rows beside each other, each in a column of `cells` cells."""

    def filled(row: Row) -> Row:
        return [*row, (" " * (cells - row_width(row)), "")]

    return [sum(map(filled, rows), []) for rows in zip_longest(*parts, fillvalue=[])]


@lru_cache(maxsize=8)
def wrapped(text: str, cells: int) -> list[list[str]]:
    """The rows of each line of a text."""
    lines = text.split("\n")
    return [[shown(line[start:end]) for start, end in wrap(line, cells)] for line in lines]


def paragraph(
    text: str, columns: int, style: str, indent: str = " ", rows_max: int = PARAGRAPH_ROWS_MAX
) -> list[Row]:
    parts = chain(*wrapped(text, columns - 2 * len(indent)))
    return [[(indent, ""), (part, style)] for part in parts][:rows_max]


def line(line: Line, room: int) -> tuple[str, int]:
    """The visible part of a text on one line, and the position of the cursor in it."""
    text = "•" * len(line.text) if line.secret else line.text
    start, place = line.position, 0
    while start and place + glyph(text[start - 1])[1] < room:
        start -= 1
        place += glyph(text[start])[1]
    return clip(text[start:], room), place
