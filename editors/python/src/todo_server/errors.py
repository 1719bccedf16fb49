"""Errors for scripts: TodoError and its kinds."""

from __future__ import annotations

import signal

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    from .records import Side

METHOD_NOT_FOUND = -32601
CONFLICT_CODE = 3  # the exit code if a conflict has to be settled
PARAMS_PREFIX = "params."
OPTION_PREFIX = PARAMS_PREFIX + "initializationOptions."
OPTION_NAMES = {"githubURL": "--github-url", "registerURL": "--register-url"}


class RPCError(Exception):
    """An error that the server responded with. `str()` is its message for the user."""

    def __init__(self, code: int, message: str, data: Any = None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    @property
    def kind(self) -> Optional[str]:
        """The kind of the error, such as "notFound", if the server named one."""
        return self.data.get("kind") if isinstance(self.data, dict) else None


class ServerDied(Exception):
    """The server is gone: by its exit code or by a signal, with the last line it wrote to stderr."""

    def __init__(self, status: int, last_line: str = ""):
        self.exit_code: Optional[int] = status if status >= 0 else None
        self.signal: Optional[int] = -status if status < 0 else None
        names = {item.value: item.name for item in signal.Signals}
        how = f"signal {-status} {names.get(-status, '')}".rstrip() if status < 0 else f"exit code {status}"
        super().__init__(f"the server ended ({how})" + (f": {last_line}" if last_line else ""))
        self.last_line = last_line


class TodoError(Exception):
    """Something was refused or failed. `str()` is a message for the user, `kind` a word for a program."""

    def __init__(self, message: str, kind: Optional[str] = None):
        super().__init__(message)
        self.kind = kind


class NotFound(TodoError):
    """There is no such todo, or no such source."""


class InvalidValue(TodoError):
    """A value is not allowed: `fields` says of each what is wrong with it."""

    def __init__(self, message: str, fields: dict[str, str]):
        super().__init__(message, "validation")
        self.fields = fields


class Conflict(TodoError):
    """The todo was changed elsewhere, so nothing was stored. Without `base`, the server has dropped the old version."""

    def __init__(self, message: str, base: Optional[Side], mine: Optional[Side], theirs: Optional[Side]):
        super().__init__(message, "conflict")
        self.base, self.mine, self.theirs = base, mine, theirs


def todo_error(error: RPCError) -> TodoError:
    """The error for scripts that an answer of the server stands for."""
    data: Any = error.data if isinstance(error.data, dict) else {}
    if error.kind == "notFound":
        return NotFound(error.message, error.kind)
    if error.kind == "validation":
        return InvalidValue(error.message, {one["field"]: one["message"] for one in data.get("fields", [])})
    if error.kind == "conflict":
        from .records import Side

        return Conflict(error.message, *(Side.from_wire(data.get(name)) for name in ("base", "mine", "theirs")))
    if error.code == METHOD_NOT_FOUND:
        return TodoError("This todo-server cannot do that: a newer one can.")
    return TodoError(sentence(error.message), error.kind)


def sentence(message: str) -> str:
    """A message that was meant for front-end authors, in the words of this program's options."""
    if not message.startswith(OPTION_PREFIX):
        return message[len(PARAMS_PREFIX) :] if message.startswith(PARAMS_PREFIX) else message
    option, _, rest = message[len(OPTION_PREFIX) :].partition(": ")
    return refused(OPTION_NAMES.get(option, "--" + option), rest)


def refused(option: str, expected: str) -> str:
    """A message about the value of an option, with the values that are possible."""
    return f"{option} cannot be used: {expected.partition(', got ')[0]}."
