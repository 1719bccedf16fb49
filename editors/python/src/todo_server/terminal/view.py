"""What this terminal alone knows about a screen, and what its keys mean there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Optional, Union

from ..text import step

Stop = tuple[str, str]  # where the focus of a form can be: ("field", name) or ("action", name)
SIDES = {"base": 0, "mine": 1, "merged": 2, "theirs": 3}  # as they stand beside each other
STORING_ROLES = {"save", "merge", "create", "login", "register"}  # what is typed is sent along with these
ALWAYS_DROPPING_ROLES = {"take"}


class Paste(NamedTuple):
    """Text that was pasted, not typed: it never means a key."""

    text: str


Key = Union[str, Paste]  # such as "a", "enter", "ctrl-s", "alt-a"


class TextField:
    """The text of a field. On one line it is edited with keys; one of several lines is only replaced as a whole."""

    def __init__(self, text: str = "", multiline: bool = False, secret: bool = False):
        self.text, self.position, self.multiline, self.secret = text, len(text), multiline, secret

    @classmethod
    def of(cls, field: dict) -> TextField:
        return cls(field.get("value", ""), field.get("multiline", False), field.get("secret", False))

    @property
    def shown(self) -> str:
        return "•" * len(self.text) if self.secret else self.text

    def replace(self, text: str) -> None:
        """Another text from outside; the cursor stays where it can."""
        if text != self.text:
            at_end = self.position == len(self.text)
            self.text, self.position = text, len(text) if at_end else min(self.position, len(text))

    def insert(self, text: str) -> None:
        text = " ".join(text.splitlines())
        self.text = self.text[: self.position] + text + self.text[self.position :]
        self.position += len(text)

    def press(self, key: Key) -> bool:
        """Does what a key means in a text; False when it means nothing here."""
        text, here = self.text, self.position
        places = {
            "left": step(text, here, -1), "right": step(text, here, 1),
            "home": 0, "ctrl-a": 0, "end": len(text), "ctrl-e": len(text),
        }  # fmt: skip
        deletions = {
            "backspace": places["left"], "delete": places["right"], "ctrl-d": places["right"],
            "ctrl-u": 0, "ctrl-k": len(text), "ctrl-w": len(text[:here].rstrip().rpartition(" ")[0]),
        }  # fmt: skip
        if isinstance(key, Paste):
            self.insert(key.text)
        elif len(key) == 1:
            self.insert(key)
        elif key in places:
            self.position = places[key]
        elif key in deletions:
            start, end = sorted((here, deletions[key]))
            self.text, self.position = text[:start] + text[end:], start
        else:
            return False
        return True


@dataclass
class Prompt:
    """A question on the bottom line: with a text it asks for one, without one for y or n."""

    label: str
    answer: Optional[TextField] = None


@dataclass
class View:
    """The focus of a form and the text that is being typed into it; the selected row of a list."""

    focus: Optional[Stop] = None
    texts: dict[str, TextField] = field(default_factory=dict)
    base: Optional[str] = None  # of the form from which the texts were made
    typed: bool = False  # whether something in them is not stored
    untold: set[str] = field(default_factory=set)  # names of the texts that the server has not been sent
    item: Optional[str] = None  # of the list, through which this screen was opened
    scroll: int = 0  # lines above what is shown of a text of several lines
    selected: Optional[str] = None
    row: int = 0  # counted from the start of the list, not of the window
    shows_base: bool = False

    @property
    def typing(self) -> Optional[TextField]:
        """The text on one line that letters go into."""
        text = self.texts.get(self.focus[1]) if self.focus and self.focus[0] == "field" else None
        return text if text and not text.multiline else None

    def takes_letters(self, screen: dict) -> bool:
        """Whether a letter is text here; of sides to be compared none is typed into, so that there it is an action."""
        on_field = self.focus is not None and self.focus[0] == "field"
        return on_field and (self.typing is not None or screen["body"].get("layout") != "compare")

    def update(self, screen: dict, takes_text: bool) -> None:
        """Brings this in line with the screen, whose texts are taken unless those here are newer."""
        if takes_text:
            self.base = screen["body"].get("base")
        for item in fields(screen):
            text = self.texts.setdefault(item["name"], TextField.of(item))
            if takes_text and not text.secret:
                text.replace(item.get("value", ""))
        places = stops(screen)
        if self.focus not in places:
            merged = [("field", item["name"]) for item in fields(screen) if item.get("side") == "merged"]
            self.focus, self.scroll = next(iter(merged + places), None) if fields(screen) else None, 0
        self.select(screen["body"])

    def select(self, body: dict) -> None:
        """The selection stays with its row, wherever that went, as long as the window has it."""
        if body["kind"] == "list":
            ids = [item["id"] for item in body["items"]]
            index = max(0, min(self.row - body["offset"], len(ids) - 1))
            index = ids.index(self.selected) if self.selected in ids else index
            self.row, self.selected = body["offset"] + index, ids[index] if ids else None

    def move_focus(self, screen: dict, way: int) -> None:
        places = stops(screen)
        if places:
            here = places.index(self.focus) if self.focus in places else -1 if way > 0 else 0
            self.focus, self.scroll = places[(here + way) % len(places)], 0


def fields(screen: dict) -> list[dict]:
    """The fields of a form; sides to be compared in the order in which they stand beside each other."""
    return sorted(screen["body"].get("fields", []), key=lambda item: SIDES.get(item.get("side"), 0))


def stops(screen: dict) -> list[Stop]:
    """Where Tab goes in a form: the fields that can be changed, then the actions that are possible."""
    actions = [("action", one["name"]) for one in screen["actions"] if one["enabled"] and one["scope"] == "screen"]
    changeable = [("field", item["name"]) for item in fields(screen) if not item.get("readOnly")]
    return changeable + actions if screen["body"]["kind"] == "form" else []


def action_of(screen: dict, role: str) -> Optional[dict]:
    """The action with a role."""
    return next((action for action in screen["actions"] if action.get("role") == role), None)


def enter_action(screen: dict) -> Optional[dict]:
    """What Enter does: in a list the primary action for the row, elsewhere the one for the screen."""
    scope = "item" if screen["body"]["kind"] == "list" else "screen"
    return next((one for one in screen["actions"] if one.get("primary") and one["scope"] == scope), None)


def is_stored(screen: dict) -> bool:
    """Whether the screen is a text of something stored, which is not to be lost."""
    return screen["body"]["kind"] == "form" and "base" in screen["body"]


def shortcut(screen: dict, view: View, action: dict) -> str:
    """The key of an action where the focus is now."""
    if action is enter_action(screen):
        on_text = view.focus and view.focus[0] == "field" and not view.typing
        return "Ctrl-S" if on_text else "Enter"
    if action.get("role") == "back":
        return "Esc"
    return ("Alt-" if view.takes_letters(screen) else "") + action["key"] if action.get("key") else "Tab"


def question(screen: dict, view: View, action: dict) -> Optional[str]:
    """What to ask before an action: the server's question, or ours where text that was typed would go."""
    role = action.get("role")
    drops = view.typed and is_stored(screen) and role not in STORING_ROLES
    if action.get("confirm") or not (drops or role in ALWAYS_DROPPING_ROLES):
        return action.get("confirm")
    return f"{action['title']}: what you typed goes. Do it?"
