"""Drafts in files: what was typed and not stored when a signal ended the terminal is there at the next start."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import time

from ..editor import state_folder
from .view import JSON, View, fields

FILES = "unsaved-*.json"
FILES_MAX = 20  # that are read; the newest ones


def store(views: list[View], line: str) -> None:
    """Writes down what stands in forms, but for secrets, and a line that was being typed. Raises OSError."""
    found: list[JSON] = [{"line": line}] if line else []
    for view in (one for one in views if not one.path):
        items = [one for one in fields(view.screen) if not (one.get("secret") or one.get("readOnly"))]
        texts = {item["name"]: view.text(item) for item in items}
        found.append({"screen": view.screen["name"], "base": view.base, "texts": texts})
    os.makedirs(state_folder(), mode=0o700, exist_ok=True)
    for index, draft in enumerate(found):
        name = FILES.replace("*", f"{time.time_ns()}-{index}")  # so that the order of the names is that in time
        path = os.path.join(state_folder(), name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(draft, file)


def load() -> tuple[list[View], str]:
    """What was left by `store`: the forms, the newest last, and a line. Other files are let be."""
    views, line = [], ""
    for path in sorted(glob.glob(os.path.join(glob.escape(state_folder()), FILES)))[-FILES_MAX:]:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError), open(path) as file:
            draft = json.load(file)
            if "line" in draft:
                line = str(draft["line"])
                os.remove(path)
                continue
            items = [{"name": name, "value": str(text)} for name, text in draft["texts"].items()]
            screen = {"name": draft["screen"], "actions": [], "body": {"kind": "form", "fields": items}}
            views.append(View(screen, base=draft["base"], path=path))
    return views, line


def remove(view: View) -> None:
    """Removes the file of a draft, if it has one."""
    with contextlib.suppress(OSError):
        os.remove(view.path)
