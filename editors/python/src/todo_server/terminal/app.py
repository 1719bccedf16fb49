"""The interactive front-end: keys in, screens out. What the screens are about, only the server knows."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Sequence

from ..client import STALE, Client, RPCError, ServerDied
from .drawing import draw
from .screen import Terminal
from ..text import Key, TextBuffer
from .view import Prompt, View, action_keys, enter_action, fields, stops

PATIENCE_SECONDS = 3.0  # how long keys wait for an answer; after that they go on without it
SPINNER_SECONDS = 0.1
WINDOW_ITEMS = 500  # of a list: some pages of a large terminal
ROW_STEPS = {"j": 1, "down": 1, "k": -1, "up": -1}
FOCUS_STEPS = {"tab": 1, "down": 1, "right": 1, "backtab": -1, "up": -1, "left": -1}


class App:
    """The session with one server on one terminal."""

    def __init__(self, command: Sequence[str], options: dict):
        self.command, self.options = command, options
        self.client = self.terminal = None
        self.views: dict[tuple[int, str], View] = {}
        self.front: tuple[int, str] | None = None
        self.base: str | None = None  # of the form from which the text in the fields was made
        self.tells: set[asyncio.Future] = set()  # what was typed, and is not answered yet
        self.lost = ""  # the text that was being written when its screen went away
        self.status = ("info", "")
        self.down: str | None = None  # why there is no server
        self.prompt: Prompt | None = None
        self.help_open, self.painting, self.tick = False, False, 0
        self.keys: asyncio.Queue = asyncio.Queue()

    @property
    def screen(self) -> dict:
        return self.client.screen

    @property
    def view(self) -> View:
        return self.views[self.front]

    async def run(self) -> None:
        """Runs until the user quits. Raises what `Client.start` and `Terminal` raise."""
        await self._connect()
        try:
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
            await self.client.close()

    async def _connect(self) -> None:
        client = Client(
            self.command, options=self.options, window=WINDOW_ITEMS, name="todo-tui",
            on_render=self._rendered, on_death=self._died,
        )  # fmt: skip
        await client.start()
        await client.wait_for(lambda screen: True)
        self.client, self.front, self.down = client, None, None
        self._rendered(client)

    def _died(self, reason: ServerDied) -> None:
        self.down, self.help_open = str(reason), False
        self.keys.put_nowait("died")  # wakes a question that waits for its answer
        self.redraw()

    async def _restart(self) -> None:
        buffer = self.view.buffers[self.view.focus[1]] if self.view.is_typing else TextBuffer()
        if buffer.text and not buffer.secret:
            self.lost = buffer.text
            self.status = ("info", "Ctrl-Y in a field inserts the text that you were writing.")
        await self.client.close()
        try:
            await self._connect()
        except (OSError, RPCError, ServerDied) as error:
            self.down = str(error)

    # Drawing

    def redraw(self) -> None:
        """Paints soon, once for everything that changed until then."""
        if self.terminal and not self.painting:
            self.painting = True
            asyncio.get_running_loop().call_soon(self._paint)

    def _paint(self) -> None:
        self.painting = False
        status = ("error", f"{self.down}. r restarts, q quits.") if self.down else self.status
        picture = draw(
            self.screen, self.view, *self.terminal.size(),
            status=status, prompt=self.prompt, help_open=self.help_open, tick=self.tick,
        )  # fmt: skip
        self.terminal.paint(picture)

    async def _spin(self) -> None:
        while True:
            await asyncio.sleep(SPINNER_SECONDS)
            self.tick += 1
            if self.screen["body"]["kind"] == "progress":
                self.redraw()

    def _rendered(self, client: Client) -> None:
        """Brings what this terminal knows in line with what the server shows."""
        if client is not self.client:  # which is not ready yet
            return
        stack = [(index, item["screen"]["name"]) for index, item in enumerate(client.rendering["items"])]
        self.views = {key: self.views.get(key) or View() for key in stack}
        is_new = self.front != stack[-1]
        if is_new:
            self.front = stack[-1]
            for view in self.views.values():  # what was typed elsewhere is over; a secret above all
                view.buffers, view.focus = {}, None
        # What was typed stays until the server has heard of it: a rendering before that is older than the text.
        takes_text = is_new or not self.tells
        if takes_text:
            self.base = client.screen["body"].get("base")
        self.view.update(client.screen, takes_text)
        self.redraw()

    # Keys

    def _hear(self, keys: list[Key]) -> None:
        for key in keys:
            if key == "ctrl-c":
                self.quit()
            elif key == "ctrl-z":
                self.terminal.stop()
                self.redraw()
            else:
                self.keys.put_nowait(key)

    async def _obey_keys(self) -> None:
        while True:
            key = await self.keys.get()
            self.status = ("info", "")
            if not self.down:
                await self._press(key)
            elif key == "q":
                self.quit()
            elif key == "r":
                await self._restart()
            self.redraw()

    async def _press(self, key: Key) -> None:
        screen, view, moves = self.screen, self.view, {}
        if self.help_open:
            self.help_open = False
            return
        if view.is_typing:
            if await self._type(key, view.focus[1]):
                return
            key = key.removeprefix("alt-")
        if screen["body"]["kind"] == "list":
            page, total = max(self.terminal.size()[1] - 8, 1), screen["body"]["total"]
            moves = {**ROW_STEPS, "pagedown": page, "pageup": -page, "end": total, "home": -total}
        by_key = {value: name for name, value in action_keys(screen).items()}
        if key == "q":
            self.quit()
        elif key in ("?", "f1"):
            self.help_open = True
        elif key in moves:
            await self._move(moves[key])
        elif key in FOCUS_STEPS:
            view.move_focus(screen, FOCUS_STEPS[key])
        elif key == "enter" and view.focus and view.focus[0] == "action":
            await self._act(view.focus[1])
        elif key in ("enter", "ctrl-s"):
            await self._act(enter_action(screen))
        elif key == "esc":
            if screen["bar"].get("left"):
                await self._act(screen["bar"]["left"])
            else:
                view.focus = next((stop for stop in stops(screen) if stop[0] == "action"), view.focus)
        elif key in by_key:
            await self._act(by_key[key])

    async def _move(self, distance: int) -> None:
        """Selects a row further up or down, and looks at another part of the list when this one ends there."""
        view, body, page = self.view, self.screen["body"], self.terminal.size()[1]
        row, end = max(0, min(view.row + distance, body["total"] - 1)), body["offset"] + len(body["items"])
        if row - page < body["offset"] > 0 or row + page >= end < body["total"]:
            window = {"offset": max(0, row - WINDOW_ITEMS // 2), "limit": WINDOW_ITEMS}
            await self._request("screen/window", {"screen": self.screen["name"], **window})
        view.row, view.selected = row, None
        view.select(self.screen["body"])

    async def _type(self, key: Key, name: str) -> bool:
        """Whether the key was for the text; the server hears of every change."""
        # The text is made from what is seen now, also when the user's editor takes its time with it.
        view, screen, base = self.view, self.screen["name"], self.base
        buffer = view.buffers[name]
        before, handled = buffer.text, True
        if key == "ctrl-o" and buffer.multiline:
            text = before
            try:
                text = await self.terminal.edit(before)
            except (OSError, ValueError) as error:
                self.status = ("error", str(error))
            if text == before:
                return True
            if view.buffers.get(name) is not buffer:
                self.lost = text
                self.status = ("warning", "This text’s screen is gone. Ctrl-Y in a field inserts the text.")
                return True
            buffer.replace(text)
        elif key == "ctrl-y":
            buffer.insert(self.lost)
        else:
            handled = buffer.press(key, self.terminal.size()[0] - 5)
        if buffer.text != before:
            change = {"screen": screen, "values": {name: buffer.text}, "base": base}
            tell = asyncio.ensure_future(self._answer("screen/change", change))
            self.tells.add(tell)
            tell.add_done_callback(self._told)
        return handled

    def _told(self, tell: asyncio.Future) -> None:
        self.tells.discard(tell)
        self._rendered(self.client)

    # Actions

    async def _act(self, name: str | None) -> None:
        if self.tells:  # what was typed decides what is possible
            await asyncio.wait(self.tells, timeout=PATIENCE_SECONDS)
        screen, view = self.screen, self.view
        action = next((action for action in screen["actions"] if action["name"] == name), None)
        if action is None:
            return
        if not action["enabled"] or (action["scope"] == "item" and view.selected is None):
            self.status = ("warning", f"“{action['title']}” is not possible now.")
            return
        params = {"screen": screen["name"], "action": name, "base": self.base}
        if action["scope"] == "item":
            params["item"] = view.selected
        # All other texts the server knows; it may have forgotten a secret after it was wrong, though it stands here.
        values = {name: buffer.text for name, buffer in view.buffers.items() if buffer.secret and buffer.text}
        if action.get("confirm") and await self._ask(Prompt(f"{action['confirm']} (y/n)")) is None:
            return
        for item in action.get("input", []):
            values[item["name"]] = text = await self._ask(Prompt(item["label"], TextBuffer.of(item)))
            if text is None:
                return
        await self._request("screen/act", {**params, "values": values})

    async def _request(self, method: str, params: dict) -> None:
        """Asks the server for something; keys wait for its answer, but not for ever."""
        request = asyncio.ensure_future(self._answer(method, params))
        if not (await asyncio.wait([request], timeout=PATIENCE_SECONDS))[0]:
            self.status = ("info", "Waiting for the server…")

    async def _answer(self, method: str, params: dict) -> None:
        try:
            await self.client.request(method, params)
            self.status = ("info", "")
        except RPCError as error:
            self.status = ("warning" if error.code == STALE else "error", error.message)
        except ServerDied:
            pass  # _died shows why
        self.redraw()

    async def _ask(self, prompt: Prompt) -> str | None:
        """The user's answer, which is "y" where there is no text to type; None for no."""
        self.prompt, buffer = prompt, prompt.buffer
        try:
            while not self.down:
                self.redraw()
                key = await self.keys.get()
                if key == "esc" or (key == "n" and not buffer):
                    return None
                if key in ("enter", "ctrl-s") if buffer else key == "y":
                    return buffer.text if buffer else key
                if buffer:
                    buffer.press(key)
            return None
        finally:
            self.prompt = None


async def run(command: Sequence[str], options: dict) -> None:
    """An interactive session. Raises Failure, OSError, RPCError and ServerDied."""
    await App(command, options).run()
