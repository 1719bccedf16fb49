#!/usr/bin/env python3
"""Todos from a checkout: builds the server where that is needed, then runs the package beside this file.

`todo.py` is interactive, `todo.py --help` lists the commands.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "src"))

from todo_server.__main__ import run  # noqa: E402
from todo_server.finding import find_server  # noqa: E402


def find_or_build() -> "list[str]":
    """The command that starts the server: $TODO_SERVER, else the one of this checkout."""
    if os.environ.get("TODO_SERVER", "").strip():
        return find_server()
    import checkout

    return [checkout.server()] if checkout.exists() else find_server()


if __name__ == "__main__":
    run(find_or_build)
