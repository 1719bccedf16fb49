#!/usr/bin/env python3
"""The memory of a server whose client requests too much and reads nothing.

Usage: hostile_memory.py [--server COMMAND] [SHAPE[=MIB]...]

Each shape starts a server, loads it, and reads the maximum resident memory of its process. The exit
code is 1 if that was more than the limit of the shape (or the one after `=`), or if a required response
is missing.
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
# A timeout for hangs only: on a busy machine a response may take long.
PATIENCE_SECONDS = 300
# The maximum delay until the end of input, or a cancel, takes effect.
NOTICE_SECONDS = 8


class Failed(Exception):
    """A required event did not occur."""


class Server:
    """A server with an account service, or a source, that accepts connections and never responds."""

    def __init__(self, command, has_headers, has_source):
        self.has_headers = has_headers
        self.folder = tempfile.TemporaryDirectory()
        self.service = socket.create_server(("127.0.0.1", 0), backlog=64)
        url = f"http://127.0.0.1:{self.service.getsockname()[1]}"
        service = ["--source", "github:octo/tasks", "--github-url", url] if has_source else [
            "--register-url", url + "/register"]
        self.process = subprocess.Popen(
            command + ["--store", "memory"] + service, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "XDG_DATA_HOME": self.folder.name})
        self.id = 0
        self.last_peak = 0
        self.ask("initialize", processId=None)

    def lines(self, count, method, **params):
        """The ids of requests, and a generator of their bytes."""
        ids = range(self.id + 1, self.id + count + 1)
        self.id += count
        # Encoded once: large params are sent many times.
        text = json.dumps(params).encode()
        return set(ids), (
            b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}' % (id, method.encode(), text)
            for id in ids)

    def write(self, bodies):
        """Writes messages in another thread: a server whose queue is full stops reading."""

        def write():
            try:
                for body in bodies:
                    if self.has_headers:
                        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body))
                    self.process.stdin.write(body)
                    if not self.has_headers:
                        self.process.stdin.write(b"\n")
                self.process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass
        thread = threading.Thread(target=write, daemon=True)
        thread.start()
        return thread

    def ask(self, method, **params):
        [id], [line] = self.lines(1, method, **params)
        self.write([line]).join()
        return self.answers({id})[id]

    def answers(self, ids, seconds=PATIENCE_SECONDS):
        """Reads until each of these ids is answered."""
        found = {}

        def record(message):
            found[message.get("id")] = message
            return ids <= found.keys()
        if not self._read(record, seconds):
            raise Failed(f"{len(ids - found.keys())} of {len(ids)} requests have no answer")
        return found

    def expect_refusals(self, count):
        """Reads until this number of messages is refused as invalid, without an id."""
        found = []

        def record(message):
            if "id" in message and message["id"] is None:
                found.append(message["error"]["code"])
            return len(found) == count
        if not self._read(record, PATIENCE_SECONDS) or set(found) != {-32600}:
            raise Failed(f"{found.count(-32600)} of {count} messages are refused with -32600")

    def _read(self, record, seconds):
        """Reads messages until `record` returns true, and returns whether it did."""
        ended = []

        def read():
            while not ended:
                body = self._next_body()
                if not body:
                    return
                message = json.loads(body)
                for one in message if isinstance(message, list) else [message]:
                    if record(one):
                        ended.append(True)
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(seconds)
        return bool(ended)

    def _next_body(self):
        line = self.process.stdout.readline()
        if not self.has_headers or not line:
            return line
        length = int(line.split(b":")[1])
        self.process.stdout.readline()
        return self.process.stdout.read(length)

    def settle(self):
        """Waits until the process uses no more CPU time."""
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
        """The maximum so far; for a process that has ended, the last recorded one."""
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


# MARK: Shapes: loads of a server whose account service hangs.


def pipelined_lists(server):
    """17 MB of notes, and 40 pipelined listTodos; the output is not read for a while."""
    fill_with_notes(server)
    ids, lines = server.lines(40, "listTodos")
    server.write(lines)
    server.settle()
    server.answers(ids)


def batched_lists(server):
    """The same 40 in one batch, whose response is one array."""
    fill_with_notes(server)
    ids, lines = server.lines(40, "listTodos")
    server.write([b"[" + b",".join(lines) + b"]"])
    server.settle()
    server.answers(ids)


def fill_with_notes(server):
    server.ask("login", name="ann")
    server.ask("loadTodos")
    for number in range(17):
        server.ask("addTodo", title=f"Long {number}", note="n" * 1_000_000)


def large_frames(server):
    """20 frames of 30 MiB, queued behind a register that hangs."""
    register(server)
    _, lines = server.lines(20, "addTodo", title="t", note="n" * (30 << 20))
    server.write(lines)
    server.settle()


def cancel_behind(server):
    """1,100 requests behind a register that hangs; then a cancel of it, then the end of input."""
    hanging = register(server)
    ids, lines = server.lines(1_100, "getTodo", id="n" * 200)
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": hanging}}
    server.write(lines)
    # So that it arrives in a separate read.
    server.settle()
    server.write([json.dumps(cancel).encode()])
    answer = server.answers({hanging}, NOTICE_SECONDS)[hanging]
    if answer.get("error", {}).get("code") != -32800:
        raise Failed(f"the cancelled register is answered {answer}")
    server.answers(ids)
    server.end()


def end_behind(server):
    """The same with the end of input instead of the cancel. With header framing, because with line
    framing the server completes all requests first, however long the network takes."""
    register(server)
    _, lines = server.lines(1_100, "getTodo", id="n" * 200)
    server.write(lines)
    server.settle()
    server.end()


def long_tokens(server):
    """60 loadTodos with a token of 20 MiB, on a source that hangs."""
    server.ask("login", name="ann")
    _, lines = server.lines(60, "loadTodos", workDoneToken="t" * (20 << 20))
    server.write(lines)
    server.expect_refusals(60)


def long_ids(server):
    """A batch of 4,096 requests with ids of 14 KiB."""
    bodies = (
        b'{"jsonrpc":"2.0","id":"%s%d","method":"getTodo"}' % (b"i" * (14 << 10), number)
        for number in range(4_096))
    server.write([b"[" + b",".join(bodies) + b"]"])
    server.expect_refusals(4_096)


def large_requests(server):
    """60 loadTodos of 20 MiB, on a source that hangs; then a keypress, a load and its cancel."""
    server.ask("login", name="ann")
    _, lines = server.lines(60, "loadTodos", unknown="u" * (20 << 20))
    writer = server.write(lines)
    writer.join(PATIENCE_SECONDS)
    if writer.is_alive():
        raise Failed("the server has stopped reading")
    server.ask("screen/change", screen="todoList", values={})
    [small], lines = server.lines(1, "loadTodos", refresh=True)
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": small}}
    server.write([*lines, json.dumps(cancel).encode()])
    answer = server.answers({small}, NOTICE_SECONDS)[small]
    if answer.get("error", {}).get("code") != -32800:
        raise Failed(f"the cancelled loadTodos is answered {answer}")


def register(server):
    [id], [line] = server.lines(1, "register", username="annabella", password="correct horse")
    server.write([line]).join()
    return id


# The limits in MiB. 64 MiB of requests may be queued, 32 MiB in flight, and 1 MiB of output unread
# before no new work starts; the message being read and the response being written are added to
# these.
SHAPES = {
    pipelined_lists: 192, batched_lists: 192, large_frames: 192, cancel_behind: 64, end_behind: 64,
    long_tokens: 128, long_ids: 128, large_requests: 128}
WITH_HEADERS = {end_behind}
WITH_SOURCE = {long_tokens, large_requests}


def holds(command, shape, limit):
    """Runs a shape and prints the result."""
    name = shape.__name__.replace("_", "-")
    server = Server(command, shape in WITH_HEADERS, shape in WITH_SOURCE)
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
