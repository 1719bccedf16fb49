"""Draws a screen of a rendering as lines of styled text. Pure: the same arguments, the same picture."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, Optional

from ..text import clip, shown, width, wrap
from .view import Prompt, TextField, View, fields, shortcut

Line = list[tuple[str, str]]  # (text, style) pairs; a style is a name that the terminal gives a look
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SIDE_COLUMNS_MIN = 20  # sides to be compared stand beside each other if each can have so many
PREVIEW_COLUMNS_MIN = 100  # of a terminal that shows the note of the row beside the list
BAR_CELLS = 20
HINTS_MAX = 3
PARAGRAPH_ROWS_MAX = 3


class Picture(NamedTuple):
    lines: list[Line]
    cursor: Optional[tuple[int, int]]  # row and column, when there is something to type into


def draw(
    screen: dict,
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
    body = screen["body"]
    head = [_bar(screen, view, columns, now), *_hints(screen, view, columns), []]
    message, foot, asked = screen.get("message"), [[]], None
    if message:
        foot += _paragraph(message["text"], columns, message["level"], " ")
    if status[1]:
        foot += _paragraph(status[1], columns, status[0], " ")
    if prompt and prompt.answer:
        line, asked = _question(prompt, columns)
        foot.append(line)
    elif prompt:
        foot += _paragraph(prompt.label, columns, "question", " ")
    elif not status[1]:
        foot.append([])
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
    middle += [[]] * (room - len(middle))
    if asked is not None:
        cursor = (rows - 1, asked)
    elif prompt or help_open or not cursor or not view.typing:
        cursor = None
    else:
        cursor = (cursor[0] - top + len(head), cursor[1])
    return Picture((head + middle + foot)[:rows], cursor)


# Around the body


def _bar(screen: dict, view: View, columns: int, now: Optional[datetime]) -> Line:
    """The title, what the screen is about, how a list stands, and where in it the selection is."""
    body, right = screen["body"], ""
    if body["kind"] == "list":
        parts = [_standing(body.get("status") or {}, now)]
        parts.append(f"{view.row + 1} of {body['total']}" if body["items"] else "")
        right = clip(" · ".join(part for part in parts if part), columns // 2)
    title = clip(screen["title"], columns - width(right) - 3)
    subject = f" · {screen['subject']}" if screen.get("subject") else ""
    subject = clip(subject, columns - width(title) - width(right) - 3)
    gap = max(columns - width(title + subject + right) - 2, 0)
    return [(" ", "bar"), (title, "title"), (subject, "bar"), (" " * gap + right + " ", "bar")]


def _standing(status: dict, now: Optional[datetime]) -> str:
    """How a list stands towards its source, in words."""
    failed, conflicts, pending = (status.get(name, 0) for name in ("failed", "conflicts", "pending"))
    parts = [f"{failed} failed"] * bool(failed) + [f"{pending} pending"] * bool(pending)
    parts += [f"{conflicts} conflict{'s' if conflicts > 1 else ''}"] * bool(conflicts)
    if now and status.get("retryAt"):
        parts.append(f"again in {_span((_instant(status['retryAt']) - now).total_seconds())}")
    if now and status.get("syncedAt"):
        parts.append(f"synced {_span((now - _instant(status['syncedAt'])).total_seconds())} ago")
    return " · ".join(parts)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _span(seconds: float) -> str:
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{max(int(seconds), 0)} s"


def _hints(screen: dict, view: View, columns: int) -> list[Line]:
    """The keys that matter most, on as many lines as they need."""
    actions = [one for one in screen["actions"] if one["enabled"]]
    actions.sort(key=lambda one: not one.get("primary"))
    parts = [(shortcut(screen, view, one), one["title"], one["name"]) for one in actions[:HINTS_MAX]]
    if view.focus and view.focus[0] == "field" and not view.typing:
        parts.insert(0, ("Enter", "Edit", ""))
    keys = ("F1", "Ctrl-C") if view.takes_letters(screen) else ("?", "q")
    parts += [(keys[0], "Help", ""), (keys[1], "Quit", "")]
    lines: list[Line] = [[]]
    for key, title, name in parts:
        title = clip(title, columns - width(key) - 3)
        used = sum(width(text) for text, _ in lines[-1])
        if used and used + width(key + title) + 2 > columns:
            lines.append([])
        focused = name and view.focus == ("action", name)
        lines[-1] += [(f" {key}", "key"), (f" {title}", "focus" if focused else "hint"), (" ", "")]
    return lines


def _paragraph(text: str, columns: int, style: str, indent: str) -> list[Line]:
    rows = wrap(text, columns - 2 * len(indent))[:PARAGRAPH_ROWS_MAX]
    return [[(indent, ""), (shown(text[start:end]), style)] for start, end in rows]


def _question(prompt: Prompt, columns: int) -> tuple[Line, int]:
    label, answer = clip(prompt.label, columns // 2) + ": ", prompt.answer
    before, after = shown(answer.shown[: answer.position]), shown(answer.shown[answer.position :])
    room = columns - width(label) - 1
    while width(before) > max(room, 0):
        before = before[1:]
    return [(label, "question"), (clip(before + after, room), "typing")], width(label) + width(before)


def _help(screen: dict, view: View, columns: int) -> list[Line]:
    """All keys: for the row and for the screen, and beside them those that are always there."""
    letters = view.takes_letters(screen)
    groups: dict[str, list[tuple[str, str]]] = {}
    for action in screen["actions"]:
        keys = [shortcut(screen, view, action)] + [action["key"]] * bool(action.get("key") and not letters)
        title = action["title"] + ("" if action["enabled"] else " (not now)")
        group = "The row" if action["scope"] == "item" else "The screen"
        groups.setdefault(group, []).append((", ".join(dict.fromkeys(keys)), title))
    more = {"Always": [("F1, ?", "this help"), ("q, Ctrl-C", "quit"), ("Ctrl-Z", "shell; fg returns")]}
    more["Always"].append(("Ctrl-Y", "brings back a text"))
    if screen["body"]["kind"] == "list":
        more["Moving"] = [("j k ↓ ↑", "row"), ("PageUp PageDown", "page"), ("Home End", "list")]
    if fields(screen):
        more["Fields"] = [("Tab Shift-Tab", "next, previous field"), ("Enter", "long text in your editor")]
        more["Fields"] += [("PageUp PageDown", "scrolls it"), ("Ctrl-S", "the main action")]
        more["Fields"] += [("F2", "the text before")] if screen["body"].get("layout") == "compare" else []
    left, right = _entries(groups), _entries(more)
    cells = max(columns // 2, 34)
    if cells + 40 > columns:
        return left + right
    padding = [[]] * abs(len(left) - len(right))
    pairs = zip(left + padding, right + padding)
    return [[*one, (" " * (cells - sum(width(text) for text, _ in one)), ""), *other] for one, other in pairs]


def _entries(groups: dict[str, list[tuple[str, str]]]) -> list[Line]:
    lines: list[Line] = []
    for title, entries in groups.items():
        lines += [[]] * bool(lines) + [[("  " + title, "label")]]
        lines += [[("  " + key.ljust(16), "key"), (shown(text), "")] for key, text in entries]
    return lines


# Bodies


def _form(screen: dict, view: View, columns: int, room: int) -> tuple[list[Line], Optional[tuple[int, int]]]:
    """The fields below each other; sides to be compared beside each other, where there is room."""
    items, lines, cursor = fields(screen), [], None
    if screen["body"].get("layout") == "compare":
        items = [item for item in items if item.get("side") != "base" or view.shows_base]
        if items and columns // len(items) >= SIDE_COLUMNS_MIN:
            return _sides(items, screen, view, columns, room), (0, 0)
    for item in items:
        drawn, place = _field(item, view, columns, room, _others(item, screen, view))
        cursor = (len(lines) + place[0], place[1]) if place else cursor
        lines += [*drawn, []]
    return lines, cursor


def _sides(items: list[dict], screen: dict, view: View, columns: int, room: int) -> list[Line]:
    cells, lines = columns // len(items), []
    drawn = [_field(item, view, cells, room, _others(item, screen, view))[0] for item in items]
    for index in range(max(map(len, drawn))):
        line: Line = []
        for part in drawn:
            own = part[index] if index < len(part) else []
            line += [*own, (" " * (cells - sum(width(text) for text, _ in own)), "")]
        lines.append(line)
    return lines


def _others(item: dict, screen: dict, view: View) -> Optional[set[str]]:
    """The lines that do not tell a side from what it is compared with: from before, else from the other side."""
    sides = {one["side"]: one.get("value", "") for one in screen["body"]["fields"] if one.get("side")}
    against = sides.get("base") or sides.get("theirs" if item.get("side") == "mine" else "mine")
    return set(against.splitlines()) if item.get("side") not in (None, "base") and against is not None else None


def _field(
    item: dict, view: View, columns: int, room: int, common: Optional[set[str]]
) -> tuple[list[Line], Optional[tuple[int, int]]]:
    """A field below its label, and where in it the focus is."""
    text = view.texts.get(item["name"]) or TextField.of(item)
    focused, space, place = view.focus == ("field", item["name"]), max(columns - 4, 4), None
    lines: list[Line] = [[(" ", ""), (clip(item["label"], columns - 2), "focused" if focused else "label")]]
    if not text.multiline:
        here = len(shown(text.shown[: text.position]))
        line = shown(text.shown)
        while width(line[:here]) > space - 1:
            line, here = line[1:], here - 1
        line = clip(line, space)
        place = (1, 2 + width(line[:here])) if focused else None
        lines.append([("  ", ""), (line + " " * (space - width(line)), "typing" if focused else "field")])
    else:
        rows = wrap(text.shown, space - 1)
        top = max(0, min(view.scroll, len(rows) - max(room - 2, 1))) if focused else 0
        for start, end in rows[top:]:
            line = shown(text.shown[start:end])
            whole = text.shown[text.shown.rfind("\n", 0, start) + 1 :].split("\n", 1)[0].rstrip("\r")
            differs = common is not None and whole not in common
            style = item["side"] if differs else "reading" if focused else "text"
            lines.append([("  ", ""), (line + " " * (space - width(line)), style)])
    return lines + (_paragraph(item["error"], columns, "error", "  ") if item.get("error") else []), place


def _list(body: dict, view: View, columns: int, room: int) -> list[Line]:
    items, selected = body["items"], view.row - body["offset"]
    if not items:
        return _paragraph(body["empty"], columns, "empty", "  ")
    cells = columns * 11 // 20 if columns >= PREVIEW_COLUMNS_MIN else columns
    top = max(0, min(selected - room // 2, len(items) - room))
    lines = [_row(item, cells, index == selected) for index, item in enumerate(items[top : top + room], top)]
    if cells < columns:
        beside: list[Line] = []
        if 0 <= selected < len(items):
            note, space = items[selected].get("preview", ""), columns - cells - 3
            beside = [[(shown(note[start:end]), "preview")] for start, end in wrap(note, space)]
        lines += [[(" " * cells, "")]] * (room - len(lines))
        lines = [line + [("│ ", "rule")] + part for line, part in zip(lines, beside + [[]] * len(lines))]
    return lines


def _row(item: dict, columns: int, is_selected: bool) -> Line:
    mark = {True: "[x] ", False: "[ ] "}.get(item.get("checked"), "")
    badge, detail = (clip(item.get(name) or "", columns // 3) for name in ("badge", "detail"))
    between = " " if badge and detail else ""
    space = columns - width(mark + badge + detail + between) - 3
    title = clip(item["title"], space)
    gap = " " * max(space - width(title) + 1, 0)
    tone = item.get("tone", "")
    parts = [(" ", ""), (mark + title, "muted" if tone == "muted" else "item"), (gap, ""), (detail, "dim")]
    parts += [(between, ""), (badge, tone or "badge"), (" ", "")]
    return [(text, "selected" if is_selected else style) for text, style in parts]


def _progress(body: dict, columns: int, tick: int) -> list[Line]:
    done, total = body.get("done"), body.get("total")
    count = "/".join(str(part) for part in (done, total) if part is not None)
    line = [(f"  {SPINNER[tick % len(SPINNER)]} ", "key"), (clip(body["text"], columns - 6 - width(count)), "item")]
    lines = [[*line, (" " + count, "dim")]]
    if total and done is not None:
        cells = max(min(BAR_CELLS, columns - 6), 0)
        full = min(done, total) * cells // total
        lines.append([("    ", ""), ("█" * full, "key"), ("░" * (cells - full), "dim")])
    return lines
