"""Drafts in files: what was typed and not stored when a signal ended the terminal is there at the next start."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import time

from ..editor import state_folder
from .view import View, fields

FILES = "unsaved-*.json"
FILES_MAX = 20  # that are read; the newest ones


def load() -> tuple[list[View], str, list[str]]:
    """What sessions before this one have left: forms, the newest last, and a line; and the files that have it."""
    views, line, found = [], "", []
    for path in sorted(glob.glob(os.path.join(glob.escape(state_folder()), FILES)))[-FILES_MAX:]:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError), open(path) as file:
            left = json.load(file)
            for draft in left["drafts"]:
                items = [{"name": name, "value": str(text)} for name, text in draft["texts"].items()]
                screen = {"name": draft["screen"], "actions": [], "body": {"kind": "form", "fields": items}}
                views.append(View(screen, base=draft["base"]))
            line = str(left["line"]) or line
            found.append(path)
    return views, line, found


def store(views: list[View], line: str, found: list[str]) -> None:
    """Writes down what stands in forms, but for secrets, and a line, in place of what was found. Raises OSError."""
    if views or line:
        os.makedirs(state_folder(), mode=0o700, exist_ok=True)
        path = os.path.join(state_folder(), FILES.replace("*", str(time.time_ns())))  # in the order of time
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"line": line, "drafts": [_draft(view) for view in views]}, file)
    for path in found:
        with contextlib.suppress(OSError):
            os.remove(path)


def _draft(view: View) -> dict[str, object]:
    items = [one for one in fields(view.screen) if not (one.get("secret") or one.get("readOnly"))]
    texts = {item["name"]: view.text(item) for item in items}
    return {"screen": view.screen["name"], "base": view.base, "texts": texts}
