"""What this terminal alone knows about a screen, and what its keys mean there."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..text import TextBuffer

Stop = tuple[str, str]  # where the focus of a form can be: ("field", name) or ("action", name)
RESERVED_KEYS = "qjk"


@dataclass
class Prompt:
    """A question on the bottom line: with a buffer it asks for a text, without one for y or n."""

    label: str
    buffer: TextBuffer | None = None


@dataclass
class View:
    """The focus of a form and the text that is being typed into it; the selected row of a list."""

    focus: Stop | None = None
    buffers: dict[str, TextBuffer] = field(default_factory=dict)
    selected: str | None = None
    row: int = 0  # counted from the start of the list, not of the window

    @property
    def is_typing(self) -> bool:
        return self.focus is not None and self.focus[0] == "field"

    def update(self, screen: dict, takes_text: bool) -> None:
        """Brings this in line with the screen, whose texts are taken unless those here are newer."""
        for item in fields(screen):
            buffer = self.buffers.setdefault(item["name"], TextBuffer.of(item))
            if takes_text and not buffer.secret:
                buffer.replace(item.get("value", ""))
        places = stops(screen)
        if self.focus not in places:
            self.focus = places[0] if fields(screen) else None
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
            self.focus = places[(here + way) % len(places)]


def fields(screen: dict) -> list[dict]:
    return screen["body"].get("fields", [])


def stops(screen: dict) -> list[Stop]:
    """Where Tab goes in a form: its fields, then the actions that are possible."""
    actions = [("action", one["name"]) for one in screen["actions"] if one["enabled"] and one["scope"] == "screen"]
    return [("field", item["name"]) for item in fields(screen)] + actions if screen["body"]["kind"] == "form" else []


def action_keys(screen: dict) -> dict[str, str]:
    """A key for each action: the first letter of its title or name that is free."""
    keys: dict[str, str] = {}
    for action in screen["actions"]:
        words = action["title"] + action["name"]
        free = (c for c in words.lower() + words.upper() + "123456789" if c.isascii() and c.isalnum())
        keys[action["name"]] = next((c for c in free if c not in RESERVED_KEYS and c not in keys.values()), "")
    return keys


def enter_action(screen: dict) -> str | None:
    """What Enter does: on a list the first action for a row, in a form the bar's right or the first action."""
    scope = {"list": "item", "form": "screen"}.get(screen["body"]["kind"])
    first = next((action["name"] for action in screen["actions"] if action["scope"] == scope), None)
    return screen["bar"].get("right", first) if scope == "screen" else first
