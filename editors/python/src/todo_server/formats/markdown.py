"""Markdown: a check box a todo, its note indented below. The id is made of the text, unless the line ends in `^id`.

Words at the end of the text are labels (`#home`), the priority (`⏫`, `🔼`, `🔽`) and the due date (`📅 2026-12-01`), as Obsidian has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Optional

from . import Report, TextIds, fields as words, fit_title, ignore, numbered_lines, split_extras, todo, unfit_title, with_extras

NAME = "markdown"
BOX = re.compile(r"(?P<indent>\s*)(?P<bullet>[-*+]|\d+[.)]) \[(?P<mark>[ xX])\] (?P<text>.*?)(?: \^(?P<id>\S+))?")
INDENT = "  "
PLAIN = "- "
DUE = "📅"
PRIORITIES = {"high": "⏫", "medium": "🔼", "low": "🔽"}
SYMBOLS = {**{symbol: word for word, symbol in PRIORITIES.items()}, "🔺": "high", "⏬": "low"}
JOINED_DUE = re.compile(rf"{DUE} (?=\S)")  # a date and its symbol are one word
LABEL = re.compile(r"[\w/-]*[^\W\d][\w/-]*|[\w/-]*[_/-][\w/-]*")


def take(word: str, fields: words.Fields) -> bool:
    """Adds the label or the due date that a word is."""
    if word.startswith(DUE) and words.is_day(word[len(DUE) :]):
        fields["due"] = word[len(DUE) :]
        return True
    if word in SYMBOLS and "priority" not in fields:
        fields["priority"] = SYMBOLS[word]
        return True
    return word.startswith("#") and holds(word[1:]) and words.add_label(fields, word[1:])


def holds(label: str) -> bool:
    """Whether a word can be the label: letters, digits, `_`, `-` and `/`, and not only digits."""
    return bool(LABEL.fullmatch(label)) and words.is_label(label)


def split(text: str) -> tuple[str, words.Fields]:
    """The title and the fields of a text."""
    joined, fields = words.split_words(JOINED_DUE.sub(DUE, text), take)
    return (text, {}) if not fields else (text[: _start(text, joined)], fields)


def _start(text: str, head: str) -> int:
    """The position in a text of the words after its head, in which symbols and dates are joined."""
    place = 0
    for character in head:
        if text[place] != character:
            place += 1  # a space after a symbol
        place += 1
    return place


def _words(fields: words.Fields) -> str:
    due = [f"{DUE} {fields['due']}"] if "due" in fields else []
    priority = [PRIORITIES[fields["priority"]]] if "priority" in fields else []
    labels = [f"#{label}" for label in fields.get("labels", [])]
    return "".join(f" {word}" for word in [*labels, *priority, *due])


def read(text: str, report: Report = ignore) -> Iterator[dict[str, Any]]:
    """The todos; every line can be read. Text between them goes to the note of the one after it, or of the last one."""
    ids, found, between = TextIds(NAME), [], []  # type: TextIds, list[dict[str, Any]], list[str]
    for number, line in numbered_lines(text):
        box, last = BOX.fullmatch(line), found[-1] if found else None
        if box:
            found.append({"box": box, "line": number, "before": between, "note": [], "after": []})
            between = []
        elif last and not between and line.startswith(last["box"]["indent"] + INDENT):
            last["note"].append(line[len(last["box"]["indent"] + INDENT) :])
        elif last and not between and not line.strip() and last["note"]:
            last["note"].append("")  # of the note, if more of it comes
        else:
            between.append(line)
            _give_back_blank_lines(last, between)
    if found:
        found[-1]["after"] = between
        _give_back_blank_lines(found[-1], found[-1]["after"])
    for one in found:
        box, extras = one["box"], {}
        if (box["indent"], box["bullet"], box["mark"]) not in (("", "-", " "), ("", "-", "x")):
            extras["box"] = f"{box['indent']}{box['bullet']} [{box['mark']}] "
        extras.update({key: one[key] for key in ("before", "after") if one[key]})
        head, fields = split(box["text"])
        if box["text"][len(head) :] != _words(fields):
            extras["words"] = box["text"][len(head) :]
        note = words.restore("\n".join(one["note"]), fields)
        title = fit_title(head, extras)
        note, id = with_extras(note, NAME, extras), box["id"] or ids.of(box["text"])
        yield {**todo(id, title, note, box["mark"] != " "), **fields, "line": one["line"]}


def _give_back_blank_lines(last: Optional[dict[str, Any]], between: list[str]) -> None:
    """Empty lines at the end of a note are not of it."""
    while last and last["note"] and not last["note"][-1]:
        between.insert(0, last["note"].pop())


def write(todos: Iterable[dict[str, Any]], report: Report = ignore) -> str:
    """The text of a Markdown document."""
    lines, ids = [], TextIds(NAME)  # type: list[str], TextIds
    for one in todos:
        note, extras = split_extras(one["note"], NAME)
        before = extras.get("before", [])
        fields, unheld = words.hold(
            words.fields_of(one), len(lines) + len(before) + 1, report, "Markdown", has_time=False, holds=holds
        )
        text, note = unfit_title(one["title"], extras), words.keep(note, unheld)
        text = _joined(text, fields, extras.get("words"))
        box = re.sub(r"\[.\]", "[x]" if one["done"] else "[ ]", extras.get("box", "- [ ] "))
        if one["done"] and "[X]" in extras.get("box", ""):
            box = extras["box"]
        id = "" if one["id"] == ids.of(text) else f" ^{one['id']}"
        lines += [*before, f"{box}{text}{id}"]
        indent = box[: len(box) - len(box.lstrip())] + INDENT
        lines += [indent + line if line else "" for line in note.split("\n")] if note else []
        lines += extras.get("after", [])
    return "".join(line + "\n" for line in lines)


def _joined(title: str, fields: words.Fields, tail: Optional[str]) -> str:
    """The title with its words: those of the file that it was read from, if they still mean the same."""
    if tail is not None and split(title + tail) == (title, fields):
        return title + tail
    return title + _words(fields)
