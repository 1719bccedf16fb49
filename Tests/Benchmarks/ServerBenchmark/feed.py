#!/usr/bin/env python3
"""Measures how long a change takes to reach a client of another server that watches the same store.

    Tests/Benchmarks/ServerBenchmark/feed.py [--server PATH] [--count 1000] [--runs 7]

One server makes changes, another one watches. The time of a change is from its response, when it is stored, to its
`todo/changed` at the other server. It is negative where the notification is read first, and then counts as 0.
"""

import argparse
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time


class Server:
    """A server over pipes, and the times at which its messages came."""

    def __init__(self, path, folder):
        environment = {**os.environ, "XDG_DATA_HOME": folder}
        self.process = subprocess.Popen(
            [path, "--store", f"sqlite:{folder}/feed.sqlite"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, bufsize=0)  # fmt: skip
        self.rest, self.last = b"", 0
        os.set_blocking(self.process.stdin.fileno(), False)

    def lines(self):
        """The messages that can be read now."""
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            sys.exit("a server has ended")
        *whole, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in whole]

    def message(self, method, **params):
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        return json.dumps(message).encode() + b"\n"

    def ask(self, method, **params):
        """The result of a request, when nothing else is in flight."""
        self.process.stdin.write(self.message(method, **params))
        while True:
            for message in self.lines():
                if message.get("id") == self.last:
                    return message["result"]


def measure(writer, reader, count):
    """Pipelines `count` changes; how long each took, in milliseconds, in their order."""
    id = writer.ask("addTodo", title="Start")["todo"]["id"]
    requests = b"".join(writer.message("editTodo", id=id, title=f"Change {number}") for number in range(count))
    stored, seen = {}, {}
    with selectors.DefaultSelector() as selector:
        for server in (writer, reader):
            selector.register(server.process.stdout, selectors.EVENT_READ, server)
        selector.register(writer.process.stdin, selectors.EVENT_WRITE, None)
        while len(stored) < count or len(seen) < count:
            for key, _ in selector.select():
                if key.data is None:
                    requests = requests[os.write(key.fd, requests[: 1 << 16]) :]
                    if not requests:
                        selector.unregister(key.fileobj)
                    continue
                now, messages = time.monotonic(), key.data.lines()
                for message in messages:
                    if key.data is writer and "result" in message:
                        stored[message["result"]["todo"]["version"]] = now
                    elif message.get("method") == "todo/changed":
                        change = message["params"]
                        if change["id"] == id and change["version"] > 1:
                            if change["version"] != len(seen) + 2:
                                sys.exit(f"version {change['version']} came after {len(seen) + 1}")
                            seen[change["version"]] = now
    return [max(0.0, seen[version] - stored[version]) * 1000 for version in sorted(stored)]


def quantile(values, fraction):
    return sorted(values)[min(len(values) - 1, int(len(values) * fraction))]


def show(name, runs):
    figures = [sorted(quantile(run, fraction) for run in runs)[len(runs) // 2] for fraction in (0.5, 0.99)]
    worst = max(max(run) for run in runs)
    print(f"{name:30} p50 {figures[0]:6.1f}  p99 {figures[1]:6.1f}  longest of all {worst:6.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=".build/release/todo-server")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        writer, reader = Server(given.server, folder), Server(given.server, folder)
        for server in (writer, reader):
            server.ask("initialize")
            server.ask("login", name="ann")
        reader.ask("watchTodos")
        lone, bursts = [], []
        for _ in range(given.runs):
            run = []
            for _ in range(100):
                time.sleep(0.02)
                run += measure(writer, reader, 1)
            lone.append(run)
            bursts.append(measure(writer, reader, given.count))
        show("a lone change", lone)
        show(f"{given.count} pipelined changes", bursts)
        for server in (writer, reader):
            server.process.kill()


if __name__ == "__main__":
    main()
