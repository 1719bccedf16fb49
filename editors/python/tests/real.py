"""Shared by the tests with the real server: folders of their own, a GitHub on this machine, a secret."""

import http.server
import json
import os
import signal
import subprocess
import tempfile
import threading
import unittest
from datetime import datetime, timedelta, timezone
from unittest import mock

from support import DEADLINE_SECONDS as SECONDS
from support import real_server

SERVER = real_server()
MEMORY = "/dev/shm"  # a folder in memory, where Linux has one; what is put there cannot be a program
TEXT = 'é ☕ 😀 "quotes" \\ backslash'
NOTE = TEXT + "\r\nsecond\n\n\tthird \u2028 e\u0301 字\n"
PASSWORD = "geheim-pässword-4711"


def noon_of_another_day():
    """A value of $TZ, and the day there, which is not the day in UTC. It is about noon there: no test passes midnight.

    The offset is less than 24 hours, the limit of `datetime`.
    """
    now = datetime.now(timezone.utc)
    hours = min(36 - now.hour, 23) if now.hour >= 12 else -12 - now.hour
    return f"HERE{-hours:+d}", (now + timedelta(hours=hours)).date()


class RealCase(unittest.TestCase):
    """Each test has folders of its own for the files of the server and the front-end.

    What the server keeps, in `data`, is in memory where that is possible: it waits for its disk after each change.
    """

    def setUp(self):
        folder, data = (
            tempfile.TemporaryDirectory(dir=where) for where in (None, MEMORY if os.access(MEMORY, os.W_OK) else None)
        )
        self.addCleanup(folder.cleanup)
        self.addCleanup(data.cleanup)
        self.folder, self.data = folder.name, data.name
        self.environment = {
            "TODO_SERVER": " ".join(SERVER), "XDG_DATA_HOME": self.data,
            "XDG_STATE_HOME": os.path.join(self.folder, "state"), "TODO_NAME": "", "GITHUB_TOKEN": "none",
            "TODO_SERVER_STORE": "", "TODO_SERVER_SOURCE": "", "VISUAL": "", "EDITOR": "",
        }  # fmt: skip
        for name in ("TODO_SERVER_STORE", "TODO_SERVER_SOURCE"):
            del self.environment[name]
        # On a busy machine a server takes longer than that to shut down.
        for patch in (
            mock.patch.dict(os.environ, self.environment),
            mock.patch("todo_server.client.CLOSE_SECONDS", SECONDS),
            mock.patch("todo_server.pipe.CLOSE_SECONDS", SECONDS),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def start(self, command, **options):
        """A process that reads nothing, on which a Ctrl-C works also where these tests run in the background of a shell.

        Such a shell has what it starts ignore the signal, and so does everything that is started from there.
        """

        def heed():
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        def end():
            process.kill()
            process.wait()
            for pipe in (process.stdout, process.stderr):
                if pipe:
                    pipe.close()

        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=heed, **options)
        self.addCleanup(end)
        return process

    def kept(self):
        """Every byte in the folders."""
        everything = b""
        for folder, _, names in (*os.walk(self.folder), *os.walk(self.data)):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    everything += file.read()
        return everything

    def secret_is_nowhere(self, *texts, secret=PASSWORD):
        self.assertNotIn(secret.encode(), self.kept())
        for text in texts:
            self.assertNotIn(secret, text)

    def issues(self, *answers, held=False):
        """The URL of a GitHub on this machine that gives these (status, issues) answers, and then the last forever.

        If it is held, it answers once `self.release` is set.
        """
        answers, self.release, self.asked = list(answers), threading.Event(), []
        release, asked = self.release, self.asked
        if not held:
            release.set()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                release.wait(SECONDS)
                status, issues = answers.pop(0) if len(answers) > 1 else answers[0]
                body = json.dumps(issues).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.handle_error = lambda *_: None  # a todo-server that ends cuts its connections
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        self.addCleanup(lambda: (server.shutdown(), thread.join(), server.server_close()))
        return f"http://127.0.0.1:{server.server_port}"


def issue(number, title, body=None):
    return {
        "id": 1000 + number, "number": number, "title": title, "body": body, "state": "open",
        "html_url": f"https://github.com/o/r/issues/{number}",
        "url": f"https://api.github.com/repos/o/r/issues/{number}",
        "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T00:00:00Z",
    }  # fmt: skip
