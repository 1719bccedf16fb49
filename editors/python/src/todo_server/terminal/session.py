"""What a terminal and a server say to each other: screens come, texts and actions go."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Callable, Optional

from ..client import STALE, Client, RPCError, ServerDied
from . import drafts
from .view import JSON, View

TELLS_MAX = 100  # texts without an answer; the next action has what is typed beyond that
WINDOW_ITEMS = 500  # of a list: some pages of a large terminal
NO_SERVER = {"id": "", "name": "", "title": "todo", "actions": [], "body": {"kind": "form"}}
STARTING = {**NO_SERVER, "body": {"kind": "progress", "text": "Starting the server…"}}
BRING_BACK = "Ctrl-Y in the list brings back what you typed."
STAYS = "The server shows something else now. Your text stays here; Ctrl-S goes on with it."
LEVELS = {1: "error", 2: "warning"}  # of window/logMessage


class Session:
    """One server after another, and what is shown; `on_change()` is called when that is new."""

    def __init__(self, command: Sequence[str], options: JSON, on_change: Callable[[], None]):
        self.command, self.options, self.on_change = command, options, on_change
        # Texts that were not stored when their forms went away, as the server wants them for
        # opening these again; a line that was being typed; files of both.
        self.kept, self.line, self.files = drafts.load()
        self.status = ("info", BRING_BACK if self.kept else "")
        self._begin()

    def _begin(self) -> None:
        self.client = Client(
            self.command, options=self.options, window=WINDOW_ITEMS, preview=True, name="todo-tui",
            on_render=self._rendered, on_notification=self._notified, on_death=self._died,
        )  # fmt: skip
        self.view = View(STARTING)  # what is shown: the screen in front, or a draft in its place
        self.is_frozen = False  # whether it is a draft
        self.views: dict[str, View] = {}  # of all screens that the server has
        self.tells: set[asyncio.Future[Any]] = set()  # what was typed, and is not answered yet
        self.sent: Optional[dict[str, str]] = None  # what an action without an answer went with
        self.down = ""  # why there is no server

    @property
    def is_unsaved(self) -> bool:
        """Whether what is shown is stored nowhere: typed, or a side without a way back."""
        is_side = self.view.has_sides and not self.view.action(role="back")
        return self.view.base is not None and (is_side or bool(self.view.values))

    async def restart(self) -> None:
        """Starts another server."""
        self.keep()
        try:
            await self.client.close()
            self._begin()
            self.on_change()
            await self.client.start()
            self.say("info", BRING_BACK if self.kept else "")
        except OSError as error:
            self._died(f"{error.filename}: {error.strerror}")
        except (RPCError, ServerDied) as error:
            self._died(error)

    def say(self, level: str, text: str) -> None:
        self.status = (level, text)
        self.on_change()

    # What the server says

    def _died(self, reason: object) -> None:
        self.down = str(reason)
        if not self.views:  # there is nothing yet to be seen
            self.view = View(NO_SERVER)
        screen = self.view.screen  # of which nothing is possible now
        impossible = [{**one, "enabled": False} for one in screen["actions"]]
        self.view.screen = {**screen, "actions": impossible}
        self.on_change()

    def _notified(self, method: str, params: Any) -> None:
        if method == "window/logMessage":
            self.say(LEVELS.get(params.get("type"), "info"), str(params.get("message")))

    def _rendered(self, client: Client) -> None:
        """Brings what is shown in line with what the server shows."""
        rendering: Any = client.rendering
        screens = [item["screen"] for item in rendering["items"]]
        is_new = screens[-1]["id"] != self.view.screen["id"]
        if is_new and not self.is_frozen and self.is_unsaved and self.view.values != self.sent:
            self.is_frozen = True
            self.say("warning", STAYS)
        if not self.is_frozen:
            self.views = {one["id"]: self.views.get(one["id"]) or View() for one in screens}
            self.view = self.views[screens[-1]["id"]]
            for one in self.views.values() if is_new else ():
                one.values, one.focus = {}, None  # what was typed is over; a secret above all
            self.view.update(screens[-1])
        self.on_change()

    # Drafts

    def keep(self) -> None:
        """Keeps what was typed into a form of something stored."""
        view = self.view
        if self.is_unsaved:
            items = [one for one in view.fields if not (one.get("secret") or one.get("readOnly"))]
            texts = {item["name"]: view.text(item) for item in items}
            form = {"screen": view.screen["name"], "base": view.base, "open": True}
            self.kept.append({**form, "values": texts})

    def thaw(self) -> None:
        """Shows what the server has in front; a draft in its place is kept."""
        if self.is_frozen:
            self.keep()
            self.view, self.is_frozen = View(NO_SERVER), False
            self._rendered(self.client)

    def drop(self) -> None:
        """Forgets all that is not stored, as the user wants it."""
        self.kept, self.line, self.view = [], "", View(NO_SERVER)

    def close(self) -> None:
        """Writes down for the next start what is not stored. Raises OSError."""
        self.keep()
        drafts.store(self.kept, self.line, self.files)

    async def bring_back(self) -> None:
        """Opens the form of the draft that was kept last; there is one also for what is gone."""
        self.thaw()
        draft = self.kept[-1]
        if await self.request("change", **draft):
            why = self.status[1]
            self.say("warning", f"{why} Your text is kept: Ctrl-Y in the list brings it back.")
        else:
            self.kept.remove(draft)
            self.view.values = draft["values"]
            self.say("info", "This is what you typed. It is not saved yet.")

    # What the user does

    def change(self, values: dict[str, str]) -> None:
        """Takes what was typed, and tells the server, unless that is busy with an action."""
        self.view.values.update(values)
        is_heard = self.sent is None and not self.down and not self.is_frozen
        if is_heard and len(self.tells) < TELLS_MAX:
            tell = asyncio.ensure_future(self.request("change", values=self.view.unsent))
            self.tells.add(tell)
            tell.add_done_callback(self.tells.discard)

    async def do(self, action: JSON, answers: dict[str, str]) -> None:
        """An action of the screen in front, which a save leaves unless more was typed meanwhile."""
        view, is_save = self.view, action.get("role") == "save"
        more = {"item": view.selected} if action["scope"] == "item" else {"stay": is_save}
        self.sent = sent = dict(view.values)
        values = {**view.unsent, **answers}
        reason = await self.request("act", action=action["name"], values=values, **more)
        self.sent, view = None, self.view
        if self.is_frozen or not is_save or view.base is None or view.has_sides:
            return
        if reason is None:  # what was typed since then is typed on what is stored now
            typed = view.values.items()
            view.values = {name: text for name, text in typed if text != sent.get(name)}
            view.base, sent = view.screen["body"].get("base"), {}
        if view.values not in ({}, sent):
            self.change({})
            if reason is None:
                self.say("warning", "Saved. What you typed since then is not saved yet.")
        elif reason is None and (back := view.action(role="back")):
            await self.request("act", action=back["name"])

    async def request(self, what: str, **params: Any) -> Optional[str]:
        """Asks the server for something about the screen. Why it was refused, or None."""
        where = {"screen": self.view.screen["name"], "base": self.view.base}
        try:
            await self.client.request(f"screen/{what}", {**where, **params})
        except RPCError as error:
            self.say("warning" if error.code == STALE else "error", error.message)
            return str((error.data or {}).get("reason", "failed"))
        except ServerDied:
            return "died"  # _died shows why
        return None
