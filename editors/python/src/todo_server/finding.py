"""Finds the program of the server, and the folder of this program."""

from __future__ import annotations

import os
import shlex
import shutil
import sys


class Failure(Exception):
    """An error that ends the command, with a message for the user."""


def named_command(variable: str) -> list[str]:
    """The command that a variable of the environment names, or nothing. Raises Failure."""
    try:
        return shlex.split(os.environ.get(variable, ""))
    except ValueError as error:
        raise Failure(f"{variable} is not a command: {error}.") from None


def find_server() -> list[str]:
    """The command that starts the server: $TODO_SERVER, the one of this virtual environment, or that on the PATH.

    A wheel with the server installs it into the environment. Raises Failure when there is none.
    """
    beside = os.path.dirname(sys.executable) if sys.prefix != sys.base_prefix else None
    found = (beside and shutil.which("todo-server", path=beside)) or shutil.which("todo-server")
    command = named_command("TODO_SERVER") or [path for path in [found] if path]
    if not command:
        what = "There is no todo-server: put it on the PATH"
        raise Failure(f"{what}, or set TODO_SERVER to the command that starts it.")
    return command


def state_folder() -> str:
    """The folder below $XDG_STATE_HOME in which this program stores its own files."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(state, "todo-server")
