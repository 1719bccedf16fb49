"""Finds the program of the server, and the folder of this program."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Optional


class Failure(Exception):
    """A reason why the program cannot run the command, as a message for the user."""


def named_command(variable: str) -> list[str]:
    """The command that a variable of the environment names, or nothing. Raises Failure."""
    text = os.environ.get(variable)
    if not text:
        return []
    import shlex  # takes long

    try:
        return shlex.split(text)
    except ValueError as error:
        raise Failure(f"{variable} is not a command: {error}.") from None


def find_server() -> list[str]:
    """The command that starts the server: $TODO_SERVER, the one of this virtual environment, or that on the PATH.

    A wheel with the server installs it into the environment. Raises Failure when there is none.
    """
    beside = [os.path.dirname(sys.executable)] if sys.prefix != sys.base_prefix else []
    found = _program("todo-server", [*beside, *os.get_exec_path()])
    command = named_command("TODO_SERVER") or [path for path in [found] if path]
    if not command:
        what = "There is no todo-server: put it on the PATH"
        raise Failure(f"{what}, or set TODO_SERVER to the command that starts it.")
    return command


def _program(name: str, folders: Sequence[str]) -> Optional[str]:
    """The path of a program in the first of these folders that has it. Importing shutil takes longer than this."""
    paths = (os.path.join(folder, name) for folder in folders)
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), None)


def state_folder() -> str:
    """The folder below $XDG_STATE_HOME in which this program stores its own files."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(state, "todo-server")
