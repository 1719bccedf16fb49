#!/usr/bin/env python3
"""Counts the instructions that the loop's thread spends on one request.

Usage: instructions.py [--server PATH] [--requests N] [--keep FOLDER] [CASE...]

Each case runs the server under callgrind twice, with N and with 2N requests, one after the other
as a front-end sends them. The difference of the two runs, divided by N, is free of the start.
`README.md` beside this file says what the cases are.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
WINDOW = 100


class Session:
    """A server under callgrind, spoken to over pipes with headers."""

    def __init__(self, server, counts, data, store, render):
        command = [
            "valgrind", "--tool=callgrind", "--separate-threads=yes",
            f"--callgrind-out-file={counts}", server, "--store", store]
        # Where a hash puts a key would otherwise differ from run to run.
        environment = {
            **os.environ, "XDG_DATA_HOME": data, "SWIFT_DETERMINISTIC_HASHING": "1"}
        self.errors = open(counts + ".errors", "w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env=environment)
        self.id = 0
        self.ask("initialize", processId=None, capabilities={"render": render})
        self.send({"method": "initialized", "params": {}})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        for line in iter(self.process.stdout.readline, b"\r\n"):
            if not line:
                raise SystemExit("the server has ended:\n" + self.said())
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def request(self, method, **params):
        """The whole response, whatever it is; what was pushed before it is dropped."""
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        message = self.receive()
        while message.get("id") != self.id:
            message = self.receive()
        return message

    def ask(self, method, **params):
        response = self.request(method, **params)
        if "result" not in response:
            raise SystemExit(f"{method} failed: {response}")
        return response["result"]

    def log_in(self):
        self.ask("login", name="ann")
        self.ask("loadTodos")

    def end(self):
        self.ask("shutdown")
        self.send({"method": "exit"})
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise SystemExit("the server ended badly:\n" + self.said())

    def said(self):
        self.errors.seek(0)
        return self.errors.read()


# MARK: Cases: what is set up, then what is done again and again.


def unknown(session):
    return lambda number: session.request("bench/unknown")


def get_todo(session):
    session.log_in()
    page = session.ask("listTodos", offset=500, limit=1)
    id = page["todos"][0]["id"]
    return lambda number: session.ask("getTodo", id=id)


def keypress(session):
    def press(number):
        session.ask("screen/change", screen="welcome", values={"name": f"ann{number % 10}"})
    return press


def edit_press(session):
    """A keypress two screens deep, with a list below the form."""
    session.log_in()
    id = session.ask("listTodos", limit=1)["todos"][0]["id"]
    session.ask("screen/act", screen="todoList", action="open", item=id)

    def press(number):
        session.ask("screen/change", screen="todoEdit", values={"title": f"Buy {number:05}"})
    return press


def edit(session):
    session.log_in()
    id = session.ask("listTodos", offset=50, limit=1)["todos"][0]["id"]
    return lambda number: session.ask("editTodo", id=id, title=f"Edit {number:05}")


PATCHES = {"patch": True, "window": WINDOW}
FRONT_ONLY = {"frontOnly": True, "window": WINDOW}

# Name: (what is done, todos in the file or None for a memory store, requests of the short run, how
# the front-end is shown screens)
CASES = {
    "unknown": (unknown, None, 500, PATCHES),
    "getTodo": (get_todo, 1_000, 500, PATCHES),
    "keypress": (keypress, None, 500, PATCHES),
    "keypress-frontOnly": (keypress, None, 500, FRONT_ONLY),
    "keypress-todoEdit": (edit_press, 1_000, 300, PATCHES),
    "keypress-todoEdit-frontOnly": (edit_press, 1_000, 300, FRONT_ONLY),
    "edit-100": (edit, 100, 100, PATCHES),
    "edit-100000": (edit, 100_000, 100, PATCHES),
}


class Bench:
    def __init__(self, server, folder):
        self.server, self.folder = server, folder

    def store(self, todo_count):
        """Returns a file with this number of ann's todos, created once without callgrind."""
        file = os.path.join(self.folder, f"{todo_count}.sqlite")
        if not os.path.exists(file):
            lines = [{"format": "todo-server", "version": 1}]
            words = ["milk", "bread", "rent", "paint", "plants"]
            lines += [
                {"title": f"Buy {words[number % 5]} number {number}", "note": "At the corner."}
                for number in range(todo_count)]
            text = "".join(json.dumps(line) + "\n" for line in lines)
            subprocess.run(
                [self.server, "import", "--name", "ann", "--store", f"sqlite:{file}"],
                input=text.encode(), check=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        copy = os.path.join(self.folder, "todos.sqlite")
        for name in os.listdir(self.folder):
            if name.startswith("todos.sqlite"):
                os.remove(os.path.join(self.folder, name))
        shutil.copyfile(file, copy)
        os.chmod(copy, 0o600)
        return f"sqlite:{copy}"

    def run(self, case, request_count):
        """Instructions of the loop's thread and of all threads."""
        act, todo_count, _, render = CASES[case]
        store = "memory" if todo_count is None else self.store(todo_count)
        counts = os.path.join(self.folder, f"{case}-{request_count}.counts")
        session = Session(self.server, counts, self.folder, store, render)
        do = act(session)
        for number in range(request_count):
            do(number)
        session.end()
        threads = {
            name: total(os.path.join(self.folder, name)) for name in os.listdir(self.folder)
            if re.fullmatch(re.escape(os.path.basename(counts)) + r"-\d+", name)}
        return threads[os.path.basename(counts) + "-01"], sum(threads.values())

    def measure(self, case, request_count):
        count = request_count or CASES[case][2]
        short, long = self.run(case, count), self.run(case, 2 * count)
        return [(b - a) / count for a, b in zip(short, long)]


def total(path):
    with open(path) as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("totals:"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default=PROJECT + "/.build/release/todo-server")
    parser.add_argument("--requests", type=int, help="of the short run; the long one has twice")
    parser.add_argument("--keep", help="where the files of callgrind are left")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    options = parser.parse_args()
    unknown_cases = set(options.cases) - set(CASES)
    if unknown_cases:
        parser.error(f"no such case: {', '.join(unknown_cases)}; there are {', '.join(CASES)}")
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(options.server), options.keep or folder)
        print(f"{'instructions a request':28} {'loop':>10} {'all threads':>12}", flush=True)
        for case in options.cases or CASES:
            loop, all_threads = bench.measure(case, options.requests)
            print(f"{case:28} {loop:10.0f} {all_threads:12.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
