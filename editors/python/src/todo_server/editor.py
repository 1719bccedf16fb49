"""A text in the user's own editor."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile
from typing import Any

from .finding import Failure, named_command, state_folder

FALLBACKS = ("sensible-editor", "editor", "nano", "vi")
# What editors obey in the first or last lines of a file, or below the last form feed.
OBEYED = re.compile(r"\b(vim?|ex|kak|kate|helix)[<=>\d]*:|-\*-|local variables:", re.IGNORECASE)
OBEYED_LINES = 30  # of a text, at each end; Emacs looks at the last 3,000 characters
RULE = "=" * 20
PADDING_LINES = 12  # Vim looks at 5 lines, or as many as its user has said
NOTICE = "Only the text between the two lines of = is kept."


class EditedText:
    """A file that has a text, only for its owner, as long as `with` lasts.

        with EditedText("Two litres") as file:
            text = await file.visit()

    Nothing in the text is a command for the editor, such as a modeline: a text with what looks like one is put between
    lines that push it away from the ends of the file. Raises Failure, such as when there is no editor.
    """

    def __init__(self, text: str):
        self.text, lines = text, text.split("\n")
        ends = "\n".join(lines[:OBEYED_LINES] + lines[-OBEYED_LINES:]) + text[-3000:]
        self.is_padded = OBEYED.search(ends) is not None
        self._is_kept = False

    def __enter__(self) -> EditedText:
        editor = named_command("VISUAL") or named_command("EDITOR")
        if not editor:
            editor = [path for path in map(shutil.which, FALLBACKS) if path][:1]
        if not editor:
            raise Failure("Neither VISUAL nor EDITOR names an editor.")
        # In a folder of the user's own: editors obey some files of the folders above, too.
        state = state_folder()
        try:
            os.makedirs(state, mode=0o700, exist_ok=True)
            self.folder = tempfile.mkdtemp(prefix="text-", dir=state)
            self.path = os.path.join(self.folder, "note.md")
            with open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(self._padded().encode())
        except OSError as error:
            raise Failure(f"{error.filename or state}: {error.strerror}.") from None
        self.command = [*editor, self.path]
        return self

    def __exit__(self, *_: object) -> None:
        if not self._is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    async def visit(self) -> str:
        """Lends the terminal to the editor; what the user has made of the text. Raises Failure.

        If it is cancelled or the editor fails, the file stays, with other files of the editor, such as a swap file.
        """
        # A Ctrl-\ is for the editor alone.
        before = signal.signal(signal.SIGQUIT, lambda *_: None)
        try:
            with contextlib.ExitStack() as files:
                editor = await asyncio.create_subprocess_exec(*self.command, **_terminal(files))
            try:
                status = await editor.wait()
            except asyncio.CancelledError:
                self.keep()
                editor.terminate()
                raise
        except OSError as error:
            raise Failure(f"The editor {self.command[0]} cannot be started: {error.strerror}.") from None
        finally:
            signal.signal(signal.SIGQUIT, before)
        if status != 0:
            how = f"exit code {status}" if status > 0 else f"signal {-status}"
            raise Failure(f"The editor failed ({how}), so nothing was changed.{self._keep_what_is_new()}")
        return self.read()

    def _keep_what_is_new(self) -> str:
        """Leaves the file if the editor has changed it or left another beside it; a message about it."""
        with contextlib.suppress(OSError), open(self.path, "rb") as file:
            if file.read() == self._padded().encode() and len(os.listdir(self.folder)) == 1:
                return ""
            self.keep()
            return f" What it left is in {self.folder}."
        return ""

    def keep(self) -> None:
        """Leaves the file where it is."""
        self._is_kept = True

    def read(self) -> str:
        """The text after the user's edits. Raises Failure, and then leaves the file where it is."""
        try:
            with open(self.path, "rb") as file:
                edited = self._unpadded(file.read().decode())
        except OSError as error:
            raise Failure(f"The editor left no text: {error.strerror}. Nothing was changed.") from None
        except ValueError as error:
            self.keep()
            what = "is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
            raise Failure(f"The text {what}; it is kept in {self.path}.") from None
        # Editors end the last line, whether it was ended or not.
        return edited[:-1] if edited.endswith("\n") and not self.text.endswith("\n") else edited

    def _padded(self) -> str:
        if not self.is_padded:
            return self.text
        blank = "\n" * PADDING_LINES
        end = "" if self.text.endswith("\n") else "\n"
        return f"{NOTICE}{blank}{RULE}\n{self.text}{end}{RULE}\n\f{blank}"

    def _unpadded(self, text: str) -> str:
        if not self.is_padded:
            return text
        first, last = text.find(f"{RULE}\n"), text.rfind(f"\n{RULE}\n")
        if not 0 <= first < last + 1:
            raise ValueError("lacks one of the two lines of =")
        return text[first + len(RULE) + 1 : last + 1]


def _terminal(files: contextlib.ExitStack) -> dict[str, Any]:
    """The terminal for an editor whose stdin or stdout is something else; as it is if there is no terminal."""
    streams: dict[str, Any] = {}
    with contextlib.suppress(OSError):
        if not sys.stdin.isatty():
            streams["stdin"] = files.enter_context(open("/dev/tty", "r+b", buffering=0))
        if not sys.stdout.isatty():
            streams["stdout"] = files.enter_context(open("/dev/tty", "r+b", buffering=0))
    return streams
