"""The messages between a terminal and a server: screens come, texts and actions go."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any, Callable, Optional

from ..client import STALE, Client
from ..errors import RPCError, ServerDied
from . import drafts
from .view import JSON, View, done_last

LAST_WORDS_SECONDS = 1.0  # for the last request with unsaved text
WINDOW_ITEMS = 500  # of a list: some pages of a large terminal
NO_SERVER = {"id": "", "name": "", "title": "todo", "actions": [], "body": {"kind": "form"}}
STARTING = {**NO_SERVER, "body": {"kind": "progress", "text": "Starting the server…"}}
BRING_BACK = "Ctrl-Y in the list brings back what you typed."
KEPT = "What you typed is kept. The list shows how to open it."
DRAFT = "draft"  # the badge of a row with unsaved text, which the server announces itself
STAYS = "The server shows something else now. Your text stays here; Ctrl-S saves it there."
LEVELS = {1: "error", 2: "warning"}  # of window/logMessage


class Session:
    """One server after another, and what is shown; `on_change()` is called when that is new."""

    def __init__(self, command: Sequence[str], options: JSON, on_change: Callable[[], None]):
        self.command, self.options, self.on_change = command, options, on_change
        # Texts that were not stored when their forms went away, as the server wants them for
        # opening these again; a line that was being typed; files of both.
        self.kept, self.line, self.files = drafts.load()
        self.is_untold = True  # whether the server has not heard of one of them
        self.status = ("", "")
        self._begin()

    def _begin(self) -> None:
        self.client = Client(
            self.command, options=self.options, window=WINDOW_ITEMS, preview=True, name="todo-tui",
            on_render=self._rendered, on_notification=self._notified, on_death=self._died,
        )  # fmt: skip
        self.view = View(STARTING)  # what is shown: the screen in front, or a draft in its place
        self.is_frozen = False  # whether it is a draft
        self.views: dict[str, View] = {}  # of all screens that the server has
        self.telling: Optional[asyncio.Future[None]] = None  # the request with new input in flight
        self.sent: Optional[dict[str, str]] = None  # what an action without an answer went with
        self.stored_base: Optional[str] = None  # the version that the last save stored
        self.down = ""  # why there is no server

    @property
    def is_heard(self) -> bool:
        """Whether the server accepts input: it runs, and no action is in flight."""
        return self.sent is None and not self.down and not self.is_frozen

    async def restart(self) -> None:
        """Starts another server."""
        self.keep(self.view)
        try:
            await self.client.close()
            self._begin()
            self.on_change()
            await self.client.start()
        except OSError as error:
            self._died(f"{error.filename}: {error.strerror}")
        except (RPCError, ServerDied) as error:
            self._died(error)

    @property
    def notice(self) -> tuple[str, str]:
        """The status; without one, that texts are kept here, unless the server announces them."""
        body = self.view.screen["body"]
        is_shown = not self.is_untold and any(item.get("badge") == DRAFT for item in body.get("items", []))
        if self.status[1] or not self.kept or is_shown:
            return self.status
        return "info", BRING_BACK if body["kind"] == "list" else KEPT

    def say(self, level: str, text: str) -> None:
        self.status = (level, text)
        self.on_change()

    # Messages of the server

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
        """Updates the view to the server's screens."""
        rendering: Any = client.rendering
        screens = [item["screen"] for item in rendering["items"]]
        if os.environ.get("TODO_FOLD_DONE"):
            screens = [done_last(one) for one in screens]
        front, view = screens[-1], self.view
        is_new = front["id"] != view.screen["id"]
        if is_new and self.sent and front["name"] == view.screen["name"]:  # saved as a new todo
            self.views[front["id"]], is_new = view, False
        if is_new and not self.is_frozen and view.base is not None and view.values not in ({}, self.sent):
            self.is_frozen = True
            self.say("warning", STAYS)
        if not self.is_frozen:
            self.views = {one["id"]: self.views.get(one["id"]) or View() for one in screens}
            self.view = self.views[front["id"]]
            for one in self.views.values() if is_new else ():
                one.values, one.told, one.focus = {}, {}, None  # input of other screens, and secrets
            self.view.update(front)
            # Text that the form has already, such as that of a draft.
            texts = {item["name"]: item.get("value") for item in self.view.fields}
            self.kept = [one for one in self.kept if not one["values"].items() <= texts.items()]
        self.on_change()

    # Drafts

    def keep(self, view: View) -> None:
        """Saves the unsaved text of a form of a stored todo."""
        if view.is_unsaved:
            items = [one for one in view.fields if not (one.get("secret") or one.get("readOnly"))]
            texts = {item["name"]: view.text(item) for item in items}
            form = {"screen": view.screen["name"], "base": view.base, "open": True}
            self.is_untold = view.values != view.told or bool(self.kept and self.is_untold)
            self.kept.append({**form, "values": texts})

    def thaw(self) -> None:
        """Shows what the server has in front; a draft in its place is kept."""
        if self.is_frozen:
            self.keep(self.view)
            self.view, self.is_frozen = View(NO_SERVER), False
            self._rendered(self.client)

    def drop(self) -> None:
        """Forgets all that is not stored, as the user wants it."""
        self.kept, self.line, self.view = [], "", View(NO_SERVER)

    async def close(self) -> None:
        """Sends unsaved text to the server, or else writes it to a file. Raises OSError."""
        self.tell()
        if self.telling:
            await asyncio.wait([self.telling], timeout=LAST_WORDS_SECONDS)
        if not self.is_heard or self.view.values != self.view.told:
            self.keep(self.view)
        drafts.store(self.kept, self.line, self.files)

    async def bring_back(self) -> None:
        """Opens the form of the draft that was saved last; a removed todo has one, too."""
        self.thaw()
        if not self.kept:
            return  # it is on the screen
        draft = self.kept[-1]
        if await self.request("change", **draft):
            why = self.status[1]
            self.say("warning", f"{why} Your text is kept: Ctrl-Y in the list brings it back.")
        else:
            self.kept, view = [one for one in self.kept if one is not draft], self.view
            if view.screen["name"] == draft["screen"]:  # not if its todo is gone
                view.values, view.told, view.base = {**draft["values"]}, draft["values"], draft["base"]
            self.say("info", "This is what you typed. It is not saved yet.")

    # Actions of the user

    def change(self, values: dict[str, str]) -> None:
        """Stores new input, and sends it."""
        self.view.values.update(values)
        self.tell()

    def tell(self) -> None:
        """Sends all unsaved text of the view, in one request after the other."""
        if self.is_heard and not self.telling and self.view.values != self.view.told:
            self.telling = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        while self.is_heard and (view := self.view).values != view.told:
            values = dict(view.values)
            if await self.request("change", values=values) is None:
                view.told = values
            elif view is self.view:
                break  # the status says why
        self.telling = None

    async def do(self, action: JSON, answers: dict[str, str]) -> None:
        """An action of the screen in front, which a save leaves unless more was typed meanwhile."""
        view, is_save = self.view, action.get("role") == "save"
        items = view.chosen(action) if action["scope"] == "item" else []
        which = {"items": items} if items[1:] else {"item": items[0]} if items else {"stay": is_save}
        self.sent = sent = dict(view.values)
        reason = await self.request("act", action=action["name"], values={**sent, **answers}, **which)
        self.sent = None
        if reason is None and self.line in answers.values():
            self.line = ""
        if items[1:] and reason is None:
            view.marked.clear()
        if self.is_frozen:
            return
        if self.view is not view:
            if reason not in (None, "asks"):
                self.keep(view)  # its screen went for another reason
        elif reason is None and is_save and view.base is not None:
            return await self._saved(sent, self.stored_base or view.base)
        elif reason == "asks":  # the user decides on the newest texts
            view.adopt(view.newest)
        if reason in ("asks", "disabled", "unconfirmed"):
            self.view.told = {}  # sent again, for the errors and questions
        self.tell()

    async def _saved(self, sent: dict[str, str], base: Optional[str]) -> None:
        """Leaves the form after a save, or keeps newer input, based on the stored text."""
        view = self.view
        typed = {name: text for name, text in view.values.items() if text != sent.get(name)}
        view.values = typed
        view.adopt(view.newest)
        if typed:  # is not based on a version that is newer still
            view.base = base
        view.told = {}
        if typed:
            self.tell()
            self.say("warning", "Saved. What you typed since then is not saved yet.")
        elif back := view.action(role="back"):
            await self.request("act", action=back["name"])

    async def request(self, what: str, **params: Any) -> Optional[str]:
        """Asks the server for something about the screen. Why it was not done, or None."""
        where = {"screen": self.view.screen["name"], "base": self.view.base}
        try:
            result = await self.client.request(f"screen/{what}", {**where, **params})
        except RPCError as error:
            self.say("warning" if error.code == STALE else "error", error.message)
            return str((error.data or {}).get("reason", "failed"))
        except ServerDied:
            return "died"  # _died shows why
        self.stored_base = (result or {}).get("base")
        return "asks" if (result or {}).get("outcome") == "asks" else None
