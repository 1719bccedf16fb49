"""Filters between the todos of other programs and lines of `todo-server import` and `export`.

Each module has `NAME`, `read(text, report)`, which gives todos as a line of an export has them, each with the `line` of the
text where it begins, `write(todos, report)`, which gives the text of the other program, and `split(title)`, which gives the
title and the fields that it has as words there. What has no place in a todo is below its note there; `todo import` stores
it beside the note (see `beside`), and `todo export` puts it back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any, Optional

TITLE_CHARACTERS_MAX = 1024
Report = Callable[[int, str], None]  # a line of the text, and what is wrong there


def with_extras(note: str, name: str, extras: dict[str, Any]) -> str:
    """The note, and below it what has no other place."""
    if not extras:
        return note
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in extras.items()]
    return "\n".join([*([note, ""] if note else []), f"--- {name} ---", *lines])


def split_extras(note: str, name: str) -> tuple[str, dict[str, Any]]:
    """The note as it was, and what `with_extras` put below it. Lines that were changed by hand stay in the note."""
    head, mark, tail = ("\n" + note).rpartition(f"\n--- {name} ---\n")
    extras: dict[str, Any] = {}
    for line in tail.rstrip("\n").split("\n") if mark else []:
        key, colon, value = line.partition(": ")
        try:
            extras[key] = json.loads(value)
        except ValueError:
            return note, {}
    return (head[1:-1] if head.endswith("\n") else head[1:], extras) if mark else (note, {})


def fit_title(text: str, extras: dict[str, Any]) -> str:
    """A title that a todo can have; where it is not the text, that goes to the extras."""
    title = " ".join(text.replace("\0", "").split()) if text.strip() != text or "\n" in text or "\0" in text else text
    if len(title) > TITLE_CHARACTERS_MAX:
        title = title[: TITLE_CHARACTERS_MAX - 1].rstrip() + "…"
    title = title or "(no title)"
    if title != text:
        extras["title"] = text
    return title


def unfit_title(title: str, extras: dict[str, Any]) -> str:
    """The text that `fit_title` made this title of; the title itself, where that was changed since."""
    text = extras.pop("title", None)
    return text if isinstance(text, str) and fit_title(text, {}) == title else title


def lines_of(text: str) -> list[str]:
    """The lines of a file, of which the last one may lack its end. A CR is of their ends if each has one."""
    lines = text.split("\n")
    if all(line.endswith("\r") for line in lines[:-1]):
        lines = [line.removesuffix("\r") for line in lines]
    return lines[:-1] if not lines[-1] else lines


def numbered_lines(text: str) -> Iterable[tuple[int, str]]:
    """The lines of a file, with their numbers from 1 on."""
    return enumerate(lines_of(text), 1)


def ignore(line: int, message: str) -> None:
    """Reports nothing."""


def unread(line: int, text: str, why: object, ids: TextIds, report: Report) -> dict[str, Any]:
    """A line that cannot be read completely, as a todo with its text."""
    report(line, f"imported as text, because it cannot be read completely: {why}")
    extras: dict[str, Any] = {}
    title = fit_title(text, extras)
    return {**todo(ids.of(text), title, text if extras else "", False), "line": line}


class TextIds:
    """Ids for todos that have none of their own: made of their text, and of how often it was there before."""

    def __init__(self, name: str):
        self.name, self.seen = name, {}  # type: str, dict[str, int]

    def of(self, text: str) -> str:
        count = self.seen[text] = self.seen.get(text, 0) + 1
        return hashlib.sha256(f"{self.name}\n{count}\n{text}".encode()).hexdigest()[:16]


def todo(
    id: str, title: str, note: str, done: bool, created: Optional[str] = None, updated: Optional[str] = None
) -> dict[str, Any]:
    """A line for `todo-server import`."""
    times = {"createdAt": created, "updatedAt": updated or created}
    line: dict[str, Any] = {"id": id, "title": title, "note": note, "done": done}
    return {**line, **{name: time for name, time in times.items() if time}}
