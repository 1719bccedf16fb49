"""The interactive front-end: keys in, screens out. What the screens are about, only the server knows."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence

import todo_screen
from todo_client import STALE, Client, RPCError, ServerDied
from todo_screen import Prompt, View
from todo_terminal import Key, Paste, Terminal, Unusable, users_editor
from todo_text import TextBuffer

PATIENCE_SECONDS = 3.0  # how long keys wait for an answer; after that they go on without it
SPINNER_SECONDS = 0.1
STARTING = {
    "name": "", "title": "", "bar": {"visible": False}, "actions": [],
    "body": {"kind": "progress", "text": "Starting…"},
}  # fmt: skip


class App:
    """The session with one server on one terminal."""

    def __init__(self, command: Sequence[str], options: dict):
        self.command, self.options = command, options
        self.terminal: Terminal | None = None
        self.views: dict[tuple[int, str], View] = {}
        self.front: tuple[int, str] | None = None
        self.status = ("info", "")
        self.down: str | None = None  # why there is no server
        self.prompt: Prompt | None = None
        self.help_open = self.painting = False
        self.tick = 0
        self.keys: asyncio.Queue = asyncio.Queue()
        self.dirty: set[str] = set()  # fields whose text the server has not been told
        self.sending: set[str] = set()
        self.pump: asyncio.Future | None = None

    @property
    def screen(self) -> dict:
        return self.client.screen or STARTING

    @property
    def view(self) -> View:
        return self.views.setdefault(self.front or (0, ""), View())

    async def run(self) -> None:
        """Runs until the user quits. Raises what `Client` does when the server cannot be started, and Unusable."""
        await self._connect()
        try:
            self.terminal = Terminal(self._hear)
            loop, task = asyncio.get_running_loop(), asyncio.ensure_future(self._obey_keys())
            self.quit = task.cancel
            for number in (signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(number, self.quit)
            # In the user's editor a Ctrl-C is the editor's.
            loop.add_signal_handler(signal.SIGINT, lambda: self.terminal.active and self.quit())
            loop.add_signal_handler(signal.SIGWINCH, self._resized)
            spinner = asyncio.ensure_future(self._spin())
            self.redraw()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            spinner.cancel()
        finally:
            if self.terminal:
                self.terminal.suspend()
            await self.client.close()

    async def _connect(self) -> None:
        self.views, self.front, self.down = {}, None, None
        self.client = Client(
            self.command, options=self.options, name="todo-tui", on_render=self._rendered, on_death=self._died
        )
        await self.client.__aenter__()

    def _died(self, reason: ServerDied) -> None:
        self.down, self.help_open = str(reason), False
        self.keys.put_nowait("died")  # wakes a question that waits for its answer
        self.redraw()

    # Drawing

    def redraw(self) -> None:
        """Paints soon, once for everything that changed until then."""
        if not self.painting:
            self.painting = True
            asyncio.get_running_loop().call_soon(self._paint)

    def _paint(self) -> None:
        self.painting = False
        if self.terminal is None:
            return
        status = ("error", f"{self.down}. r restarts, q quits.") if self.down else self.status
        picture = todo_screen.draw(
            self.screen, self.view, *self.terminal.size(),
            status=status, prompt=self.prompt, help_open=self.help_open, tick=self.tick,
        )  # fmt: skip
        self.terminal.paint(picture)

    def _resized(self) -> None:
        self.terminal.resize()
        self.redraw()

    async def _spin(self) -> None:
        while True:
            await asyncio.sleep(SPINNER_SECONDS)
            if self.screen["body"]["kind"] == "progress":
                self.tick += 1
                self.redraw()

    def _rendered(self, client: Client) -> None:
        """Brings what this terminal knows in line with what the server shows."""
        stack = [(index, item["screen"]["name"]) for index, item in enumerate(client.rendering["items"])]
        if not stack:
            return
        self.views = {key: view for key, view in self.views.items() if key in stack}
        if self.front != stack[-1]:
            self.front = stack[-1]
            self.dirty.clear()
            for view in self.views.values():  # what was typed elsewhere is over; a secret above all
                view.buffers, view.touched, view.focus = {}, set(), None
        screen, view = self.screen, self.view
        for item in todo_screen.fields(screen):
            name = item["name"]
            buffer = view.buffers.setdefault(name, TextBuffer("", item.get("multiline", False)))
            if not item.get("secret") and name not in self.dirty | self.sending:
                buffer.replace(item.get("value", ""))
        stops = todo_screen.stops(screen)
        if view.focus not in stops:
            view.focus = stops[0] if todo_screen.fields(screen) else None
        self._select(0)
        self.redraw()

    def _select(self, distance: int) -> None:
        """Moves the selection, which stays with its row, wherever that went."""
        view, ids = self.view, [item["id"] for item in self.screen["body"].get("items", [])]
        row = ids.index(view.selected) if view.selected in ids else view.row
        view.row = max(0, min(row + distance, len(ids) - 1))
        view.selected = ids[view.row] if ids else None

    # Keys

    def _hear(self, keys: list[Key]) -> None:
        if "ctrl-c" in keys:
            self.quit()
        for key in keys:
            self.keys.put_nowait(key)

    async def _obey_keys(self) -> None:
        while True:
            key = await self.keys.get()
            self.status = ("info", "")
            try:
                await (self._restart(key) if self.down else self._press(key))
            except ServerDied:
                pass  # _died shows why
            self.redraw()

    async def _restart(self, key: Key) -> None:
        if key == "q":
            self.quit()
        elif key == "r":
            await self.client.close()
            try:
                await self._connect()
            except (OSError, RPCError, ServerDied) as error:
                self.down = str(error)

    async def _press(self, key: Key) -> None:
        screen, view, moves = self.screen, self.view, {}
        if self.help_open:
            self.help_open = False
            return
        if todo_screen.is_typing(view):
            if await self._type(key, view.buffers[view.focus[1]], view.focus[1]):
                return
            key = key[4:] if isinstance(key, str) and key.startswith("alt-") else key
        if screen["body"]["kind"] == "list":
            page, all_rows = max(self.terminal.size()[1] - 8, 1), len(screen["body"]["items"])
            moves = {"j": 1, "down": 1, "k": -1, "up": -1, "pagedown": page, "pageup": -page,
                     "end": all_rows, "home": -all_rows}  # fmt: skip
        focus = {"tab": 1, "down": 1, "right": 1, "backtab": -1, "up": -1, "left": -1}
        by_key = {value: name for name, value in todo_screen.action_keys(screen).items()}
        if key == "q":
            self.quit()
        elif key in ("?", "f1"):
            self.help_open = True
        elif key in moves:
            self._select(moves[key])
        elif key in focus:
            self._move_focus(focus[key])
        elif key == "enter" and view.focus and view.focus[0] == "action":
            await self._act(view.focus[1])
        elif key in ("enter", "ctrl-s"):
            await self._settle()  # what was typed decides what is possible
            await self._act(todo_screen.enter_action(self.screen))
        elif key == "esc":
            if screen["bar"].get("left"):
                await self._act(screen["bar"]["left"])
            else:
                view.focus = next((stop for stop in todo_screen.stops(screen) if stop[0] == "action"), view.focus)
        elif key in by_key:
            await self._act(by_key[key])

    def _move_focus(self, way: int) -> None:
        stops = todo_screen.stops(self.screen) if self.screen["body"]["kind"] == "form" else []
        if stops:
            here = stops.index(self.view.focus) if self.view.focus in stops else -1 if way > 0 else 0
            self.view.focus = stops[(here + way) % len(stops)]

    async def _type(self, key: Key, buffer: TextBuffer, name: str) -> bool:
        """Whether the key was for the text; the server hears of every change."""
        before, handled = buffer.text, True
        if isinstance(key, Paste):
            buffer.insert(key.text)
        elif key == "ctrl-o" and buffer.multiline:
            text = await self._edit(buffer.text)
            buffer.replace(buffer.text if text is None else text)
        else:
            handled = buffer.press(key, self.terminal.size()[0] - 5)
        if buffer.text != before:
            self.view.touched.add(name)
            self.dirty.add(name)
            if self.pump is None or self.pump.done():
                self.pump = asyncio.ensure_future(self._tell())
        return handled

    async def _tell(self) -> None:
        """Tells the server what was typed: one message at a time, with the latest text."""
        while self.dirty and not self.down:
            values = {name: self.view.buffers[name].text for name in sorted(self.dirty)}
            self.sending, self.dirty = self.dirty, set()
            try:
                await self.client.request("screen/change", {"screen": self.screen["name"], "values": values})
            except RPCError as error:
                if error.code != STALE:
                    self.status = ("error", error.message)
            except ServerDied:
                return
            finally:
                self.sending = set()
        self._rendered(self.client)

    async def _settle(self) -> None:
        if self.pump:
            await asyncio.wait([self.pump], timeout=PATIENCE_SECONDS)

    # Actions

    async def _act(self, name: str | None) -> None:
        await self._settle()
        screen, view = self.screen, self.view
        action = next((action for action in screen["actions"] if action["name"] == name), None)
        if action is None:
            return
        params = {"screen": screen["name"], "action": name}
        if not action["enabled"] or (action["scope"] == "item" and view.selected is None):
            self.status = ("warning", f"“{action['title']}” is not possible now.")
            return
        if action["scope"] == "item":
            params["item"] = view.selected
        if action.get("confirm") and not await self._confirm(action["confirm"]):
            return
        values = {item["name"]: view.buffers[item["name"]].text
                  for item in todo_screen.fields(screen) if item["name"] in view.touched}  # fmt: skip
        for item in action.get("input", []):
            values[item["name"]] = text = await self._ask(item)
            if text is None:
                return
        if values:
            params["values"] = values
        request = asyncio.ensure_future(self.client.request("screen/act", params))
        done, _ = await asyncio.wait([request], timeout=PATIENCE_SECONDS)
        if done:
            await self._answered(request)
        else:
            self.status = ("info", "Waiting for the server…")
            request.add_done_callback(lambda request: asyncio.ensure_future(self._answered(request)))

    async def _answered(self, request: asyncio.Future) -> None:
        try:
            await request
            self.status = ("info", "")
        except RPCError as error:
            self.status = ("warning" if error.code == STALE else "error", error.message)
            if error.code == STALE:
                await self.client.refresh()
        except ServerDied:
            pass
        self.redraw()

    async def _confirm(self, text: str) -> bool:
        self.prompt = Prompt(f"{text} (y/n)")
        try:
            while not self.down:
                self.redraw()
                key = await self.keys.get()
                if key in ("y", "n", "esc"):
                    return key == "y"
            return False
        finally:
            self.prompt = None

    async def _ask(self, item: dict) -> str | None:
        """A text for an input of an action; None when the user thought better of it."""
        if item.get("multiline") and users_editor():
            return await self._edit(item.get("value", ""))
        buffer = TextBuffer(item.get("value", ""))
        self.prompt = Prompt(item["label"], buffer, item.get("secret", False))
        try:
            while not self.down:
                self.redraw()
                key = await self.keys.get()
                if isinstance(key, Paste):
                    buffer.insert(key.text)
                elif key == "enter":
                    return buffer.text
                elif key == "esc":
                    return None
                else:
                    buffer.press(key)
            return None
        finally:
            self.prompt = None

    async def _edit(self, text: str) -> str | None:
        """The text after a visit to the user's editor; None when that failed."""
        editor = users_editor()
        if not editor:
            self.status = ("warning", "Neither VISUAL nor EDITOR names an editor.")
            return None
        try:
            return await self.terminal.edit(text, editor)
        except (OSError, ValueError) as error:
            self.status = ("error", str(error))
            return None
        finally:
            self.redraw()


def run(command: Sequence[str], options: dict) -> int:
    """The exit code of an interactive session."""

    async def session() -> None:
        await App(command, options).run()

    try:
        asyncio.run(session())
    except (OSError, RPCError, ServerDied, Unusable) as error:
        print(f"todo: {error}", file=sys.stderr)
        return 1
    return 0
