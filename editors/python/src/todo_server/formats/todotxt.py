"""todo.txt: a line a todo. Lines have no ids: the id is made of the text, unless the line ends in `id:...`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from urllib.parse import quote, unquote
from typing import Any

from . import Report, TextIds, fit_title, ignore, lines_of, split_extras, todo, unfit_title, unread, with_extras

NAME = "todo.txt"
DATE = r"\d{4}-\d\d-\d\d"
LINE = re.compile(
    rf"(?P<done>x )?(?:\((?P<priority>[A-Z])\) )?(?:(?P<first>{DATE}) )?"
    rf"(?(done)(?:(?P<second>{DATE}) )?)(?P<text>.*)"  # only of what is done there are two
)


def read(text: str, report: Report = ignore) -> Iterator[dict[str, Any]]:
    """The todos of the lines that are not empty."""
    ids = TextIds(NAME)
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip():
            continue
        parts = LINE.fullmatch(line)
        assert parts  # every line is one
        wrong = next((day for day in (parts["first"], parts["second"]) if day and not _is_day(day)), None)
        if wrong:
            yield unread(number, line, f"{wrong} does not exist", ids, report)
            continue
        words, note, id = parts["text"], "", None
        tagged = re.fullmatch(r"(.*?)(?: note:(\S*))?(?: id:(\S+))?", words)
        if tagged:
            words, note, id = tagged[1], unquote(tagged[2] or ""), tagged[3]
        extras = {key: parts[key] for key in ("priority", "first", "second") if parts[key]}
        if parts["done"] and not parts["first"]:
            extras["undated"] = True
        created = parts["second"] or (None if parts["done"] else parts["first"])
        title = fit_title(words, extras)
        stamp = f"{created}T00:00:00.000Z" if created else None
        note = with_extras(note, NAME, extras)
        yield {**todo(id or ids.of(words), title, note, bool(parts["done"]), stamp), "line": number}


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def write(todos: Iterable[dict[str, Any]]) -> str:
    """The text of a todo.txt."""
    lines, ids = [], TextIds(NAME)
    for one in todos:
        note, extras = split_extras(one["note"], NAME)
        text = unfit_title(one["title"], extras)
        dates = [str(extras[key]) for key in ("first", "second") if key in extras]
        if one["done"] and not dates and not extras.get("undated"):
            dates = [one["updatedAt"][:10]]
        elif not one["done"] and len(dates) > 1:  # it is no longer done: the second one is when it was made
            dates = dates[1:]
        priority = [f"({extras['priority']})"] if "priority" in extras else []
        words = ["x"] * one["done"] + priority + dates + [text]
        words += [f"note:{quote(note)}"] * bool(note)
        words += [f"id:{one['id']}"] * (one["id"] != ids.of(text))
        lines.append(" ".join(words) + "\n")
    return "".join(lines)
