#!/usr/bin/env python3
"""Random edits of one task list by todo-servers, which are killed now and then, and by other clients.

Every edit of a label adds one that is used once, so a lost edit is a missing label, and every todo has a word of its
own in its note, so a lost or a double todo is seen. Titles are changed as well, with conflicts, which are settled.

    replicas.py radicale|xandikos|cyrus|davical [--edits N] [--seconds N] [--seed N] [--clients http,python-caldav,todoman]
        [--replicas 1|2]

The edits are made in rounds, each with its seed, in a new list of the same server.
"""

import argparse
import itertools
import os
import random
import re
import shlex
import tempfile
import threading
import time
import xml.etree.ElementTree as tree

from clients import KINDS
from servers import KINDS as SERVERS
from servers import PASSWORD
from test_servers import PROGRAM, TodoServer
from todo_server import TodoError

# Few enough that the list stays small: each client reads all of it for each edit.
ROUND_EDITS = 400
ALL = (
    '<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>'
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter></C:calendar-query>'
)


class Replica:
    """A todo-server with a store of its own."""

    def __init__(self, name, folder, source, chance):
        self.name, self.chance, self.kills = name, chance, 0
        password = os.path.join(folder, "password")
        with open(password, "w") as file:
            file.write(PASSWORD)
        self.command = [*PROGRAM, "--source", source, "--source-password-command", f"cat {shlex.quote(password)}"]
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


class World:
    def __init__(self, server, seed, count, clients=("http",), replica_count=2):
        self.chance, self.server, self.count = random.Random(seed), server, count
        self.path = server.make_list(f"seed{seed}")
        self.folder = tempfile.TemporaryDirectory(prefix="todo-")
        source = server.source(self.path)
        self.replicas = [Replica(name, self.folder.name, source, self.chance) for name in "ab"[:replica_count]]
        self.clients = [KINDS[kind](server, self.path) for kind in clients]
        self.words, self.labels, self.removed, self.serial = set(), {}, set(), 0
        # Labels that another client has dropped: todoman does, where a server stores each in a line of its own.
        self.dropped = set()

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

    def labels_there(self):
        status, _, body = self.server.send("REPORT", self.path, ALL, Depth="1", Content_Type="application/xml")
        assert status == 207, (status, body)
        texts = tree.fromstring(body).iter("{urn:ietf:params:xml:ns:caldav}calendar-data")
        return {label for one in texts for label in re.findall(r"\bl\d+x\b", re.sub(r"\r?\n ", "", one.text))}

    def edit_elsewhere(self, client):
        """Another client edits. Labels that the list loses meanwhile were not overwritten by todo-server."""
        before = self.labels_there()
        self.edit_with(client)
        gone = before - self.labels_there()
        for word, labels in self.labels.items():
            if word not in self.removed:
                self.dropped |= labels & gone
            labels -= gone

    def edit_with(self, client):
        kind = self.chance.random()
        todo, word, count = (None, None, 0) if kind < 0.2 else client.pick(self.chance)
        if todo is None:
            word = self.next("w")
            client.add(word, f"Todo {word}")
            self.words.add(word)
        elif kind < 0.76:
            label = self.next("l")
            if client.add_label(todo, label):
                self.labels.setdefault(word, set()).add(label)
        elif kind < 0.97 or count < 20:
            client.set_title(todo, f"Title {self.next('t')} of c")
        else:
            self.removed.add(word)
            client.remove(todo)

    def run(self):
        for _ in range(self.count):
            actor = self.chance.choice([*self.replicas, *self.clients])
            if actor in self.clients:
                self.edit_elsewhere(actor)
                continue
            replica = actor
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
        if lists[0] != lists[-1]:
            found.append(f"different: {[one for one in zip(*lists) if one[0] != one[-1]][:3]}")
        texts = [self.server.get(self.path + name)[0] for name in self.server.names(self.path)]
        if len(texts) != len(lists[0]):
            found.append(f"the server has {len(texts)} objects, and the lists {len(lists[0])}")
        return found

    def close(self):
        for replica in self.replicas:
            replica.session.close()
        for client in self.clients:
            client.close()
        # A server may allow a UID once for all lists of a user, and the next round has the same ones.
        self.server.send("DELETE", self.path)
        self.folder.cleanup()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server", choices=SERVERS)
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=1 << 40, help="no round begins later than this")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first round")
    parser.add_argument("--clients", default="http", help="some of http, python-caldav and todoman, with commas")
    parser.add_argument("--replicas", type=int, default=2, choices=[1, 2], help="the number of todo-servers")
    arguments = parser.parse_args()
    server = SERVERS[arguments.server]()
    began, done, fault_count = time.monotonic(), 0, 0
    try:
        for seed in itertools.count(arguments.seed):
            count = min(ROUND_EDITS, arguments.edits - done)
            if count <= 0 or time.monotonic() - began > arguments.seconds:
                break
            fault_count += run_round(server, arguments, seed, count)
            done += count
        print(f"{arguments.server}: {done} edits, {fault_count} faults, {time.monotonic() - began:.0f} s")
    finally:
        server.close()
    raise SystemExit(fault_count > 0)


def run_round(server, arguments, seed, count):
    """The number of faults that are found after some edits."""
    began = time.monotonic()
    world = World(server, seed, count, arguments.clients.split(","), arguments.replicas)
    try:
        world.run()
        faults = world.faults()
        kills = sum(replica.kills for replica in world.replicas)
        print(f"{arguments.server} with {arguments.clients}, seed {seed}: {count} edits, {kills} kills, {len(world.words)} todos, "
              f"{sum(map(len, world.labels.values()))} labels, {len(world.dropped)} dropped by others, {len(faults)} faults, {time.monotonic() - began:.0f} s")  # fmt: skip
        print("\n".join(faults[:20]), end="\n" if faults else "", flush=True)
        return len(faults)
    finally:
        world.close()


if __name__ == "__main__":
    main()
