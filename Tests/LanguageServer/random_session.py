#!/usr/bin/env python3
"""Random editors with a list open through `todo-server lsp`.

Usage: random_session.py [--lines N] [--seconds N] [--seed N]

Two editors, each with its own server, type lines with words that occur once, and save them. They
apply edits immediately, late or never, and only to the version that an edit is for, as LSP
specifies. Another process changes the store, and servers are killed. At the end, each saved word is
searched for. The exit code is 1 if one is lost or occurs twice, if a todo is missing that was not
removed, or if a buffer differs from the list.

With `--requests`, editors check no versions: they get edits only when their users request them.
"""

import argparse
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Mirror"))

from buffer import HEAD, Buffer, words  # noqa: E402
from client import CAPABILITIES, PATIENCE_SECONDS, SERVER, Client, Document  # noqa: E402
from world import Broken, Ledger, OtherClient  # noqa: E402

HEADING = "<!-- todo-server ann local 0 -->\n<!-- end -->\n"


class Editor:
    """An editor: a server, a buffer, and the words typed into it."""

    def __init__(self, session, sync, encoding):
        self.session = session
        self.chance = session.chance
        self.sync = sync
        self.encoding = encoding
        self.kill_count = 0
        # A client responds to all edits or to none.
        self.answers = self.chance.random() < 0.7
        self.start()
        self.document = Document(self.client, session.path, sync=sync)
        self.typed, self.added, self.deleted = set(), set(), set()

    def start(self):
        self.client = Client(
            "--store", f"sqlite:{self.session.folder}/todos.sqlite", "--name", "ann",
            capabilities={**CAPABILITIES, "general": {"positionEncodings": [self.encoding]}},
            **self.session.initialize_params)
        self.client.answers_edits = self.answers

    def kill(self):
        """Kills the server. The editor starts another one, and its buffer is unchanged."""
        self.kill_count += 1
        text = self.document.text
        # A line without its anchor yet may be edited, and then becomes another todo.
        for line in text.split("\n"):
            if line.startswith("- [") and not HEAD.match(line):
                self.added -= words(line)
                self.session.ledger.added -= words(line)
        self.client.end()
        self.start()
        self.document = Document(self.client, self.session.path, text, sync=self.sync)

    def step(self):
        chance = self.chance
        self.client.applies = chance.choice(self.session.ways)
        if chance.random() < 0.7:
            self.client.drain()
        if self.client.late and chance.random() < 0.5:
            self.apply_late()
        if self.session.requests and chance.random() < 0.3:
            self.document.show_news()
        self.type(chance.randint(1, 6))
        if chance.random() < 0.6:
            self.save()
        if chance.random() < 0.3:
            time.sleep(chance.random() * 0.02)
        if chance.random() < 0.01:
            self.kill()

    def apply_late(self):
        """Applies delayed edits that are for the current buffer."""
        for document, change in self.client.late:
            if document is self.document and self.chance.random() < 0.7:
                document.apply(change)
        self.client.late.clear()

    def buffer(self):
        buffer = Buffer(self.document.text)
        buffer.typed, buffer.added, buffer.deleted = self.typed, self.added, self.deleted
        return buffer

    def type(self, count):
        for _ in range(count):
            buffer = self.buffer()
            try:
                buffer.type(self.chance, self.session.ledger, 1)
            except IndexError:
                # The rest of a conflict after a late edit may have no text to type into.
                continue
            self.document.set(buffer.text)
            if self.chance.random() < 0.2:
                self.client.drain()
        buffer = self.buffer()
        if buffer.todo_count > 60:
            buffer.delete(self.chance, self.session.ledger, 15)
            self.document.set(buffer.text)

    def save(self):
        self.document.save()
        buffer = self.buffer()
        buffer.note_saved(self.session.ledger)
        self.session.save_count += 1

    def settle(self):
        """Saves, and applies all edits."""
        self.client.applies = "yes"
        self.client.late.clear()
        self.client.drain()
        self.save()


class Session:
    def __init__(self, folder, seed, lines, ways, requests):
        self.ways = ways
        self.requests = requests
        self.initialize_params = {"initializationOptions": {}} if requests else {}
        self.chance = random.Random(seed)
        self.folder = folder
        self.path = os.path.join(folder, "todos.md")
        self.ledger = Ledger()
        self.lines = lines
        self.save_count = 0
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(HEADING)
        self.other_client = OtherClient(SERVER, folder, self.chance, self.ledger)
        self.editors = [Editor(self, "incremental", "utf-16"), Editor(self, "full", "utf-8")]

    def run(self, seconds):
        end = time.monotonic() + seconds
        while self.ledger.typed_count < self.lines and time.monotonic() < end:
            self.chance.choice(self.editors).step()
            for _ in range(self.chance.randint(0, 2)):
                self.other_client.step()
        self.finish()

    def finish(self):
        for editor in self.editors:
            editor.settle()
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                self.check()
                return
            except Broken:
                # The last save may not be applied yet.
                if time.monotonic() > end:
                    raise
            time.sleep(0.05)

    def check(self):
        """Checks that each buffer equals the list, and has every word."""
        for editor in self.editors:
            editor.client.drain()
            if self.requests:
                editor.document.show_news()
        todos = self.other_client.todos()
        for editor in self.editors:
            shown = words(editor.document.text)
            hidden = {word for todo in todos
                      for word in words(f"{todo['title']}\n{todo['note']}") - shown}
            if hidden:
                raise Broken(f"a buffer lacks words of the list: {sorted(hidden)[:5]}")
            self.ledger.check(editor.document.text, todos)

    def end(self):
        for editor in self.editors:
            editor.client.end()
        self.other_client.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=3_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument(
        "--ways", default="yes,yes,yes,yes,no,late",
        help="how an editor may apply edits, separated by commas")
    parser.add_argument("--requests", action="store_true", help="editors that check no versions")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1_000_000)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="todo-lsp-") as folder:
        session = Session(
            folder, seed, options.lines, options.ways.split(","), options.requests)
        is_good = False
        try:
            session.run(options.seconds)
            is_good = True
        except (Broken, AssertionError) as error:
            print(f"seed {seed}: {error}")
        finally:
            session.end()
    kills = sum(editor.kill_count for editor in session.editors)
    print(
        f"seed {seed}: {session.ledger.typed_count} lines typed, {session.save_count} saves, "
        f"{kills} kills, {session.ledger.summary} ({time.monotonic() - began:.0f} s)")
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
