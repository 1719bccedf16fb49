#!/usr/bin/env python3
"""The time of the first load of a task list: todo-server and vdirsyncer, in turns, on the same server.

    first_load.py radicale|xandikos|cyrus [--count N] [--runs N] [--server PROGRAM]

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

from servers import KINDS, PASSWORD, ROOT, USER
from test_servers import PROGRAM, TodoServer, task

CLIENTS = os.path.join(ROOT, ".build", "caldav-clients")


def client_seconds():
    """The processor time of the clients that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def server_seconds(server):
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load_here(program, source, folder):
    password = os.path.join(folder, "password")
    with open(password, "w") as file:
        file.write(PASSWORD)
    command = [*program, "--source", source, "--source-password-command", f"cat {shlex.quote(password)}"]
    options = {"store": f"sqlite:{folder}/todos.sqlite", "sync": "manual"}
    began = time.monotonic()
    with TodoServer("ann", command=command, options=options) as session:
        session.sync()
        seconds = time.monotonic() - began
        return seconds, len(session.list())


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
    began = time.monotonic()
    subprocess.run([*vdirsyncer, "sync"], env=environment, check=True, capture_output=True)
    return time.monotonic() - began, len(os.listdir(f"{folder}/lists/{name}"))


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
        times = {"todo-server": [], "vdirsyncer": []}
        for _ in range(arguments.runs):
            for name, load in (
                ("todo-server", lambda folder: load_here(shlex.split(arguments.server), server.source(path), folder)),
                ("vdirsyncer", lambda folder: load_with_vdirsyncer(server, path, folder)),
            ):
                with tempfile.TemporaryDirectory(prefix="first-load-") as folder:
                    used = client_seconds(), server_seconds(server)
                    seconds, count = load(folder)
                    print(f"{name}: {seconds:.2f} s; client {client_seconds() - used[0]:.2f} s, server "
                          f"{server_seconds(server) - used[1]:.2f} s of a processor", flush=True)  # fmt: skip
                assert count == arguments.count, (name, count)
                times[name].append(seconds)
        medians = {name: statistics.median(all) for name, all in times.items()}
        for name, all in times.items():
            print(f"{arguments.kind}, {arguments.count} tasks, {name}: {medians[name]:.2f} s ({', '.join(f'{one:.2f}' for one in all)})")
        print(f"ratio: {medians['todo-server'] / medians['vdirsyncer']:.2f}")
    finally:
        server.close()


if __name__ == "__main__":
    main()
