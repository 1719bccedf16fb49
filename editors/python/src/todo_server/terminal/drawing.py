"""Draws a view as lines of styled text. Pure: the same arguments, the same picture."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain, repeat, zip_longest
from typing import NamedTuple, Optional

from ..text import clip, glyph, shown, width, wrap
from .view import JSON, Line, Prompt, View

Row = list[tuple[str, str]]  # (text, style) pairs; a style is a name that the terminal gives a look
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SIDE_COLUMNS_MIN = 20  # sides to be compared stand beside each other if each can have so many
PREVIEW_COLUMNS_MIN = 100  # of a terminal that shows the note of the row beside the list
HELP_COLUMNS_MIN = 80  # of a terminal that shows two columns of keys
GAPS_ROWS_MIN = 8  # of a terminal that has empty lines around the body
BODY_ROWS_MIN = 2  # of the body, for which the hints and then the title give way
BAR_CELLS = 20
HINTS_MAX = 3
PARAGRAPH_ROWS_MAX = 4
STATUS_ROWS_MAX = 16  # the line of a crash, up to 1,000 characters, on 80 columns
SPANS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
ALWAYS = (("F1, ?", "this help"), ("q, Ctrl-C", "quit"), ("Ctrl-Z", "shell; fg returns"),
          ("Ctrl-Y", "brings back a text"))  # fmt: skip
MOVING = (("j k ↓ ↑", "row"), ("PageUp PageDown", "page"), ("Home End", "list"))
IN_FIELDS = (("Tab Shift-Tab", "next, previous field"), ("Enter", "edits a long text"),
             ("PageUp PageDown", "scrolls"), ("Ctrl-S", "the main action"),
             ("F2", "before, in a conflict"))  # fmt: skip


class Picture(NamedTuple):
    lines: list[Row]
    cursor: Optional[tuple[int, int]]  # row and column, when there is something to type into
    scroll: int  # that of the view or of the help, as far as it was possible


def draw(
    view: View, columns: int, rows: int, status: tuple[str, str] = ("", ""),
    prompt: Optional[Prompt] = None, help_top: Optional[int] = None, tick: int = 0,
    now: Optional[datetime] = None,
) -> Picture:  # fmt: skip
    """The picture of a view on so many columns and rows.

    `status` is this terminal's own (level, text), `help_top` the first line of the help if that is
    open, `tick` turns the spinner, and `now` is there to say how long ago something was.
    """
    body, message = view.screen["body"], view.screen.get("message")
    gap: list[Row] = [[]] if rows >= GAPS_ROWS_MIN else []
    said = [(message["level"], message["text"])] if message else []
    said += [status] if status[1] or gap and not prompt else []
    said += [("question", prompt.label)] if prompt and not prompt.answer else []
    foot = gap + [
        row for style, text in said
        for row in _paragraph(
            text, columns, style, rows_max=STATUS_ROWS_MAX if (style, text) == status else PARAGRAPH_ROWS_MAX
        )
    ]  # fmt: skip
    cursor = None
    if prompt and prompt.answer:
        label = clip(prompt.label, columns // 2) + ": "
        line, place = _line(prompt.answer, columns - width(label))
        foot.append([(label, "question"), (line, "typing")])
        cursor = (rows - 1, width(label) + place)
    foot = foot[-max(rows - BODY_ROWS_MIN, 1) :]
    head = [_bar(view, columns, now), *_hints(view, columns), *gap]
    head = head[: max(rows - BODY_ROWS_MIN - len(foot), 0)]
    room, focus, scroll = max(rows - len(head) - len(foot), 1), (0, 0), help_top or 0
    if help_top is not None:
        middle = _help(view, columns)
    elif body["kind"] == "form":
        names, middle, focus = _form(view, columns)
        head, room, scroll = head + names, max(room - len(names), 1), view.scroll
    elif body["kind"] == "list":
        middle = _list(view, columns, room)
    elif body["kind"] == "progress":
        middle = _progress(body, columns, tick)
    else:
        middle = [[(f"This front-end cannot draw “{body['kind']}”.", "warning")]]
    start = _start(len(middle), focus[0], room)
    top = max(0, min(start + scroll, len(middle) - room))
    seen = _cut(middle, top, room, columns, focus[0])
    if view.line and help_top is None and not prompt and 0 <= focus[0] - top < room:
        cursor = (focus[0] - top + len(head), focus[1])
    lines = head + seen + [[]] * (room - len(seen)) + foot
    return Picture(lines[:rows], cursor, top - start)


def _start(total: int, chosen: int, room: int) -> int:
    """Which of so many lines is the first that is seen, so that the chosen one is in the middle."""
    return max(0, min(chosen - room // 2, total - room))


def _cut(rows: list[Row], top: int, room: int, columns: int, chosen: int) -> list[Row]:
    """The part that there is room for; its last line tells of an error, or of more, below."""
    seen, below = rows[top : top + room], len(rows) - top - room
    unseen = rows[:top] + rows[top + room :]
    errors = [row for row in unseen if row[1:] and row[1][1] == "error"]
    if chosen != top + room - 1 and (errors or below > 0):
        more = clip(f"  … {below + 1} more lines: PageDown", columns)
        seen[-1] = errors[0] if errors else [(more, "dim")]
    return seen


# Around the body


def _bar(view: View, columns: int, now: Optional[datetime]) -> Row:
    """The title, what the screen is about, how a list stands, and where the selection is."""
    screen, body, standing = view.screen, view.screen["body"], []
    if body["kind"] == "list":
        place = [f"{view.row + 1} of {body['total']}"] if body["items"] else []
        standing = [*_standing(body.get("status") or {}, now), *place]
        while len(standing) > 1 and width(" · ".join(standing)) > columns * 3 // 4:
            del standing[-2]  # what matters least stands last, before the place in the list
    right = clip(" · ".join(standing), columns * 3 // 4)
    subject = f" · {screen['subject']}" if screen.get("subject") else ""
    left = [(screen["title"], "title"), (subject, "bar")]
    return _spread(left, [(right + " ", "bar")], columns, "bar")


def _standing(status: JSON, now: Optional[datetime]) -> list[str]:
    """How a list stands towards its source, in words."""
    counts = [(status.get(name, 0), name) for name in ("failed", "pending", "conflicts")]
    parts = [f"{count} {name}" for count, name in counts if count]
    parts = ["1 conflict" if part == "1 conflicts" else part for part in parts]
    for name, words, way in (("retryAt", "again in {}", 1), ("syncedAt", "synced {} ago", -1)):
        if now and status.get(name):
            then = datetime.fromisoformat(status[name].replace("Z", "+00:00"))
            seconds = way * (then - now).total_seconds()
            unit, size = next((span for span in SPANS if seconds >= span[1]), SPANS[-1])
            parts.append(words.format(f"{max(int(seconds // size), 0)} {unit}"))
    return parts


def _hints(view: View, columns: int) -> list[Row]:
    """The keys that matter most, on as many lines as they need."""
    actions = [one for one in view.screen["actions"] if one["enabled"]]
    actions.sort(key=lambda one: not one.get("primary"))
    hints = [(view.key_of(one), one["title"], one["name"]) for one in actions[:HINTS_MAX]]
    if view.focused and not view.line:
        hints.insert(0, ("Enter", "Edit", ""))
    keys = ("F1", "Ctrl-C") if view.takes_letters else ("?", "q")
    lines: list[Row] = [[]]
    for key, title, name in [*hints, (keys[0], "Help", ""), (keys[1], "Quit", "")]:
        title = clip(title, columns - width(key) - 3)
        if lines[-1] and _width(lines[-1]) + width(key + title) + 2 > columns:
            lines.append([])
        style = "focus" if view.focus == ("action", name) else "dim"
        lines[-1] += [(f" {key}", "key"), (f" {title}", style), (" ", "")]
    return lines


def _help(view: View, columns: int) -> list[Row]:
    """All keys: for the row and for the screen, and beside them those that are always there."""
    left: list[Row] = []
    for scope, group in (("item", "The row"), ("screen", "The screen")):
        entries = []
        for action in (one for one in view.screen["actions"] if one["scope"] == scope):
            letter = "" if view.takes_letters else action.get("key", "")
            keys = ", ".join(dict.fromkeys(filter(None, [view.key_of(action), letter])))
            entries.append((keys, action["title"] + ("" if action["enabled"] else " (not now)")))
        left += _group(group, *entries) if entries else []
    kind = view.screen["body"]["kind"]
    right = _group("Always", *ALWAYS)
    right += _group("Moving", *MOVING) if kind == "list" else []
    right += _group("Fields", *IN_FIELDS) if kind == "form" else []
    return _beside([left, right], columns // 2) if columns >= HELP_COLUMNS_MIN else left + right


def _group(title: str, *entries: tuple[str, str]) -> list[Row]:
    rows = [[("  " + key.ljust(16), "key"), (shown(text), "")] for key, text in entries]
    return [[("  " + title, "label")], *rows, []]


# Parts of all


def _width(row: Row) -> int:
    return sum(width(text) for text, _ in row)


def _spread(left: Row, right: Row, columns: int, style: str = "") -> Row:
    """A row with something at either end, of which the left end gives way."""
    room, row = columns - _width(right) - 2, [(" ", style)]
    for text, look in left:
        row.append((clip(text, room), look))
        room -= width(row[-1][0])
    return [*row, (" " * (room + 1), style), *right]


def _beside(parts: list[list[Row]], cells: int) -> list[Row]:
    """Blocks of rows beside each other, each in a column of so many cells."""

    def filled(row: Row) -> Row:
        return [*row, (" " * (cells - _width(row)), "")]

    return [sum(map(filled, rows), []) for rows in zip_longest(*parts, fillvalue=[])]


@lru_cache(maxsize=8)
def _wrapped(text: str, cells: int) -> list[list[str]]:
    """What is seen of each line of a text: the rows that it takes."""
    lines = text.split("\n")
    return [[shown(line[start:end]) for start, end in wrap(line, cells)] for line in lines]


def _paragraph(
    text: str, columns: int, style: str, indent: str = " ", rows_max: int = PARAGRAPH_ROWS_MAX
) -> list[Row]:
    parts = chain(*_wrapped(text, columns - 2 * len(indent)))
    return [[(indent, ""), (part, style)] for part in parts][:rows_max]


def _line(line: Line, room: int) -> tuple[str, int]:
    """What is seen of a text on one line, and where in it the cursor is."""
    text = "•" * len(line.text) if line.secret else line.text
    start, place = line.position, 0
    while start and place + glyph(text[start - 1])[1] < room:
        start -= 1
        place += glyph(text[start])[1]
    return clip(text[start:], room), place


# Bodies


def _form(view: View, columns: int) -> tuple[list[Row], list[Row], tuple[int, int]]:
    """Names that stay in sight, the rows below, and where in these the focus is.

    Fields stand below each other; sides beside each other, where there is room, and line by line.
    """
    items = [item for item in view.fields if item.get("side") != "base" or view.shows_base]
    cells = columns // len(items) if items and view.has_sides else 0
    if cells >= SIDE_COLUMNS_MIN:
        wrapped = (_wrapped(view.text(item), cells - 5) for item in items)
        heights = [max(map(len, rows)) for rows in zip_longest(*wrapped, fillvalue=[])]
        names, *rows = _beside([_field(one, view, cells, heights)[0] for one in items], cells)
        return [names], rows, (0, 0)
    rows, focus = [], (0, 0)
    for item in items:
        drawn, place = _field(item, view, columns)
        focus = (len(rows) + 1, place) if item is view.focused else focus
        rows += [*drawn, []]
    return [], rows, focus


def _field(
    item: JSON, view: View, columns: int, heights: Sequence[int] = ()
) -> tuple[list[Row], int]:
    """A field below its label, each line of at least its height; where in it the cursor is."""
    text, space, place, rows = view.text(item), max(columns - 4, 4), 0, []
    label, field, reading = "label", "field", "text"
    if item is view.focused:
        label, field, reading = "focused", "typing", "reading"
    if item.get("multiline"):
        common = _common(item, view)
        wrapped = _wrapped(text, space - 1)
        for line, parts, height in zip(text.split("\n"), wrapped, heights or repeat(0)):
            is_common = common is None or line.rstrip("\r") in common
            look = reading if is_common else item["side"]
            rows += [[("  ", ""), (part, look)] for part in parts]
            rows += [[]] * (height - len(parts))
    else:
        typed = view.line if item is view.focused else None
        seen, place = _line(typed or Line(text, 0, item.get("secret", False)), space)
        rows.append([("  ", ""), (seen + " " * (space - width(seen)), field)])
    rows += _paragraph(item["error"], columns, "error", "  ") if item.get("error") else []
    return [[(" ", ""), (clip(item["label"], columns - 2), label)], *rows], place + 2


def _common(item: JSON, view: View) -> Optional[set[str]]:
    """The lines that a side has in common with what was before, or else with the other side."""
    sides = {one.get("side"): one.get("value", "") for one in view.fields}
    other = sides.get("base") or sides.get("theirs" if item.get("side") == "mine" else "mine")
    if other is None or item["side"] == "base":
        return None
    return {line.rstrip("\r") for line in other.split("\n")}


def _list(view: View, columns: int, room: int) -> list[Row]:
    body = view.screen["body"]
    items, selected = body["items"], view.row - body["offset"]
    if not items:
        return _paragraph(body["empty"], columns, "empty", "  ")
    cells = columns * 11 // 20 if columns >= PREVIEW_COLUMNS_MIN else columns
    top = _start(len(items), selected, room)
    seen = enumerate(items[top : top + room], top)
    rows = [_row(item, cells, index == selected) for index, item in seen]
    if cells == columns:
        return rows
    note = items[selected].get("preview", "") if 0 <= selected < len(items) else ""
    parts = [*chain(*_wrapped(note, columns - cells - 3)), *[""] * room]
    beside = [[("│ ", "rule"), (part, "preview")] for part in parts[:room]]
    return _beside([rows, beside], cells)


def _row(item: JSON, columns: int, is_selected: bool) -> Row:
    mark = {True: "[x] ", False: "[ ] ", None: ""}[item.get("checked")]
    badge = clip(item.get("badge") or "", columns // 3)
    room = columns - width(mark + clip(item["title"], columns) + badge) - 5
    facts = [item.get("detail", ""), " ".join(f"#{label}" for label in item.get("labels", []))]
    detail = clip(" · ".join(filter(None, facts)), max(room, columns // 3))
    tone, between = item.get("tone", ""), " " if badge and detail else ""
    left = [(mark + item["title"], "muted" if tone == "muted" else "item")]
    right = [(detail, "dim"), (between, ""), (badge, tone or "badge"), (" ", "")]
    row = _spread(left, right, columns)
    return [(text, "selected" if is_selected else style) for text, style in row]


def _progress(body: JSON, columns: int, tick: int) -> list[Row]:
    done, total, spinner = body.get("done"), body.get("total"), SPINNER[tick % len(SPINNER)]
    count = "/".join(str(part) for part in (done, total) if part is not None)
    text = clip(body["text"], columns - 6 - width(count))
    rows = [[(f"  {spinner} ", "key"), (text, "item"), (" " + count, "dim")]]
    if total and done is not None:
        cells = max(min(BAR_CELLS, columns - 6), 0)
        full = min(done, total) * cells // total
        rows.append([("    ", ""), ("█" * full, "key"), ("░" * (cells - full), "dim")])
    return rows
