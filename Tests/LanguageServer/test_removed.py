"""Five ways in which a todo leaves a list, each reversed in a session that was open all the time."""

import http.server
import json
import os
import queue
import re
import subprocess
import threading
import unittest

from client import PATIENCE_SECONDS, SERVER
from test_lsp import HEADING, LanguageServerCase


class Session:
    """A front-end that draws any list: it knows roles and the primary action, and no screen by name."""

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
        """The screen in front, once it is as wanted."""
        while self.screen is None or not is_wanted(self.screen):
            self.receive()
        return self.screen

    def row(self, title):
        """The row with a title, once there is one."""
        def find(screen):
            return next((i for i in screen["body"].get("items", []) if i["title"] == title), None)

        return find(self.wait(find))

    def press(self, item=None, **what):
        """Does the action that has this role, or is primary for an item; its question."""
        scope = "screen" if item is None else "item"
        action = next(
            a for a in self.screen["actions"]
            if a["scope"] == scope and all(a.get(name) == value for name, value in what.items()))
        self.ask("screen/act", {
            "screen": self.screen["name"], "action": action["name"], "item": item and item["id"]})
        return action.get("confirm")

    def restore(self, title):
        """Three keys: R, the cursor, Enter. The detail of the row, and the question that was asked."""
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


class Issues:
    """A GitHub on this machine with a few issues."""

    def __init__(self, *titles):
        self.issues = {
            number: {
                "id": 1000 + number, "number": number, "title": title, "body": "A note", "state": "open",
                "html_url": f"https://github.com/o/r/issues/{number}",
                "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T00:00:00Z"}
            for number, title in enumerate(titles, 1)}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def reply(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if found := re.search(r"/issues/(\d+)$", self.path):
                    issue = outer.issues.get(int(found[1]))
                    return self.reply(200 if issue else 410, issue or {"message": "This issue was deleted"})
                is_open = "state=open" in self.path
                self.reply(200, [i for i in outer.issues.values() if not is_open or i["state"] == "open"])

            def do_PATCH(self):
                issue = outer.issues[int(self.path.rpartition("/")[2])]
                issue.update(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.reply(200, issue)

            def do_POST(self):
                sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                number = max([9, *outer.issues]) + 1
                outer.issues[number] = {
                    **outer.template, **sent, "id": 1000 + number, "number": number,
                    "html_url": f"https://github.com/o/r/issues/{number}"}
                self.reply(201, outer.issues[number])

            def log_message(self, *_):
                pass

        self.template = dict(self.issues[1])
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def end(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class RemovedTests(LanguageServerCase):
    def session(self, *options, **more):
        session = Session(*self.store, *options, **more)
        self.addCleanup(session.end)
        return session

    def opened(self, title):
        """A session that shows a todo, and the todo."""
        todo = self.call(("addTodo", {"title": title, "note": "A note"}))["result"]["todo"]
        session = self.session()
        session.row(title)
        return session, todo

    def check_restored(self, session, todo, detail):
        """The todo disappears, comes back by three keys, and has its id and its note."""
        title = todo["title"]
        session.wait(lambda screen: all(i["title"] != title for i in screen["body"]["items"]))
        self.assertEqual(session.restore(title), (detail, None))
        restored = self.call(("getTodo", {"id": todo["id"]}))["result"]["todo"]
        self.assertEqual((restored["title"], restored["note"]), (title, "A note"))
        self.assertGreater(restored["version"], todo["version"])

    def test_removed_by_a_script(self):
        session, todo = self.opened("By a script")
        self.call(("removeTodo", {"id": todo["id"]}))
        self.check_restored(session, todo, "removed by you")

    def test_removed_by_an_assistant(self):
        session, todo = self.opened("By an assistant")
        call = {"name": "remove_todo", "arguments": {"id": todo["id"], "version": todo["version"]}}
        messages = [
            {"id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}}},
            {"method": "notifications/initialized"}, {"id": 2, "method": "tools/call", "params": call}]
        done = subprocess.run(
            [*SERVER, "mcp", *self.store, "--name", "ann"], capture_output=True, text=True,
            input="".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages),
            timeout=PATIENCE_SECONDS)
        self.assertIn("restore_todo", done.stdout)
        self.check_restored(session, todo, "removed by an assistant")

    def test_removed_by_the_mirror(self):
        session, todo = self.opened("By the mirror")
        command = [*SERVER, "mirror", self.path, *self.store, "--name", "ann", "--once"]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_SECONDS)
        with open(self.path, encoding="utf-8") as file:
            lines = [line for line in file if "By the mirror" not in line and "A note" not in line]
        with open(self.path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_SECONDS)
        self.check_restored(session, todo, "removed in a document")

    def test_removed_by_a_language_client(self):
        session, todo = self.opened("By a client")
        document = self.open(self.start(), HEADING)
        text = document.wait("By a client ^")
        start = text.index("- [ ] By a client")
        document.replace(start, text.index("<!-- end"), "")
        document.save()
        self.check_restored(session, todo, "removed in a document")

    def test_removed_at_the_source(self):
        github = Issues("Closed there", "Deleted there", "Stays")
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
