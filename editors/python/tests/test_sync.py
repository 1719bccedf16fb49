"""Sync from the command line, with the real server and a GitHub on this machine that takes edits."""

import http.server
import json
import os
import re
import subprocess
import sys
import threading

from real import RealCase, issue
from support import PROGRAM
from todo_server import TodoServer


class Hub:
    """A GitHub with one repository, o/r, that lists, shows, takes edits and makes issues."""

    def __init__(self, *titles):
        self.issues = {number: issue(number, title) for number, title in enumerate(titles, 1)}
        self.clock, hub = 0, self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def serve(self):
                number = re.search(r"/issues/(\d+)", self.path)
                length = int(self.headers.get("Content-Length") or 0)
                change = json.loads(self.rfile.read(length)) if length else {}
                if self.command == "POST":
                    number = max(hub.issues) + 1
                    hub.issues[number] = issue(number, change["title"], change.get("body"))
                    return self.answer(201, hub.issues[number])
                if number is None:
                    return self.answer(200, [one for one in hub.issues.values() if one["state"] == "open"])
                if self.command == "PATCH":
                    hub.change(int(number[1]), **change)
                self.answer(200, hub.issues[int(number[1])])

            do_GET = do_PATCH = do_POST = serve

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def change(self, number, **members):
        self.clock += 1
        self.issues[number].update(members, updated_at=f"2026-01-01T00:00:{self.clock:02}Z")

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class SyncTests(RealCase):
    def setUp(self):
        super().setUp()
        self.hub = Hub("One", "Two")
        self.addCleanup(self.hub.close)
        os.environ["GITHUB_TOKEN"] = "a-token"
        os.environ["TODO_SERVER_SYNC"] = "manual"  # so that nothing is sent before it is requested

    def todo(self, *arguments, code=0):
        run = [
            sys.executable,
            PROGRAM,
            *arguments,
            "--name",
            "ann",
            "--source",
            "github:o/r",
            "--github-url",
            self.hub.url,
        ]
        result = subprocess.run(run, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(
            (result.returncode, "Traceback" in result.stderr), (code, False), result.stdout + result.stderr
        )
        return result.stdout if code in (0, 3) else result.stderr

    def ids(self):
        return {todo["title"]: todo["id"] for todo in json.loads(self.todo("list", "--json"))}

    def test_an_edit_is_planned_and_sent(self):
        number = self.ids()["One"]
        self.todo("edit", number, "--title", "One more")
        self.assertEqual(
            self.todo("sync", "--dry-run"), f"change {number}: title\n0 pushed, 0 pulled, 0 merged, 0 conflicts\n"
        )
        self.assertEqual(self.hub.issues[1]["title"], "One")
        self.assertEqual(self.todo("lists"), "* github:o/r  2 total, 1 pending\n")
        self.assertEqual(self.todo("sync"), "1 pushed, 0 pulled, 0 merged, 0 conflicts\n")
        self.assertEqual(self.hub.issues[1]["title"], "One more")
        self.assertEqual(json.loads(self.todo("sync", "--json"))["pushed"], 0)

    def conflict(self):
        """A todo that was changed on both sides."""
        number = self.ids()["One"]
        self.todo("edit", number, "--title", "Mine")
        self.hub.change(1, title="Theirs")
        self.assertIn("1 conflicts\n", self.todo("sync", code=3))
        return number

    def test_a_conflict_is_listed_and_settled(self):
        number = self.conflict()
        self.assertEqual(self.todo("conflicts", code=3), f"{number}  Mine (title)\n")
        listed = json.loads(self.todo("conflicts", "--json", code=3))[0]
        self.assertEqual([listed[side]["title"] for side in ("base", "mine", "theirs")], ["One", "Mine", "Theirs"])
        self.assertIn("[ ] Mine  (conflict)\n", self.todo("list"))
        self.assertIn("Say which: --mine, --theirs or --merged.", self.todo("resolve", number, code=1))
        self.assertIn("is not in conflict", self.todo("resolve", "nothing", "--mine", code=1))
        self.assertEqual(self.todo("resolve", number[:6], "--mine"), f"{number}  [ ] Mine\n")
        self.assertEqual(self.todo("conflicts"), "")
        self.todo("sync")
        self.assertEqual(self.hub.issues[1]["title"], "Mine")

    def test_theirs_can_be_taken(self):
        number = self.conflict()
        self.assertEqual(self.todo("resolve", number, "--theirs"), f"{number}  [ ] Theirs\n")

    def test_from_a_script(self):
        self.conflict()
        shown = []
        with TodoServer(name="ann", options={"source": "github:o/r", "githubURL": self.hub.url}) as todos:
            conflict = todos.conflicts()[0]
            self.assertEqual((conflict.theirs.title, conflict.fields), ("Theirs", ["title"]))
            todo = todos.resolve(conflict, "merged", title="Both")
            self.assertEqual((todo.title, todo.sync, todo.number), ("Both", "pending", 1))
            self.assertEqual(todos.sync(on_progress=lambda *step: shown.append(step))["pushed"], 1)
            self.assertEqual(todos.lists()[0]["source"], "github:o/r")
        self.assertEqual(self.hub.issues[1]["title"], "Both")
        self.assertTrue(shown)

    def test_several_sources(self):
        options = {"sources": ["local", "github:o/r"], "githubURL": self.hub.url}
        with TodoServer(name="ann", options=options) as todos:
            self.assertEqual([one["source"] for one in todos.lists()], ["local", "github:o/r"])
            todos.open("github:o/r")
            todos.load()
            self.assertEqual({todo.title for todo in todos.list()}, {"One", "Two"})
            todos.open("local")
            self.assertEqual(todos.list(), [])
        self.assertIn("github:o/r", self.todo("lists", "--source", "local"))
