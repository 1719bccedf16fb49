#!/usr/bin/env python3
"""The time of the first load of a task list: todo-server and vdirsyncer, in turns, on the same server.

    first_load.py radicale|xandikos|cyrus|davical [--count N] [--runs N] [--server PROGRAM]

Each run starts with nothing: an empty store and an empty folder. The time is that of the whole process, from its
start to the end of the load; the processor time of the client and of the server do not depend on what else runs on
the machine. vdirsyncer comes from `.build/caldav-clients` (`pip install --target`). PROGRAM is a
release build; the default is the debug build.
"""

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

from servers import KINDS, PASSWORD, ROOT, USER, process_status
from test_servers import PROGRAM, TodoServer, task

CLIENTS = os.path.join(ROOT, ".build", "caldav-clients")


def client_seconds():
    """The processor time of the clients that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def server_seconds(server):
    """The processor time of the server's processes, also of those that have ended."""
    ticks = sum(sum(map(int, process_status(process)[11:15])) for process in server.processes())
    return ticks / os.sysconf("SC_CLK_TCK")


class Meter:
    """The seconds from its start on: by the clock, and of a processor for the client and the server."""

    def __init__(self, server):
        self.server = server
        self.start = self.now()

    def now(self):
        return time.monotonic(), client_seconds(), server_seconds(self.server)

    def times(self, end=None):
        """The time of a client counts only after it has ended, `end` may be earlier."""
        now = self.now()
        return [(end or now[0]) - self.start[0], *(now[index] - self.start[index] for index in (1, 2))]


def load_here(program, server, path, folder):
    password = os.path.join(folder, "password")
    with open(password, "w") as file:
        file.write(PASSWORD)
    command = [*program, "--source", server.source(path), "--source-password-command", f"cat {shlex.quote(password)}"]
    options = {"store": f"sqlite:{folder}/todos.sqlite", "sync": "manual"}
    meter = Meter(server)
    with TodoServer("ann", command=command, options=options) as session:
        session.sync()
        end = time.monotonic()
    times = meter.times(end)
    with TodoServer("ann", command=command, options=options) as session:
        return times, len(session.list())


def load_with_vdirsyncer(server, path, folder):
    name = path.rstrip("/").rpartition("/")[2]
    with open(f"{folder}/config", "w") as file:
        file.write(
            f'[general]\nstatus_path = "{folder}/status/"\n[pair p]\na = "here"\nb = "there"\ncollections = ["{name}"]\n'
            f'[storage here]\ntype = "filesystem"\npath = "{folder}/lists/"\nfileext = ".ics"\n[storage there]\n'
            f'type = "caldav"\nurl = "http://127.0.0.1:{server.port}{server.home}"\nusername = "{USER}"\n'
            f'password = "{PASSWORD}"\nitem_types = ["VTODO"]\n'
        )
    environment = {**os.environ, "PYTHONPATH": CLIENTS}
    vdirsyncer = [sys.executable, f"{CLIENTS}/bin/vdirsyncer", "--config", f"{folder}/config"]
    subprocess.run([*vdirsyncer, "discover"], env=environment, input=b"y\ny\n", check=True, capture_output=True)
    meter = Meter(server)
    subprocess.run([*vdirsyncer, "sync"], env=environment, check=True, capture_output=True)
    return meter.times(), len(os.listdir(f"{folder}/lists/{name}"))


def describe(times):
    return "{:.2f} s; client {:.2f} s, server {:.2f} s of a processor".format(*times)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--server", default=shlex.join(PROGRAM))
    arguments = parser.parse_args()
    server = KINDS[arguments.kind]()
    try:
        path = server.make_list("large")
        texts = {}
        for number in range(arguments.count):
            texts[f"t{number}.ics"] = task(
                f"t{number}", f"SUMMARY:Task {number}", "DESCRIPTION:A note of a few words", "CATEGORIES:a,b",
                f"DUE;VALUE=DATE:203012{number % 28 + 1:02}",
            )  # fmt: skip
        server.fill(path, texts)
        # The first listing of a server fills its own cache.
        server.names(path)
        runs = {"todo-server": [], "vdirsyncer": []}
        for _ in range(arguments.runs):
            for name, load in (
                ("todo-server", lambda folder: load_here(shlex.split(arguments.server), server, path, folder)),
                ("vdirsyncer", lambda folder: load_with_vdirsyncer(server, path, folder)),
            ):
                with tempfile.TemporaryDirectory(prefix="first-load-") as folder:
                    times, count = load(folder)
                    runs[name].append(times)
                    print(f"{name}: {describe(times)}", flush=True)
                assert count == arguments.count, (name, count)
        here, there = (list(map(statistics.median, zip(*runs[name]))) for name in runs)
        for name, medians in (("todo-server", here), ("vdirsyncer", there)):
            print(f"{arguments.kind}, {arguments.count} tasks, {name}: {describe(medians)}")
        # The server's own time bounds both ratios.
        print(f"ratio: {here[0] / there[0]:.2f}; of processor time {sum(here[1:]) / sum(there[1:]):.2f}, "
              f"and {here[2] / sum(there[1:]):.2f} with a client that takes none")  # fmt: skip
    finally:
        server.close()


if __name__ == "__main__":
    main()
