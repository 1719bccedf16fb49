#!/usr/bin/env python3
"""Todos in a terminal: `todo.py` is interactive, `todo.py --help` lists the commands."""

from __future__ import annotations

import sys

import todo_cli
from todo_server import NoServer, find_server


def main() -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")
    given = todo_cli.parse()
    try:
        server = find_server()
        if given["command"]:
            return todo_cli.run(server, given)
        try:
            import todo_tui
        except ImportError:
            print("todo: this Python has no curses for a full screen. Commands work: try --help.", file=sys.stderr)
            return 1
        return todo_tui.run(server, todo_cli.server_options(given))
    except NoServer as error:
        print(f"todo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
