"""The terminal as a whole screen, through curses: paints pictures, reads keys, lends itself to the user's editor."""

from __future__ import annotations

import asyncio
import contextlib
import curses
import locale
import os
import signal
from typing import Callable

from ..editor import EditedText
from ..finding import Failure
from .drawing import Picture
from .view import Key, Paste

ESCAPE_MILLISECONDS = "25"
# What curses calls other than this program does; all others are called as in curses: "left", "home", "f1".
KEYS = {
    "^J": "enter", "^M": "enter", "^I": "tab", "^H": "backspace", "^?": "backspace", "btab": "backtab",
    "dc": "delete", "ppage": "pageup", "npage": "pagedown",
}  # fmt: skip
BOLD, DIM, REVERSE = curses.A_BOLD, curses.A_DIM, curses.A_REVERSE
LOOKS = {
    **dict.fromkeys(("bar", "focus", "selected"), REVERSE), "title": REVERSE | BOLD,
    **dict.fromkeys(("label", "muted", "dim", "empty", "preview", "rule"), DIM),
    "field": curses.A_UNDERLINE, "typing": curses.A_UNDERLINE | BOLD,
    **dict.fromkeys(("key", "focused", "question", "error", "warning", "notice", "alert", "mine", "theirs", "merged"), BOLD),
}  # fmt: skip
COLORS = {
    "error": curses.COLOR_RED, "alert": curses.COLOR_RED, "warning": curses.COLOR_YELLOW, "notice": curses.COLOR_YELLOW,
    "badge": curses.COLOR_CYAN, "key": curses.COLOR_BLUE,
    "mine": curses.COLOR_GREEN, "merged": curses.COLOR_YELLOW, "theirs": curses.COLOR_MAGENTA,
}  # fmt: skip
PASTE_BEGINS, PASTE_ENDS = "[200~", "\x1b[201~"


class Terminal:
    """The terminal as a whole screen, through curses."""

    def __init__(self, on_keys: Callable[[list[Key]], None]):
        self.on_keys, self.active, self.looks = on_keys, False, dict(LOOKS)
        self.pasted: str | None = None  # what has come of a text that is being pasted
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, "")
            if "utf" not in locale.nl_langinfo(locale.CODESET).lower():
                locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        os.environ.setdefault("ESCDELAY", ESCAPE_MILLISECONDS)
        try:
            curses.setupterm()
            if not curses.tigetstr("cup"):
                raise curses.error("it cannot move its cursor")
            self.window = curses.initscr()
        except curses.error as error:
            name = os.environ.get("TERM", "")
            raise Failure(
                f"This terminal (TERM={name}) cannot show a full screen: {error}. Commands work: --help."
            ) from None
        if curses.tigetnum("colors") >= 8 and not os.environ.get("NO_COLOR"):
            curses.start_color()
            curses.use_default_colors()
            for style, color in COLORS.items():
                curses.init_pair(color, color, -1)
                self.looks[style] = curses.color_pair(color) | LOOKS.get(style, 0)
        self.resume()

    def resume(self) -> None:
        curses.noecho()
        curses.raw()  # Ctrl-S and Ctrl-C are keys
        self.window.keypad(True)
        self.window.nodelay(True)
        os.write(1, b"\x1b[?2004h")  # pasted text comes marked as such
        asyncio.get_running_loop().add_reader(0, lambda: self.on_keys(self.read()))
        self.active = True
        self.resize()

    def suspend(self) -> None:
        self.active = False
        asyncio.get_running_loop().remove_reader(0)
        with contextlib.suppress(OSError, curses.error):  # the terminal may be gone
            os.write(1, b"\x1b[?2004l")
            curses.endwin()

    def stop(self) -> None:
        """Goes back to the shell until the user returns, as Ctrl-Z does where it is not read as a key."""
        self.suspend()
        os.killpg(0, signal.SIGTSTP)
        self.resume()

    def resize(self) -> None:
        if self.active:
            columns, rows = os.get_terminal_size()
            curses.resizeterm(rows, columns)
            self.window.clear()

    def size(self) -> tuple[int, int]:
        rows, columns = self.window.getmaxyx()
        return columns, rows

    def paint(self, picture: Picture) -> None:
        if not self.active:
            return
        self.window.erase()
        for row, line in enumerate(picture.lines):
            with contextlib.suppress(curses.error):  # the last cell cannot be written without a complaint
                self.window.move(row, 0)
                for text, style in line:
                    self.window.addstr(text, self.looks.get(style, 0))
        with contextlib.suppress(curses.error):
            self.window.move(*(picture.cursor or (0, 0)))
            curses.curs_set(1 if picture.cursor else 0)
        self.window.refresh()

    def read(self) -> list[Key]:
        """The keys that were pressed."""
        raw: list[int | str] = []
        with contextlib.suppress(curses.error):
            while True:
                raw.append(self.window.get_wch())
        keys: list[Key] = []
        while raw:
            item = raw.pop(0)
            if self.pasted is not None:
                self.pasted += item if isinstance(item, str) else ""
                if self.pasted.endswith(PASTE_ENDS):
                    keys.append(Paste(self.pasted[: -len(PASTE_ENDS)].replace("\r", "\n")))
                    self.pasted = None
            elif item != "\x1b":
                keys.append(_name(item))
            elif raw[: len(PASTE_BEGINS)] == list(PASTE_BEGINS):
                del raw[: len(PASTE_BEGINS)]
                self.pasted = ""
            elif raw[:1] == ["["]:  # a key that has no name here
                del raw[0]
                while raw and not "@" <= str(raw.pop(0)) <= "~":
                    pass
            else:
                keys.append("alt-" + str(raw.pop(0)) if raw and isinstance(raw[0], str) else "esc")
        return keys

    async def edit(self, text: str) -> str:
        """The text after a visit to the user's editor. Raises OSError or Failure when that failed."""
        with EditedText(text) as self.file:
            self.suspend()
            process = None
            try:
                process = await asyncio.create_subprocess_exec(*self.file.command)
                if await process.wait() != 0:
                    raise OSError("the editor failed, so the text stays as it was")
            except asyncio.CancelledError:
                self.file.keep()  # with what the editor leaves beside it, such as a swap file
                if process:
                    process.terminate()
                raise
            finally:
                self.resume()
            return self.file.read()


def _name(item: int | str) -> str:
    """What a key is called here; a printable character is its own name."""
    if isinstance(item, str) and " " <= item != "\x7f":
        return item
    name = curses.keyname(item if isinstance(item, int) else ord(item)).decode()
    name = name.removeprefix("KEY_").lower().replace("(", "").replace(")", "") if "_" in name else name
    return KEYS.get(name) or ("ctrl-" + name[1:].lower() if name.startswith("^") else name)
