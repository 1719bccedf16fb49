"""The view of a screen, this terminal's own state of it, and the meaning of keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Union

from ..text import clip, step

JSON = dict[str, Any]  # a part of a message of the server, which may have new members and kinds
Stop = tuple[str, str]  # where the focus of a form can be: ("field", name) or ("action", name)
SIDES = {"base": 0, "mine": 1, "merged": 2, "theirs": 3}  # in the order in which they are shown
DONE = "Done"  # the section of done rows, which is folded at first
SUBJECT_COLUMNS = 60  # of a title in a question
DROPPING_ROLES = {"back", "keep", "take"}  # these discard unsaved text


def done_last(screen: JSON) -> JSON:
    """The screen, with the done rows of a whole list without sections in a section below the others."""
    body = screen.get("body") or {}
    items = body.get("items") or []
    if len(items) != body.get("total") or any(item.get("section") for item in items):
        return screen
    done = [{**item, "section": DONE} for item in items if item.get("checked")]
    return {**screen, "body": {**body, "items": [item for item in items if not item.get("checked")] + done}}


class Paste(NamedTuple):
    """Text that was pasted, not typed: it never means a key."""

    text: str


Key = Union[str, Paste]  # such as "a", "enter", "ctrl-s", "alt-a"


class Line:
    """A text on one line that is being typed."""

    def __init__(self, text: str = "", position: Optional[int] = None, secret: bool = False):
        self.text, self.secret = text, secret
        self.position = len(text) if position is None else min(position, len(text))  # of the cursor

    def press(self, key: Key) -> bool:
        """Does what a key means in a text; False when it means nothing here."""
        text, here, end = self.text, self.position, len(self.text)
        left, right = step(text, here, -1), step(text, here, 1)
        word = len(text[:here].rstrip().rpartition(" ")[0])
        moves = {"left": left, "right": right, "home": 0, "ctrl-a": 0, "end": end, "ctrl-e": end}
        deletions = {
            "backspace": left, "delete": right, "ctrl-d": right, "ctrl-w": word, "ctrl-u": 0,
            "ctrl-k": end,
        }  # fmt: skip
        if isinstance(key, Paste) or len(key) == 1:
            typed = " ".join(key.text.splitlines()) if isinstance(key, Paste) else key
            self.text, self.position = text[:here] + typed + text[here:], here + len(typed)
        elif key in deletions:
            self.position, end = sorted((here, deletions[key]))
            self.text = text[: self.position] + text[end:]
        else:
            self.position = moves.get(key, here)
            return key in moves
        return True


class Prompt(NamedTuple):
    """A question on the bottom line: with a text it asks for one, without one for y or n."""

    label: str
    answer: Optional[Line] = None
    suggested: tuple[str, ...] = ()  # values, or words of one
    subject: str = ""  # the title that the question is about
    end: str = "(y/n)"

    def question(self, cells: int = SUBJECT_COLUMNS) -> str:
        """The question for y or n, with the subject in at most `cells` columns."""
        subject = f"“{clip(self.subject, cells)}”" if self.subject else ""
        return " ".join(filter(None, (self.label, subject, self.end)))

    def completions(self) -> tuple[str, list[str]]:
        """The completion of the answer, or of its last word, and the text before that."""
        text = self.answer.text if self.answer else ""
        for start in (0, *(space.end() for space in re.finditer(r"\s", text))):
            sign = "-" if text.startswith("-", start) else ""
            lead = text[start + len(sign) :].lower()
            if found := [word for word in self.suggested if word.lower().startswith(lead)]:
                return text[:start], [sign + word for word in found]
        return text, []


@dataclass(eq=False)
class View:
    """A screen, the focus of its form and the text there, or the selected row of its list."""

    screen: JSON = field(default_factory=dict)  # with the fields of the time when the user began to type
    focus: Optional[Stop] = None
    position: Optional[int] = None  # of the cursor in the text with the focus, as of a line
    values: dict[str, str] = field(default_factory=dict)  # the unsaved values
    told: dict[str, str] = field(default_factory=dict)  # those of them that the server has
    base: Optional[str] = None  # the base version of the unsaved values
    scroll: int = 0  # lines below the place where the focus is in sight
    selected: Optional[str] = None
    row: int = 0  # counted from the start of the list, not of the window
    shows_base: bool = False
    newest: JSON = field(default_factory=dict)  # the screen as the server sent it last
    marked: set[str] = field(default_factory=set)  # items that the next action of a row is for
    folded: set[str] = field(default_factory=lambda: {DONE})  # the titles of sections

    @property
    def fields(self) -> list[JSON]:
        """The fields of a form; sides in the order in which they are shown."""
        items = self.screen["body"].get("fields", [])
        return sorted(items, key=lambda item: SIDES.get(item.get("side"), 0))

    @property
    def has_sides(self) -> bool:
        """Whether the form compares sides."""
        return bool(self.screen["body"].get("layout") == "compare")

    @property
    def is_unsaved(self) -> bool:
        """Whether this is stored nowhere: typed, or a side without a way back."""
        is_side = self.has_sides and not self.action(role="back")
        return self.base is not None and (is_side or bool(self.values))

    def action(self, **wanted: object) -> Optional[JSON]:
        """The first action that is as wanted, such as `role="back"`."""
        fits = (one for one in self.screen["actions"] if wanted.items() <= one.items())
        return next(fits, None)

    def update(self, screen: JSON) -> None:
        """Shows a newer rendering; with unsaved text, fields that can be edited and the base stay."""
        was_folded = self.is_folded if self.screen else False
        if not self.values:
            self.adopt(screen)
        else:
            own = (one for one in self.fields if "value" in one and not one.get("readOnly"))
            seen = {item["name"]: {"value": item["value"]} for item in own}
            fields = [{**item, **seen.get(item["name"], {})} for item in screen["body"].get("fields", [])]
            self.newest, self.screen = screen, {**screen, "body": {**screen["body"], "fields": fields}}
        body = screen["body"]
        if self.focus not in self.stops:
            self.turn_to(self.stops[0] if self.fields and self.stops else None)
        self.selected = body.get("select", self.selected)
        folded = (item["id"] for item in body.get("items", []) if item.get("section") in self.folded)
        if not was_folded and "select" not in body and self.selected in folded:
            self.selected = None  # it moved away, for it is done: the next row is selected
        self.select()

    def adopt(self, screen: JSON) -> None:
        """Adopts the base and the fields of the screen, but no field that has unsaved text."""
        self.newest, self.screen, self.base = screen, screen, screen["body"].get("base")

    # Rows

    def select(self) -> None:
        """The selection stays with its row, wherever that went, as long as the window has it."""
        body = self.screen["body"]
        if body["kind"] == "list":
            ids = [item["id"] for item in body["items"]]
            index = max(0, min(self.row - body["offset"], len(ids) - 1))
            index = ids.index(self.selected) if self.selected in ids else index
            self.row, self.selected = body["offset"] + index, ids[index] if ids else None
            self.marked &= set(ids)

    @property
    def items(self) -> list[JSON]:
        """The items of a list that are here."""
        return self.screen["body"].get("items") or []

    @property
    def entries(self) -> list[Union[str, int]]:
        """The lines of a list: the titles of sections, and the indices of the items that are seen."""
        lines: list[Union[str, int]] = []
        above = None
        for index, item in enumerate(self.items):
            section = item.get("section")
            if section and section != above:
                lines.append(section)
            if section not in self.folded:
                lines.append(index)
            above = section
        return lines

    @property
    def is_folded(self) -> bool:
        """Whether the selected item is in a folded section, so that its heading is selected."""
        return self.selected_item.get("section") in self.folded

    @property
    def selected_item(self) -> JSON:
        """The item of the selected row; empty if it is not here."""
        index = self.row - self.screen["body"].get("offset", 0)
        return self.items[index] if 0 <= index < len(self.items) else {}

    def fold(self, section: Optional[str]) -> None:
        """Folds a section, or unfolds it."""
        self.folded ^= {section} if section else set()

    def step(self, distance: int) -> int:
        """The row that is `distance` lines further down: a folded section is one line."""
        offset: int = self.screen["body"]["offset"]
        index = self.row - offset
        items, way, left = self.items, 1 if distance > 0 else -1, abs(distance)
        if not any(item.get("section") in self.folded for item in items):
            return self.row + distance
        while left and 0 <= index + way < len(items):
            section = items[index].get("section")
            index += way
            is_same = items[index].get("section") == section and section in self.folded
            left -= not is_same
        section = items[index].get("section")
        while section in self.folded and index and items[index - 1].get("section") == section:
            index -= 1  # of a folded section the first item is the selected one
        return offset + index

    def toggle_mark(self) -> None:
        if self.selected is not None and not self.is_folded:
            self.marked ^= {self.selected}

    def chosen(self, action: JSON) -> list[str]:
        """The items that an action of a row is for: the marked ones, if it can be for many, or the selected one."""
        marked = [item["id"] for item in self.items if item["id"] in self.marked and action.get("many")]
        alone = [self.selected] if self.selected is not None and not self.is_folded else []
        return marked or alone

    def is_possible(self, action: JSON) -> bool:
        """Whether an action is possible now; one of rows depends on the rows that it is for."""
        if action["scope"] != "item" or action.get("role") == "open":
            return bool(action["enabled"])
        chosen = self.chosen(action)
        locked = any(item["id"] in chosen for item in self.items if item.get("readOnly"))
        return bool(action["enabled"]) and not locked

    # Focus

    @property
    def stops(self) -> list[Stop]:
        """The Tab order of a form: editable fields, then enabled actions."""
        if self.screen["body"]["kind"] != "form":
            return []
        stops = [("field", item["name"]) for item in self.fields if not item.get("readOnly")]
        possible = (one for one in self.screen["actions"] if one["enabled"])
        return stops + [("action", one["name"]) for one in possible if one["scope"] == "screen"]

    def turn_to(self, focus: Optional[Stop]) -> None:
        self.focus, self.position, self.scroll = focus, None, 0

    def move_focus(self, way: int) -> None:
        if self.stops:
            here = self.stops.index(self.focus) if self.focus in self.stops else min(-way, 0)
            self.turn_to(self.stops[(here + way) % len(self.stops)])

    # Texts

    def text(self, item: JSON) -> str:
        """The text of a field."""
        return str(self.values.get(item["name"], item.get("value", "")))

    @property
    def focused(self) -> Optional[JSON]:
        """The field that has the focus."""
        return next((item for item in self.fields if self.focus == ("field", item["name"])), None)

    @property
    def line(self) -> Optional[Line]:
        """The text on one line that letters go into."""
        item = self.focused
        if not item or item.get("multiline"):
            return None
        return Line(self.text(item), self.position, item.get("secret", False))

    @property
    def takes_letters(self) -> bool:
        """Whether a letter is text here; of sides none is typed into, so that it is an action."""
        return self.focused is not None and not (self.has_sides and self.line is None)

    # Keys

    def action_of(self, key: str) -> Optional[JSON]:
        """The action that a key stands for."""
        if key == "enter" and self.focus and self.focus[0] == "action":
            return self.action(name=self.focus[1])
        if key in ("enter", "ctrl-s"):  # in a list it is for the row
            scope = "item" if self.screen["body"]["kind"] == "list" else "screen"
            return self.action(primary=True, scope=scope)
        return self.action(role="back") if key == "esc" else self.action(key=key)

    def key_of(self, action: JSON) -> str:
        """The key that an action has where the focus is now."""
        if action is self.action_of("ctrl-s"):
            return "Ctrl-S" if self.focused and not self.line else "Enter"
        if action.get("role") == "back":
            return "Esc"
        return ("Alt-" if self.takes_letters else "") + action["key"] if "key" in action else "Tab"

    @property
    def filtering(self) -> Optional[JSON]:
        """The action that ends the filter of the list, if it has one."""
        search = self.action(role="search")
        return search if search and any(item.get("value") for item in search.get("input", [])) else None

    def question(self, action: JSON) -> Optional[Prompt]:
        """The question to ask first: the server's, or ours if it may not have the latest text."""
        drops = self.values and self.base is not None and action.get("role") in DROPPING_ROLES
        ours = f"{action['title']}: what you typed goes. Do it?" if drops else None
        asked = action.get("confirm", ours)
        chosen = self.chosen(action) if action["scope"] == "item" else []
        if len(chosen) > 1:
            many = action.get("confirmMany")
            return Prompt(str(many).replace("{count}", str(len(chosen)))) if many else None
        items = self.screen["body"]["items"] if action["scope"] == "item" else []
        titles = (item["title"] for item in items if item["id"] in chosen)
        subject = next(titles, self.screen.get("subject"))
        return Prompt(asked, subject=subject or "") if asked else None
