"""todo.txt: a line a todo. Lines have no ids: the id is made of the text, unless the line ends in `id:...`.

The priorities (A), (B) and (C) are high, medium and low. Words at the end of the text are labels (`@home`; `+project`, with its sign) and the due date (`due:2026-12-01`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, unquote
from typing import Any

from . import Report, TextIds, fields as words, fit_title, ignore, numbered_lines, split_extras, todo, unfit_title, unread, with_extras

NAME = "todo.txt"
PRIORITIES = {"A": "high", "B": "medium", "C": "low"}
LETTERS = {word: letter for letter, word in PRIORITIES.items()}
DATE = r"\d{4}-\d\d-\d\d"
LINE = re.compile(
    rf"(?P<done>x )?(?:\((?P<priority>[A-Z])\) )?(?:(?P<first>{DATE}) )?"
    rf"(?(done)(?:(?P<second>{DATE}) )?)(?P<text>.*)"  # only a todo that is done has two
)


def take(word: str, fields: words.Fields) -> bool:
    """Adds the label or the due date that a word is."""
    name, colon, value = word.partition(":")
    if name == "due" and colon and words.is_day(value):
        fields["due"] = value
        return True
    label = word if word.startswith("+") else word[1:]
    return len(word) > 1 and word[0] in "@+" and words.is_label(label) and words.add_label(fields, label)


def holds(label: str) -> bool:
    """Whether a word can be the label."""
    return not re.search(r"\s", label) and label not in ("", "+")


def split(text: str) -> tuple[str, words.Fields]:
    """The title and the fields of a text."""
    return words.split_words(text, take)


def read(text: str, report: Report = ignore) -> Iterator[dict[str, Any]]:
    """The todos of the lines that are not empty."""
    ids = TextIds(NAME)
    for number, line in numbered_lines(text):
        if not line.strip():
            continue
        parts = LINE.fullmatch(line)
        assert parts  # every line is one
        wrong = next((day for day in (parts["first"], parts["second"]) if day and not words.is_day(day)), None)
        if wrong:
            yield unread(number, line, f"{wrong} does not exist", ids, report)
            continue
        own, note, id = parts["text"], "", None
        tagged = re.fullmatch(r"(.*?)(?: note:(\S*))?(?: id:(\S+))?", own)
        if tagged:
            own, note, id = tagged[1], unquote(tagged[2] or ""), tagged[3]
        extras = {key: parts[key] for key in ("priority", "first", "second") if parts[key]}
        if parts["priority"] and parts["priority"] not in PRIORITIES:
            report(number, f"a todo has no priority ({parts['priority']}): it is stored beside the note.")
        if parts["done"] and not parts["first"]:
            extras["undated"] = True
        created = parts["second"] or (None if parts["done"] else parts["first"])
        head, fields = split(own)
        if own[len(head) :] != _words(fields):
            extras["words"] = own[len(head) :]
        note = words.restore(note, fields)
        if extras.get("priority") in PRIORITIES:
            fields["priority"] = PRIORITIES[extras.pop("priority")]
        title = fit_title(head, extras)
        stamp = f"{created}T00:00:00.000Z" if created else None
        note = with_extras(note, NAME, extras)
        id = id or ids.of(own)
        yield {**todo(id, title, note, bool(parts["done"]), stamp), **fields, "line": number}


def _words(fields: words.Fields) -> str:
    due = [f"due:{fields['due']}"] if "due" in fields else []
    labels = [label if label.startswith("+") else f"@{label}" for label in fields.get("labels", [])]
    return "".join(f" {word}" for word in [*labels, *due])


def write(todos: Iterable[dict[str, Any]], report: Report = ignore) -> str:
    """The text of a todo.txt."""
    lines, ids = [], TextIds(NAME)  # type: list[str], TextIds
    for one in todos:
        note, extras = split_extras(one["note"], NAME)
        fields = words.fields_of(one)
        fields, unheld = words.hold(fields, len(lines) + 1, report, NAME, has_time=False, holds=holds)
        text = unfit_title(one["title"], extras)
        letter = LETTERS.get(fields.pop("priority", ""), extras.get("priority"))
        text = words.join_words(text, fields, extras.get("words"), _words(fields), take)
        note = words.keep(note, unheld)
        dates = [str(extras[key]) for key in ("first", "second") if key in extras]
        if one["done"] and not dates and not extras.get("undated"):
            dates = [one["updatedAt"][:10]]
        elif not one["done"] and len(dates) > 1:  # it is no longer done: the second one is when it was made
            dates = dates[1:]
        priority = [f"({letter})"] if letter else []
        parts = ["x"] * one["done"] + priority + dates + [text]
        parts += [f"note:{quote(note)}"] * bool(note)
        parts += [f"id:{one['id']}"] * (one["id"] != ids.of(text))
        lines.append(" ".join(parts) + "\n")
    return "".join(lines)
