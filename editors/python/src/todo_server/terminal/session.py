"""What a terminal and a server have to say to each other: screens come, texts and actions go, and drafts stay."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Callable, Optional

from ..client import STALE, Client, RPCError, ServerDied
from . import drafts
from .view import JSON, View, action_of, fields, is_stored

WINDOW_ITEMS = 500  # of a list: some pages of a large terminal
STARTING = {"id": "", "name": "", "title": "todo", "actions": [],
            "body": {"kind": "progress", "text": "Starting the server…"}}  # fmt: skip
NO_SERVER = {**STARTING, "body": {"kind": "form", "fields": []}}
BRING_BACK = "Ctrl-Y in the list brings back what you typed."
LEVELS = {1: "error", 2: "warning"}  # of window/logMessage


class Session:
    """One server after another, and what is shown of them. `on_change()` is called whenever that is something else."""

    def __init__(self, command: Sequence[str], options: JSON, on_change: Callable[[], None]):
        self.command, self.options, self.on_change = command, options, on_change
        # Forms with text that was not stored when their screens went away; a line that was being typed; files of both.
        self.kept, self.line, self.files = drafts.load()
        self.status = ("info", BRING_BACK if self.kept else "")
        self._begin()

    def _begin(self) -> None:
        self.client = Client(
            self.command, options=self.options, window=WINDOW_ITEMS, preview=True, name="todo-tui",
            on_render=self._rendered, on_notification=self._notified, on_death=self._died,
        )  # fmt: skip
        self.view = View(STARTING)  # what is shown: the screen in front, or a draft whose screen is gone
        self.views: dict[str, View] = {}  # of all screens that the server has
        self.front = ""  # the id of the one that it has in front
        self.tells: set[asyncio.Future[None]] = set()  # what was typed, and is not answered yet
        self.is_acting, self.is_editing = False, False  # an action has no answer; a text is in the user's editor
        self.was_typed = False  # whether that action was done with text that may be stored by it, or lost
        self.down = ""  # why there is no server

    @property
    def screen(self) -> JSON:
        return self.view.screen

    @property
    def is_frozen(self) -> bool:
        """Whether a draft is shown in place of the server's screen."""
        return self.view in self.kept

    @property
    def is_unsaved(self) -> bool:
        """Whether what is shown is stored nowhere: it is being typed, or is a side from which there is no way back."""
        body = self.screen["body"]
        has_sides = body.get("layout") == "compare" and not action_of(self.screen, "back") and not self.is_acting
        return is_stored(self.screen) and (self.view.typed or self.is_editing or has_sides)

    @property
    def is_losing(self) -> bool:
        """Whether something would be lost if this ended now."""
        return bool(self.kept) or self.is_unsaved or self.was_typed

    async def restart(self) -> None:
        """Starts another server."""
        self.keep()
        try:
            await self.client.close()
            self._begin()
            self.on_change()
            await self.client.start()
            self.say("info", BRING_BACK if self.kept else "")
        except (OSError, RPCError, ServerDied) as error:
            self.down = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
            self.view = View(NO_SERVER)

    def say(self, level: str, text: str) -> None:
        self.status = (level, text)
        self.on_change()

    # What the server says

    def _died(self, reason: ServerDied) -> None:
        self.down = str(reason)
        self.on_change()

    def _notified(self, method: str, params: Any) -> None:
        if method == "window/logMessage":
            self.say(LEVELS.get(params.get("type"), "info"), str(params.get("message")))

    def _rendered(self, client: Client) -> None:
        """Brings what is shown in line with what the server shows."""
        rendering: Any = client.rendering
        screens = [item["screen"] for item in rendering["items"]]
        front, is_new = screens[-1], self.front != screens[-1]["id"]
        if is_new and self.front and self.keep():
            self.say("warning", "The server shows something else now. Your text stays here; Ctrl-S goes on with it.")
        self.views = {one["id"]: self.views.get(one["id"]) or View() for one in screens}
        self.front, view = front["id"], self.views[front["id"]]
        if is_new:
            for one in self.views.values():  # what was typed elsewhere is over; a secret above all
                one.values, one.focus, one.typed = {}, None, False
        view.selected = front["body"].get("select") or view.selected
        view.update(front)
        if not self.is_frozen:
            self.thaw()
        self.on_change()

    def thaw(self) -> None:
        """Shows what the server has in front."""
        self.view = self.views[self.front]

    # Drafts

    def keep(self) -> bool:
        """Keeps what was typed into a form of something stored."""
        keeps = self.is_unsaved and not self.is_frozen
        if keeps:
            self.kept.append(self.view)
            self.views.pop(self.screen["id"], None)
        return keeps

    def drop(self) -> None:
        """Forgets all that is not stored, as the user wants it."""
        self.kept, self.line, self.view = [], "", View(NO_SERVER)

    def close(self) -> None:
        """Writes down for the next start what is not stored. Raises OSError."""
        self.view.typed = self.view.typed or self.was_typed
        self.keep()
        drafts.store(self.kept, self.line, self.files)

    async def bring_back(self) -> None:
        """Opens the form of the draft that was kept last; the server has one also for what is gone."""
        draft = self.kept[-1]
        texts = {item["name"]: draft.text(item) for item in fields(draft.screen) if not item.get("readOnly")}
        self.thaw()
        again = {"screen": draft.screen["name"], "values": texts, "base": draft.base, "open": True}
        if await self.request("screen/change", again):
            self.say("warning", f"{self.status[1]} Your text is kept: Ctrl-Y in the list brings it back.")
        else:
            self.kept.remove(draft)
            self.view.typed = True
            self.say("info", "This is what you typed. It is not saved yet.")

    def change(self, values: dict[str, str]) -> None:
        """Takes what was typed, and tells the server, unless that is busy with what was typed before."""
        self.view.values.update(values)
        self.view.typed = True
        if not (self.is_acting or self.down or self.is_frozen):
            change = {"screen": self.screen["name"], "values": dict(self.view.values), "base": self.view.base}
            tell = asyncio.ensure_future(self._tell(self.view, change))
            self.tells.add(tell)
            tell.add_done_callback(self.tells.discard)

    async def _tell(self, view: View, change: JSON) -> None:
        refused = await self.request("screen/change", change)
        is_last = all(one.done() for one in self.tells if one is not asyncio.current_task())
        if is_last and not refused:  # else it was typed on, or is known here alone, and stays
            secrets = {item["name"] for item in fields(self.screen) if item.get("secret")}
            for name, text in change["values"].items():
                if view.values.get(name) == text and name not in secrets:
                    del view.values[name]
            self._rendered(self.client)

    # Requests

    async def do(self, action: JSON, values: dict[str, str]) -> None:
        """An action of the screen in front, which a save leaves unless something was typed meanwhile."""
        view, front, is_save = self.view, self.front, action.get("role") == "save"
        more: JSON = {"stay": True} if is_save else {}
        if action["scope"] == "item":
            more["item"] = view.selected
        self.is_acting, self.was_typed, view.typed = True, view.typed, False
        reason = await self.act(action, values=values, **more)
        self.is_acting, is_typed_on = False, view.typed
        view.typed = view.typed or (self.was_typed and reason is not None)
        self.was_typed = False
        if self.down or not is_save or self.is_frozen or not is_stored(self.screen):
            return
        back = action_of(self.screen, "back")
        if is_typed_on and self.front == front:  # it is typed on what is stored now
            view.base = self.screen["body"].get("base")
            self.change({})
            if reason is None:
                self.say("warning", "Saved. What you typed since then is not saved yet.")
        elif reason is None and back and self.screen["body"].get("layout") != "compare":
            await self.act(back)

    async def act(self, action: JSON, **more: Any) -> Optional[str]:
        params = {"screen": self.screen["name"], "action": action["name"], "base": self.view.base, **more}
        return await self.request("screen/act", params)

    async def look(self, row: int) -> None:
        """Asks for the part of the list around a row."""
        window = {"offset": max(0, row - WINDOW_ITEMS // 2), "limit": WINDOW_ITEMS}
        await self.request("screen/window", {"screen": self.screen["name"], **window})

    async def request(self, method: str, params: JSON) -> Optional[str]:
        """Asks the server for something. Why it was refused, or None."""
        try:
            await self.client.request(method, params)
        except RPCError as error:
            self.say("warning" if error.code == STALE else "error", error.message)
            return str((error.data or {}).get("reason", "failed"))
        except ServerDied:
            return "died"  # _died shows why
        return None
