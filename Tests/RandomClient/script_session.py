"""A script that pipelines requests into the lists of several users, and tracks their contents."""

import json
import os
import subprocess
import time

from conversation import PATIENCE_SECONDS, Conversation, Wrong
from script_model import Mismatch, Model, content

USERS = ["ann", "bob"]
LOCAL, SOURCE = "local", "github:octo/tasks"
# Answered after the network's response, later than the requests after them.
OF_NETWORK = ["loadTodos", "syncTodos"]
# Enough for all steps of a session.
UNDOS_MAX = 1_000


class Request:
    """A request, and the list that is open when it is processed."""

    def __init__(self, id, key, method, params):
        self.id, self.key, self.method, self.params = id, key, method, params

    def message(self):
        return {"jsonrpc": "2.0", "id": self.id, "method": self.method, "params": self.params}

    def __str__(self):
        return f"{self.method} {json.dumps(self.params)} ({self.id}) in {self.key}"


class ScriptSession:
    """One store from an import to an undo of all steps, with kills in between.

    The second list of each user belongs to a source. Without a hub, the source cannot be reached.
    """

    def __init__(self, command, folder, chance, hub=None):
        self.folder, self.chance, self.hub = folder, chance, hub
        self.store = f"sqlite:{folder}/todos.sqlite"
        self.program = command
        self.command = command + [
            "--store", self.store, "--sync", "manual", "--source", LOCAL, "--source", SOURCE,
            "--github-url", hub.url if hub else "http://127.0.0.1:9"]
        # With a hub only one user has its list: the model knows no other user's changes.
        self.keys = [(user, source) for user in USERS for source in (LOCAL, SOURCE)]
        if hub:
            self.keys.remove(("bob", SOURCE))
        self.count = 0
        self.key = None
        self.conversations = []
        # The unanswered requests.
        self.open = []

    def run(self):
        try:
            self.import_todos()
            self.start()
            self.initial = self.read_lists()
            self.model = Model(self.read_lists())
            for _ in range(self.chance.randrange(2, 12)):
                if self.chance.random() < 0.2:
                    self.kill_in_burst()
                else:
                    self.send(self.burst())
                    self.wait()
            if self.hub:
                self.agree()
            self.undo_everything()
            if self.hub:
                self.agree()
            self.conversation.end()
        except Mismatch as mismatch:
            raise Wrong(str(mismatch)) from None
        finally:
            for conversation in self.conversations[-1:]:
                conversation.kill()

    @property
    def conversation(self):
        return self.conversations[-1]

    def import_todos(self):
        """Imports todos with the same ids into all lists: `1`, `2` and so on."""
        count = self.chance.choice([0, 3, 10, 40])
        lines = [{"format": "todo-server", "version": 1}]
        for user, source in self.keys:
            # Sending each one would take a second.
            for_list = 1 if self.hub and source == SOURCE else count
            lines.append({"list": {"name": user, "source": source}})
            lines += [
                {"id": str(number), "title": f"{number} of {user} in {source}"}
                for number in range(1, for_list + 1)]
        subprocess.run(
            self.program + ["import", "--store", self.store], check=True, encoding="utf-8",
            input="\n".join(map(json.dumps, lines)), stdout=subprocess.DEVNULL,
            env={**os.environ, "XDG_DATA_HOME": self.folder}, timeout=PATIENCE_SECONDS)

    # MARK: Servers

    def start(self):
        self.conversations.append(Conversation(self.command, self.folder, self.chance))
        self.key, self.open, self.read_count = None, [], 0
        self.ask(Request("initialize", None, "initialize", {"processId": None}))
        self.conversation.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})

    def ask(self, request):
        """Sends one request alone and returns its result."""
        self.conversation.send(request.message())
        self.conversation.wait_for_answers()
        self.read_count = len(self.conversation.answered)
        response = self.response(request)
        if "result" not in response:
            raise Mismatch(f"{request} got {response}")
        return response["result"]

    def response(self, request):
        return next(
            message for message in reversed(self.conversation.answered)
            if message.get("id") == request.id and "method" not in message)

    def show(self, key):
        requests = self.requests_to_show(key)
        for request in requests:
            self.ask(request)

    def requests_to_show(self, key):
        """The requests that open a list, possibly of another user."""
        requests, before = [], self.key
        if before is None or before[0] != key[0]:
            if before:
                requests.append(self.request("logout"))
            self.key = key
            requests.append(self.request("login", name=key[0]))
        self.key = key
        requests.append(self.request("openList", source=key[1]))
        return requests

    def request(self, method, **params):
        self.count += 1
        return Request(self.count, self.key, method, params)

    def read_list(self, key):
        self.show(key)
        return self.ask(self.request("listTodos", limit=10_000))["todos"]

    def read_lists(self):
        lists = {}
        for key in self.keys:
            if self.hub and key[1] == SOURCE:
                self.show(key)
                self.ask(self.request("loadTodos", refresh=True))
            lists[key] = {todo["id"]: content(todo) for todo in self.read_list(key)}
        return lists

    # MARK: Bursts

    def burst(self, changes_only=False):
        requests = []
        for _ in range(self.chance.choice([1, 3, 10, 30])):
            requests += self.changes() if changes_only else self.anything()
        return requests

    def anything(self):
        kind = self.chance.random()
        if kind < 0.60:
            return self.changes()
        if kind < 0.72:
            return [self.request(self.chance.choice(["undo", "undo", "redo"]))]
        if kind < 0.80:
            return [self.request("listTodos", limit=10_000)]
        if kind < 0.84:
            return [self.request("getTodo", id=self.id())]
        if kind < 0.93:
            return [self.request(self.chance.choice(OF_NETWORK))]
        return self.requests_to_show(self.chance.choice(self.keys))

    def changes(self):
        chance, kind = self.chance, self.chance.random()
        if self.hub and self.key[1] == SOURCE and chance.random() < 0.8:
            # Sending each one takes a second.
            return []
        if kind < 0.45:
            return [self.request("addTodo", title=self.text("t"), note=self.text("n"))]
        if kind < 0.85:
            members = {"title": self.text("t"), "note": self.text("n"), "done": chance.random() < 0.5}
            if self.hub and self.key[1] == SOURCE:
                # A closed issue leaves the list.
                del members["done"]
            names = chance.sample(sorted(members), chance.randrange(1, len(members) + 1))
            return [self.request("editTodo", id=self.id(), **{name: members[name] for name in names})]
        return [self.request("removeTodo", id=self.id())]

    def text(self, kind):
        """A unique text that names its list."""
        self.count += 1
        return f"{kind}{self.count} of {self.key[0]} in {self.key[1]}"

    def id(self):
        return self.chance.choice([*self.model.lists[self.key], "1", "none"])

    def send(self, requests):
        self.open += requests
        self.conversation.send_together([request.message() for request in requests])

    def wait(self):
        self.conversation.wait_for_answers()
        self.read_responses()

    def read_responses(self):
        messages = self.conversation.answered[self.read_count:]
        self.read_count += len(messages)
        for message in messages:
            if "method" in message:
                continue
            request = next(one for one in self.open if one.id == message["id"])
            earlier = self.open[:self.open.index(request)]
            late = [str(one) for one in earlier if one.method not in OF_NETWORK]
            if late:
                raise Mismatch(f"{request} was answered before {late[0]}")
            self.open.remove(request)
            self.model.apply(request, message)

    # MARK: Kills

    def kill_in_burst(self):
        """Kills the server while it processes changes. A prefix of these must be stored."""
        self.wait()
        requests = self.burst(changes_only=True)
        if self.chance.random() < 0.3:
            requests += self.requests_to_show(self.chance.choice(self.keys))
            requests += self.burst(changes_only=True)
        self.send(requests)
        time.sleep(self.chance.choice([0, 0.001, 0.005, 0.02]) * self.chance.random())
        self.conversation.kill()
        self.read_responses()
        unanswered, self.open = self.open, []
        self.start()
        stored = self.read_lists()
        found = Model(stored).contents()
        if not any(
                self.model.after(unanswered[:count]).contents() == found
                for count in range(len(unanswered) + 1)):
            raise Mismatch(
                f"after a kill there is {found}, expected {self.model.contents()} and the first of "
                f"{[str(request) for request in unanswered]}")
        self.model.lists = stored
        self.model.forget_steps()

    # MARK: The end

    def agree(self):
        """Syncs all changes, and compares with the source."""
        key = ("ann", SOURCE)
        self.show(key)
        report = self.ask(self.request("syncTodos"))
        if report["failed"] or report["conflicts"] or "retryAt" in report:
            raise Mismatch(f"a sync ended with {report}")
        todos = self.read_list(key)
        self.model.compare(key, todos)
        unsent = [todo for todo in todos if todo["sync"] != "synced"]
        if unsent:
            raise Mismatch(f"after a sync there is {unsent[0]}")
        stored = sorted((todo["source"]["number"], *content(todo)) for todo in todos)
        if stored != self.hub.contents():
            raise Mismatch(f"the list has {stored}, and the source {self.hub.contents()}")

    def undo_everything(self):
        """Undoes all steps of all lists: the imported todos and those of the source remain."""
        for key in self.keys:
            self.show(key)
            for _ in range(UNDOS_MAX):
                request = self.request("undo")
                self.send([request])
                self.wait()
                if "error" in self.response(request):
                    break
        for key in self.keys:
            now = {todo["id"]: content(todo) for todo in self.read_list(key)}
            if now != self.initial[key]:
                raise Mismatch(
                    f"after an undo of everything {key} has {now}, and had {self.initial[key]}")
