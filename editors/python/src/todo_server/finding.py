"""Finds the program of the server."""

from __future__ import annotations

import os
import shlex
import shutil


class Failure(Exception):
    """What keeps the program from doing what it was asked to, as a sentence for the user."""


def named_command(variable: str) -> list[str]:
    """The command that a variable of the environment names, or nothing. Raises Failure."""
    try:
        return shlex.split(os.environ.get(variable, ""))
    except ValueError as error:
        raise Failure(f"{variable} is not a command: {error}.") from None


def find_server() -> list[str]:
    """The command that starts the server: $TODO_SERVER, or todo-server on the PATH.

    Raises Failure when there is neither.
    """
    command = named_command("TODO_SERVER") or [path for path in [shutil.which("todo-server")] if path]
    if not command:
        what = "There is no todo-server: put it on the PATH"
        raise Failure(f"{what}, or set TODO_SERVER to the command that starts it.")
    return command
