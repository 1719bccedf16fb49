"""Finds todo-server, and builds the one of this checkout when it is missing or older than its sources."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import deque

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
FAILURE_LINES_SHOWN = 20
PROGRESS_SECONDS = {True: 0.1, False: 5.0}  # between two lines, on a terminal and elsewhere


class NoServer(Exception):
    """There is no server to start; says what to do."""


def find_server() -> list[str]:
    """The command that starts the server: $TODO_SERVER, this checkout's release build, or todo-server on the PATH."""
    command = os.environ.get("TODO_SERVER", "").strip()
    if command:
        try:
            return shlex.split(command)
        except ValueError as error:
            raise NoServer(f"TODO_SERVER is no command: {error}.") from None
    if os.path.exists(os.path.join(CHECKOUT, "Package.swift")):
        return [_checkout_server()]
    installed = shutil.which("todo-server")
    if installed:
        return [installed]
    raise NoServer("There is no todo-server: put it on the PATH, or set TODO_SERVER to the command that starts it.")


def _checkout_server() -> str:
    binary = os.path.join(CHECKOUT, ".build", "release", "todo-server")
    # A build that finds nothing to do leaves the binary's time as it was: this file remembers when it was looked at.
    stamp = os.path.join(CHECKOUT, ".build", "todo-client-built")
    if max(_modified(binary), _modified(stamp) if os.path.exists(binary) else 0) >= _newest_source():
        return binary
    swift = shutil.which("swift")
    if swift is None and os.path.exists(binary):
        print("todo: the server is older than its sources, and there is no swift to build it.", file=sys.stderr)
        return binary
    if swift is None:
        raise NoServer("The server is not built and there is no swift: install it from https://swift.org/install.")
    began = time.time()
    _build([swift, "build", "-c", "release", "--static-swift-stdlib", "--product", "todo-server"])
    with open(stamp, "a"):
        os.utime(stamp, (began, began))
    return binary


def _modified(path: str) -> float:
    return os.path.getmtime(path) if os.path.exists(path) else 0


def _newest_source() -> float:
    newest = _modified(os.path.join(CHECKOUT, "Package.swift"))
    for folder, _, names in os.walk(os.path.join(CHECKOUT, "Sources")):
        newest = max(newest, _modified(folder), *(_modified(os.path.join(folder, name)) for name in names))
    return newest


def _build(command: list[str]) -> None:
    terminal, last_lines, said, began = sys.stderr.isatty(), deque(maxlen=FAILURE_LINES_SHOWN), 0.0, time.monotonic()
    print("todo: building the server, which takes a few minutes the first time.", file=sys.stderr, flush=True)
    build = subprocess.Popen(
        command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, encoding="utf-8", errors="replace",
    )  # fmt: skip
    with build:
        for line in build.stdout:
            line = line.rstrip()
            last_lines.append(line)
            now = time.monotonic()
            if re.match(r"\[\d+/\d+\]", line) and now - said >= PROGRESS_SECONDS[terminal]:
                said = now
                start, end = ("\r\x1b[K", "") if terminal else ("", "\n")
                print(f"{start}  {line[:70]}", end=end, file=sys.stderr, flush=True)
    if terminal:
        print("\r\x1b[K", end="", file=sys.stderr)
    if build.returncode != 0:
        raise NoServer("The server could not be built:\n" + "\n".join(last_lines))
    print(f"todo: built in {time.monotonic() - began:.0f} s.", file=sys.stderr, flush=True)
