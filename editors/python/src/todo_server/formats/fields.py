"""Due dates, labels and priorities as other programs write them: as words of a line, or as members of their own.

`Fields` are the members `due`, `labels` and `priority` of a line of an export. What another format has no place for is reported with its
line, and stored below the note, so that it comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Optional

from . import Report, split_extras, with_extras

NAME = "todo-server"  # of the block below the note with values that the other format cannot hold
LABEL_BYTES_MAX = 256
LABELS_MAX = 100

Fields = dict[str, Any]


def fields_of(one: dict[str, Any]) -> Fields:
    """The fields of a line of an export that have a value."""
    return {name: one[name] for name in ("due", "labels", "priority") if one.get(name)}


def is_day(text: str) -> bool:
    """Whether this is a day that exists, such as 2026-12-01."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def is_label(text: str) -> bool:
    """Whether a todo can have this label."""
    return bool(text) and len(text.encode()) <= LABEL_BYTES_MAX and text.isprintable()


def add_label(fields: Fields, label: str) -> bool:
    """Adds a label unless the fields have it in another spelling; False if there is no room for it."""
    labels = fields.setdefault("labels", [])
    if label.lower() in (known.lower() for known in labels):
        return True
    if len(labels) == LABELS_MAX:
        return False
    labels.append(label)
    return True


def sort_labels(fields: Fields) -> None:
    """Sorts the labels as the server does."""
    if "labels" in fields:
        fields["labels"].sort(key=lambda label: label.lower().encode())


def split_words(text: str, take: Callable[[str, Fields], bool]) -> tuple[str, Fields]:
    """The text without the words at its end that `take` adds to the fields. The first word stays."""
    fields: Fields = {}
    words = []
    while True:
        head, space, word = text.rpartition(" ")
        if not head.strip() or not word or not take(word, {}):
            break
        words.append(word)
        text = head.rstrip(" ")
    for word in reversed(words):
        take(word, fields)
    sort_labels(fields)
    return text, fields


def join_words(
    title: str, fields: Fields, words: Optional[str], canonical: str, take: Callable[[str, Fields], bool]
) -> str:
    """The title with its words. `words` are those of the file that it was read from, if they still mean the same."""
    if words is not None and split_words(title + words, take) == (title, fields):
        return title + words
    return title + canonical


def keep(note: str, unheld: Fields) -> str:
    """The note with the values below it that the other format cannot hold."""
    return with_extras(note, NAME, unheld)


def restore(note: str, fields: Fields) -> str:
    """Restores the values that `keep` stored, unless the other program has changed them. Returns the note without them."""
    note, kept = split_extras(note, NAME)
    due, labels = kept.get("due"), kept.get("labels")
    if isinstance(due, str) and due[:10] == fields.get("due"):
        fields["due"] = due
    for label in labels if isinstance(labels, list) else []:
        if isinstance(label, str) and is_label(label):
            add_label(fields, label)
    sort_labels(fields)
    return note


def hold(
    fields: Fields, line: int, report: Report, format: str, *, has_time: bool, holds: Callable[[str], bool]
) -> tuple[Fields, Fields]:
    """The fields that a format can hold, and the rest, which is reported."""
    held: Fields = {}
    unheld: Fields = {}
    if "due" in fields:
        held["due"] = fields["due"]
        if not has_time and "T" in fields["due"]:
            held["due"], unheld["due"] = fields["due"][:10], fields["due"]
            report(line, f"{format} has no time of a due date: {fields['due']} is stored in the note.")
    for label in fields.get("labels", []):
        if holds(label):
            held.setdefault("labels", []).append(label)
        else:
            unheld.setdefault("labels", []).append(label)
            report(line, f"{format} has no place for the label “{label}”: it is stored in the note.")
    if "priority" in fields:
        held["priority"] = fields["priority"]
    return held, unheld
