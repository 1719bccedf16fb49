"""Data that another program needs back, beside the notes of its todos: an edit of a note does not lose it.

It is in a file beside the store, a line of JSON a todo, by profile, format and id. It is not in an export of the server:
another machine gets it with the file of the other program.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, Optional

from . import split_extras, with_extras

FILE = "todos.beside.ndjson"
BYTES_MAX = 64 << 20  # of the file; more is not stored, and stays below the notes
Todos = dict[str, dict[str, Any]]  # data by the ids of todos


def path_of(store: Optional[str]) -> Optional[str]:
    """The file beside a store; None for one in memory or at its source."""
    kind, _, path = (store or os.environ.get("TODO_SERVER_STORE") or "sqlite").partition(":")
    if kind != "sqlite":
        return None
    if path:
        return f"{path}.beside.ndjson"
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return os.path.join(data, "todo-server", FILE)


class Beside:
    """The data of one profile and format."""

    def __init__(self, path: Optional[str], profile: str, name: str):
        self.path, self.key, self.name = path, [profile, name], name
        self.todos: Todos = {}
        self.others: list[str] = []
        for line in self._lines():
            profile_and_format, id, extras = json.loads(line)
            if profile_and_format == self.key:
                self.todos[id] = extras
            else:
                self.others.append(line)

    def take(self, todo: dict[str, Any]) -> dict[str, Any]:
        """A todo that was read, without its data, which is stored by `save`."""
        note, extras = split_extras(todo["note"], self.name)
        if self.path is None:
            return todo
        if extras:
            self.todos[todo["id"]] = extras
        else:
            self.todos.pop(todo["id"], None)
        return {**todo, "note": note}

    def give(self, todo: dict[str, Any]) -> dict[str, Any]:
        """A todo to write, with its data below the note. Earlier versions stored it there."""
        note, extras = split_extras(todo["note"], self.name)
        return {**todo, "note": with_extras(note, self.name, {**extras, **self.todos.get(todo["id"], {})})}

    def without(self, note: str) -> str:
        """A stored note, without the data that an earlier version put below it."""
        return split_extras(note, self.name)[0]

    def save(self) -> None:
        """Stores the data. Raises OSError, also if there is too much of it."""
        if self.path is None:
            return
        lines = self.others + [
            json.dumps([self.key, id, extras], ensure_ascii=False) for id, extras in self.todos.items()
        ]
        data = "".join(f"{line}\n" for line in lines).encode()
        if len(data) > BYTES_MAX:
            raise OSError(0, f"the data of other programs has more than {BYTES_MAX} bytes", self.path)
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), mode=0o700, exist_ok=True)
        with open(os.open(f"{self.path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(f"{self.path}.new", self.path)

    def _lines(self) -> Iterator[str]:
        if self.path is None or not os.path.exists(self.path):
            return
        with open(self.path, encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.rstrip("\n")
