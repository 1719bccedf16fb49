"""The interactive front-end: keys in, screens out. What the screens are about, only the server knows."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Awaitable, Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple, Optional

from ..client import STALE, Client, RPCError, ServerDied
from ..finding import Failure
from ..text import wrap
from .drawing import draw
from .screen import Terminal
from .view import (
    Key, Prompt, TextField, View, action_of, enter_action, fields, is_stored, question, stops,
)  # fmt: skip

PATIENCE_SECONDS = 1.5  # without an answer; then that is said, and keys are not kept for later any more
SPINNER_SECONDS = 0.1
WINDOW_ITEMS = 500  # of a list: some pages of a large terminal
ROW_STEPS = {"j": 1, "down": 1, "k": -1, "up": -1}
FOCUS_STEPS = {"tab": 1, "down": 1, "right": 1, "backtab": -1, "up": -1, "left": -1}


class Kept(NamedTuple):
    """A form with text that was not stored when its screen went away."""

    screen: dict
    view: View


class App:
    """The session with one server on one terminal."""

    def __init__(self, command: Sequence[str], options: dict):
        self.command, self.options = command, options
        self.client: Any = None  # the one that is shown
        self.clients: list[Client] = []  # all that were started and not closed
        self.terminal: Any = None
        self.views: dict[str, View] = {}
        self.front: Optional[dict] = None  # the screen that was shown last
        self.kept: list[Kept] = []
        self.is_frozen = False  # whether the last of them is shown in place of the server's screen
        self.yank = ""  # what was typed last into a question that was left
        self.opening: Optional[str] = None  # the item that is being opened
        self.tells: set[asyncio.Future] = set()  # what was typed, and is not answered yet
        self.acting: Optional[asyncio.Future] = None
        self.is_saving = False
        self.status = ("info", "")
        self.down: Optional[str] = None  # why there is no server
        self.prompt: Optional[Prompt] = None
        self.help_open, self.painting, self.asks_to_quit, self.tick = False, False, False, 0
        self.keys: asyncio.Queue = asyncio.Queue()

    @property
    def screen(self) -> dict:
        return self.kept[-1].screen if self.is_frozen else self.client.screen

    @property
    def view(self) -> View:
        return self.kept[-1].view if self.is_frozen else self.views[self.screen["id"]]

    async def run(self) -> None:
        """Runs until the user quits. Raises what `Client.start` and `Terminal` raise."""
        try:
            await patiently(self._connect())
            self.terminal = Terminal(self._hear)
            loop, task = asyncio.get_running_loop(), asyncio.ensure_future(self._obey_keys())
            self.quit = task.cancel
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, self.quit)
            # In the user's editor a Ctrl-C is the editor's.
            loop.add_signal_handler(signal.SIGINT, lambda: self.terminal.active and self.quit())
            loop.add_signal_handler(signal.SIGWINCH, lambda: (self.terminal.resize(), self.redraw()))
            self.spinner = asyncio.ensure_future(self._spin())
            self.redraw()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        finally:
            if self.terminal:
                self.terminal.suspend()
            for client in self.clients:
                await client.close()

    async def _connect(self) -> None:
        client = Client(
            self.command, options=self.options, window=WINDOW_ITEMS, preview=True, name="todo-tui",
            on_render=self._rendered, on_notification=self._notified, on_death=self._died,
        )  # fmt: skip
        self.clients.append(client)
        await client.start()
        await client.wait_for(lambda screen: True)
        self.client, self.front, self.down, self.views = client, None, None, {}
        self._rendered(client)

    def _died(self, reason: ServerDied) -> None:
        self.down, self.help_open = str(reason), False
        self.keys.put_nowait("died")  # wakes a question to which nothing can be typed
        self.redraw()

    async def _restart(self) -> None:
        if not self.is_frozen:
            self._keep(self.screen, self.view)
        self.is_frozen, self.status = False, ("info", "Starting the server…")
        self.redraw()
        try:
            await self.clients.pop().close()
            await self._connect()
            self.status = ("info", "Ctrl-Y in the list brings back what you typed." if self.kept else "")
        except (OSError, RPCError, ServerDied) as error:
            self.down = str(error)

    # Drawing

    def redraw(self) -> None:
        """Paints soon, once for everything that changed until then."""
        if self.terminal and not self.painting:
            self.painting = True
            asyncio.get_running_loop().call_soon(self._paint)

    def _paint(self) -> None:
        self.painting, status, prompt = False, self.status, self.prompt
        if self.down:
            keys = "Ctrl-R restarts, Ctrl-C quits" if fields(self.screen) or prompt else "r restarts, q quits"
            status = ("error", f"{self.down}. {keys}.")
        elif self.clients[-1].waiting_seconds >= PATIENCE_SECONDS:
            status = ("warning", f"No answer for {int(self.clients[-1].waiting_seconds)} s: waiting… Ctrl-C quits.")
        if self.asks_to_quit:
            prompt = Prompt("What you typed is not saved. Quit all the same? (y/n)")
        picture = draw(
            self.screen, self.view, *self.terminal.size(),
            status=status, prompt=prompt, help_open=self.help_open, tick=self.tick, now=datetime.now(timezone.utc),
        )  # fmt: skip
        self.terminal.paint(picture)

    async def _spin(self) -> None:
        while True:
            await asyncio.sleep(SPINNER_SECONDS)
            self.tick += 1
            is_slow = self.clients[-1].waiting_seconds >= PATIENCE_SECONDS
            if is_slow or self.screen["body"]["kind"] == "progress":
                self.redraw()

    def _rendered(self, client: Client) -> None:
        """Brings what this terminal knows in line with what the server shows."""
        if client is not self.client:  # which is not ready yet
            return
        ids = [item["screen"]["id"] for item in client.rendering["items"]]
        is_new = self.front is None or self.front["id"] != ids[-1]
        if is_new and self.front and self._keep(self.front, self.views[self.front["id"]]):
            self.is_frozen = True
            self.status = (
                "warning",
                "The server shows something else now. Your text stays here; Ctrl-S goes on with it.",
            )
        self.views = {key: self.views.get(key) or View(item=self.opening) for key in ids}
        self.front, view = client.screen, self.views[ids[-1]]
        if is_new:
            for one in self.views.values():  # what was typed elsewhere is over; a secret above all
                one.texts, one.focus, one.typed = {}, None, False
        body = client.screen["body"]
        if body.get("select") is not None:
            view.selected = body["select"]
        # What was typed stays until the server has heard of it: a rendering before that is older than the text.
        view.update(client.screen, is_new or not (self.tells or view.untold))
        self.redraw()

    def _notified(self, method: str, params: Any) -> None:
        if method == "window/logMessage":
            self.status = ({1: "error", 2: "warning"}.get(params.get("type"), "info"), str(params.get("message")))
            self.redraw()

    # Text that is not stored

    def _keep(self, screen: dict, view: View) -> bool:
        """Keeps what was typed into a form of something stored."""
        keeps = view.typed and is_stored(screen)
        if keeps:
            texts = {name: text for name, text in view.texts.items() if not text.secret}
            self.kept.append(Kept(screen, View(view.focus, texts, view.base, True, item=view.item)))
        return keeps

    @property
    def _has_unsaved(self) -> bool:
        asked = self.prompt and self.prompt.answer
        return bool(self.kept or (self.view.typed and is_stored(self.screen)) or (asked and asked.text))

    async def _bring_back(self) -> None:
        """Puts the text that was kept last into the form it came from, or into a new one if there is none any more."""
        kept, self.is_frozen = self.kept[-1], False
        opened, create, base = action_of(self.screen, "open"), action_of(self.screen, "create"), kept.view.base
        texts = {name: text.text for name, text in kept.view.texts.items()}
        if opened and self.screen["id"] != kept.screen["id"]:
            self.opening, reason = kept.view.item, "itemGone"
            if self.opening:
                reason = await self._request("screen/act", self._params(opened, item=self.opening))
            if reason == "itemGone" and create:
                asked = {item["name"]: texts.get(item["name"], "") for item in create.get("input", [])}
                if await self._request("screen/act", self._params(create, values=asked)) is None:
                    self.opening, base = self.view.selected, None
                    await self._request("screen/act", self._params(opened, item=self.opening))
        names = [item["name"] for item in fields(self.screen) if item["name"] in texts and not item.get("readOnly")]
        if not names or not is_stored(self.screen):
            self.status = ("warning", "Your text is kept: Ctrl-Y in the list brings it back.")
            return
        self.kept.remove(kept)
        for name in names:
            self.view.texts[name].replace(texts[name])
        self.view.base = base or self.view.base
        self._changed(self.view, *names)
        self.status = ("info", "This is what you typed. It is not saved yet.")

    # Keys

    def _hear(self, keys: list[Key]) -> None:
        for key in keys:
            if key == "ctrl-c" and (self.asks_to_quit or not self._has_unsaved):
                self.quit()
            elif key == "ctrl-c":
                self.asks_to_quit = True
            elif self.asks_to_quit:
                self.asks_to_quit = False
                if key == "y":
                    self.quit()
            elif key == "ctrl-z":
                self.terminal.stop()
            else:
                self.keys.put_nowait(key)
        self.redraw()

    async def _obey_keys(self) -> None:
        while True:
            key = await self.keys.get()
            self.status = ("info", "")
            await self._press(key)
            self.redraw()

    async def _press(self, key: Key) -> None:
        screen, view, moves = self.screen, self.view, {}
        if self.help_open:
            self.help_open = False
            return
        if self._type(key):
            return
        if self.down and (key == "ctrl-r" or (key == "r" and not fields(screen))):
            return await self._restart()
        plain = key.removeprefix("alt-") if isinstance(key, str) else ""
        page = max(self.terminal.size()[1] - 8, 1)
        if screen["body"]["kind"] == "list":
            total = screen["body"]["total"]
            moves = {**ROW_STEPS, "pagedown": page, "pageup": -page, "end": total, "home": -total}
        on_text = view.focus is not None and view.focus[0] == "field"
        if plain in ("?", "f1"):
            self.help_open = True
        elif plain in moves:
            await self._move(moves[plain])
        elif plain in FOCUS_STEPS:
            view.move_focus(screen, FOCUS_STEPS[plain])
        elif plain in ("pagedown", "pageup") and on_text:
            rows = len(wrap(view.texts[view.focus[1]].shown, self.terminal.size()[0] - 5))
            view.scroll = max(0, min(view.scroll + (page if plain == "pagedown" else -page), rows - page))
        elif plain == "f2":
            view.shows_base = not view.shows_base
        elif key == "enter" and on_text and not view.typing:
            await self._edit(view.focus[1])
        elif plain == "q" and (key != plain or not view.takes_letters(screen)):
            self._hear(["ctrl-c"])
        elif key == "ctrl-y" and self.kept or self.is_frozen and key == "ctrl-s":
            await self._bring_back()
        elif self.is_frozen and key == "esc":
            self.is_frozen, self.status = False, ("info", "Ctrl-Y in the list brings back what you typed.")
        elif not self.down and not self.is_frozen:
            await self._press_action(key, plain, on_text)

    async def _press_action(self, key: Key, plain: str, on_text: bool) -> None:
        screen, view = self.screen, self.view
        by_key = {action.get("key"): action for action in screen["actions"]}
        if key == "enter" and view.focus and view.focus[0] == "action":
            await self._act(next((one for one in screen["actions"] if one["name"] == view.focus[1]), None))
        elif key in ("enter", "ctrl-s"):
            await self._act(enter_action(screen))
        elif key == "esc" and action_of(screen, "back"):
            await self._act(action_of(screen, "back"))
        elif key == "esc":
            view.focus = next((stop for stop in stops(screen) if stop[0] == "action"), view.focus)
            self.status = ("info", "There is nothing to go back to: ? shows the keys.")
        elif plain in by_key and (key != plain or not view.takes_letters(screen)):
            await self._act(by_key[plain])
        elif on_text and not view.typing and len(plain) == 1:
            self.status = ("info", "Enter opens this text in your editor.")

    async def _move(self, distance: int) -> None:
        """Selects a row further up or down, and looks at another part of the list when this one ends there."""
        view, body, page = self.view, self.screen["body"], self.terminal.size()[1]
        row, end = max(0, min(view.row + distance, body["total"] - 1)), body["offset"] + len(body["items"])
        if (row - page < body["offset"] > 0 or row + page >= end < body["total"]) and not self.down:
            window = {"offset": max(0, row - WINDOW_ITEMS // 2), "limit": WINDOW_ITEMS}
            await self._request("screen/window", {"screen": self.screen["name"], **window})
        view.row, view.selected = row, None
        view.select(self.screen["body"])

    def _type(self, key: Key) -> bool:
        """Whether the key was for a text on one line; the server hears of every change."""
        view, text = self.view, self.view.typing
        if text is None:
            return False
        before, handled = text.text, True
        if key == "ctrl-y" and self.yank:
            text.insert(self.yank)
        else:
            handled = text.press(key)
        if text.text != before:
            self._changed(view, view.focus[1])
        return handled

    async def _edit(self, name: str) -> None:
        """A text of several lines in the user's editor."""
        # It is made from what is seen now, however long the user takes.
        screen, view, base = self.screen, self.view, self.view.base
        before = view.texts[name].text
        try:
            text = await self.terminal.edit(before)
        except (OSError, Failure) as error:
            self.status = ("error", f"{error.strerror if isinstance(error, OSError) and error.strerror else error}")
            return
        if text == before:
            return
        if name in view.texts and view is self.view:
            view.texts[name].replace(text)
            view.base = base
            self._changed(view, name)
        else:
            texts = {**view.texts, name: TextField(text, multiline=True)}
            self._keep(screen, View(("field", name), texts, base, True, item=view.item))
            self.is_frozen, self.status = True, ("warning", "This text’s screen is gone. Ctrl-S goes on with it.")

    def _changed(self, view: View, *names: str) -> None:
        """Tells the server what was typed, unless it is storing what was typed before."""
        view.typed = True
        view.untold.update(names)
        if not self.is_saving and not self.down and not self.is_frozen:
            values = {name: view.texts[name].text for name in view.untold}
            view.untold.clear()
            change = {"screen": self.screen["name"], "values": values, "base": view.base}
            tell = asyncio.ensure_future(self._tell(view, change))
            self.tells.add(tell)
            tell.add_done_callback(self._told)

    async def _tell(self, view: View, change: dict) -> None:
        if await self._request("screen/change", change):
            view.untold.update(change["values"])  # it is known here alone, and stays

    def _told(self, tell: asyncio.Future) -> None:
        self.tells.discard(tell)
        self._rendered(self.client)

    # Actions

    async def _act(self, action: Optional[dict]) -> None:
        """Asks what has to be asked first, and does it; keys wait for the outcome, but not for ever."""
        if self.acting and not self.acting.done():
            self.status = ("warning", "Still waiting for the server: that was not done.")
            return
        if self.tells and action:  # what was typed decides what is possible
            await asyncio.wait(self.tells, timeout=PATIENCE_SECONDS)
            action = next((one for one in self.screen["actions"] if one["name"] == action["name"]), None)
        screen, view = self.screen, self.view
        if action is None or not action["enabled"] or (action["scope"] == "item" and view.selected is None):
            self.status = ("warning", f"“{action['title']}” is not possible now.") if action else self.status
            return
        asked = question(screen, view, action)
        if asked and await self._ask(Prompt(f"{asked} (y/n)")) is None:
            return
        # All other texts the server knows; it may have forgotten a secret after it was wrong, though it stands here.
        values = {name: text.text for name, text in view.texts.items() if text.secret and text.text}
        for item in action.get("input", []):
            answer = await self._ask(Prompt(item["label"], TextField.of(item)))
            if answer is None:
                return
            values[item["name"]] = answer
        self.acting = asyncio.ensure_future(self._do(action, view, values))
        # In a text that is being saved one can go on typing.
        await asyncio.wait([self.acting], timeout=0 if action.get("role") == "save" else PATIENCE_SECONDS)

    async def _do(self, action: dict, view: View, values: dict) -> None:
        is_save, was_typed, front = action.get("role") == "save", view.typed, self.screen["id"]
        params = self._params(action, values=values, **({"stay": True} if is_save else {}))
        if action["scope"] == "item":
            self.opening = params["item"] = view.selected
        self.is_saving, view.typed = is_save, False
        reason = await self._request("screen/act", params)
        self.is_saving = False
        if reason is not None:
            view.typed = was_typed or view.typed
        screen = self.screen
        if self.down or not is_save or self.is_frozen or not is_stored(screen):
            return
        if view.untold and screen["id"] == front:  # typed on while it was being saved: on what is stored now
            view.base = screen["body"].get("base")
            self._changed(view)
            if reason is None:
                self.status = ("warning", "Saved. What you typed since then is not saved yet.")
        elif reason is None and screen["body"].get("layout") != "compare" and action_of(screen, "back"):
            await self._request("screen/act", self._params(action_of(screen, "back")))

    def _params(self, action: dict, **more: Any) -> dict:
        return {"screen": self.screen["name"], "action": action["name"], "base": self.view.base, **more}

    async def _request(self, method: str, params: dict) -> Optional[str]:
        """Asks the server for something. Why it was refused, or None."""
        reason = None
        try:
            await self.client.request(method, params)
        except RPCError as error:
            self.status = ("warning" if error.code == STALE else "error", error.message)
            reason = (error.data or {}).get("reason") or "failed"
        except ServerDied:
            reason = "died"  # _died shows why
        self.redraw()
        return reason

    async def _ask(self, prompt: Prompt) -> Optional[str]:
        """The user's answer, which is "y" where there is no text to type; None for no."""
        self.prompt, answer = prompt, prompt.answer
        try:
            while answer or not self.down:
                self.redraw()
                key = await self.keys.get()
                leaves = key == "esc" or (self.down and key in ("enter", "ctrl-r"))
                if leaves and answer and answer.text and not answer.secret:
                    self.yank, self.status = answer.text, ("info", "Ctrl-Y in a field brings back what you typed.")
                if key == "ctrl-r" and self.down:
                    self.keys.put_nowait(key)
                if leaves or (key == "n" and not answer):
                    return None
                if key in ("enter", "ctrl-s") if answer else key == "y":
                    return answer.text if answer else key
                if answer and key == "ctrl-y":
                    answer.insert(self.yank)
                elif answer:
                    answer.press(key)
            return None
        finally:
            self.prompt = None


async def patiently(work: Awaitable[None]) -> None:
    """Waits for what the server has to do first, and says so when that takes long."""
    task = asyncio.ensure_future(work)
    try:
        if not (await asyncio.wait([task], timeout=PATIENCE_SECONDS))[0]:
            print("todo: the server has not answered yet. Ctrl-C ends.", file=sys.stderr, flush=True)
        await task
    finally:
        task.cancel()


async def run(command: Sequence[str], options: dict) -> None:
    """An interactive session. Raises Failure, OSError, RPCError and ServerDied."""
    await App(command, options).run()
