"""The sides of a comparison: which lines and words differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Optional

from ..text import clip
from .parts import Row, wrapped
from .view import JSON, View

WORD = re.compile(r"(\w+)")
LINES_MAX = 1000  # of sides that are shown as one text; comparing longer ones takes too long


def common_lines(item: JSON, view: View) -> Optional[set[str]]:
    """The lines that a side may have in common with the base, or else with the other side, or None without sides."""
    sides = {one.get("side"): one.get("value", "") for one in view.fields}
    other = sides.get("base") or sides.get("theirs" if item.get("side") == "mine" else "mine")
    if other is None or item["side"] == "base":
        return None
    return {line.rstrip("\r") for line in other.split("\n")}


def words_of(lines: Iterable[str]) -> set[str]:
    return {word for line in lines for word in WORD.findall(line)}


def pieces(text: str, words: set[str], look: str, reading: str) -> Row:
    """A text of which words that are not among `words` have a look of their own; all of it, if there are none."""
    parts = [part for part in WORD.split(text) if part]
    looks = [look if WORD.match(part) and part not in words else reading for part in parts]
    return list(zip(parts, looks)) if look in looks else [(text, look)]


def differences(view: View, columns: int) -> list[Row]:
    """Mine and theirs as one text, mine above theirs where they differ; empty if there are not both to read."""
    sides = {item.get("side"): item for item in view.fields if item.get("readOnly")}
    mine, theirs = sides.get("mine"), sides.get("theirs")
    if not (view.has_sides and mine and theirs):
        return []
    texts = view.text(mine).replace("\r", ""), view.text(theirs).replace("\r", "")
    if max(text.count("\n") for text in texts) > LINES_MAX:
        return []
    labels = [clip(item["label"], columns // 2 - 3) for item in (mine, theirs)]
    rows: list[Row] = [[(" ", ""), (labels[0], "mine"), (" / ", "label"), (labels[1], "theirs")]]
    for is_equal, ours, others in _blocks(*texts):
        for lines, look, rest in ((ours, "mine", others), ([] if is_equal else others, "theirs", ours)):
            for line in lines:
                for part in wrapped(line, columns - 5)[0]:
                    seen = [(part, "text")] if is_equal else pieces(part, words_of(rest), look, "text")
                    rows.append([("  ", ""), *seen])
    return rows


@lru_cache(maxsize=4)
def _blocks(mine: str, theirs: str) -> list[tuple[bool, list[str], list[str]]]:
    """The lines of both texts in blocks, and whether those of a block are equal."""
    one, other = mine.split("\n"), theirs.split("\n")
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [(kind == "equal", one[a:b], other[c:d]) for kind, a, b, c, d in codes]
