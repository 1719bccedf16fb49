#!/usr/bin/env python3
"""What a server holds while somebody asks for too much and reads nothing.

Usage: hostile_memory.py [--server COMMAND] [SHAPE[=MIB]...]

Each shape starts a server, loads it, and looks at the most memory that its process ever had
resident. The exit code is 1 if that was more than the limit of the shape (or the one after `=`), or
if an answer that has to come did not.
"""

import argparse
import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
# Who says nothing for so long is stuck.
PATIENCE_SECONDS = 30
# How long the end of the input, or a cancel, may take to be noticed.
NOTICE_SECONDS = 8


class Failed(Exception):
    """Something that had to happen did not."""


class Server:
    """A server beside an account service that is connected to and never answers."""

    def __init__(self, command, has_headers):
        self.has_headers = has_headers
        self.folder = tempfile.TemporaryDirectory()
        self.service = socket.create_server(("127.0.0.1", 0), backlog=64)
        url = f"http://127.0.0.1:{self.service.getsockname()[1]}/register"
        self.process = subprocess.Popen(
            command + ["--store", "memory", "--register-url", url], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_DATA_HOME": self.folder.name})
        self.id = 0
        self.last_peak = 0
        self.ask("initialize", processId=None)

    def lines(self, count, method, **params):
        """Requests, as their ids and their bytes."""
        ids = range(self.id + 1, self.id + count + 1)
        self.id += count
        return set(ids), [
            json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()
            for id in ids]

    def write(self, *bodies):
        """Writes messages in another thread: a server that is full takes no more for now."""
        data = b"".join(
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if self.has_headers
            else body + b"\n"
            for body in bodies)

        def write():
            try:
                self.process.stdin.write(data)
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass
        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        return thread

    def ask(self, method, **params):
        [id], [line] = self.lines(1, method, **params)
        self.write(line).join()
        return self.answers({id})[id]

    def answers(self, ids, seconds=PATIENCE_SECONDS):
        """Reads until each of these ids is answered."""
        found = {}

        def read():
            while not ids <= found.keys():
                body = self._next_body()
                if not body:
                    return
                message = json.loads(body)
                for one in message if isinstance(message, list) else [message]:
                    found[one.get("id")] = one
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(seconds)
        if not ids <= found.keys():
            raise Failed(f"{len(ids - found.keys())} of {len(ids)} requests have no answer")
        return found

    def _next_body(self):
        line = self.process.stdout.readline()
        if not self.has_headers or not line:
            return line
        length = int(line.split(b":")[1])
        self.process.stdout.readline()
        return self.process.stdout.read(length)

    def settle(self):
        """Waits until the process computes no more, whatever it waits for."""
        before, quiet = None, 0
        while quiet < 5:
            time.sleep(0.1)
            with open(f"/proc/{self.process.pid}/stat") as file:
                now = file.read().rsplit(")", 1)[1].split()[11:13]
            quiet = quiet + 1 if now == before else 0
            before = now

    def end(self):
        """Ends the input, and waits for the process."""
        self.last_peak = self.peak_mebibytes()
        self.process.stdin.close()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        try:
            self.process.wait(NOTICE_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failed(f"the end of input is not noticed within {NOTICE_SECONDS} s") from None

    def peak_mebibytes(self):
        """The most so far; of a process that has ended, as far as it was looked at."""
        if self.process.poll() is not None:
            return self.last_peak
        with open(f"/proc/{self.process.pid}/status") as file:
            found = [int(line.split()[1]) / 1_024 for line in file if line.startswith("VmHWM:")]
        self.last_peak = max(found + [self.last_peak])
        return self.last_peak

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.service.close()
        self.folder.cleanup()


# MARK: Shapes: what is done to a server whose account service hangs.


def pipelined_lists(server):
    """17 MB of notes, and 40 listTodos that are asked for at once; nobody reads for a while."""
    fill_with_notes(server)
    ids, lines = server.lines(40, "listTodos")
    server.write(*lines)
    server.settle()
    server.answers(ids)


def batched_lists(server):
    """The same 40 in one batch, whose answer is one array."""
    fill_with_notes(server)
    ids, lines = server.lines(40, "listTodos")
    server.write(b"[" + b",".join(lines) + b"]")
    server.settle()
    server.answers(ids)


def fill_with_notes(server):
    server.ask("login", name="ann")
    server.ask("loadTodos")
    for number in range(17):
        server.ask("addTodo", title=f"Long {number}", note="n" * 1_000_000)


def large_frames(server):
    """20 frames of 30 MiB that wait behind a register that hangs."""
    register(server)
    _, lines = server.lines(20, "addTodo", title="t", note="n" * (30 << 20))
    server.write(*lines)
    server.settle()


def cancel_behind(server):
    """1,100 requests behind a register that hangs; then a cancel of it, then the end of input."""
    hanging = register(server)
    ids, lines = server.lines(1_100, "getTodo", id="n" * 200)
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": hanging}}
    server.write(*lines)
    # So that it comes in a read of its own.
    server.settle()
    server.write(json.dumps(cancel).encode())
    answer = server.answers({hanging}, NOTICE_SECONDS)[hanging]
    if answer.get("error", {}).get("code") != -32800:
        raise Failed(f"the cancelled register is answered {answer}")
    server.answers(ids)
    server.end()


def end_behind(server):
    """The same without the cancel: only the end of input comes. With headers, because in lines what
    was asked is finished, for as long as the network takes."""
    register(server)
    _, lines = server.lines(1_100, "getTodo", id="n" * 200)
    server.write(*lines)
    server.settle()
    server.end()


def register(server):
    [id], [line] = server.lines(1, "register", username="annabella", password="correct horse")
    server.write(line).join()
    return id


# The most MiB. 64 MiB of requests may wait and 1 MiB of answers before no new work is started; what
# is being read or answered at that moment comes on top.
SHAPES = {
    pipelined_lists: 192, batched_lists: 192, large_frames: 192, cancel_behind: 64, end_behind: 64}
WITH_HEADERS = {end_behind}


def holds(command, shape, limit):
    """Does a shape, and says how it went."""
    name = shape.__name__.replace("_", "-")
    server = Server(command, shape in WITH_HEADERS)
    failure = ""
    try:
        shape(server)
    except Failed as failed:
        failure = f", {failed}"
    finally:
        peak = server.peak_mebibytes()
        server.kill()
    is_good = peak <= limit and not failure
    print(f"{name:16} {peak:6.0f} MiB of {limit}{failure}", flush=True)
    return is_good


def main():
    names = {shape.__name__.replace("_", "-"): shape for shape in SHAPES}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default=PROJECT + "/.build/debug/todo-server")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE[=MIB]", help=", ".join(names))
    options = parser.parse_args()
    held = True
    for word in options.shapes or names:
        name, _, limit = word.partition("=")
        if name not in names:
            parser.error(f"no such shape: {name}; there are {', '.join(names)}")
        shape = names[name]
        held &= holds(shlex.split(options.server), shape, int(limit or SHAPES[shape]))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
