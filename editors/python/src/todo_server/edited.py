"""A todo in the user's editor: the title on the first line, the note after an empty one."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator

from .editor import EditedText
from .errors import ServerDied, TodoError


@contextlib.contextmanager
def edited(text: str) -> Iterator[tuple[str, str]]:
    """The title and the note that the user's editor makes of a text; they stay in its file unless they are stored."""
    with EditedText(text) as file:
        try:
            yield _split(asyncio.run(file.visit()))
        except (KeyboardInterrupt, ServerDied, TodoError) as error:
            file.keep()
            kept = f"What you wrote is kept in {file.path}."
            if isinstance(error, KeyboardInterrupt):
                print(f"todo: {kept}", file=sys.stderr)
            error.args = (f"{error} {kept}",)
            raise


def joined(title: str, note: str) -> str:
    return f"{title}\n\n{note}" if note else f"{title}\n"


def _split(text: str) -> tuple[str, str]:
    title, _, note = text.partition("\n")
    return title, note[1:] if note.startswith("\n") else note
