"""Tests five ways in which a todo leaves a list, each reversed in a session that stays open."""

import json
import os
import queue
import subprocess
import threading
import unittest

import removals
from client import PATIENCE_SECONDS, SERVER
from test_lsp import LanguageServerCase


class Session:
    """A front-end that draws any list: it uses roles and the primary action, and no name of a
    screen."""

    def __init__(self, *options, environment=None):
        self.process = subprocess.Popen(
            [*SERVER, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})})
        self.inbox = queue.Queue()
        self.screen, self.id, self.answers = None, 0, {}
        threading.Thread(target=self._read, daemon=True).start()
        self.ask("initialize", {"capabilities": {"render": {"frontOnly": True, "window": 50}}})
        self.send({"method": "initialized", "params": {}})
        self.ask("login", {"name": "ann"})
        self.wait(lambda screen: screen["body"]["kind"] == "list")

    def _read(self):
        for line in self.process.stdout:
            self.inbox.put(json.loads(line))
        self.inbox.put(None)

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def receive(self):
        message = self.inbox.get(timeout=PATIENCE_SECONDS)
        if message is None:
            raise AssertionError("the server ended")
        if message.get("method") == "workflow/render":
            self.screen = message["params"]["rendering"]["items"][-1]["screen"]
        elif "id" in message:
            self.answers[message["id"]] = message

    def ask(self, method, params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        while self.id not in self.answers:
            self.receive()
        answer = self.answers.pop(self.id)
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer["result"]

    def wait(self, is_wanted):
        """Returns the front screen once it matches."""
        while self.screen is None or not is_wanted(self.screen):
            self.receive()
        return self.screen

    def row(self, title):
        """Returns the row with a title once it exists."""
        def find(screen):
            return next((i for i in screen["body"].get("items", []) if i["title"] == title), None)

        return find(self.wait(find))

    def press(self, item=None, **what):
        """Runs the action with this role, or the primary one of an item, and returns its
        question."""
        scope = "screen" if item is None else "item"
        action = next(
            a for a in self.screen["actions"]
            if a["scope"] == scope and all(a.get(name) == value for name, value in what.items()))
        self.ask("screen/act", {
            "screen": self.screen["name"], "action": action["name"], "item": item and item["id"]})
        return action.get("confirm")

    def restore(self, title):
        """Presses three keys: R, the cursor, Enter. Returns the detail of the row, and the
        question."""
        self.press(key="R")
        row = self.row(title)
        question = self.press(row, primary=True)
        self.wait(lambda screen: all(i["title"] != title for i in screen["body"]["items"]))
        self.press(role="back")
        self.row(title)
        return row["detail"].split(",")[0], question

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class RemovedTests(LanguageServerCase):
    def session(self, *options, **more):
        session = Session(*self.store, *options, **more)
        self.addCleanup(session.end)
        return session

    def opened(self, title):
        """Adds a todo, and returns a session that shows it, and the todo."""
        todo = self.call(("addTodo", {"title": title, "note": removals.NOTE}))["result"]["todo"]
        session = self.session()
        session.row(title)
        return session, todo

    def check_restored(self, session, todo, detail):
        """Checks that the todo disappears, is restored by three keys, and has its ID and its
        note."""
        title = todo["title"]
        session.wait(lambda screen: all(i["title"] != title for i in screen["body"]["items"]))
        self.assertEqual(session.restore(title), (detail, None))
        restored = self.call(("getTodo", {"id": todo["id"]}))["result"]["todo"]
        self.assertEqual((restored["title"], restored["note"]), (title, removals.NOTE))
        self.assertGreater(restored["version"], todo["version"])

    def test_removed_by_a_script(self):
        session, todo = self.opened("By a script")
        removals.by_a_script(todo, self.store)
        self.check_restored(session, todo, "removed by you")

    def test_removed_by_an_assistant(self):
        session, todo = self.opened("By an assistant")
        removals.by_an_assistant(todo, self.store)
        self.check_restored(session, todo, "removed by an assistant")

    def test_removed_by_the_mirror(self):
        session, todo = self.opened("By the mirror")
        removals.by_the_mirror(todo, self.store)
        self.check_restored(session, todo, "removed in a document")

    def test_removed_by_a_language_client(self):
        session, todo = self.opened("By a client")
        removals.by_a_language_client(todo, self.store)
        self.check_restored(session, todo, "removed in a document")

    def test_removed_at_the_source(self):
        github = removals.Issues("Closed there", "Deleted there", "Stays")
        self.addCleanup(github.end)
        options = ["--source", "github:o/r", "--github-url", github.url, "--sync", "manual"]
        session = self.session(*options, environment={"GITHUB_TOKEN": "x"})
        session.press(role="refresh")
        session.row("Deleted there")
        ids = {i["title"]: i["id"] for i in session.screen["body"]["items"]}
        github.issues[1]["state"] = "closed"
        del github.issues[2]
        session.press(role="refresh")
        session.wait(lambda screen: [i["title"] for i in screen["body"]["items"]] == ["Stays"])
        detail, question = session.restore("Closed there")
        self.assertEqual(detail, "closed at the source")
        self.assertIn("opened there again", question)
        self.assertEqual(session.restore("Deleted there"), ("deleted at the source", None))
        session.ask("syncTodos", {})
        self.assertEqual(github.issues[1]["state"], "open")
        self.assertEqual(github.issues[10]["title"], "Deleted there")
        todos = session.ask("listTodos", {})["todos"]
        self.assertEqual({t["title"]: t["id"] for t in todos}, ids)
        self.assertEqual({t["sync"] for t in todos}, {"synced"})


if __name__ == "__main__":
    unittest.main()
