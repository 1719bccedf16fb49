"""The interactive front-end: keys in, screens out. What the screens are about, only the server knows."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Optional

from ..finding import Failure
from ..text import wrap
from .drawing import draw
from .screen import Terminal
from .session import BRING_BACK, Session
from .view import JSON, Key, Line, Paste, Prompt, action_of, enter_action, fields, question, stops

PATIENCE_SECONDS = 1.5  # without an answer; then that is said, and keys are not kept for later any more
SPINNER_SECONDS = 0.1
ROW_STEPS = {"j": 1, "down": 1, "k": -1, "up": -1}
FOCUS_STEPS = {"tab": 1, "down": 1, "right": 1, "backtab": -1, "up": -1, "left": -1}


class App:
    """A session on one terminal."""

    def __init__(self, command: Sequence[str], options: JSON):
        self.session = Session(command, options, self.redraw)
        self.prompt: Optional[Prompt] = None
        self.help_open, self.painting, self.asks_to_quit, self.tick = False, False, False, 0
        self.keys: asyncio.Queue[Key] = asyncio.Queue()

    async def run(self) -> None:
        """Runs until the user quits. Raises what `Client.start` and `Terminal` raise."""
        self.terminal = Terminal(self._hear)
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(self._obey_keys())
        self.quit, spinner = task.cancel, asyncio.ensure_future(self._spin())
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.quit)
        # In the user's editor a Ctrl-C is the editor's.
        loop.add_signal_handler(signal.SIGINT, lambda: self.terminal.active and self.quit())
        loop.add_signal_handler(signal.SIGWINCH, self._resize)
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        finally:
            spinner.cancel()
            with contextlib.suppress(OSError):  # there is nobody left to be told
                self.session.close()
            self.terminal.suspend()
            await self.session.client.close()

    def _resize(self) -> None:
        self.terminal.resize()
        self.redraw()

    # Drawing

    def redraw(self) -> None:
        """Paints soon, once for everything that changed until then."""
        if not self.painting:
            self.painting = True
            asyncio.get_running_loop().call_soon(self._paint)

    def _paint(self) -> None:
        session, self.painting = self.session, False
        status, prompt, screen = session.status, self.prompt, session.screen
        if session.down:
            keys = "Ctrl-R restarts, Ctrl-C quits" if fields(screen) or prompt else "r restarts, q quits"
            status = ("error", f"{session.down}. {keys}.")
            self.help_open = False
            if prompt and not prompt.answer:
                self.keys.put_nowait("esc")  # there is nobody to do what was asked about
        elif session.client.waiting_seconds >= PATIENCE_SECONDS:
            status = ("warning", f"No answer for {int(session.client.waiting_seconds)} s: waiting… Ctrl-C quits.")
        if self.asks_to_quit:
            prompt = Prompt("What you typed is not saved. Quit all the same? (y/n)")
        picture = draw(
            screen, session.view, *self.terminal.size(),
            status=status, prompt=prompt, help_open=self.help_open, tick=self.tick, now=datetime.now(timezone.utc),
        )  # fmt: skip
        self.terminal.paint(picture)

    async def _spin(self) -> None:
        while True:
            await asyncio.sleep(SPINNER_SECONDS)
            self.tick += 1
            # What is said of times, and of an answer that is late, goes on, too.
            if self.tick % 4 == 0 or self.session.screen["body"]["kind"] == "progress":
                self.redraw()

    # Keys

    def _hear(self, keys: list[Key]) -> None:
        session, asked = self.session, self.prompt and self.prompt.answer
        for key in keys:
            if key == "ctrl-c" or self.asks_to_quit:
                is_losing = session.is_losing or (asked and asked.text)
                if key in ("y", "ctrl-c") if self.asks_to_quit else not is_losing:
                    session.drop()
                    self.quit()
                self.asks_to_quit = not self.asks_to_quit
            elif key == "ctrl-z":
                self.terminal.stop()
            else:
                self.keys.put_nowait(key)
        self.redraw()

    async def _obey_keys(self) -> None:
        self.redraw()
        await self.session.client.start()
        while True:
            key = await self.keys.get()
            self.session.status = ("info", "")
            await self._press(key)
            self.redraw()

    async def _press(self, key: Key) -> None:
        session, screen, view = self.session, self.session.screen, self.session.view
        if self.help_open:
            self.help_open = False
            return
        if self._type(key):
            return
        plain = key.removeprefix("alt-") if isinstance(key, str) else ""
        is_letter_free = key != plain or not view.takes_letters(screen)
        text, page, moves = view.on_field(screen), max(self.terminal.size()[1] - 8, 1), {}
        if screen["body"]["kind"] == "list":
            total = screen["body"]["total"]
            moves = {**ROW_STEPS, "pagedown": page, "pageup": -page, "end": total, "home": -total}
        if session.down and (key == "ctrl-r" or (key == "r" and not fields(screen))):
            await session.restart()
        elif plain in ("?", "f1"):
            self.help_open = True
        elif plain in moves:
            await self._move(moves[plain])
        elif plain in FOCUS_STEPS:
            view.move_focus(screen, FOCUS_STEPS[plain])
        elif plain in ("pagedown", "pageup") and text:
            rows = len(wrap(view.text(text), self.terminal.size()[0] - 5))
            view.scroll = max(0, min(view.scroll + (page if plain == "pagedown" else -page), rows - page))
        elif plain == "f2":
            view.shows_base = not view.shows_base
        elif key == "enter" and text and text.get("multiline"):
            await self._edit(text)
        elif plain == "q" and is_letter_free:
            self._hear(["ctrl-c"])
        elif session.kept and session.front and (key == "ctrl-y" or (key == "ctrl-s" and session.is_frozen)):
            await session.bring_back()
        elif key == "esc" and session.is_frozen:
            session.thaw()
            session.say("info", BRING_BACK)
        elif not session.down and not session.is_frozen:
            await self._press_action(key, plain if is_letter_free else "")

    async def _press_action(self, key: Key, letter: str) -> None:
        """Does the action that a key stands for; `letter` is the key where no text takes it."""
        screen, view, action = self.session.screen, self.session.view, None
        if key == "enter" and view.focus and view.focus[0] == "action":
            action = next((one for one in screen["actions"] if one["name"] == view.focus[1]), None)
        elif key in ("enter", "ctrl-s"):
            action = enter_action(screen)
        elif key == "esc":
            action = action_of(screen, "back")
            if not action:
                view.turn_to(next((stop for stop in stops(screen) if stop[0] == "action"), view.focus))
                self.session.say("info", "There is nothing to go back to: ? shows the keys.")
        elif letter:
            action = next((one for one in screen["actions"] if one.get("key") == letter), None)
        elif len(key) == 1:
            self.session.say("info", "Enter opens this text in your editor.")
        if action:
            await self._act(action)

    async def _move(self, distance: int) -> None:
        """Selects a row further up or down, and looks at another part of the list when this one ends there."""
        session, body, page = self.session, self.session.screen["body"], self.terminal.size()[1]
        row = max(0, min(session.view.row + distance, body["total"] - 1))
        end = body["offset"] + len(body["items"])
        if (row - page < body["offset"] > 0 or row + page >= end < body["total"]) and not session.down:
            await session.look(row)
        session.view.row, session.view.selected = row, None
        session.view.select(session.screen["body"])

    def _type(self, key: Key) -> bool:
        """Whether the key was for a text on one line; the server hears of every change."""
        view, line = self.session.view, self.session.view.line(self.session.screen)
        if not line or not view.focus:
            return False
        brings_back = key == "ctrl-y" and self.session.line
        before, handled = line.text, line.press(Paste(self.session.line) if brings_back else key)
        view.position = None if line.position == len(line.text) else line.position
        if line.text != before:
            self.session.change({view.focus[1]: line.text})
        return handled

    async def _edit(self, item: JSON) -> None:
        """A text of several lines in the user's editor."""
        session, view, name = self.session, self.session.view, item["name"]
        typed, before = dict(view.values), view.text(item)
        # As if it was typed: the form keeps the base that the text was made from, however long the user takes.
        text = view.values[name] = before
        session.is_editing = True
        try:
            text = await self.terminal.edit(before)
        except asyncio.CancelledError:
            view.values[name] = self.terminal.file.read()
            raise
        except (OSError, Failure) as error:
            session.say("error", f"{isinstance(error, OSError) and error.strerror or error}")
        session.is_editing = False
        if text != before:
            session.change({name: text})
            return
        view.values = typed
        view.update(view.screen)
        if session.is_frozen and not view.typed:
            session.kept.remove(view)
            session.thaw()

    # Actions

    async def _act(self, pressed: JSON) -> None:
        """Asks what has to be asked first, and does it; keys wait for the outcome, but not for ever."""
        session = self.session
        if session.is_acting:
            session.say("warning", "Still waiting for the server: that was not done.")
            return
        if session.tells:  # what was typed decides what is possible
            await asyncio.wait(session.tells, timeout=PATIENCE_SECONDS)
        action = next((one for one in session.screen["actions"] if one["name"] == pressed["name"]), None)
        screen, view = session.screen, session.view
        if action is None:
            return
        if not action["enabled"] or (action["scope"] == "item" and view.selected is None):
            session.say("warning", f"“{action['title']}” is not possible now.")
            return
        asked = question(screen, view, action)
        if asked and await self._ask(Prompt(f"{asked} (y/n)")) is None:
            return
        # All other texts the server knows; it may have forgotten a secret after it was wrong, though it stands here.
        secrets = [item["name"] for item in fields(screen) if item.get("secret")]
        values = {name: view.values[name] for name in secrets if view.values.get(name)}
        for item in action.get("input", []):
            line = Line(item.get("value", ""), secret=item.get("secret", False))
            answer = await self._ask(Prompt(item["label"], line))
            if answer is None:
                return
            values[item["name"]] = answer
        acting = asyncio.ensure_future(session.do(action, values))
        # In a text that is being saved one can go on typing.
        await asyncio.wait([acting], timeout=0 if action.get("role") == "save" else PATIENCE_SECONDS)

    async def _ask(self, prompt: Prompt) -> Optional[str]:
        """The user's answer, which is "y" where there is no text to type; None for no."""
        self.prompt, answer = prompt, prompt.answer
        try:
            while answer or not self.session.down:
                self.redraw()
                key = await self.keys.get()
                if answer and key in ("enter", "ctrl-s") and not self.session.down:
                    text, answer.text = answer.text, ""
                    return text
                if key == "esc" or (key == "n" and not answer) or (self.session.down and key in ("enter", "ctrl-r")):
                    if key == "ctrl-r":
                        self.keys.put_nowait(key)
                    if answer and answer.text and not answer.secret:
                        self.session.say("info", "Ctrl-Y in a field brings back what you typed.")
                    return None
                if answer:
                    answer.press(Paste(self.session.line) if key == "ctrl-y" else key)
                elif key == "y":
                    return "y"
            return None
        finally:
            self.prompt = None
            if answer and not answer.secret:
                self.session.line = answer.text


async def run(command: Sequence[str], options: JSON) -> None:
    """An interactive session. Raises Failure, OSError, RPCError and ServerDied."""
    await App(command, options).run()
