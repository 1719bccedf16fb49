"""The server of this checkout, built where that is needed. `todo.py` is compiled at each start, this module once."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from todo_server.finding import Failure

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def exists() -> bool:
    """Whether this folder is in a checkout: it can be copied without one."""
    return os.path.exists(os.path.join(CHECKOUT, "Package.swift"))


def server() -> str:
    """The server of this checkout, built again if a source is newer."""
    binary = os.path.join(CHECKOUT, ".build", "release", "todo-server")
    if modified(binary) >= newest_source():
        return binary
    import shutil  # takes long

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
