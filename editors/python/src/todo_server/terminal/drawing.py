"""Draws a screen of a rendering as lines of styled text. Pure: the same arguments, the same picture."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from ..text import TextBuffer, clip, row_of, shown, width, wrap
from .view import Prompt, View, action_keys, enter_action, fields

Line = list[tuple[str, str]]  # (text, style) pairs; a style is a name that the terminal gives a look
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
TEXT_COLUMNS_MIN = 25  # texts of several lines that follow each other stand side by side if each can have so many
FOOTER_ROWS_MAX = 3
MESSAGE_ROWS_MAX = 3


class Picture(NamedTuple):
    lines: list[Line]
    cursor: tuple[int, int] | None  # row and column, when there is something to type into


def draw(
    screen: dict,
    view: View,
    columns: int,
    rows: int,
    *,
    status: tuple[str, str] = ("info", ""),
    prompt: Prompt | None = None,
    help_open: bool = False,
    tick: int = 0,
) -> Picture:
    """The picture of a screen. `status` is this terminal's own (level, text) and `tick` turns the spinner."""
    body = screen["body"]
    head = [_bar(screen, columns), [(_count(body, view).rjust(columns), "dim")]]
    foot = _message(screen.get("message"), columns)
    foot += [[(clip(prompt.label if prompt else status[1], columns), "bold" if prompt else status[0])]]
    asked = None
    if prompt and prompt.buffer:
        foot[-1], asked = _question(prompt, columns)
    question_row = len(foot) - 1
    foot += _footer(screen, view, columns)
    room = max(rows - len(head) - len(foot), 1)
    cursor = None
    if help_open:
        middle = _help(screen)
    elif body["kind"] == "form":
        middle, cursor = _form(body, view, columns)
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
        cursor = (len(head) + room + question_row, asked)
    elif prompt or help_open or not cursor:
        cursor = None
    else:
        cursor = (cursor[0] - top + len(head), cursor[1])
    return Picture((head + middle + foot)[:rows], cursor)


