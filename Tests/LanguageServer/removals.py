#!/usr/bin/env python3
"""The ways in which a todo leaves a list, for tests of editors that are open meanwhile.

    removals.py issues                    a GitHub, for as long as its input is open; it writes its URL
    removals.py prepare OPTION...         a todo for each way: stored, or loaded from the source
    removals.py remove WAY OPTION...      removes the todo "By WAY"; writes the id and the note that it had
    removals.py find WAY OPTION...        the id and the note of that todo

OPTIONs are those of the server: a store, and the source if the way is `closed` or `deleted`.
"""

import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request

from client import PATIENCE_SECONDS, SERVER, Client, Document

NOTE = "A note"
USER = ["--name", "ann"]


class Issues:
    """A GitHub on this machine with a few issues."""

    def __init__(self, *titles):
        self.issues = {
            number: {
                "id": 1000 + number, "number": number, "title": title, "body": NOTE, "state": "open",
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

            def sent(self):
                return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

            def number(self):
                return int(self.path.rpartition("/")[2])

            def do_GET(self):
                if re.search(r"/issues/\d+$", self.path):
                    issue = outer.issues.get(self.number())
                    return self.reply(200 if issue else 410, issue or {"message": "This issue was deleted"})
                is_open = "state=open" in self.path
                self.reply(200, [i for i in outer.issues.values() if not is_open or i["state"] == "open"])

            def do_PATCH(self):
                issue = outer.issues[self.number()]
                issue.update(self.sent())
                self.reply(200, issue)

            def do_POST(self):
                number = max([9, *outer.issues]) + 1
                outer.issues[number] = {
                    **outer.template, **self.sent(), "id": 1000 + number, "number": number,
                    "html_url": f"https://github.com/o/r/issues/{number}"}
                self.reply(201, outer.issues[number])

            # GitHub deletes an issue on its page only.
            def do_DELETE(self):
                self.reply(200, outer.issues.pop(self.number()))

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


def call(options, *calls):
    """The results of some calls to another server on the same store."""
    calls = [("initialize", {"processId": None}), ("login", {"name": "ann"}), *calls]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(calls)]
    done = subprocess.run(
        [*SERVER, *options], input="\n".join(lines) + "\n", capture_output=True, text=True,
        timeout=PATIENCE_SECONDS, env={**os.environ, "GITHUB_TOKEN": "x"})
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines()) if "id" in answer}
    for number in range(len(calls)):
        if "result" not in answers.get(number, {}):
            raise AssertionError(f"{calls[number]}: {answers.get(number, done.stderr)}")
    return [answers[number]["result"] for number in range(2, len(calls))]


def by_a_script(todo, options):
    call(options, ("removeTodo", {"id": todo["id"]}))


def by_an_assistant(todo, options):
    tool = {"name": "remove_todo", "arguments": {"id": todo["id"], "version": todo["version"]}}
    messages = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
        {"method": "notifications/initialized"}, {"id": 2, "method": "tools/call", "params": tool}]
    done = subprocess.run(
        [*SERVER, "mcp", *options, *USER], capture_output=True, text=True, timeout=PATIENCE_SECONDS,
        input="".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages))
    if "restore_todo" not in done.stdout:
        raise AssertionError(done.stdout + done.stderr)


def lines_of(text, todo):
    """The start and the end of the lines of a todo in a document."""
    found = re.search(rf"^- \[.\] {re.escape(todo['title'])} \^.*\n(  .*\n)*", text, re.MULTILINE)
    return found and found.span()


def by_the_mirror(todo, options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "todos.md")
        command = [*SERVER, "mirror", path, *options, *USER, "--once"]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_SECONDS)
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        start, end = lines_of(text, todo)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text[:start] + text[end:])
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_SECONDS)


def by_a_language_client(todo, options):
    with tempfile.TemporaryDirectory() as folder:
        client = Client(*options, *USER)
        try:
            path = os.path.join(folder, "todos.md")
            document = Document(client, path, "<!-- todo-server ann local 0 -->\n")
            start, end = lines_of(document.wait(lambda text: lines_of(text, todo)), todo)
            document.replace(start, end, "")
            document.save()
            client.ask("shutdown")  # answered once the save is stored
        finally:
            client.end()


def at_the_source(todo, options, method, **change):
    """Changes an issue as GitHub's page does, and loads everything: changes alone do not include
    deleted issues."""
    issues = f"{options[options.index('--github-url') + 1]}/repos/o/r/issues"
    with urllib.request.urlopen(issues) as answer:
        number = next(issue["number"] for issue in json.load(answer) if issue["title"] == todo["title"])
    request = urllib.request.Request(f"{issues}/{number}", json.dumps(change).encode(), method=method)
    urllib.request.urlopen(request).close()
    call(options, ("loadTodos", {"refresh": True}))


LOCAL = {
    "script": by_a_script, "assistant": by_an_assistant, "mirror": by_the_mirror, "language client": by_a_language_client}
AT_SOURCE = {
    "closing": lambda todo, options: at_the_source(todo, options, "PATCH", state="closed"),
    "deletion": lambda todo, options: at_the_source(todo, options, "DELETE")}


def find(way, options):
    (listed,) = call(options, ("listTodos", {}))
    return next(todo for todo in listed["todos"] if todo["title"] == f"By {way}")


def prepare(options):
    if "--source" in options:
        call(options, ("syncTodos", {}))
    else:
        call(options, *[("addTodo", {"title": f"By {way}", "note": NOTE}) for way in LOCAL])


def main(command, *words):
    if command == "issues":
        github = Issues(*[f"By {way}" for way in AT_SOURCE])
        print(github.url, flush=True)
        sys.stdin.read()
        return github.end()
    if command == "prepare":
        return prepare(words)
    way, *options = words
    todo = find(way, options)
    if command == "remove":
        {**LOCAL, **AT_SOURCE}[way](todo, options)
    print(todo["id"], todo["note"])


if __name__ == "__main__":
    main(*sys.argv[1:])
