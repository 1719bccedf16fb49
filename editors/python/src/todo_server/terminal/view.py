"""What this terminal alone knows about a screen, and what its keys mean there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Union

from ..text import step

JSON = dict[str, Any]  # a part of what the server says: it may have members and kinds that are new
Stop = tuple[str, str]  # where the focus of a form can be: ("field", name) or ("action", name)
SIDES = {"base": 0, "mine": 1, "merged": 2, "theirs": 3}  # as they stand beside each other
DROPPING_ROLES = {"back", "keep", "take"}  # what is typed goes with these


class Paste(NamedTuple):
    """Text that was pasted, not typed: it never means a key."""

    text: str


Key = Union[str, Paste]  # such as "a", "enter", "ctrl-s", "alt-a"


class Line:
    """A text on one line that is being typed."""

    def __init__(self, text: str = "", position: Optional[int] = None, secret: bool = False):
        self.text, self.secret = text, secret
        self.position = len(text) if position is None else min(position, len(text))  # of the cursor

    @property
    def shown(self) -> str:
        return "•" * len(self.text) if self.secret else self.text

    def press(self, key: Key) -> bool:
        """Does what a key means in a text; False when it means nothing here."""
        text, here, end = self.text, self.position, len(self.text)
        left, right, word = step(text, here, -1), step(text, here, 1), len(text[:here].rstrip().rpartition(" ")[0])
        places = {"left": left, "right": right, "home": 0, "ctrl-a": 0, "end": end, "ctrl-e": end}
        deletions = {"backspace": left, "delete": right, "ctrl-d": right, "ctrl-u": 0, "ctrl-k": end, "ctrl-w": word}
        if isinstance(key, Paste) or len(key) == 1:
            typed = " ".join(key.text.splitlines()) if isinstance(key, Paste) else key
            self.text, self.position = text[:here] + typed + text[here:], here + len(typed)
        elif key in deletions:
            self.position, end = sorted((here, deletions[key]))
            self.text = text[: self.position] + text[end:]
        else:
            self.position = places.get(key, here)
            return key in places
        return True


@dataclass
class Prompt:
    """A question on the bottom line: with a text it asks for one, without one for y or n."""

    label: str
    answer: Optional[Line] = None


@dataclass(eq=False)
class View:
    """What is shown of a screen: the focus of a form and what is being typed into it; the selected row of a list."""

    screen: JSON = field(default_factory=dict)  # the newest
    focus: Optional[Stop] = None
    position: Optional[int] = None  # of the cursor in the text with the focus, as of a line
    values: dict[str, str] = field(default_factory=dict)  # what was typed, and is not on the screen; no secret ever is
    base: Optional[str] = None  # of the form that this was typed into
    typed: bool = False  # whether something in the form is not stored
    scroll: int = 0  # lines above what is shown of a text of several lines
    selected: Optional[str] = None
    row: int = 0  # counted from the start of the list, not of the window
    shows_base: bool = False

    def text(self, item: JSON) -> str:
        """What stands in a field."""
        return str(self.values.get(item["name"], item.get("value", "")))

    def on_field(self, screen: JSON) -> Optional[JSON]:
        """The field that has the focus."""
        return next((item for item in fields(screen) if self.focus == ("field", item["name"])), None)

    def line(self, screen: JSON) -> Optional[Line]:
        """The text on one line that letters go into."""
        item = self.on_field(screen)
        if not item or item.get("multiline"):
            return None
        return Line(self.text(item), self.position, item.get("secret", False))

    def takes_letters(self, screen: JSON) -> bool:
        """Whether a letter is text here; of sides to be compared none is typed into, so that there it is an action."""
        item = self.on_field(screen)
        return item is not None and not (item.get("multiline") and screen["body"].get("layout") == "compare")

    def update(self, screen: JSON) -> None:
        """Brings this in line with the screen; what was typed stays until the screen has it."""
        self.screen, body, places = screen, screen["body"], stops(screen)
        if not self.values:
            self.base = body.get("base")
        if self.focus not in places:
            merged = [("field", item["name"]) for item in fields(screen) if item.get("side") == "merged"]
            self.turn_to(next(iter(merged + places), None) if fields(screen) else None)
        self.select(body)

    def turn_to(self, focus: Optional[Stop]) -> None:
        self.focus, self.position, self.scroll = focus, None, 0

    def move_focus(self, screen: JSON, way: int) -> None:
        places = stops(screen)
        if places:
            here = places.index(self.focus) if self.focus in places else -1 if way > 0 else 0
            self.turn_to(places[(here + way) % len(places)])

    def select(self, body: JSON) -> None:
        """The selection stays with its row, wherever that went, as long as the window has it."""
        if body["kind"] == "list":
            ids = [item["id"] for item in body["items"]]
            index = max(0, min(self.row - body["offset"], len(ids) - 1))
            index = ids.index(self.selected) if self.selected in ids else index
            self.row, self.selected = body["offset"] + index, ids[index] if ids else None


def fields(screen: JSON) -> list[JSON]:
    """The fields of a form; sides to be compared in the order in which they stand beside each other."""
    return sorted(screen["body"].get("fields", []), key=lambda item: SIDES.get(item.get("side"), 0))


def stops(screen: JSON) -> list[Stop]:
    """Where Tab goes in a form: the fields that can be changed, then the actions that are possible."""
    actions = [("action", one["name"]) for one in screen["actions"] if one["enabled"] and one["scope"] == "screen"]
    changeable = [("field", item["name"]) for item in fields(screen) if not item.get("readOnly")]
    return changeable + actions if screen["body"]["kind"] == "form" else []


def action_of(screen: JSON, role: str) -> Optional[JSON]:
    """The action with a role."""
    return next((action for action in screen["actions"] if action.get("role") == role), None)


def enter_action(screen: JSON) -> Optional[JSON]:
    """What Enter does: in a list the primary action for the row, elsewhere the one for the screen."""
    scope = "item" if screen["body"]["kind"] == "list" else "screen"
    return next((one for one in screen["actions"] if one.get("primary") and one["scope"] == scope), None)


def is_stored(screen: JSON) -> bool:
    """Whether the screen is a text of something stored, which is not to be lost."""
    return screen["body"]["kind"] == "form" and "base" in screen["body"]


def shortcut(screen: JSON, view: View, action: JSON) -> str:
    """The key of an action where the focus is now."""
    if action is enter_action(screen):
        return "Ctrl-S" if view.on_field(screen) and not view.line(screen) else "Enter"
    if action.get("role") == "back":
        return "Esc"
    return ("Alt-" if view.takes_letters(screen) else "") + action["key"] if action.get("key") else "Tab"


def question(screen: JSON, view: View, action: JSON) -> Optional[str]:
    """What to ask before an action: the server's question, or ours where it does not know yet what was typed."""
    drops = view.typed and is_stored(screen) and action.get("role") in DROPPING_ROLES
    return action.get("confirm", f"{action['title']}: what you typed goes. Do it?" if drops else None)
