"""The terminal as a whole screen, through curses: paints pictures and reads keys."""

from __future__ import annotations

import asyncio
import contextlib
import curses
import locale
import os
import re
import signal
from typing import Callable, Optional

from ..finding import Failure
from .drawing import Picture
from .view import Key, Paste

ESCAPE_MILLISECONDS = "25"
LOOKS = {
    curses.A_REVERSE: "bar focus selected title chip",
    curses.A_BOLD: "title typing key focused question error alert warning notice due overdue"
    " mine merged theirs marked heading",
    curses.A_DIM: "label muted dim empty preview rule note chip",
    curses.A_UNDERLINE: "field typing",
}
COLORS = {
    curses.COLOR_RED: "error alert overdue", curses.COLOR_YELLOW: "warning notice due merged marked",
    curses.COLOR_GREEN: "mine", curses.COLOR_MAGENTA: "theirs",
    curses.COLOR_CYAN: "badge", curses.COLOR_BLUE: "key",
}  # fmt: skip
# Keys with another name in curses; all others have the name of curses: "left", "home", "f1".
NAMES = {
    "ctrl-j": "enter", "ctrl-m": "enter", "ctrl-i": "tab", "ctrl-h": "backspace",
    "ctrl-?": "backspace", "btab": "backtab", "dc": "delete",
    "ppage": "pageup", "npage": "pagedown",
}  # fmt: skip
WHEEL_UP, WHEEL_DOWN = curses.BUTTON4_PRESSED, getattr(curses, "BUTTON5_PRESSED", 0x200000)
CURSES_KEYS = 0x100000  # where in Unicode the keys of curses are put: nothing else is there
# A text that is pasted, which not every terminal marks as such; a key that curses has no name for;
# Alt with a character; any other key.
KEY = re.compile(
    "\x1b\\[200~(.*?)\x1b\\[201~|([^\0-\x1f\x7f\U00100000-\U0010ffff]{50,})"
    "|\x1b\\[[ -?]*[@-~]?|\x1b[ -\U000fffff]|.",
    re.DOTALL,
)


class Terminal:
    """The terminal as a whole screen; `on_keys` hears what is pressed. Raises Failure."""

    def __init__(self, on_keys: Callable[[list[Key]], None]):
        self.on_keys, self.active = on_keys, False
        self.raw = ""  # what was read, and is not yet a key
        self.clicks: list[str] = []  # those of the mouse, which curses reports beside its keys
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_CTYPE, "C.UTF-8")
        os.environ.setdefault("ESCDELAY", ESCAPE_MILLISECONDS)
        try:
            curses.setupterm()
            if not curses.tigetstr("cup"):
                raise curses.error("it cannot move its cursor")
            self.window = curses.initscr()
        except curses.error as error:
            what = f"This terminal (TERM={os.environ.get('TERM', '')}) cannot show a full screen"
            hint = "TERM=xterm-256color fits most, and commands work: --help"
            raise Failure(f"{what}: {error}. {hint}.") from None
        looks = dict(LOOKS)
        if curses.tigetnum("colors") >= 8 and not os.environ.get("NO_COLOR"):
            curses.start_color()
            curses.use_default_colors()
            for color, styles in COLORS.items():
                curses.init_pair(color, color, -1)
                looks[curses.color_pair(color)] = styles
        self.looks: dict[str, int] = {}
        for attribute, styles in looks.items():
            for style in styles.split():
                self.looks[style] = self.looks.get(style, 0) | attribute
        self.resume()

    def resume(self) -> None:
        curses.noecho()
        curses.raw()  # Ctrl-S and Ctrl-C are keys
        self.window.keypad(True)
        self.window.nodelay(True)
        curses.mousemask(curses.BUTTON1_PRESSED | WHEEL_UP | WHEEL_DOWN)
        curses.mouseinterval(0)
        os.write(1, b"\x1b[?2004h")  # pasted text comes marked as such
        asyncio.get_running_loop().add_reader(0, lambda: self.on_keys(self.read()))
        # Instead of the handler of curses, which after `fg` would draw over the program that has the terminal.
        self.on_stop = signal.signal(signal.SIGTSTP, lambda *_: self.stop())
        self.active = True

    def suspend(self) -> None:
        self.active = False
        signal.signal(signal.SIGTSTP, self.on_stop)
        asyncio.get_running_loop().remove_reader(0)
        with contextlib.suppress(OSError, curses.error):  # the terminal may be gone
            os.write(1, b"\x1b[?2004l")
            curses.mousemask(0)
            curses.endwin()

    def stop(self) -> None:
        """Goes back to the shell until the user returns, as Ctrl-Z does where it does not arrive as a key."""
        self.suspend()
        os.killpg(0, signal.SIGTSTP)
        self.resume()

    def size(self) -> tuple[int, int]:
        """The columns and rows that there are now."""
        columns, rows = os.get_terminal_size()
        if curses.is_term_resized(rows, columns):
            curses.resize_term(rows, columns)  # `resizeterm` would send a key as well
            self.window.clear()
        return columns, rows

    def paint(self, picture: Picture) -> None:
        self.window.erase()
        for row, line in enumerate(picture.lines):
            with contextlib.suppress(curses.error):  # there always is one after the last cell
                self.window.move(row, 0)
                for text, style in line:
                    self.window.addstr(text, self.looks.get(style, 0))
        with contextlib.suppress(curses.error):
            self.window.move(*(picture.cursor or (0, 0)))
            curses.curs_set(1 if picture.cursor else 0)
        self.window.refresh()

    def read(self) -> list[Key]:
        """The keys that were pressed; a paste is one when all of it is there."""
        read = [self.raw]
        with contextlib.suppress(curses.error):
            while True:
                item = self.window.get_wch()
                if item == curses.KEY_MOUSE:
                    self.clicks.append(_mouse())
                read.append(chr(CURSES_KEYS + item) if isinstance(item, int) else item)
        self.raw = "".join(read)
        if self.raw.rfind("\x1b[200~") > self.raw.rfind("\x1b[201~"):
            return []
        raw, self.raw = self.raw, ""
        keys = [_key(found[0], found[1] or found[2]) for found in KEY.finditer(raw)]
        return [key for key in (self.clicks.pop(0) if key == "mouse" else key for key in keys) if key]


def _mouse() -> str:
    """An event of the mouse, as a key: `click COLUMN ROW`, `wheelup` or `wheeldown`."""
    with contextlib.suppress(curses.error):
        _, column, row, _, button = curses.getmouse()
        if button & curses.BUTTON1_PRESSED:
            return f"click {column} {row}"
        return "wheelup" if button & WHEEL_UP else "wheeldown" if button & WHEEL_DOWN else ""
    return ""


def _key(raw: str, pasted: Optional[str]) -> Key:
    """The name of a key: a character is its own name; an unknown key has none."""
    if pasted is not None:
        return Paste(re.sub("[\U00100000-\U0010ffff]", "", pasted).replace("\r", "\n"))
    if raw[0] == "\x1b":
        return "esc" if len(raw) == 1 else "alt-" + raw[1:] if raw[1] != "[" else ""
    if " " <= raw < chr(CURSES_KEYS) and raw != "\x7f":
        return raw
    name = curses.keyname(ord(raw) % CURSES_KEYS).decode().lower()
    name = re.sub("^key_|[()]", "", name).replace("^", "ctrl-")
    return NAMES.get(name, name)
