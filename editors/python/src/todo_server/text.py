"""Text on a terminal: how wide it is, where it breaks, and editing it with keys."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple, Union

JOINER, EMOJI_STYLE = "\u200d", "\ufe0f"


class Paste(NamedTuple):
    """Text that was pasted, not typed: it never means a key."""

    text: str


Key = Union[str, Paste]  # such as "a", "enter", "ctrl-s", "alt-a"


@lru_cache(maxsize=8192)
def glyph(character: str) -> tuple[str, int]:
    """What stands for a character on one line, and its width in cells. Nothing a terminal would obey gets through."""
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


def width(text: str) -> int:
    return sum(glyph(character)[1] for character in text)


def shown(text: str) -> str:
    """The text on one line, safe for a terminal."""
    return "".join(glyph(character)[0] for character in text)


def clip(text: str, cells: int) -> str:
    """The text on one line in at most so many cells, with an ellipsis where something is missing."""
    text = shown(text)
    if width(text) <= cells:
        return text
    while text and width(text) > max(cells - 1, 0):
        text = text[: cells - 1] if len(text) > 2 * cells else text[:-1]
    return text + "…" if cells > 0 else ""


def wrap(text: str, cells: int) -> list[tuple[int, int]]:
    """The text in rows, each as (start, end): broken at line breaks, at spaces, and inside words that are too long."""
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


class TextBuffer:
    """A text with a cursor."""

    def __init__(self, text: str = "", multiline: bool = False, secret: bool = False):
        self.text, self.position, self.multiline, self.secret = text, len(text), multiline, secret

    @classmethod
    def of(cls, field: dict) -> TextBuffer:
        return cls(field.get("value", ""), field.get("multiline", False), field.get("secret", False))

    @property
    def shown(self) -> str:
        return "•" * len(self.text) if self.secret else self.text

    def replace(self, text: str) -> None:
        """Another text from outside; the cursor stays where it can."""
        if text != self.text:
            at_end = self.position == len(self.text)
            self.text, self.position = text, len(text) if at_end else min(self.position, len(text))

    def insert(self, text: str) -> None:
        if not self.multiline:
            text = " ".join(text.splitlines())
        self.text = self.text[: self.position] + text + self.text[self.position :]
        self.position += len(text)

    def press(self, key: Key, cells: int = 80) -> bool:
        """Does what a key means in a text; False when it means nothing here."""
        text, here = self.text, self.position
        line_start = text.rfind("\n", 0, here) + 1
        line_end = text.find("\n", here) if "\n" in text[here:] else len(text)
        places = {
            "left": step(text, here, -1), "right": step(text, here, 1),
            "home": line_start, "ctrl-a": line_start, "end": line_end, "ctrl-e": line_end,
        }  # fmt: skip
        deletions = {
            "backspace": places["left"], "delete": places["right"], "ctrl-d": places["right"],
            "ctrl-u": line_start, "ctrl-k": line_end,
            "ctrl-w": max(len(text[:here].rstrip().rpartition(" ")[0]), line_start),
        }  # fmt: skip
        if isinstance(key, Paste):
            self.insert(key.text)
        elif len(key) == 1:
            self.insert(key)
        elif key in places:
            self.position = places[key]
        elif key in deletions:
            start, end = sorted((here, deletions[key]))
            self.text, self.position = text[:start] + text[end:], start
        elif key == "enter" and self.multiline:
            self.insert("\n")
        elif key in ("up", "down") and self.multiline:
            return self._move_row(1 if key == "down" else -1, cells)
        else:
            return False
        return True

    def _move_row(self, way: int, cells: int) -> bool:
        rows = wrap(self.text, cells)
        row = row_of(rows, self.position)
        if not 0 <= row + way < len(rows):
            return False
        column, (start, end) = self.position - rows[row][0], rows[row + way]
        last = end if row + way == len(rows) - 1 or rows[row + way + 1][0] > end else end - 1
        self.position = min(start + column, max(last, start))
        return True


def row_of(rows: list[tuple[int, int]], position: int) -> int:
    """Which of the wrapped rows a cursor is in."""
    return max(index for index, (start, _) in enumerate(rows) if start <= position)
