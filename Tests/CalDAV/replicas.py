#!/usr/bin/env python3
"""Random edits of one task list by two todo-servers, which are killed now and then, and by another client.

Every edit of a label adds one that is used once, so a lost edit is a missing label, and every todo has a word of its
own in its note, so a lost or a double todo is seen. Titles are changed as well, with conflicts, which are settled.

    replicas.py radicale|xandikos [--edits N] [--seed N]
"""

import argparse
import os
import random
import re
import shlex
import tempfile
import threading
import time

from servers import PASSWORD, Radicale, Xandikos
from test_servers import PROGRAM, TodoServer, task
from todo_server import TodoError


class Replica:
    """A todo-server with a store of its own."""

    def __init__(self, name, folder, source, chance):
        self.name, self.chance, self.kills = name, chance, 0
        password = os.path.join(folder, "password")
        with open(password, "w") as file:
            file.write(PASSWORD)
        self.command = [*PROGRAM, "--source-password-command", f"cat {shlex.quote(password)}"]
        self.options = {"store": f"sqlite:{folder}/{name}.sqlite", "source": source, "sync": "manual"}
        self.session = None
        self.start()

    def start(self):
        self.session = TodoServer("ann", command=self.command, options=self.options)
        self.session.start()
        self.session.load()

    def kill(self, delay=0.0):
        """Kills the server after a while, possibly in the middle of a request, and starts another one."""
        process = self.session._pipe._process
        timer = threading.Timer(delay, process.kill)
        timer.start()
        try:
            self.session.sync()
        except TodoError:
            pass
        timer.join()
        process.wait()
        try:
            self.session.close()
        except TodoError:
            pass
        self.kills += 1
        self.start()

    def sync(self):
        self.session.sync()
        for conflict in self.session.conflicts():
            self.session.resolve(conflict, self.chance.choice(["mine", "theirs", "merged"]))


class OtherClient:
    """A client that reads, changes one line, and writes with If-Match; on 412 it begins again."""

    def __init__(self, server, path, chance):
        self.server, self.path, self.chance = server, path, chance

    def names(self):
        return self.server.names(self.path)

    def change(self, name, edit):
        while True:
            status, headers, body = self.server.send("GET", self.path + name)
            if status == 404:
                return False
            text = edit(body.decode())
            status, _, body = self.server.send(
                "PUT", self.path + name, text, If_Match=headers["ETag"], Content_Type="text/calendar; charset=utf-8"
            )
            if status in (200, 201, 204):
                return True
            assert status in (404, 412), (status, body)

    def add_label(self, name, label):
        return self.change(name, lambda text: text.replace("END:VTODO", f"CATEGORIES:{label}\r\nEND:VTODO", 1))

    def set_title(self, name, title):
        return self.change(name, lambda text: re.sub(r"(?m)^SUMMARY:.*(\r?\n [^\n]*)*", f"SUMMARY:{title}", text, count=1))


