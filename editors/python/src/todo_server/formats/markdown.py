"""Markdown: a check box a todo, its note indented below. The id is made of the text, unless the line ends in `^id`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Optional

from . import Report, TextIds, fit_title, ignore, lines_of, split_extras, todo, unfit_title, with_extras

NAME = "markdown"
BOX = re.compile(r"(?P<indent>\s*)(?P<bullet>[-*+]|\d+[.)]) \[(?P<mark>[ xX])\] (?P<text>.*?)(?: \^(?P<id>\S+))?")
INDENT = "  "
PLAIN = "- "


def read(text: str, report: Report = ignore) -> Iterator[dict[str, Any]]:
    """The todos; every line can be read. What stands between them goes to the note of the one after it, or of the last one."""
    ids, found, between = TextIds(NAME), [], []  # type: TextIds, list[dict[str, Any]], list[str]
    for number, line in enumerate(lines_of(text), 1):
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
        title = fit_title(box["text"], extras)
        note = with_extras("\n".join(one["note"]), NAME, extras)
        id = box["id"] or ids.of(box["text"])
        yield {**todo(id, title, note, box["mark"] != " "), "line": one["line"]}


def _give_back_blank_lines(last: Optional[dict[str, Any]], between: list[str]) -> None:
    """Empty lines at the end of a note are not of it."""
    while last and last["note"] and not last["note"][-1]:
        between.insert(0, last["note"].pop())


def write(todos: Iterable[dict[str, Any]]) -> str:
    """The text of a Markdown document."""
    lines, ids = [], TextIds(NAME)  # type: list[str], TextIds
    for one in todos:
        note, extras = split_extras(one["note"], NAME)
        text = unfit_title(one["title"], extras)
        box = re.sub(r"\[.\]", "[x]" if one["done"] else "[ ]", extras.get("box", "- [ ] "))
        if one["done"] and "[X]" in extras.get("box", ""):
            box = extras["box"]
        id = "" if one["id"] == ids.of(text) else f" ^{one['id']}"
        lines += [*extras.get("before", []), f"{box}{text}{id}"]
        indent = box[: len(box) - len(box.lstrip())] + INDENT
        lines += [indent + line if line else "" for line in note.split("\n")] if note else []
        lines += extras.get("after", [])
    return "".join(line + "\n" for line in lines)
