#!/usr/bin/env python3
"""Todos from a checkout: builds the server where that is needed, then runs the package beside this file.

`todo.py` is interactive, `todo.py --help` lists the commands.
"""

from __future__ import annotations

import os
import sys
import time

FOLDER = os.path.dirname(os.path.realpath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(FOLDER))
sys.path.insert(0, os.path.join(FOLDER, "src"))

from todo_server.__main__ import run  # noqa: E402
from todo_server.finding import Failure, find_server  # noqa: E402


def find_or_build() -> list[str]:
    """The command that starts the server: $TODO_SERVER, else the one of this checkout."""
    chosen = os.environ.get("TODO_SERVER", "").strip()
    if chosen or not os.path.exists(os.path.join(CHECKOUT, "Package.swift")):
        return find_server()
    return [checkout_server()]


def checkout_server() -> str:
    """The server of this checkout, built again if a source is newer."""
    binary = os.path.join(CHECKOUT, ".build", "release", "todo-server")
    if modified(binary) >= newest_source():
        return binary
    import shutil  # these take long
    import subprocess

    swift = shutil.which("swift")
    if swift is None and os.path.exists(binary):
        print("todo: the server is older than its sources, and there is no swift to build it.", file=sys.stderr)
        return binary
    if swift is None:
        raise Failure("The server is not built and there is no swift: install it from https://swift.org/install.")
    print("todo: building the server, which takes a minute or more the first time.", file=sys.stderr, flush=True)
    began, command = time.time(), [swift, "build", "-c", "release", "--static-swift-stdlib", "--product", "todo-server"]
    if subprocess.run(command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
        raise Failure("The server could not be built, for the reason above.")
    os.utime(binary, (began, began))  # a build with nothing to do has not changed its time
    print(f"todo: built in {time.time() - began:.0f} s.", file=sys.stderr, flush=True)
    return binary


def modified(path: str) -> float:
    return os.path.getmtime(path) if os.path.exists(path) else 0


def newest_source() -> float:
    newest = modified(os.path.join(CHECKOUT, "Package.swift"))
    for folder, _, names in os.walk(os.path.join(CHECKOUT, "Sources")):
        newest = max(newest, modified(folder), *(modified(os.path.join(folder, name)) for name in names))
    return newest


if __name__ == "__main__":
    run(find_or_build)