class World:
    def __init__(self, server, seed, count):
        self.chance, self.server, self.count = random.Random(seed), server, count
        self.path = server.make_list(f"seed{seed}")
        self.folder = tempfile.TemporaryDirectory(prefix="todo-")
        source = server.source(self.path)
        self.replicas = [Replica(name, self.folder.name, source, self.chance) for name in "ab"]
        self.other = OtherClient(server, self.path, self.chance)
        self.words, self.labels, self.removed, self.serial = set(), {}, set(), 0

    def next(self, kind):
        self.serial += 1
        return f"{kind}{self.serial}x"

    @staticmethod
    def word(todo):
        return todo.note.split()[0]

    def edit(self, replica):
        todos = replica.session.list(done=False)
        kind = self.chance.random()
        if kind < 0.15 or not todos:
            word = self.next("w")
            replica.session.add(f"Todo {word}", word)
            self.words.add(word)
            return
        todo = self.chance.choice(todos)
        word = self.word(todo)
        try:
            if kind < 0.75:
                label = self.next("l")
                replica.session.edit(todo.id, labels=[*todo.labels, label])
                self.labels.setdefault(word, set()).add(label)
            elif kind < 0.92:
                replica.session.edit(todo.id, title=f"Title {self.next('t')} of {replica.name}")
            elif kind < 0.96 and len(todos) > 20:
                replica.session.remove(todo.id)
                self.removed.add(word)
            else:
                replica.session.edit(todo.id, due=f"2031-01-{self.chance.randrange(1, 29):02}", priority="high")
        except TodoError as error:
            assert error.kind in ("notFound", "conflict"), error

    def edit_elsewhere(self):
        names = self.other.names()
        if self.chance.random() < 0.2 or not names:
            word = self.next("w")
            uid = f"other-{word}"
            self.server.put(f"{self.path}{uid}.ics", task(uid, f"SUMMARY:Todo {word}", f"DESCRIPTION:{word}"), If_None_Match="*")
            self.words.add(word)
            return
        name = self.chance.choice(names)
        status, headers, body = self.server.send("GET", self.path + name)
        if status == 404:
            return
        word = re.search(r"(?m)^DESCRIPTION:(\w+)", body.decode())[1]
        if self.chance.random() < 0.7:
            label = self.next("l")
            if self.other.add_label(name, label):
                self.labels.setdefault(word, set()).add(label)
        elif self.chance.random() < 0.9 or len(names) < 20:
            self.other.set_title(name, f"Title {self.next('t')} of c")
        else:
            self.removed.add(word)
            self.server.send("DELETE", self.path + name, If_Match=headers["ETag"])

    def run(self):
        for _ in range(self.count):
            actor = self.chance.randrange(3)
            if actor == 2:
                self.edit_elsewhere()
                continue
            replica = self.replicas[actor]
            self.edit(replica)
            kind = self.chance.random()
            if kind < 0.05:
                replica.kill(self.chance.random() * 0.15)
            elif kind < 0.5:
                replica.sync()
        for _ in range(4):
            for replica in self.replicas:
                replica.sync()
        time.sleep(10.5)  # so that a write whose outcome was not known is settled
        for _ in range(3):
            for replica in self.replicas:
                replica.session.sync(all=True)
                replica.sync()

    def faults(self):
        """Lost, double and different values."""
        found = []
        lists = []
        for replica in self.replicas:
            # An edit of a todo that was removed elsewhere is refused, and the user decides.
            todos = [
                todo for todo in replica.session.list() if todo.sync != "failed" or self.word(todo) not in self.removed
            ]
            words = [self.word(todo) for todo in todos]
            pending = [todo for todo in todos if todo.sync != "synced"]
            found += [f"{replica.name}: not synced: {todo}" for todo in pending]
            found += [f"{replica.name}: double: {word}" for word in set(words) if words.count(word) > 1]
            found += [f"{replica.name}: lost: {word}" for word in self.words - set(words) - self.removed]
            for todo in todos:
                missing = self.labels.get(self.word(todo), set()) - set(todo.labels)
                found += [f"{replica.name}: lost labels {sorted(missing)} of {todo.title}"] if missing else []
            lists.append(sorted((self.word(todo), todo.title, todo.note, todo.due, todo.labels, todo.priority) for todo in todos))
        if lists[0] != lists[1]:
            found.append(f"different: {[one for one in zip(*lists) if one[0] != one[1]][:3]}")
        texts = [self.server.get(self.path + name)[0] for name in self.other.names()]
        if len(texts) != len(lists[0]):
            found.append(f"the server has {len(texts)} objects, and the lists {len(lists[0])}")
        return found

    def close(self):
        for replica in self.replicas:
            replica.session.close()
        self.folder.cleanup()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server", choices=["radicale", "xandikos"])
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    server = {"radicale": Radicale, "xandikos": Xandikos}[arguments.server]()
    try:
        world = World(server, arguments.seed, arguments.edits)
        began = time.monotonic()
        try:
            world.run()
            faults = world.faults()
            kills = sum(replica.kills for replica in world.replicas)
            print(f"{arguments.server} seed {arguments.seed}: {arguments.edits} edits, {kills} kills, {len(world.words)} todos, "
                  f"{sum(map(len, world.labels.values()))} labels, {len(faults)} faults, {time.monotonic() - began:.0f} s")  # fmt: skip
            print("\n".join(faults[:20]))
        finally:
            world.close()
    finally:
        server.close()
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
