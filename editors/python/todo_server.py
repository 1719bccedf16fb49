"""Finds todo-server, and builds the one of this checkout when it is missing or older than its sources."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class Failure(Exception):
    """What keeps the program from doing what it was asked to, as a sentence for the user."""


def find_server() -> list[str]:
    """The command that starts the server: $TODO_SERVER, this checkout's release build, or todo-server on the PATH."""
    command = os.environ.get("TODO_SERVER", "").strip()
    if command:
        try:
            return shlex.split(command)
        except ValueError as error:
            raise Failure(f"TODO_SERVER is no command: {error}.") from None
    if os.path.exists(os.path.join(CHECKOUT, "Package.swift")):
        return [_checkout_server()]
    installed = shutil.which("todo-server")
    if installed:
        return [installed]
    raise Failure("There is no todo-server: put it on the PATH, or set TODO_SERVER to the command that starts it.")


def _checkout_server() -> str:
    binary, swift = os.path.join(CHECKOUT, ".build", "release", "todo-server"), shutil.which("swift")
    if _modified(binary) >= _newest_source():
        return binary
    if swift is None and os.path.exists(binary):
        print("todo: the server is older than its sources, and there is no swift to build it.", file=sys.stderr)
        return binary
    if swift is None:
        raise Failure("The server is not built and there is no swift: install it from https://swift.org/install.")
    print("todo: building the server, which takes a few minutes the first time.", file=sys.stderr, flush=True)
    began, command = time.time(), [swift, "build", "-c", "release", "--static-swift-stdlib", "--product", "todo-server"]
    if subprocess.run(command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode != 0:
        raise Failure("The server could not be built, for the reason above.")
    os.utime(binary, (began, began))  # a build that found nothing to do has left it as it was
    print(f"todo: built in {time.time() - began:.0f} s.", file=sys.stderr, flush=True)
    return binary


def _modified(path: str) -> float:
    return os.path.getmtime(path) if os.path.exists(path) else 0


def _newest_source() -> float:
    newest = _modified(os.path.join(CHECKOUT, "Package.swift"))
    for folder, _, names in os.walk(os.path.join(CHECKOUT, "Sources")):
        newest = max(newest, _modified(folder), *(_modified(os.path.join(folder, name)) for name in names))
    return newest
