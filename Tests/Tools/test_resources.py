"""Resources, subscriptions, progress and cancellation, with an editor that saves concurrently."""

import http.server
import json
import tempfile
import threading
import unittest

from assistant import FOREVER, STATELESS, Assistant, Editor

UPDATED = "notifications/resources/updated"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


class Subscriptions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.editor = Editor(self.folder)
        self.addCleanup(self.editor.end)
        self.todo = self.editor.ask("addTodo", title="Buy milk", note="n")["todo"]
        self.uri = f"todo://todo/{self.todo['id']}"

    def assistant(self, revision):
        assistant = Assistant(revision, folder=self.folder)
        self.addCleanup(assistant.end)
        return assistant

    def test_resources_equal_the_results_of_tools(self):
        for revision in ["2024-11-05", STATELESS]:
            assistant = self.assistant(revision)
            listed = assistant.call("resources/read", {"uri": "todo://list"})["contents"][0]
            self.assertEqual(json.loads(listed["text"])["todos"][0]["title"], "Buy milk")
            found = assistant.call("resources/read", {"uri": self.uri})["contents"][0]
            self.assertEqual((found["uri"], found["mimeType"]), (self.uri, "application/json"))
            self.assertEqual(json.loads(found["text"])["todo"]["note"], "n")

    def test_control_characters_in_a_resource_are_escaped(self):
        title = "a\x9b2J\u202eb\x7f"
        self.editor.ask("addTodo", title=title)
        text = self.assistant(STATELESS).call("resources/read", {"uri": "todo://list"})["contents"][0]["text"]
        self.assertIn(r"a\u009b2J\u202eb\u007f", text)
        self.assertIn(title, [todo["title"] for todo in json.loads(text)["todos"]])

    def test_a_session_is_notified_of_its_subscriptions(self):
        for revision in ["2024-11-05", "2025-11-25"]:
            with self.subTest(revision):
                assistant = self.assistant(revision)
                version = self.editor.ask("getTodo", id=self.todo["id"])["todo"]["version"]
                assistant.call("resources/subscribe", {"uri": self.uri})
                # A note only, which a list would not show.
                self.editor.ask("editTodo", id=self.todo["id"], version=version, note=revision)
                self.assertEqual(assistant.notification(UPDATED), {"uri": self.uri})
                assistant.call("resources/subscribe", {"uri": "todo://list"})
                assistant.call("resources/unsubscribe", {"uri": self.uri})
                self.editor.ask("addTodo", title="another")
                self.assertEqual(assistant.notification(UPDATED), {"uri": "todo://list"})
                missing = assistant.error("resources/subscribe", {"uri": "todo://todo/nope"})
                self.assertEqual(missing["code"], -32002)
                self.assertEqual([m for m in assistant.rest() if m.get("method") == UPDATED], [])

    def test_a_stream_is_notified_until_it_is_cancelled(self):
        assistant = self.assistant(STATELESS)
        wanted = {"resourceSubscriptions": [self.uri, "todo://list", "file:///x"], "toolsListChanged": True}
        first = assistant.request("subscriptions/listen", {"notifications": wanted}, id="first")
        acknowledged = assistant.notification("notifications/subscriptions/acknowledged")
        self.assertEqual(acknowledged, {
            "notifications": {"resourceSubscriptions": [self.uri, "todo://list"]},
            "_meta": {SUBSCRIPTION: first}})
        second = assistant.request(
            "subscriptions/listen", {"notifications": {"resourceSubscriptions": [self.uri]}}, id=2)
        assistant.notification("notifications/subscriptions/acknowledged")
        self.editor.ask("editTodo", id=self.todo["id"], version=1, done=True)
        updates = [assistant.notification(UPDATED) for _ in range(3)]
        self.assertEqual(
            {(t["uri"], t["_meta"][SUBSCRIPTION]) for t in updates},
            {(self.uri, first), ("todo://list", first), (self.uri, second)})
        assistant.send({"method": "notifications/cancelled", "params": {"requestId": first}})
        self.editor.ask("removeTodo", id=self.todo["id"], version=2)
        self.assertEqual(assistant.notification(UPDATED)["_meta"], {SUBSCRIPTION: second})
        rest = assistant.rest()
        # The remaining stream is ended with a response, the cancelled one is not.
        self.assertEqual([m["id"] for m in rest], [second])
        self.assertEqual(rest[0]["result"]["_meta"][SUBSCRIPTION], second)

    def test_an_assistant_is_notified_of_its_own_changes(self):
        assistant = self.assistant("2025-11-25")
        assistant.call("resources/subscribe", {"uri": "todo://list"})
        assistant.value("add_todo", title="mine")
        self.assertEqual(assistant.notification(UPDATED), {"uri": "todo://list"})

    def test_there_is_a_limit(self):
        assistant = self.assistant(STATELESS)
        uris = [f"todo://todo/{n}" for n in range(101)]
        error = assistant.error("subscriptions/listen", {"notifications": {"resourceSubscriptions": uris}})
        self.assertIn("100", error["message"])
        for _ in range(64):
            assistant.request("subscriptions/listen", {"notifications": {}})
            assistant.notification("notifications/subscriptions/acknowledged")
        self.assertIn("64", assistant.error("subscriptions/listen", {"notifications": {}})["message"])


