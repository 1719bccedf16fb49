"""Draws a screen of a rendering as lines of styled text. Pure: the same arguments, the same picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from todo_text import TextBuffer, clip, row_of, shown, width, wrap

Line = list[tuple[str, str]]  # (text, style) pairs; a style is a name that the terminal gives a look
Stop = tuple[str, str]  # where the focus of a form can be: ("field", name) or ("action", name)
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
RESERVED_KEYS = "qjk"
FOOTER_ROWS_MAX = 3
MESSAGE_ROWS_MAX = 3


class Picture(NamedTuple):
    lines: list[Line]
    cursor: tuple[int, int] | None  # row and column, when there is something to type into


@dataclass
class Prompt:
    """A question on the bottom line: with a buffer it asks for a text, without one for y or n."""

    label: str
    buffer: TextBuffer | None = None
    secret: bool = False


@dataclass
class View:
    """What this terminal alone knows about a screen: the focus, the selected row, text that is being typed."""

    focus: Stop | None = None
    selected: str | None = None
    row: int = 0
    buffers: dict[str, TextBuffer] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)


def fields(screen: dict) -> list[dict]:
    return screen["body"].get("fields", []) if screen["body"]["kind"] == "form" else []


def stops(screen: dict) -> list[Stop]:
    """Where Tab goes: the fields of a form, then its actions."""
    actions = [("action", action["name"]) for action in screen["actions"] if is_button(action)]
    return [("field", item["name"]) for item in fields(screen)] + actions


def is_button(action: dict) -> bool:
    return action["enabled"] and action["scope"] == "screen"


def action_keys(screen: dict) -> dict[str, str]:
    """A key for each action: the first letter of its title or name that is free."""
    keys: dict[str, str] = {}
    for action in screen["actions"]:
        words = action["title"] + action["name"]
        free = (c for c in words.lower() + words.upper() + "123456789" if c.isascii() and c.isalnum())
        keys[action["name"]] = next((c for c in free if c not in RESERVED_KEYS and c not in keys.values()), "")
    return keys


def enter_action(screen: dict) -> str | None:
    """What Enter does: on a list the first action for a row, else the bar's right or the first that is possible."""
    if screen["body"]["kind"] == "list":
        candidates = [action["name"] for action in screen["actions"] if action["scope"] == "item"]
    else:
        possible = [action["name"] for action in screen["actions"] if is_button(action)]
        right = screen["bar"].get("right")
        candidates = [right] if right else possible
    return candidates[0] if candidates else None


def is_typing(view: View) -> bool:
    return view.focus is not None and view.focus[0] == "field"


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
    head = [_bar(screen, view, columns), [(_count(body, view).rjust(columns), "dim")]]
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


