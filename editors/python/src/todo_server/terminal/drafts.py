"""Drafts in files: text that was not stored when a signal came is shown at the next start."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

from ..finding import state_folder
from .view import JSON

FILES = "unsaved-*.json"
FILES_MAX = 20  # that are read; the newest ones


def load() -> tuple[list[JSON], str, list[Path]]:
    """The stored drafts, the newest last, and a line; and the files that have them."""
    drafts, line, found = [], "", []
    for path in sorted(Path(state_folder()).glob(FILES))[-FILES_MAX:]:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            left = json.loads(path.read_text())
            drafts += [{**draft, "values": dict(draft["values"])} for draft in left["drafts"]]
            line = str(left["line"]) or line
            found.append(path)
    return drafts, line, found


def store(drafts: list[JSON], line: str, found: list[Path]) -> None:
    """Writes down drafts and a line, in place of those found. Raises OSError."""
    if drafts or line:
        path = Path(state_folder(), FILES.replace("*", str(time.time_ns())))  # in the order of time
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        path.touch(0o600, exist_ok=False)
        path.write_text(json.dumps({"line": line, "drafts": drafts}))
    for path in found:
        path.unlink(missing_ok=True)
