"""Finds the program of the server."""

from __future__ import annotations

import os
import shlex
import shutil


class Failure(Exception):
    """What keeps the program from doing what it was asked to, as a sentence for the user."""


def find_server() -> list[str]:
    """The command that starts the server: $TODO_SERVER, or todo-server on the PATH.

    Raises Failure when there is neither.
    """
    command = os.environ.get("TODO_SERVER", "").strip()
    if command:
        try:
            return shlex.split(command)
        except ValueError as error:
            raise Failure(f"TODO_SERVER is not a command: {error}.") from None
    installed = shutil.which("todo-server")
    if installed:
        return [installed]
    raise Failure("There is no todo-server: put it on the PATH, or set TODO_SERVER to the command that starts it.")
