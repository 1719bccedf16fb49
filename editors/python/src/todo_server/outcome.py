"""The outcome of a command, and its progress while it runs."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from .errors import TodoError
from .text import shown

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    from .todos import Progress, TodoServer

BAR_CELLS = 30


class Outcome:
    """The value of a command for programs, its text for users, its exit code, and a failure for stderr."""

    def __init__(self, value: Any, text: str, code: int = 0, failure: str = ""):
        self.value, self.text, self.code, self.failure = value, text, code, failure


@contextlib.contextmanager
def bar() -> Iterator[Optional[Progress]]:
    """Shows how far something long is, on a terminal."""
    if not sys.stderr.isatty():
        yield None
        return

    def show(message: str, percentage: Optional[int]) -> None:
        full = BAR_CELLS * (percentage or 0) // 100
        bar = f"[{'#' * full}{'.' * (BAR_CELLS - full)}] {percentage:3} % " if percentage is not None else ""
        sys.stderr.write(f"\r\x1b[K{bar}{shown(message)}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        sys.stderr.write("\r\x1b[K")


def load(todos: TodoServer) -> str:
    """Waits for the load; returns the reason if it has failed."""
    try:
        with bar() as show:
            return "" if todos.load(on_progress=show) else "Not everything could be loaded."
    except TodoError as error:
        return str(error)


