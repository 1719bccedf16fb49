"""The mirror, another client of the same store, and the expected final contents."""

import json
import os
import signal
import subprocess
import time
from collections import Counter

from buffer import HEAD, words

# The timeout after which the test fails. A busy machine has paused a process for 30 s.
PATIENCE_SECONDS = 240
# The handling of an incomplete character, which a killed editor leaves.
HALVES = "surrogateescape"


class Broken(Exception):
    """Something was lost, or did not happen."""


class Ledger:
    """The words that were typed: each occurs once."""

    def __init__(self):
        self.typed_count = 0
        self.other_count = 0
        self.saved = set()
        # Those that are a todo's first word.
        self.added = set()
        self.deleted = set()
        # Those that are alone in a plain line.
        self.plain = set()
        self.others = set()
        self.summary = "not checked"

    def new_word(self):
        self.typed_count += 1
        return f"w{self.typed_count:07}"

    def other_word(self):
        self.other_count += 1
        return f"z{self.other_count:07}"

    def check(self, text, todos):
        in_store = [words(f"{todo['title']}\n{todo['note']}") for todo in todos]
        there = words(text).union(*in_store) if in_store else words(text)
        lost = self.saved - self.deleted - there
        vanished = self.others - self.deleted - there
        seen, doubled = set(), set()
        for found in in_store:
            doubled |= found & seen & self.added - self.deleted
            seen |= found
        lines = Counter(line for line in text.split("\n") if line.startswith("Not a todo w"))
        twice = words("\n".join(line for line, count in lines.items() if count > 1))
        doubled |= twice & self.plain - self.deleted
        marks = {match[3] for line in text.split("\n") if (match := HEAD.match(line))}
        missing = len(todos) - len(marks)
        self.summary = (
            f"lost {len(lost)}, doubled {len(doubled)}, vanished {len(vanished)} "
            f"of {len(self.saved)} saved and {len(self.others)} of others")
        if lost or vanished or doubled or missing:
            raise Broken(
                f"{self.summary}; lost {sorted(lost)[:5]}, doubled {sorted(doubled)[:5]}, "
                f"vanished {sorted(vanished)[:5]}, not in both {missing}")


class Mirror:
    def __init__(self, command, folder, path):
        self.command = command + [
            "mirror", path, "--store", f"sqlite:{folder}/todos.sqlite", "--name", "ann"]
        self.folder = folder
        self.path = path
        self.process = None
        # Whether it has certainly opened the file since it was started.
        self.has_answered = False

    @property
    def is_running(self):
        return self.process is not None

    def start(self):
        self.has_answered = False
        with open(os.path.join(self.folder, "mirror.log"), "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start_unless_running(self):
        if not self.is_running:
            self.start()

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
            self.has_answered = False

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(PATIENCE_SECONDS) != 0:
            raise Broken(f"the mirror ended with code {self.process.returncode}")
        self.process = None

    def read(self):
        """Reads the file like an editor; waits until it exists."""
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                with open(self.path, encoding="utf-8", errors=HALVES, newline="") as file:
                    return file.read()
            except FileNotFoundError:
                if time.monotonic() > end:
                    raise Broken("there is no file") from None
                time.sleep(0.01)

    def read_bytes(self):
        return self.read().encode(errors=HALVES)

    def identity(self):
        status = os.stat(self.path)
        return (status.st_ino, status.st_mtime_ns, status.st_size)

    def _wait(self, what, is_done):
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_done():
            if self.process and self.process.poll() is not None:
                raise Broken(f"the mirror ended with code {self.process.returncode}: {self._log()}")
            if time.monotonic() > end:
                raise Broken(f"waited {PATIENCE_SECONDS} s for {what}: {self._log()}")
            time.sleep(0.003)

    def _log(self):
        with open(os.path.join(self.folder, "mirror.log"), errors="replace") as log:
            return log.read()[-500:]

    def wait_until_written(self):
        self._wait("the first text", lambda: os.path.exists(self.path))

    def wait_until_replaced(self, data):
        """A text with new words is answered with another text."""
        if self.read_bytes() == data:
            self._wait("another text", lambda: self.read_bytes() != data)
            self.has_answered = self.is_running

    def wait_for_words(self, wanted):
        missing = wanted

        def are_there():
            nonlocal missing
            missing = wanted - words(self.read())
            return not missing

        try:
            self._wait("the words of both", are_there)
        except Broken as error:
            raise Broken(f"{error} not there: {sorted(missing)[:5]}") from None

    def settle_if_idle(self, pending):
        """Waits briefly, like a user who reads."""
        if pending is None:
            time.sleep(0.01)

    def _asides(self):
        return [name for name in os.listdir(self.folder) if name.startswith(".todos.md.")]

    def _sleeps(self):
        """Whether each thread of the mirror sleeps; on a busy machine, one may wait long to run."""
        tasks = f"/proc/{self.process.pid}/task"
        try:
            for task in os.listdir(tasks):
                with open(f"{tasks}/{task}/stat") as file:
                    if file.read().rpartition(")")[2].split()[0] != "S":
                        return False
        except OSError:  # a thread has just ended
            return False
        return True

    def wait_until_settled(self):
        """Waits until the file is stable and no replaced files are left."""
        self._wait("the last aside", lambda: not self._asides())
        since, last = time.monotonic(), self.identity()

        def is_quiet():
            nonlocal since, last
            if self.identity() != last or self._asides() or not self._sleeps():
                since, last = time.monotonic(), self.identity()
            return time.monotonic() > since + 1.5

        self._wait("quiet", is_quiet)


class OtherClient:
    """A client that changes the store, with a server of its own."""

    def __init__(self, command, folder, chance, ledger):
        self.chance = chance
        self.ledger = ledger
        self.id = 0
        self.process = subprocess.Popen(
            command + ["--store", f"sqlite:{folder}/todos.sqlite"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ask("initialize", processId=None)
        self.ask("login", name="ann")

    def ask(self, method, **params):
        self.id += 1
        message = {"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Broken("the other server ended")
            answer = json.loads(line)
            if answer.get("id") == self.id:
                return answer.get("result")

    def todos(self):
        return self.ask("listTodos", limit=100_000)["todos"]

    def step(self):
        way = self.chance.random()
        if way < 0.4:
            word = self.ledger.other_word()
            self.ask("addTodo", title=f"Of another client {word}")
            self.ledger.others.add(word)
            return
        todos = self.ask("listTodos", limit=30, offset=self.chance.randint(0, 100))["todos"]
        if not todos:
            return
        todo = self.chance.choice(todos)
        if way < 0.55:
            removed = self.ask("removeTodo", id=todo["id"], version=todo["version"])
            if removed is not None:
                self.ledger.deleted |= words(f"{todo['title']}\n{todo['note']}")
        elif way < 0.8 and len(todo["title"]) < 300:
            word = self.ledger.other_word()
            edited = self.ask(
                "editTodo", id=todo["id"], version=todo["version"],
                title=f"{todo['title']} {word}")
            if edited is not None:
                self.ledger.others.add(word)
        else:
            self.ask(
                "editTodo", id=todo["id"], version=todo["version"], done=not todo["done"])

    def end(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process = None
