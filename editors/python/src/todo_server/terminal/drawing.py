"""Draws a view as lines of styled text. Pure: the same arguments, the same picture."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import repeat, zip_longest
from typing import NamedTuple, Optional

from ..text import clip, shown, width
from .lists import BOXES, draw_list
from .parts import PARAGRAPH_ROWS_MAX, Row, Target, beside, line, paragraph, row_width, spread, start, wrapped
from .sides import common_lines, differences, words_of
from .sides import pieces as pieces_of
from .view import JSON, SUBJECT_COLUMNS, Line, Prompt, View

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SIDE_COLUMNS_MIN = 20  # compared sides are next to each other if each can have this width
HELP_COLUMNS_MIN = 80  # of a terminal that shows two columns of keys
GAPS_ROWS_MIN = 8  # of a terminal that has empty lines around the body
SIDES_GAPS_ROWS_MIN = 16  # the same around compared sides
BODY_ROWS_MIN = 2  # of the body, for which the hints and then the title give way
BAR_CELLS = 20
HINTS_MAX = 3
STATUS_ROWS_MAX = 16  # the line of a crash, up to 1,000 characters, on 80 columns
SPANS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
ALWAYS = (("F1, ?", "this help"), ("q, Ctrl-C", "quit"), ("Ctrl-Z", "shell; fg returns"),
          ("Ctrl-L", "draws the screen again"), ("Ctrl-Y", "brings back a text"))  # fmt: skip
MOVING = (("j k ↓ ↑", "row"), ("PageUp PageDown", "page"), ("Home End", "list"),
          ("Space", "marks the row"), ("Tab", "folds the section"),
          ("click", "row, box, hint"))  # fmt: skip
IN_FIELDS = (("Tab Shift-Tab", "next, previous field"), ("Enter", "edits a long text"),
             ("PageUp PageDown", "scrolls"), ("Ctrl-S", "the main action"),
             ("F2", "before, in a conflict"))  # fmt: skip


class Picture(NamedTuple):
    lines: list[Row]
    cursor: Optional[tuple[int, int]]  # row and column, when there is something to type into
    scroll: int  # that of the view or of the help, as far as it was possible
    targets: dict[int, Target] = {}  # what a click on a row of the screen is for
    hints: list[tuple[int, int, int, str]] = []  # row, first column, end, and the name of an action


def draw(
    view: View, columns: int, rows: int, status: tuple[str, str] = ("", ""),
    prompt: Optional[Prompt] = None, help_top: Optional[int] = None, tick: int = 0,
    now: Optional[datetime] = None, boxes: tuple[str, str] = BOXES,
) -> Picture:  # fmt: skip
    """The picture of a view with the given columns and rows.

    `status` is this terminal's own (level, text), `help_top` the first line of the help if that is
    open, `tick` turns the spinner, `now` is there to say how long ago something was, and `boxes` are
    those of rows that are not done and done.
    """
    body, message = view.screen["body"], view.screen.get("message")
    gap: list[Row] = [[]] if rows >= (SIDES_GAPS_ROWS_MIN if view.has_sides else GAPS_ROWS_MIN) else []
    said = [(message["level"], message["text"])] if message else []
    status = ("", "") if status in said else status  # an error of a request
    said += [status] if status[1] or gap and not prompt else []
    foot = gap + [
        row for style, text in said
        for row in paragraph(
            text, columns, style, rows_max=STATUS_ROWS_MAX if (style, text) == status else PARAGRAPH_ROWS_MAX
        )
    ]  # fmt: skip
    cursor, body_rows = None, BODY_ROWS_MIN
    if prompt and not prompt.answer:
        foot, body_rows = foot + _question(prompt, columns, rows - BODY_ROWS_MIN), 0
    elif prompt and prompt.answer:
        label = clip(prompt.label, columns // 2) + ": "
        typed, place = line(prompt.answer, columns - width(label))
        foot.append([(label, "question"), (typed, "typing")])
        cursor = (rows - 1, width(label) + place)
    foot = foot[-max(rows - body_rows, 1) :]
    hints, places = _hints(view, columns)
    head, targets = [_bar(view, columns, now), *hints, *gap], list[Target]()
    head = head[: max(rows - BODY_ROWS_MIN - len(foot), 0)]
    room, focus, scroll = max(rows - len(head) - len(foot), 1), (0, 0), help_top or 0
    if help_top is not None:
        middle = _help(view, columns)
    elif body["kind"] == "form":
        names, middle, focus, targets = _form(view, columns)
        head, room, scroll = head + names, max(room - len(names), 1), view.scroll
    elif body["kind"] == "list":
        middle, targets = draw_list(view, columns, room, boxes)
    elif body["kind"] == "progress":
        middle = _progress(body, columns, tick)
    else:
        middle = [[(f"This front-end cannot draw “{body['kind']}”.", "warning")]]
    first = start(len(middle), focus[0], room)
    top = max(0, min(first + scroll, len(middle) - room))
    seen = _cut(middle, top, room, columns, focus[0])
    if view.line and help_top is None and not prompt and 0 <= focus[0] - top < room:
        cursor = (focus[0] - top + len(head), focus[1])
    lines = head + seen + [[]] * (room - len(seen)) + foot
    if prompt or help_top is not None:  # then there is nothing to click
        return Picture(lines[-rows:], cursor, top - first)
    clickable = {len(head) + row: one for row, one in enumerate(targets[top : top + room])}
    places = [place for place in places if place[0] < len(head)]
    return Picture(lines[:rows], cursor, top - first, clickable, places)


def _cut(rows: list[Row], top: int, room: int, columns: int, chosen: int) -> list[Row]:
    """The part that there is room for; its last line reports an error, or more lines below."""
    seen, below = rows[top : top + room], len(rows) - top - room
    unseen = rows[:top] + rows[top + room :]
    errors = [row for row in unseen if row[1:] and row[1][1] == "error"]
    if chosen != top + room - 1 and (errors or below > 0):
        more = clip(f"  … {below + 1} more lines: PageDown", columns)
        seen[-1] = errors[0] if errors else [(more, "dim")]
    return seen


# Around the body


def _question(prompt: Prompt, columns: int, room: int) -> list[Row]:
    """The whole question for y or n, and as much of its subject as fits into few lines."""
    for cells in range(SUBJECT_COLUMNS, 0, -1):
        drawn = paragraph(prompt.question(cells), columns, "question", rows_max=STATUS_ROWS_MAX)
        if len(drawn) <= min(room, PARAGRAPH_ROWS_MAX):
            break
    return drawn


def _bar(view: View, columns: int, now: Optional[datetime]) -> Row:
    """The title, what the screen is about, how a list stands, and where the selection is."""
    screen, body, standing = view.screen, view.screen["body"], []
    if body["kind"] == "list":
        place = [f"{view.row + 1} of {body['total']}"] if body["items"] else []
        standing = [*_standing(body, now), *place]
        while len(standing) > 1 and width(" · ".join(standing)) > columns * 3 // 4:
            del standing[-2]  # what matters least stands last, before the place in the list
    right = clip(" · ".join(standing), columns * 3 // 4)
    subject = f" · {screen['subject']}" if screen.get("subject") else ""
    left = [(screen["title"], "title"), (subject, "bar")]
    return spread(left, [(right + " ", "bar")], columns, "bar")


def _standing(body: JSON, now: Optional[datetime]) -> list[str]:
    """The state of a list, in words; first what matters most."""
    status, items = body.get("status") or {}, body["items"]
    counts = [(status.get(name, 0), name) for name in ("failed", "pending", "conflicts")]
    parts = [f"{count} {name}" for count, name in counts if count]
    parts = ["1 conflict" if part == "1 conflicts" else part for part in parts]
    for name, words, way in (("retryAt", "again in {}", 1), ("syncedAt", "synced {} ago", -1)):
        if now and status.get(name):
            then = datetime.fromisoformat(status[name].replace("Z", "+00:00"))
            seconds = int(way * (then - now).total_seconds())
            unit, size = next((span for span in SPANS if seconds >= span[1]), SPANS[-1])
            parts += [words.format(f"{seconds // size} {unit}")] if seconds >= 0 else []
    if len(items) == body["total"]:  # else it is not known
        boxes = [item["checked"] for item in items if "checked" in item]
        counts = [(boxes.count(False), "open"), (boxes.count(True), "done")]
        parts += [f"{count} {name}" for count, name in counts if count]
    return parts


def _hints(view: View, columns: int) -> tuple[list[Row], list[tuple[int, int, int, str]]]:
    """The keys that matter most, on as many lines as they need; and where those of actions are."""
    actions = [one for one in view.screen["actions"] if view.is_possible(one)]
    actions.sort(key=lambda one: not one.get("primary"))
    hints = [(view.key_of(one), one["title"], one["name"]) for one in actions[:HINTS_MAX]]
    if view.focused and not view.line:
        hints.insert(0, ("Enter", "Edit", ""))
    keys = ("F1", "Ctrl-C") if view.takes_letters else ("?", "q")
    lines: list[Row] = [[]]
    places = []
    for key, title, name in [*hints, (keys[0], "Help", ""), (keys[1], "Quit", "")]:
        title = clip(title, columns - width(key) - 3)
        if lines[-1] and row_width(lines[-1]) + width(key + title) + 2 > columns:
            lines.append([])
        style = "focus" if view.focus == ("action", name) else "dim"
        begin = row_width(lines[-1])
        lines[-1] += [(f" {key}", "key"), (f" {title}", style), (" ", "")]
        if name:
            places.append((len(lines), begin, row_width(lines[-1]), name))
    return lines, places


def _help(view: View, columns: int) -> list[Row]:
    """All keys: for the row and for the screen, and beside them those that are always there."""
    left: list[Row] = []
    for scope, group in (("item", "The row"), ("screen", "The screen")):
        entries = []
        for action in (one for one in view.screen["actions"] if one["scope"] == scope):
            letter = "" if view.takes_letters else action.get("key", "")
            keys = ", ".join(dict.fromkeys(filter(None, [view.key_of(action), letter])))
            entries.append((keys, action["title"] + ("" if view.is_possible(action) else " (not now)")))
        left += _group(group, *entries) if entries else []
    kind = view.screen["body"]["kind"]
    right = _group("Always", *ALWAYS)
    right += _group("Moving", *MOVING) if kind == "list" else []
    right += _group("Fields", *IN_FIELDS) if kind == "form" else []
    return beside([left, right], columns // 2) if columns >= HELP_COLUMNS_MIN else left + right


def _group(title: str, *entries: tuple[str, str]) -> list[Row]:
    rows = [[("  " + key.ljust(16), "key"), (shown(text), "")] for key, text in entries]
    return [[("  " + title, "label")], *rows, []]


# Bodies


def _form(view: View, columns: int) -> tuple[list[Row], list[Row], tuple[int, int], list[Target]]:
    """Names that stay in sight, the rows below, where in these the focus is, and what each row is for.

    Fields are below each other; sides beside each other and line by line, where there is room, else
    mine is above theirs.
    """
    items = [item for item in view.fields if item.get("side") != "base" or view.shows_base]
    cells = columns // len(items) if items and view.has_sides else 0
    if cells >= SIDE_COLUMNS_MIN:
        lines = (wrapped(view.text(item), cells - 5) for item in items)
        heights = [max(map(len, rows)) for rows in zip_longest(*lines, fillvalue=[])]
        names, *rows = beside([_field(one, view, cells, heights)[0] for one in items], cells)
        return [names], rows, (0, 0), []
    rows, focus, targets = [], (0, 0), list[Target]()
    if compared := differences(view, columns):
        rows, targets = [*compared, []], [None] * (len(compared) + 1)
        items = [item for item in items if item.get("side") not in ("mine", "theirs")]
    for item in items:
        drawn, place = _field(item, view, columns)
        focus = (len(rows) + 1, place) if item is view.focused and not compared else focus
        rows += [*drawn, []]
        targets += [None if item.get("readOnly") else ("field", item["name"])] * (len(drawn) + 1)
    return [], rows, focus, targets


def _field(
    item: JSON, view: View, columns: int, heights: Sequence[int] = ()
) -> tuple[list[Row], int]:
    """A field below its label, each line of at least its height; where in it the cursor is."""
    text, space, place, rows = view.text(item), max(columns - 4, 4), 0, []
    label, field, reading = "label", "field", "text"
    if item is view.focused:
        label, field, reading = "focused", "typing", "reading"
    if item.get("multiline"):
        common = common_lines(item, view)
        words = words_of(common or ())
        for one, parts, height in zip(text.split("\n"), wrapped(text, space - 1), heights or repeat(0)):
            is_common = common is None or one.rstrip("\r") in common
            for part in parts:
                styled = [(part, reading)] if is_common else pieces_of(part, words, item["side"], reading)
                rows.append([("  ", ""), *styled])
            rows += [[]] * (height - len(parts))
    else:
        typed = view.line if item is view.focused else None
        seen, place = line(typed or Line(text, 0, item.get("secret", False)), space)
        rows.append([("  ", ""), (seen + " " * (space - width(seen)), field)])
    rows += paragraph(item["error"], columns, "error", "  ") if item.get("error") else []
    main = view.action(primary=True, scope="screen")
    hint = "may be empty" if item.get("secret") and not text and main and main["enabled"] else ""
    name = clip(item["label"], columns - 2)
    return [[(" ", ""), (name, label), (" " + clip(hint, columns - width(name) - 3), "dim")], *rows], place + 2


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