def _bar(screen: dict, view: View, columns: int) -> Line:
    titles = {action["name"]: action["title"] for action in screen["actions"]}
    left = right = ""
    if screen["bar"]["visible"]:
        name = screen["bar"].get("left")
        left = f" Esc {titles.get(name, name)}" if name else ""
        name = screen["bar"].get("right")
        key = "Ctrl-S" if fields(screen) else action_keys(screen).get(name, "")
        right = f"{key} {titles.get(name, name)} " if name else ""
    side = max(width(left), width(right))
    title = clip(screen["title"], columns - 2 * side - 2)
    before = max((columns - width(title)) // 2 - width(left), 1)
    line = left + " " * before + title
    return [(clip(line + " " * (columns - width(line) - width(right)) + right, columns), "bar")]


def _count(body: dict, view: View) -> str:
    if body["kind"] != "list" or not body["items"]:
        return ""
    return f"{body['offset'] + view.row + 1} of {body['total']} "


def _message(message: dict | None, columns: int) -> list[Line]:
    if not message:
        return []
    text = message["text"]
    rows = wrap(text, columns - 2)[:MESSAGE_ROWS_MAX]
    return [[(" " + shown(text[start:end]), message["level"])] for start, end in rows]


def _question(prompt: Prompt, columns: int) -> tuple[Line, int]:
    label, buffer = clip(prompt.label, columns // 2) + ": ", prompt.buffer
    before, after = buffer.text[: buffer.position], buffer.text[buffer.position :]
    if prompt.secret:
        before, after = "•" * len(before), "•" * len(after)
    before, room = shown(before), columns - width(label) - 1
    while width(before) > room:
        before = before[1:]
    return [(label, "bold"), (clip(before + shown(after), room), "typing")], width(label) + width(before)


def _footer(screen: dict, view: View, columns: int) -> list[Line]:
    """Every action with its key. While typing, a letter is text, and the key is Alt with the letter."""
    typing, keys = is_typing(view), action_keys(screen)
    parts = []
    for action in screen["actions"]:
        key = ("Alt-" if typing else "") + keys[action["name"]]
        if typing and action["name"] == enter_action(screen) and not _in_lines(screen, view):
            key = "Enter"
        style = "key" if action["enabled"] else "dim"
        if view.focus == ("action", action["name"]):
            style = "focus"
        parts.append((f"{key} {shown(action['title'])}", style))
    parts += [("F1 Help", "key"), ("Ctrl-C Quit", "key")] if typing else [("? Help", "key"), ("q Quit", "key")]
    lines, used = [[(" ", "")]], 1
    for text, style in parts:
        if used + width(text) + 1 > columns and used > 1:
            lines.append([(" ", "")])
            used = 1
        lines[-1] += [(clip(text, columns - 2), style), ("  ", "")]
        used += width(text) + 2
    return lines[:FOOTER_ROWS_MAX]


def _in_lines(screen: dict, view: View) -> bool:
    """Whether the focus is in a field of several lines, where Enter is a line break."""
    return any(item.get("multiline") and view.focus == ("field", item["name"]) for item in fields(screen))


def _form(body: dict, view: View, columns: int) -> tuple[list[Line], tuple[int, int] | None]:
    lines, cursor, room = [], None, max(columns - 4, 4)
    for item in body["fields"]:
        buffer = view.buffers.get(item["name"]) or TextBuffer(item.get("value", ""))
        focused = view.focus == ("field", item["name"])
        text = "•" * len(buffer.text) if item.get("secret") else buffer.text
        lines.append([(" " + clip(item["label"], columns - 2), "bold" if focused else "")])
        rows = wrap(text, room - 1)
        if focused:
            row = row_of(rows, buffer.position)
            cursor = (len(lines) + row, 2 + width(text[rows[row][0] : buffer.position]))
        for start, end in rows:
            line = shown(text[start:end])
            lines.append([("  ", ""), (line + " " * (room - width(line)), "typing" if focused else "field")])
        if item.get("error"):
            error = item["error"]
            lines += [[("  " + shown(error[start:end]), "error")] for start, end in wrap(error, columns - 4)]
        lines.append([])
    return lines, cursor


def _list(body: dict, view: View, columns: int, room: int) -> list[Line]:
    items = body["items"]
    if not items:
        text = body["empty"]
        return [[]] + [[("  " + shown(text[start:end]), "dim")] for start, end in wrap(text, columns - 4)]
    top = max(0, min(view.row - room // 2, len(items) - room))
    lines = []
    for index, item in enumerate(items[top : top + room], top):
        mark = {True: "[x] ", False: "[ ] "}.get(item.get("checked"), "")
        badge = clip(item["badge"], columns // 3) + " " if item.get("badge") else ""
        space = columns - width(mark) - width(badge) - 3
        title = clip(item["title"], space)
        detail = clip("  " + item["detail"], space - width(title)) if item.get("detail") else ""
        gap = " " * (space - width(title) - width(detail))
        parts = [(" " + mark + title, ""), (detail, "dim"), (gap + " ", ""), (badge, "badge"), (" ", "")]
        lines.append([(text, "selected" if index == view.row else style) for text, style in parts])
    return lines


def _progress(body: dict, columns: int, tick: int) -> list[Line]:
    done, total = body.get("done"), body.get("total")
    lines = [[], [(f"  {SPINNER[tick % len(SPINNER)]} ", "bold"), (clip(body["text"], columns - 6), "")]]
    if done is not None and total:
        cells = max(min(columns - 8, 40), 1)
        full = min(cells * done // total, cells)
        lines.append([("  " + "█" * full + "░" * (cells - full), "bold"), (f"  {min(100, 100 * done // total)} %", "")])
    if done is not None:
        lines.append([(f"  {done} of {total}" if total is not None else f"  {done}", "dim")])
    return lines


def _help(screen: dict) -> list[Line]:
    """All keys: of this screen's actions, and those that are always there."""
    keys, left = action_keys(screen), screen["bar"].get("left")
    entries = []
    for action in screen["actions"]:
        also = [("Enter", action["name"] == enter_action(screen)), ("Esc", action["name"] == left)]
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
    entries += [("q, Ctrl-C", "quit"), ("?, F1", "this help; any key closes it")]
    return [[("  " + key.ljust(26), "bold"), (shown(text), "")] for key, text in entries]
