"""Draws a screen of a rendering as lines of styled text. Pure: the same arguments, the same picture."""

from __future__ import annotations

from datetime import datetime
from itertools import zip_longest
from typing import NamedTuple, Optional

from ..text import clip, shown, width, wrap
from .view import JSON, Line, Prompt, View, fields, shortcut

Row = list[tuple[str, str]]  # (text, style) pairs; a style is a name that the terminal gives a look
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SIDE_COLUMNS_MIN = 20  # sides to be compared stand beside each other if each can have so many
PREVIEW_COLUMNS_MIN = 100  # of a terminal that shows the note of the row beside the list
HELP_COLUMNS_MIN = 80  # of a terminal that shows two columns of keys
BAR_CELLS = 20
HINTS_MAX = 3
PARAGRAPH_ROWS_MAX = 3
SPANS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


class Picture(NamedTuple):
    lines: list[Row]
    cursor: Optional[tuple[int, int]]  # row and column, when there is something to type into


def draw(
    screen: JSON,
    view: View,
    columns: int,
    rows: int,
    *,
    status: tuple[str, str] = ("info", ""),
    prompt: Optional[Prompt] = None,
    help_open: bool = False,
    tick: int = 0,
    now: Optional[datetime] = None,
) -> Picture:
    """The picture of a screen. `status` is this terminal's own (level, text), and `tick` turns the spinner.

    `now` is there to say how long ago something was.
    """
    body, message = screen["body"], screen.get("message")
    head = [_bar(screen, view, columns, now), *_hints(screen, view, columns), []]
    foot: list[Row] = [[]] + (_paragraph(message["text"], columns, message["level"]) if message else [])
    foot += _paragraph(status[1], columns, status[0]) if status[1] else [] if prompt else [[]]
    asked = None
    if prompt and prompt.answer:
        label = clip(prompt.label, columns // 2) + ": "
        line, place = _line(prompt.answer, columns - width(label))
        asked = width(label) + place
        foot.append([(label, "question"), (line, "typing")])
    elif prompt:
        foot += _paragraph(prompt.label, columns, "question")
    room, cursor = max(rows - len(head) - len(foot), 1), None
    if help_open:
        middle = _help(screen, view, columns)
    elif body["kind"] == "form":
        middle, cursor = _form(screen, view, columns, room)
    elif body["kind"] == "list":
        middle = _list(body, view, columns, room)
    elif body["kind"] == "progress":
        middle = _progress(body, columns, tick)
    else:
        middle = [[("This front-end cannot draw “{}”.".format(body["kind"]), "warning")]]
    top = max(0, min(cursor[0] - room // 2, len(middle) - room)) if cursor else 0
    middle = middle[top : top + room]
    if asked is not None:
        cursor = (rows - 1, asked)
    elif cursor:
        cursor = None if prompt or not view.line(screen) else (cursor[0] - top + len(head), cursor[1])
    return Picture((head + middle + [[]] * (room - len(middle)) + foot)[:rows], cursor)


# Around the body


def _bar(screen: JSON, view: View, columns: int, now: Optional[datetime]) -> Row:
    """The title, what the screen is about, how a list stands, and where in it the selection is."""
    body, right = screen["body"], ""
    if body["kind"] == "list":
        parts = _standing(body.get("status") or {}, now)
        parts += [f"{view.row + 1} of {body['total']}"] if body["items"] else []
        while len(parts) > 1 and width(" · ".join(parts)) > columns * 3 // 4:
            del parts[-2]  # what matters least stands last, before the place in the list
        right = clip(" · ".join(parts), columns * 3 // 4)
    title = clip(screen["title"], columns - width(right) - 3)
    subject = f" · {screen['subject']}" if screen.get("subject") else ""
    subject = clip(subject, columns - width(title) - width(right) - 3)
    gap = max(columns - width(title + subject + right) - 2, 0)
    return [(" ", "bar"), (title, "title"), (subject, "bar"), (" " * gap + right + " ", "bar")]


def _standing(status: JSON, now: Optional[datetime]) -> list[str]:
    """How a list stands towards its source, in words."""
    counts = ((name, status.get(name, 0)) for name in ("failed", "pending", "conflicts"))
    parts = [f"{count} {name[:-1] if (name, count) == ('conflicts', 1) else name}" for name, count in counts if count]
    for name, words, way in (("retryAt", "again in {}", 1), ("syncedAt", "synced {} ago", -1)):
        if now and status.get(name):
            seconds = way * (datetime.fromisoformat(status[name].replace("Z", "+00:00")) - now).total_seconds()
            unit, size = next((span for span in SPANS if seconds >= span[1]), SPANS[-1])
            parts.append(words.format(f"{max(int(seconds // size), 0)} {unit}"))
    return parts


def _hints(screen: JSON, view: View, columns: int) -> list[Row]:
    """The keys that matter most, on as many lines as they need."""
    actions = sorted((one for one in screen["actions"] if one["enabled"]), key=lambda one: not one.get("primary"))
    parts = [(shortcut(screen, view, one), one["title"], one["name"]) for one in actions[:HINTS_MAX]]
    if view.on_field(screen) and not view.line(screen):
        parts.insert(0, ("Enter", "Edit", ""))
    keys = ("F1", "Ctrl-C") if view.takes_letters(screen) else ("?", "q")
    lines: list[Row] = [[]]
    for key, title, name in [*parts, (keys[0], "Help", ""), (keys[1], "Quit", "")]:
        title = clip(title, columns - width(key) - 3)
        if lines[-1] and _width(lines[-1]) + width(key + title) + 2 > columns:
            lines.append([])
        focused = name and view.focus == ("action", name)
        lines[-1] += [(f" {key}", "key"), (f" {title}", "focus" if focused else "dim"), (" ", "")]
    return lines


def _help(screen: JSON, view: View, columns: int) -> list[Row]:
    """All keys: for the row and for the screen, and beside them those that are always there."""
    left: list[Row] = []
    for scope, group in (("item", "The row"), ("screen", "The screen")):
        entries = []
        for action in (one for one in screen["actions"] if one["scope"] == scope):
            bare = [] if view.takes_letters(screen) or not action.get("key") else [action["key"]]
            keys = dict.fromkeys([shortcut(screen, view, action), *bare])
            entries.append((", ".join(keys), action["title"] + ("" if action["enabled"] else " (not now)")))
        left += _group(group, entries) if entries else []
    right = _group("Always", [("F1, ?", "this help"), ("q, Ctrl-C", "quit"), ("Ctrl-Z", "shell; fg returns"),
                              ("Ctrl-Y", "brings back a text")])  # fmt: skip
    if screen["body"]["kind"] == "list":
        right += _group("Moving", [("j k ↓ ↑", "row"), ("PageUp PageDown", "page"), ("Home End", "list")])
    if fields(screen):
        before = [("F2", "the text before")] if screen["body"].get("layout") == "compare" else []
        right += _group("Fields", [("Tab Shift-Tab", "next, previous field"), ("Enter", "edits a long text"),
                                   ("PageUp PageDown", "scrolls it"), ("Ctrl-S", "the main action"), *before])  # fmt: skip
    return _beside([left, right], columns // 2) if columns >= HELP_COLUMNS_MIN else left + right


def _group(title: str, entries: list[tuple[str, str]]) -> list[Row]:
    lines = [[("  " + key.ljust(16), "key"), (shown(text), "")] for key, text in entries]
    return [[("  " + title, "label")], *lines, []]


# Parts of all


def _width(row: Row) -> int:
    return sum(width(text) for text, _ in row)


def _beside(parts: list[list[Row]], cells: int) -> list[Row]:
    """Blocks of rows beside each other, each in a column of so many cells."""
    rows = zip_longest(*parts, fillvalue=[])
    return [[cell for part in row for cell in [*part, (" " * (cells - _width(part)), "")]] for row in rows]


def _paragraph(text: str, columns: int, style: str, indent: str = " ") -> list[Row]:
    rows = wrap(text, columns - 2 * len(indent))[:PARAGRAPH_ROWS_MAX]
    return [[(indent, ""), (shown(text[start:end]), style)] for start, end in rows]


def _line(line: Line, room: int) -> tuple[str, int]:
    """What is seen of a text on one line, and where in it the cursor is."""
    text, place = shown(line.shown), len(shown(line.shown[: line.position]))
    while place and width(text[:place]) >= room:
        text, place = text[1:], place - 1
    return clip(text, room), width(text[:place])


# Bodies


def _form(screen: JSON, view: View, columns: int, room: int) -> tuple[list[Row], Optional[tuple[int, int]]]:
    """The fields below each other; sides to be compared beside each other, where there is room."""
    items, cursor = fields(screen), None
    lines: list[Row] = []
    if screen["body"].get("layout") == "compare":
        items = [item for item in items if item.get("side") != "base" or view.shows_base]
        cells = columns // max(len(items), 1)
        if items and cells >= SIDE_COLUMNS_MIN:
            return _beside([_field(item, screen, view, cells, room)[0] for item in items], cells), None
    for item in items:
        drawn, place = _field(item, screen, view, columns, room)
        if view.focus == ("field", item["name"]):
            cursor = (len(lines) + 1, place)
        lines += [*drawn, []]
    return lines, cursor


def _field(item: JSON, screen: JSON, view: View, columns: int, room: int) -> tuple[list[Row], int]:
    """A field below its label, and where in its text the cursor is."""
    focused, space, place = view.focus == ("field", item["name"]), max(columns - 4, 4), 0
    lines: list[Row] = [[(" ", ""), (clip(item["label"], columns - 2), "focused" if focused else "label")]]
    text = view.text(item)
    if not item.get("multiline"):
        line = view.line(screen) if focused else None
        seen, place = _line(line or Line(text, 0, item.get("secret", False)), space)
        lines.append([("  ", ""), (seen.ljust(space - width(seen) + len(seen)), "typing" if focused else "field")])
    else:
        rows, common = wrap(text, space - 1), _common(item, screen)
        for start, end in rows[max(0, min(view.scroll, len(rows) - max(room - 2, 1))) if focused else 0 :]:
            whole = text[text.rfind("\n", 0, start) + 1 :].split("\n", 1)[0].rstrip("\r")
            style = "reading" if focused else "text"
            style = style if common is None or whole in common else item["side"]
            lines.append([("  ", ""), (shown(text[start:end]), style)])
    return lines + (_paragraph(item["error"], columns, "error", "  ") if item.get("error") else []), place + 2


def _common(item: JSON, screen: JSON) -> Optional[set[str]]:
    """The lines that do not tell a side from what it is compared with: from before, else from the other side."""
    sides = {one["side"]: one.get("value", "") for one in screen["body"]["fields"] if one.get("side")}
    against = sides.get("base") or sides.get("theirs" if item.get("side") == "mine" else "mine")
    return set(against.splitlines()) if item.get("side") not in (None, "base") and against is not None else None


def _list(body: JSON, view: View, columns: int, room: int) -> list[Row]:
    items, selected = body["items"], view.row - body["offset"]
    if not items:
        return _paragraph(body["empty"], columns, "empty", "  ")
    cells = columns * 11 // 20 if columns >= PREVIEW_COLUMNS_MIN else columns
    top = max(0, min(selected - room // 2, len(items) - room))
    lines = [_row(item, cells, index == selected) for index, item in enumerate(items[top : top + room], top)]
    if cells == columns:
        return lines
    note = items[selected].get("preview", "") if 0 <= selected < len(items) else ""
    beside = [[("│ ", "rule"), (shown(note[start:end]), "preview")] for start, end in wrap(note, columns - cells - 3)]
    return _beside([lines, (beside + [[("│", "rule")]] * room)[:room]], cells)


def _row(item: JSON, columns: int, is_selected: bool) -> Row:
    mark = "[x] " if item.get("checked") else "[ ] " if "checked" in item else ""
    badge, detail = (clip(item.get(name) or "", columns // 3) for name in ("badge", "detail"))
    between = " " if badge and detail else ""
    space = columns - width(mark + badge + detail + between) - 3
    title = clip(item["title"], space)
    tone = item.get("tone", "")
    parts = [(" ", ""), (mark + title, "muted" if tone == "muted" else "item")]
    parts += [(" " * max(space - width(title) + 1, 0), ""), (detail, "dim"), (between, ""), (badge, tone or "badge")]
    return [(text, "selected" if is_selected else style) for text, style in [*parts, (" ", "")]]


def _progress(body: JSON, columns: int, tick: int) -> list[Row]:
    done, total = body.get("done"), body.get("total")
    count = "/".join(str(part) for part in (done, total) if part is not None)
    text = clip(body["text"], columns - 6 - width(count))
    lines = [[(f"  {SPINNER[tick % len(SPINNER)]} ", "key"), (text, "item"), (" " + count, "dim")]]
    if total and done is not None:
        cells = max(min(BAR_CELLS, columns - 6), 0)
        full = min(done, total) * cells // total
        lines.append([("    ", ""), ("█" * full, "key"), ("░" * (cells - full), "dim")])
    return lines
