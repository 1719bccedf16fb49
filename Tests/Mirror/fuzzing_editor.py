#!/usr/bin/env python3
"""Fuzzes a file of `todo-server mirror` with editors that save in unusual ways.

Usage: fuzzing_editor.py [--server COMMAND] [--lines N] [--seconds N] [--seed N] [--keep]

Two editors type lines with words that occur once, and save them in place, in pieces, by rename, from
stale buffers and by force. Another client changes the store, and the mirror is killed and started
again. The exit code is 1 if a saved word is missing or occurs twice at the end, or if a todo is
missing that no client has removed.
"""

import argparse
import os
import random
import shlex
import shutil
import sys
import tempfile
import time

from buffer import Buffer, words
from world import HALVES, Broken, Ledger, Mirror, OtherClient

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


class Editor:
    """One editor: a buffer, and ways to save it."""

    def __init__(self, name, session):
        self.name = name
        self.session = session
        self.chance = session.chance
        self.path = session.path
        self.buffer = None
        self.load()

    def load(self):
        text = self.session.mirror.read()
        self.buffer = Buffer(text)

    def type(self, count):
        """Adds this number of lines to the buffer."""
        self.buffer.type(self.chance, self.session.ledger, count)
        if self.buffer.todo_count > self.session.todos_max:
            self.buffer.delete(self.chance, self.session.ledger, self.session.todos_max // 4)

    def save(self):
        """Saves the buffer; its additions count from here on."""
        data = self.buffer.text.encode(errors=HALVES)
        way = self.chance.choices(
            ["in place", "in pieces", "by rename", "crossing", "killed"], [16, 12, 16, 4, 1])[0]
        if way == "by rename":
            self.save_by_rename(data)
        elif way == "in place":
            self.save_in_pieces(data, 1)
        elif way == "in pieces":
            self.save_in_pieces(data, self.chance.randint(2, 5))
        elif way == "killed":
            self.begin_to_save(data)
        else:
            self.save_crossed(data)

    def begin_to_save(self, data):
        """Writes a part of the buffer, as an editor that is killed: its additions are not saved."""
        half = data[:self.chance.randint(0, len(data))]
        self.session.mirror.start_unless_running()
        self.session.wait_until_taken()
        with open(self.path, "wb", buffering=0) as file:
            file.write(half)
        self.session.keep(f"started-by-{self.name}", half)
        # Resolved conflicts and deletions may have reached the file.
        self.session.ledger.deleted |= self.buffer.deleted
        self.session.pending = (self, half)
        self.session.wait_until_taken()
        self.load()

    def save_by_rename(self, data):
        new = f"{self.path}.{self.name}~"
        with open(new, "wb") as file:
            file.write(data)
        os.chmod(new, 0o600)
        os.rename(new, self.path)
        self.session.was_saved(self, data)

    def save_in_pieces(self, data, count, crossing=None):
        cuts = sorted(self.chance.randint(0, len(data)) for _ in range(count - 1))
        bounds = [0] + cuts + [len(data)]
        with open(self.path, "wb", buffering=0) as file:
            for start, end in zip(bounds, bounds[1:]):
                file.write(data[start:end])
                if crossing:
                    crossing()
                    crossing = None
                elif count > 1:
                    self.session.pause(self.chance.random() * 0.03)
        self.session.was_saved(self, data)

    def save_crossed(self, data):
        """While this editor writes in place, the other one replaces the file."""
        other = next(editor for editor in self.session.editors if editor is not self)
        # What the mirror has not opened yet is gone for good when its name is.
        if self.session.mirror.is_running:
            self.session.wait_until_taken()
        if not self.session.mirror.has_answered:
            return self.save_in_pieces(data, 2)
        other.type(2)
        other_data = other.buffer.text.encode(errors=HALVES)
        self.save_in_pieces(data, 3, lambda: other.save_by_rename(other_data))
        # The file that was replaced has no name: only a mirror that lives can have read it.
        typed = [editor.buffer.typed & words(editor.buffer.text) for editor in (self, other)]
        self.session.mirror.wait_for_words(set().union(*typed) - self.session.ledger.deleted)


class Session:
    def __init__(self, command, folder, seed, lines, kept=None):
        self.seed = seed
        # Where each text is kept, for who looks for the moment at which something was lost.
        self.kept = kept
        self.kept_count = 0
        self.chance = random.Random(seed)
        self.path = os.path.join(folder, "todos.md")
        self.ledger = Ledger()
        self.lines = lines
        self.todos_max = 150
        self.mirror = Mirror(command, folder, self.path)
        self.mirror.start()
        self.other_client = OtherClient(command, folder, self.chance, self.ledger)
        # The editor whose save the mirror has not processed yet.
        self.pending = None
        self.save_count = 0
        self.kill_count = 0
        self.mirror.wait_until_written()
        self.editors = [Editor("a", self), Editor("b", self)]

    def keep(self, what, data):
        if self.kept:
            self.kept_count += 1
            with open(os.path.join(self.kept, f"{self.kept_count:05}-{what}.md"), "wb") as file:
                file.write(data)

    def was_saved(self, editor, data):
        self.keep(f"saved-by-{editor.name}", data)
        editor.buffer.note_saved(self.ledger)
        self.pending = (editor, data)
        self.save_count += 1

    def wait_until_taken(self):
        """Until the file is another one: what was saved is the mirror's then."""
        if self.pending is not None:
            self.mirror.wait_until_replaced(self.pending[1])
            self.keep("answered", self.mirror.read_bytes())
        self.pending = None

    def pause(self, seconds):
        time.sleep(seconds)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while self.ledger.typed_count < self.lines and time.monotonic() < end:
            self.step()
        self.finish()

    def step(self):
        chance = self.chance
        editor = chance.choice(self.editors)
        # Two saves of different texts before anybody reads the first: no program can help.
        if self.pending is not None and (
                self.pending[0] is not editor or chance.random() < 0.8):
            self.mirror.start_unless_running()
            self.wait_until_taken()
        # Many editors read the file again when it has changed; others type on.
        if chance.random() < 0.7:
            self.mirror.settle_if_idle(self.pending)
            if self.pending is None:
                editor.load()
        editor.type(chance.randint(1, 200))
        editor.save()
        if chance.random() < 0.1 and editor.buffer.typed:
            # The same text again, and again.
            editor.save()
        for _ in range(chance.randint(0, 3)):
            self.other_client.step()
        if chance.random() < 0.08:
            self.pause(chance.random() * 0.05)
            self.keep("killed", self.mirror.read_bytes())
            self.mirror.kill()
            self.kill_count += 1
        if chance.random() < 0.5:
            self.mirror.start_unless_running()

    def finish(self):
        self.mirror.start_unless_running()
        self.wait_until_taken()
        self.mirror.wait_until_settled()
        text = self.mirror.read()
        todos = self.other_client.todos()
        self.mirror.end()
        final = self.mirror.read()
        if "(not running" not in final.split("\n", 1)[0]:
            raise Broken("the first line does not say that the file is not read")
        if final.split("\n", 1)[1] != text.split("\n", 1)[1]:
            raise Broken("the last text differs from the one before in more than the first line")
        self.ledger.check(text, todos)
        self.other_client.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default=os.path.join(PROJECT, ".build/debug/todo-server"))
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="keep the folder, and in it each text")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1_000_000)
    folder = tempfile.mkdtemp(prefix="todo-mirror-")
    began = time.monotonic()
    session = None
    is_good = False
    try:
        kept = os.path.join(folder, "texts") if options.keep else None
        if kept:
            os.mkdir(kept)
        session = Session(shlex.split(options.server), folder, seed, options.lines, kept)
        session.run(options.seconds)
        is_good = True
    except Broken as error:
        print(f"seed {seed}: {error}")
    finally:
        if session:
            session.mirror.kill()
            session.other_client.end()
        if is_good and not options.keep:
            shutil.rmtree(folder)
        else:
            print(f"the folder is {folder}")
    if session:
        print(
            f"seed {seed}: {session.ledger.typed_count} lines typed, {session.save_count} saves, "
            f"{session.kill_count} kills, {session.ledger.summary} "
            f"({time.monotonic() - began:.0f} s)")
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
