"""Draws a list: its rows below the headings of their sections, and the note of the selected one."""

from __future__ import annotations

from itertools import chain

from ..text import clip, width
from .parts import Row, Target, beside, paragraph, spread, start, wrapped
from .view import JSON, View

PREVIEW_COLUMNS_MIN = 100  # of a terminal that shows the note of the row beside the list
BOXES = ("[ ] ", "[x] ")  # of a row that is not done, and of one that is
TITLE_COLUMNS = 40  # of a title, before labels take room from it
NOTE = " ≡"  # behind the title of a row with a note


def draw_list(view: View, columns: int, room: int, boxes: tuple[str, str]) -> tuple[list[Row], list[Target]]:
    """The rows that there is room for, around the selected one, and what a click on each is for."""
    body = view.screen["body"]
    items, selected = body["items"], view.row - body["offset"]
    if not items:
        return paragraph(body["empty"], columns, "empty", "  "), []
    cells = columns * 11 // 20 if columns >= PREVIEW_COLUMNS_MIN else columns
    entries = view.entries
    is_folded = view.is_folded
    wanted = view.selected_item["section"] if is_folded else selected
    top = start(len(entries), entries.index(wanted) if wanted in entries else 0, room)
    rows: list[Row] = []
    targets: list[Target] = []
    for entry in entries[top : top + room]:
        if isinstance(entry, str):
            rows.append(_heading(view, entry, cells, entry == wanted))
            targets.append(("section", entry))
        else:
            item = items[entry]
            rows.append(_row(item, cells, entry == wanted, item["id"] in view.marked, boxes))
            targets.append(("row", entry + body["offset"]))
    if cells == columns:
        return rows, targets
    note = "" if is_folded else view.selected_item.get("preview", "")
    parts = [*chain(*wrapped(note, columns - cells - 3)), *[""] * room]
    return beside([rows, [[("│ ", "rule"), (part, "preview")] for part in parts[:room]]], cells), targets


def _heading(view: View, section: str, columns: int, is_selected: bool) -> Row:
    count = sum(item.get("section") == section for item in view.screen["body"]["items"])
    text = f" ▸ {section} ({count})" if section in view.folded else f" ▾ {section}"
    return [(clip(text, columns), "selected" if is_selected else "heading")]


def _row(item: JSON, columns: int, is_selected: bool, is_marked: bool, boxes: tuple[str, str]) -> Row:
    mark = {True: boxes[1], False: boxes[0], None: ""}[item.get("checked")]
    badge = clip(item.get("badge") or "", columns // 3)
    room = columns - width(mark + clip(item["title"], columns) + badge) - 5
    detail = clip(item.get("detail") or "", max(room, columns // 3))
    taken = width(mark + badge + detail) + TITLE_COLUMNS + 5
    space, chips = max(room - width(detail), min(columns // 4, columns - taken)), list[tuple[str, str]]()
    for label in item.get("labels") or []:
        chips += [(clip(label, space), "chip"), (" " * (space > 0), "")]
        space -= width(label) + 1
    tone, between = item.get("tone", ""), " " if badge and detail else ""
    left = [(mark + item["title"], "muted" if tone == "muted" else "item")]
    left += [(NOTE, "note")] if item.get("preview") else []
    date = {"alert": "overdue", "notice": "due"}.get(tone, "dim")
    right = [*chips, (detail, date), (between, ""), (badge, tone or "badge")]
    row = spread(left, [*right, (" ", "")], columns)
    if is_marked:
        row[0] = ("●", "marked")
    return [(text, "selected" if is_selected and style != "chip" else style) for text, style in row]
