"""Text on a terminal: how wide it is, where it breaks, and what of it may be printed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

JOINER, EMOJI_STYLE = "\u200d", "\ufe0f"
# What JSON lets stand and a terminal may obey: DEL, C1, and what turns the direction of text.
OBEYED = "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"


@lru_cache(maxsize=8192)
def glyph(character: str) -> tuple[str, int]:
    """The replacement of a character on one line, and its width in cells. Nothing a terminal would obey gets through."""
    code, category = ord(character), unicodedata.category(character)
    if character == "\r":
        return "", 0
    if character == "\t":
        return "  ", 2
    if code < 0x20:
        return chr(0x2400 + code), 1
    if category in ("Cc", "Cs", "Zl", "Zp"):
        return "\ufffd", 1
    if category == "Cf":  # joiners shape emoji; the others are invisible, and some reverse what follows
        return (character if character == JOINER else ""), 0
    if category in ("Mn", "Me"):
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in "WF" else 1


def is_plain(text: str) -> bool:
    """Whether each character is a cell, as in most texts; large ones are drawn in time only because this is fast."""
    return text.isascii() and text.isprintable()


def width(text: str) -> int:
    return len(text) if is_plain(text) else sum(glyph(character)[1] for character in text)


def shown(text: str) -> str:
    """The text on one line, safe for a terminal."""
    return text if is_plain(text) else "".join(glyph(character)[0] for character in text)


def shown_lines(texts: Sequence[str]) -> str:
    """The texts, each on a line. Most lists are plain, and checking all texts together is fast."""
    lines = texts if is_plain("".join(texts)) else map(shown, texts)
    return "\n".join([*lines, ""])


def shown_json(value: Any, indent: Optional[int] = None) -> str:
    """The value as JSON that reads back the same, safe for a terminal."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return re.sub(OBEYED, lambda found: f"\\u{ord(found[0]):04x}", text)


def clip(text: str, cells: int) -> str:
    """The text on one line in at most `cells` cells, with an ellipsis where something is missing."""
    if is_plain(text):
        return text if len(text) <= cells else text[: max(cells - 1, 0)] + "…" * (cells > 0)
    seen, used = [], 0
    for character in text:
        seen.append(glyph(character))
        used += seen[-1][1]
        if used > cells:
            while used > max(cells - 1, 0):
                used -= seen.pop()[1]
            return "".join(sign for sign, _ in seen) + "…" * (cells > 0)
    return "".join(sign for sign, _ in seen)


def wrap(text: str, cells: int) -> list[tuple[int, int]]:
    """The text in rows, each as (start, end): broken at line breaks, at spaces, and inside words that are too long."""
    if len(text) <= cells and is_plain(text):
        return [(0, len(text))]
    rows, start, used, space = [], 0, 0, -1
    for index, character in enumerate(text):
        if character == "\n":
            rows.append((start, index))
            start, used, space = index + 1, 0, -1
            continue
        size = glyph(character)[1]
        if used + size > cells and index > start:
            end = space if space > start else index
            rows.append((start, end))
            start, used, space = end, width(text[end:index]), -1
        used += size
        if character == " ":
            space = index + 1
    return [*rows, (start, len(text))]


def step(text: str, position: int, way: int) -> int:
    """The next place for a cursor: not inside CRLF, an accented letter or a joined emoji."""
    position += way
    while 0 < position < len(text) and _belongs(text[position - 1], text[position]):
        position += way
    return max(0, min(position, len(text)))


def _belongs(before: str, character: str) -> bool:
    return (
        (before == "\r" and character == "\n")
        or before == JOINER
        or character in (JOINER, EMOJI_STYLE)
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or unicodedata.category(character) in ("Mn", "Me")
    )