def _bar(screen: dict, columns: int) -> Line:
    bar, titles = screen["bar"], {action["name"]: shown(action["title"]) for action in screen["actions"]}
    left = right = ""
    if bar["visible"] and bar.get("left"):
        left = f" Esc {titles.get(bar['left'], '')}"
    if bar["visible"] and bar.get("right"):
        key = "Ctrl-S" if fields(screen) else action_keys(screen).get(bar["right"], "")
        right = f"{key} {titles.get(bar['right'], '')} "
    if 2 * max(width(left), width(right)) > columns - 10:
        left = right = ""
    title = clip(screen["title"], columns - 2 * max(width(left), width(right)) - 2)
    before = max((columns - width(title)) // 2 - width(left), 0)
    after = max(columns - width(left) - before - width(title) - width(right), 0)
    return [(left + " " * before, "bar"), (title, "title"), (" " * after + right, "bar")]


def _count(body: dict, view: View) -> str:
    return f"{view.row + 1} of {body['total']} " if body["kind"] == "list" and body["items"] else ""


def _paragraph(text: str, columns: int, style: str, indent: str) -> list[Line]:
    rows = wrap(text, columns - 2 * len(indent))
    return [[(indent, ""), (shown(text[start:end]), style)] for start, end in rows]


def _message(message: dict | None, columns: int) -> list[Line]:
    return _paragraph(message["text"], columns, message["level"], " ")[:MESSAGE_ROWS_MAX] if message else []


def _question(prompt: Prompt, columns: int) -> tuple[Line, int]:
    label, buffer = clip(prompt.label, columns // 2) + ": ", prompt.buffer
    before, after = shown(buffer.shown[: buffer.position]), shown(buffer.shown[buffer.position :])
    room = columns - width(label) - 1
    while width(before) > max(room, 0):
        before = before[1:]
    return [(label, "bold"), (clip(before + after, room), "typing")], width(label) + width(before)


def _footer(screen: dict, view: View, columns: int) -> list[Line]:
    """Every action with its key. While typing, a letter is text, and the key is Alt with the letter."""
    typing, keys = view.is_typing, action_keys(screen)
    lines_of_text = any(item.get("multiline") and view.focus == ("field", item["name"]) for item in fields(screen))
    parts = []
    for action in screen["actions"]:
        key = ("Alt-" if typing else "") + keys[action["name"]]
        if typing and action["name"] == enter_action(screen):
            key = "Ctrl-S" if lines_of_text else "Enter"
        style = "focus" if view.focus == ("action", action["name"]) else "key" if action["enabled"] else "dim"
        parts.append((f"{key} {shown(action['title'])}", style))
    parts += [("F1 Help", "own"), ("Ctrl-C Quit", "own")] if typing else [("? Help", "own"), ("q Quit", "own")]
    lines, used = [[(" ", "")]], 1
    for text, style in parts:
        if used + width(text) + 1 > columns and used > 1:
            lines.append([(" ", "")])
            used = 1
        lines[-1] += [(clip(text, columns - 2), style), ("  ", "")]
        used += width(text) + 2
    return lines[:FOOTER_ROWS_MAX]


def _form(body: dict, view: View, columns: int) -> tuple[list[Line], tuple[int, int] | None]:
    """The fields below each other; texts of several lines that follow each other are to be compared: side by side."""
    lines: list[Line] = []
    cursor = None
    for are_texts, group in groupby(body["fields"], key=lambda item: item.get("multiline", False)):
        together = list(group)
        cells = columns // len(together)
        for row in [together] if are_texts and cells >= TEXT_COLUMNS_MIN else [[item] for item in together]:
            cells = columns // len(row)
            drawn = [_field(item, view, cells) for item in row]
            for column, (_, place) in enumerate(drawn):
                cursor = (len(lines) + place[0], column * cells + place[1]) if place else cursor
            for index in range(max(len(part) for part, _ in drawn)):
                line: Line = []
                for part, _ in drawn:
                    own = part[index] if index < len(part) else []
                    line += [*own, (" " * (cells - sum(width(text) for text, _ in own)), "")]
                lines.append(line)
            lines.append([])
    return lines, cursor


def _field(item: dict, view: View, columns: int) -> tuple[list[Line], tuple[int, int] | None]:
    """A field, and where in it the cursor is."""
    buffer = view.buffers.get(item["name"]) or TextBuffer.of(item)
    focused, room, cursor, text = view.focus == ("field", item["name"]), max(columns - 4, 4), None, buffer.shown
    lines: list[Line] = [[(" ", ""), (clip(item["label"], columns - 2), "focused" if focused else "label")]]
    rows = wrap(text, room - 1)
    if focused:
        row = row_of(rows, buffer.position)
        cursor = (1 + row, 2 + width(text[rows[row][0] : buffer.position]))
    for start, end in rows:
        line = shown(text[start:end])
        lines.append([("  ", ""), (line + " " * (room - width(line)), "typing" if focused else "field")])
    return lines + (_paragraph(item["error"], columns, "error", "  ") if item.get("error") else []), cursor


def _list(body: dict, view: View, columns: int, room: int) -> list[Line]:
    items, selected = body["items"], view.row - body["offset"]
    if not items:
        return [[], *_paragraph(body["empty"], columns, "empty", "  ")]
    top = max(0, min(selected - room // 2, len(items) - room))
    lines = []
    for index, item in enumerate(items[top : top + room], top):
        mark = {True: "[x] ", False: "[ ] "}.get(item.get("checked"), "")
        badge = clip(item["badge"], columns // 3) if item.get("badge") else ""
        space = columns - width(mark) - width(badge) - 2
        title = clip(item["title"], space)
        between = "  "[: space - width(title)] if item.get("detail") else ""
        detail = clip(item.get("detail", ""), space - width(title + between))
        gap = " " * (space - width(title + between + detail))
        parts = [(" ", ""), (mark + title, "item"), (between, ""), (detail, "dim"), (gap, ""), (badge + " ", "badge")]
        lines.append([(text, "selected" if index == selected else style) for text, style in parts])
    return lines


def _progress(body: dict, columns: int, tick: int) -> list[Line]:
    count = "/".join(str(body[key]) for key in ("done", "total") if body.get(key) is not None)
    text = clip(body["text"], columns - 6 - width(count))
    return [[], [(f"  {SPINNER[tick % len(SPINNER)]} ", "bold"), (text, "item"), (" " + count, "dim")]]


def _help(screen: dict) -> list[Line]:
    """All keys: of this screen's actions, and those that are always there."""
    keys, entries = action_keys(screen), []
    for action in screen["actions"]:
        also = [("Enter", action["name"] == enter_action(screen)), ("Esc", action["name"] == screen["bar"].get("left"))]
        names = [keys[action["name"]], *(key for key, applies in also if applies)]
        entries.append((", ".join(names), action["title"] + ("" if action["enabled"] else " (not now)")))
    if screen["body"]["kind"] == "list":
        entries += [("j k ↓ ↑", "next, previous row"), ("PageDown PageUp Home End", "further")]
    if fields(screen):
        entries += [
            ("Tab Shift-Tab", "next, previous field or action"),
            ("Alt-letter", "an action, while typing"),
            ("Ctrl-S", "what Enter does, also in a text of several lines"),
            ("Ctrl-O", "opens the text in $VISUAL or $EDITOR"),
        ]
    entries += [
        ("Ctrl-Z", "back to the shell; fg returns"),
        ("q, Ctrl-C", "quit"),
        ("?, F1", "this help; any key closes it"),
    ]
    return [[("  " + key.ljust(26), "bold"), (shown(text), "")] for key, text in entries]
