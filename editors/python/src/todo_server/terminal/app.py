"""The interactive front-end: keys in, screens out. What these are about, only the server knows."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Optional

from ..editor import EditedText
from ..finding import Failure
from .drawing import Picture, draw
from .lists import BOXES
from .screen import Terminal
from .session import BRING_BACK, WINDOW_ITEMS, Session
from .view import JSON, Key, Line, Paste, Prompt

PATIENCE_SECONDS = 1.5  # without an answer; then the status line says so, and keys no longer wait for it
UNCHANGED = "Nothing was changed. An editor with a window of its own needs an option like --wait."
SPINNER_SECONDS = 0.1
WHEEL_ROWS = {"wheelup": -3, "wheeldown": 3}
FOCUS_STEPS = {"tab": 1, "down": 1, "right": 1, "backtab": -1, "up": -1, "left": -1}


class App:
    """A session on one terminal."""

    def __init__(self, command: Sequence[str], options: JSON):
        self.session = Session(command, options, self.redraw)
        self.prompt: Optional[Prompt] = None
        self.help_top: Optional[int] = None  # its first line that is seen, if it is open
        self.painting, self.asks_to_quit, self.tick = False, False, 0
        self.keys: asyncio.Queue[Key] = asyncio.Queue()
        self.picture = Picture([], None, 0)  # what is seen, for clicks
        signs = os.environ.get("TODO_BOXES", "").split()
        self.boxes = (f"{signs[0]} ", f"{signs[1]} ") if len(signs) == 2 else BOXES

    async def run(self) -> None:
        """Runs until the user quits. Raises what `Client.start` and `Terminal` raise."""
        self.terminal = Terminal(self._hear)
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(self._obey_keys())
        self.quit, spinner = task.cancel, asyncio.ensure_future(self._spin())
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.quit)
        # In the user's editor a Ctrl-C is the editor's.
        loop.add_signal_handler(signal.SIGINT, lambda: self.terminal.active and self.quit())
        loop.add_signal_handler(signal.SIGWINCH, self.redraw)
        try:
            with contextlib.suppress(asyncio.CancelledError):
                await task
        finally:
            spinner.cancel()
            with contextlib.suppress(OSError):  # the terminal is already gone
                await self.session.close()
            self.terminal.suspend()
            await self.session.client.close()

    # Drawing

    def redraw(self) -> None:
        """Paints soon, once for everything that changed until then."""
        if not self.painting:
            self.painting = True
            asyncio.get_running_loop().call_soon(self._paint)

    def _paint(self) -> None:
        session, view, prompt, self.painting = self.session, self.session.view, self.prompt, False
        status, late_seconds = session.notice, session.client.waiting_seconds
        if session.down:
            prompt = prompt if prompt and prompt.answer else None  # there is no server for the question
            keys = "Ctrl-R restarts, Ctrl-C" if view.fields or prompt else "r restarts, q"
            status, self.help_top = ("error", f"{session.down}. {keys} quits."), None
        elif late_seconds >= PATIENCE_SECONDS:
            late = f"No answer for {int(late_seconds)} s: waiting… Ctrl-C quits."
            status = ("warning", late)
        if self.asks_to_quit:
            texts = [view.text(item) for item in view.fields if item.get("side") in (None, "mine")]
            if not view.is_unsaved:
                texts = [text for draft in session.kept[-1:] for text in draft["values"].values()]
                texts = [prompt.answer.text, *texts] if prompt and prompt.answer else texts
            subject = next(filter(None, texts), view.screen["title"]).split("\n")[0]
            prompt = Prompt("", subject=subject, end="is not saved. Quit all the same? (y/n)")
        if self.terminal.active:
            size, now = self.terminal.size(), datetime.now(timezone.utc)
            picture = draw(view, *size, status, prompt, self.help_top, self.tick, now, self.boxes)
            self.picture = picture
            if self.help_top is None:
                view.scroll = picture.scroll
            else:
                self.help_top = picture.scroll
            self.terminal.paint(picture)

    async def _spin(self) -> None:
        while True:
            await asyncio.sleep(SPINNER_SECONDS)
            self.tick += 1
            # Messages about times, and about a late answer, are updated, too.
            if self.tick % 4 == 0 or self.session.view.screen["body"]["kind"] == "progress":
                self.redraw()

    # Keys

    def _hear(self, keys: list[Key]) -> None:
        """Handles keys that must not wait; all others are handled one after the other."""
        session, answer = self.session, self.prompt and self.prompt.answer
        for key in keys:
            if key == "ctrl-l":
                self.terminal.window.clear()
            elif key == "ctrl-c" or self.asks_to_quit:
                is_losing = session.kept or session.view.is_unsaved or (answer and answer.text)
                quits = key in ("y", "ctrl-c") if self.asks_to_quit else not is_losing
                if quits:
                    session.drop()
                    self.quit()
                self.asks_to_quit = not quits and not self.asks_to_quit
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
            self.session.status = ("", "")
            if self.help_top is not None:
                pages = {"pagedown": self.page, "pageup": -self.page, **WHEEL_ROWS}
                self.help_top = self.help_top + pages[str(key)] if str(key) in pages else None
            elif str(key).startswith("click "):
                await self._click(*map(int, str(key).split()[1:]))
            elif not self._type(key):
                await self._press(str(key).removeprefix("alt-"))
            self.redraw()

    def _type(self, key: Key) -> bool:
        """Whether the key was for a text; the server hears of every change."""
        session, view, line = self.session, self.session.view, self.session.view.line
        if not line or not view.focus:
            is_text = isinstance(key, Paste) or (len(key) == 1 and view.takes_letters)
            if is_text and view.takes_letters:
                session.say("info", "Enter opens this text in your editor.")
            return is_text
        before, handled = line.text, line.press(self._meant(key))
        view.position = None if line.position == len(line.text) else line.position
        if line.text != before:
            view.scroll = 0
            session.change({view.focus[1]: line.text})
        return handled

    def _complete(self, prompt: Prompt) -> None:
        """Completes an answer as far as all suggestions agree, and then lists them."""
        (before, words), answer = prompt.completions(), prompt.answer
        if not words or not answer:
            return
        common = before + os.path.commonprefix(words)
        if len(common) > len(answer.text) or len(words) == 1:
            answer.text, answer.position = common, len(common)
        else:
            self.session.say("info", "  ".join(words))

    def _meant(self, key: Key) -> Key:
        """The key in a text: Ctrl-Y is the line that was left, if there is one."""
        return Paste(self.session.line) if key == "ctrl-y" and self.session.line else key

    @property
    def page(self) -> int:
        """The rows that a page is further down."""
        return max(self.terminal.size()[1] - 8, 1)

    async def _press(self, key: str) -> None:
        session, view, body = self.session, self.session.view, self.session.view.screen["body"]
        page, total = self.page, body.get("total", 0)
        pages = {"pagedown": page, "pageup": -page, **WHEEL_ROWS}
        rows = {"j": 1, "down": 1, "k": -1, "up": -1, "end": total, "home": -total, **pages}
        goes_on = {"ctrl-s", "ctrl-y"} if session.is_frozen else {"ctrl-y"}
        if session.down and key in ({"ctrl-r"} if view.fields else {"ctrl-r", "r"}):
            await session.restart()
        elif key in ("?", "f1"):
            self.help_top = 0
        elif key == "q" and session.sent is None:
            self._hear(["ctrl-c"])
        elif body["kind"] == "list" and key in rows:
            await self._move(rows[key])
        elif body["kind"] == "list" and key == " ":
            view.toggle_mark()
            await self._move(1)
        elif body["kind"] == "list" and key == "esc" and view.marked:
            view.marked.clear()
        elif body["kind"] == "list" and (key == "tab" or key == "enter" and view.is_folded):
            view.fold(view.selected_item.get("section"))
        elif key in FOCUS_STEPS:
            view.move_focus(FOCUS_STEPS[key])
        elif key in pages:
            view.scroll += pages[key]
        elif key == "f2":
            view.shows_base = not view.shows_base
        elif key == "enter" and view.focused and not view.line:
            await self._edit(view.focused)
        elif session.down:
            pass  # the bottom line says what can be done
        elif key in goes_on and (session.kept or session.is_frozen):
            await session.bring_back()
        elif session.is_frozen:
            if key == "esc":
                session.thaw()
                session.say("info", BRING_BACK)
        elif action := view.action_of(key):
            await self._act(action)
        elif key == "esc" and (search := view.filtering):
            await self._act(search, {item["name"]: "" for item in search["input"]})
        elif key == "esc":
            view.turn_to(next((stop for stop in view.stops if stop[0] == "action"), view.focus))
            session.say("info", "There is nothing to go back to: ? shows the keys.")

    async def _move(self, distance: int) -> None:
        """Selects a row further up or down; near the end, requests another part of the list."""
        session, view, page = self.session, self.session.view, self.terminal.size()[1]
        body = view.screen["body"]
        row, start = max(0, min(view.step(distance), body["total"] - 1)), body["offset"]
        end = start + len(body["items"])
        is_near = row - page < start > 0 or row + page >= end < body["total"]
        if is_near and not session.down:
            offset = max(0, row - WINDOW_ITEMS // 2)
            await session.request("window", offset=offset, limit=WINDOW_ITEMS)
        view.row, view.selected = row, None
        view.select()

    async def _click(self, column: int, row: int) -> None:
        """Does what is below the mouse: a hint, a heading, a field, or a row, of which the box ticks it off."""
        session, view = self.session, self.session.view
        for line, begin, end, name in self.picture.hints:
            action = view.action(name=name)
            if line == row and begin <= column < end and action and not session.is_frozen:
                return await self._act(action)
        kind, what = self.picture.targets.get(row) or ("", None)
        if kind == "section":
            view.fold(str(what))
        elif kind == "field":
            view.turn_to(("field", str(what)))
        elif kind == "row" and isinstance(what, int):
            is_again, (view.row, view.selected) = what == view.row, (what, None)
            view.select()
            is_box = 1 <= column <= len(self.boxes[0]) and view.selected_item.get("checked") is not None
            if is_box:
                view.marked.clear()  # it is for this row alone
            action = view.action(role="toggle") if is_box else view.action_of("enter") if is_again else None
            if action and not session.is_frozen:
                await self._act(action)

    async def _edit(self, item: JSON) -> None:
        """A text of several lines in the user's editor."""
        session, view, name = self.session, self.session.view, item["name"]
        typed, before, said = dict(view.values), view.text(item), ("info", UNCHANGED)
        # It counts as typed: the form keeps the base of this text, however long the user takes.
        text = view.values[name] = before
        self.terminal.suspend()
        try:
            with EditedText(before) as file:
                text = await file.visit()
        except asyncio.CancelledError:
            with contextlib.suppress(Failure):
                view.values[name] = file.read()
            raise
        except Failure as error:
            said = ("error", str(error))
        self.terminal.resume()
        if text.replace("\r\n", "\n") != before.replace("\r\n", "\n"):
            session.change({name: text})
            return
        view.values = typed
        view.update(view.newest)
        if not session.view.is_unsaved:
            session.thaw()
        session.say(*said)

    # Actions

    async def _act(self, pressed: JSON, given: Optional[dict[str, str]] = None) -> None:
        """Asks what has to be asked and is not given, and does it; keys wait for the outcome, but not forever."""
        session = self.session
        if session.sent is not None:
            session.say("warning", "Still waiting for the server: that was not done.")
            return
        if session.telling:  # the text decides which actions are possible
            await asyncio.wait([session.telling], timeout=PATIENCE_SECONDS)
        view, action = session.view, session.view.action(name=pressed["name"])
        if action is None:
            return
        if not view.is_possible(action) or (action["scope"] == "item" and not view.chosen(action)):
            session.say("warning", f"“{action['title']}” is not possible now.")
            return
        asked, answers, newest = view.question(action), dict(given or {}), view.newest
        if asked and await self._ask(asked) is None:
            return
        if asked and view.has_sides:
            view.base = newest["body"].get("base")  # the question was about these sides
        for item in [] if given else action.get("input", []):
            line = Line(item.get("value", ""), secret=item.get("secret", False))
            answer = await self._ask(Prompt(item["label"], line, tuple(item.get("suggest", ()))))
            if answer is None:
                return
            answers[item["name"]] = answer
            session.line = session.line if line.secret else answer  # until the action is done
        acting = asyncio.ensure_future(session.do(action, answers))
        # The user can continue typing in a text that is being saved.
        patience = 0 if action.get("role") == "save" else PATIENCE_SECONDS
        await asyncio.wait([acting], timeout=patience)

    async def _ask(self, prompt: Prompt) -> Optional[str]:
        """The user's answer, which is "y" where there is no text to type; None for no."""
        self.prompt, answer, session = prompt, prompt.answer, self.session
        try:
            while True:
                self.redraw()
                key = await self.keys.get()
                if session.down and (not answer or key in ("enter", "ctrl-r")):
                    self.keys.put_nowait(key)
                    return None
                if key == "esc" or (key == "n" and not answer):
                    return None
                if answer and key in ("enter", "ctrl-s"):
                    text, answer.text = answer.text, ""
                    return text
                if answer and key == "tab":
                    self._complete(prompt)
                elif answer:
                    answer.press(self._meant(key))
                elif key == "y":
                    return "y"
        finally:
            self.prompt = None
            if answer and not answer.secret:
                session.line = answer.text
                if session.line:
                    session.say("info", "Ctrl-Y in a field brings back what you typed.")


async def run(command: Sequence[str], options: JSON) -> None:
    """An interactive session. Raises Failure, OSError, RPCError and ServerDied."""
    await App(command, options).run()
