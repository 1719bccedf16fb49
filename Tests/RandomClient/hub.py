"""A GitHub server with one repository, octo/tasks: lists, shows, creates and changes issues."""

import http.server
import json
import re
import threading


class Hub:
    def __init__(self, count):
        self.issues, self.clock, hub = {}, 0, self
        self.lock = threading.Lock()
        for _ in range(count):
            self.add(f"Issue {len(self.issues) + 1}", "")

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def serve(self):
                length = int(self.headers.get("Content-Length") or 0)
                change = json.loads(self.rfile.read(length)) if length else {}
                with hub.lock:
                    status, value = hub.answer(self.command, self.path, change)
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_PATCH = do_POST = serve

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A server that is killed while it reads a response causes an error, which is expected.
        self.server.handle_error = lambda *_: None
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def answer(self, method, path, change):
        match = re.search(r"/issues/(\d+)", path)
        if match and int(match[1]) not in self.issues:
            return 404, {"message": "Not Found"}
        if method == "POST":
            return 201, self.add(change["title"], change.get("body"))
        if match is None:
            since = re.search(r"since=([^&]*)", path)
            return 200, [
                issue for issue in reversed(self.issues.values())
                if (since or issue["state"] == "open")
                and (not since or issue["updated_at"] >= since[1].replace("%3A", ":"))]
        if method == "PATCH":
            self.issues[int(match[1])].update(change, updated_at=self.time())
        return 200, self.issues[int(match[1])]

    def add(self, title, body):
        number, time = len(self.issues) + 1, self.time()
        self.issues[number] = {
            "id": number, "number": number, "title": title, "body": body, "state": "open",
            "html_url": f"https://github.example/octo/tasks/issues/{number}",
            "url": f"https://github.example/repos/octo/tasks/issues/{number}",
            "created_at": time, "updated_at": time, "closed_at": None}
        return self.issues[number]

    def time(self):
        self.clock += 1
        return f"2026-01-01T{self.clock // 3600:02}:{self.clock // 60 % 60:02}:{self.clock % 60:02}Z"

    def contents(self):
        """Number, title, note and state of each open issue, without its marker."""
        with self.lock:
            return sorted(
                (issue["number"], issue["title"],
                 re.sub(r"\n*<!-- todo-server:.* -->$", "", issue["body"] or ""), False)
                for issue in self.issues.values() if issue["state"] == "open")

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