class Source(http.server.BaseHTTPRequestHandler):
    """A GitHub server with one issue on each of two pages. The second page waits for an event."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.set()
        isSecond = "page=2" in self.path
        if isSecond and not self.server.wanted.wait(FOREVER):
            return
        number = 2 if isSecond else 1
        body = json.dumps([] if "/comments" in self.path else [{
            "number": number, "title": f"issue {number}", "body": "", "state": "open",
            "html_url": f"https://example.org/{number}", "updated_at": "2026-01-01T00:00:00Z",
            "created_at": "2026-01-01T00:00:00Z"}]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if not isSecond:
            base = f"http://127.0.0.1:{self.server.server_port}{self.path.split('?')[0]}"
            self.send_header("Link", f'<{base}?page=2>; rel="next", <{base}?page=2>; rel="last"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Syncing(unittest.TestCase):
    def setUp(self):
        self.source = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
        self.source.asked, self.source.wanted = threading.Event(), threading.Event()
        threading.Thread(target=self.source.serve_forever, daemon=True).start()
        self.addCleanup(self.source.server_close)
        self.addCleanup(self.source.shutdown)
        self.addCleanup(self.source.wanted.set)

    def assistant(self, revision, sync="manual", **others):
        assistant = Assistant(
            revision, "--source", "github:octo/tasks", "--sync", sync,
            "--github-url", f"http://127.0.0.1:{self.source.server_port}", **others)
        self.addCleanup(assistant.end)
        return assistant

    def test_a_list_that_was_never_loaded_differs_from_an_empty_one(self):
        with tempfile.TemporaryDirectory() as folder:
            assistant = self.assistant(STATELESS, "auto", folder=folder)
            id = assistant.request("tools/call", {"name": "list_todos", "arguments": {}})
            self.assertTrue(self.source.asked.wait(FOREVER))
            self.source.wanted.set()
            self.assertEqual(assistant.answer(id)["result"]["structuredContent"]["total"], 2)
            # Afterwards it is available immediately, even if the source does not respond.
            self.source.wanted.clear()
            again = self.assistant(STATELESS, "auto", folder=folder)
            self.assertEqual(again.value("list_todos")["total"], 2)

    def test_unreachable_source_is_reported(self):
        self.source.shutdown()
        self.source.server_close()
        result = self.assistant(STATELESS, "auto").tool("list_todos")
        self.assertIn("could not be loaded", result["content"][1]["text"])

    def test_a_sync_reports_its_progress(self):
        for revision in ["2024-11-05", "2025-11-25", STATELESS]:
            with self.subTest(revision):
                self.source.wanted.clear()
                assistant = self.assistant(revision)
                id = assistant.request(
                    "tools/call", {"name": "sync", "arguments": {}, "_meta": {"progressToken": "p"}})
                reached = [assistant.notification("notifications/progress") for _ in range(2)]
                self.assertEqual([p["progress"] for p in reached], [0, 1])
                self.assertEqual((reached[1]["total"], reached[1]["progressToken"]), (2, "p"))
                self.source.wanted.set()
                self.assertNotIn("isError", assistant.answer(id)["result"])
                listed = assistant.tool("list_todos")["content"][0]["text"]
                self.assertIn('"issue 1"', listed)
                self.assertIn('"issue 2"', listed)

    def test_a_cancelled_sync_is_not_answered_and_the_next_one_works(self):
        for revision in ["2025-03-26", STATELESS]:
            with self.subTest(revision):
                self.source.wanted.clear()
                assistant = self.assistant(revision)
                id = assistant.request("tools/call", {
                    "name": "sync", "arguments": {}, "_meta": {"progressToken": 1}})
                while assistant.notification("notifications/progress")["progress"] == 0:
                    pass
                assistant.send({"method": "notifications/cancelled", "params": {"requestId": id}})
                self.assertIn("1 of 1", assistant.tool("list_todos")["content"][0]["text"])
                self.source.wanted.set()
                self.assertNotIn("isError", assistant.tool("sync"))
                self.assertNotIn(id, [m.get("id") for m in assistant.rest()])


if __name__ == "__main__":
    unittest.main()
