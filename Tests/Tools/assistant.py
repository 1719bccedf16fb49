"""A client of the real `todo-server mcp`, line by line, and an editor on the same store."""

import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import queue

from mcp_types import methods

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SERVER = os.environ.get("TODO_SERVER", str(PROJECT / ".build/debug/todo-server"))
SESSION_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
STATELESS = "2026-07-28"
REVISIONS = [*SESSION_REVISIONS, STATELESS]
FOREVER = 120  # Seconds; bounds a hang, and nothing else.


class Process:
    """A server, and the lines that it writes."""

    def __init__(self, *arguments, folder=None, environment=None):
        self.own_folder = None if folder else tempfile.TemporaryDirectory()
        self.folder = folder or self.own_folder.name
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TODO_SERVER_", "GITHUB_", "GH_"))}
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [SERVER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, env={**kept, "XDG_DATA_HOME": self.folder, **(environment or {})})
        self.ids = itertools.count(1)
        self.waiting = []
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def write(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}))

    def receive(self, matches):
        """The first message that matches; the others are queued."""
        for message in self.waiting:
            if matches(message):
                self.waiting.remove(message)
                return message
        while True:
            message = self.lines.get(timeout=FOREVER)
            if message is None:
                raise EOFError(self.error_text())
            if matches(message):
                return message
            self.waiting.append(message)

    def request(self, method, params=None, id=None):
        id = next(self.ids) if id is None else id
        self.send({"id": id, "method": method, "params": params or {}})
        return id

    def answer(self, id):
        return self.receive(
            lambda m: isinstance(m, dict) and "method" not in m and m.get("id") == id)

    def notification(self, method):
        return self.receive(lambda m: m.get("method") == method and "id" not in m)

    def error_text(self):
        self.errors.seek(0)
        return self.errors.read().decode()

    def rest(self):
        """Closes the input and returns all remaining messages."""
        self.process.stdin.close()
        rest, self.waiting = self.waiting, []
        while (message := self.lines.get(timeout=FOREVER)) is not None:
            rest.append(message)
        return rest

    def end(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(FOREVER)
        self.process.stdout.close()
        self.errors.close()
        if self.own_folder:
            self.own_folder.cleanup()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Assistant(Process):
    """A client of one protocol revision. Validates each result and notification against its schema."""

    def __init__(self, revision=STATELESS, *arguments, asks=None, chooses=None, name="ann", **others):
        super().__init__("mcp", "--name", name, *arguments, **others)
        self.revision, self.asks = revision, asks
        self.chosen = {"content": {"keep": chooses} if chooses else {}}
        self.capabilities = {"elicitation": {}} if asks is not None else {}
        self.schemas = {}
        if revision != STATELESS:
            self.handshake = self.call("initialize", {
                "protocolVersion": revision, "capabilities": self.capabilities,
                "clientInfo": {"name": "test", "version": "1"}})
            self.send({"method": "notifications/initialized"})

    def request(self, method, params=None, id=None):
        params = dict(params or {})
        if self.revision == STATELESS:
            params["_meta"] = {**params.get("_meta", {}), **self.envelope}
        return super().request(method, params, id)

    @property
    def envelope(self):
        return {
            "io.modelcontextprotocol/protocolVersion": self.revision,
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}

    def response(self, method, params=None):
        return self.answer(self.request(method, params))

    def call(self, method, params=None):
        message = self.response(method, params)
        if "error" in message:
            raise AssertionError(message["error"])
        methods.validate_server_result(method, self.revision, message["result"])
        return message["result"]

    def error(self, method, params=None):
        return self.response(method, params)["error"]

    def notification(self, method):
        message = super().notification(method)
        methods.parse_server_notification(method, self.revision, message["params"])
        return message["params"]

    def tool(self, name, **arguments):
        """The result of a tool, after the user has answered its question, if any."""
        params = {"name": name, "arguments": arguments}
        id = self.request("tools/call", params)
        if self.asks is not None:
            message = self.receive(lambda m: m.get("id") == id or m.get("method") == "elicitation/create")
            if message.get("method") == "elicitation/create":
                methods.parse_server_request("elicitation/create", self.revision, message["params"])
                self.question = message["params"]["message"]
                self.send({"id": message["id"], "result": {"action": self.asks, **self.chosen}})
            else:
                self.waiting.append(message)
        result = self.answer(id)["result"]
        methods.validate_server_result("tools/call", self.revision, result)
        if result.get("resultType") == "input_required":
            question = result["inputRequests"]["confirm"]
            self.question = question["params"]["message"]
            result = self.call("tools/call", {
                **params, "inputResponses": {"confirm": {"action": self.asks, **self.chosen}},
                "requestState": result["requestState"]})
        self.validate(name, result)
        return result

    def validate(self, name, result):
        import jsonschema
        if self.revision < "2025-06-18":
            return
        if not self.schemas:
            tools = self.call("tools/list")["tools"]
            self.schemas = {tool["name"]: tool["outputSchema"] for tool in tools}
        jsonschema.validate(result["structuredContent"], self.schemas[name])

    def value(self, name, **arguments):
        """The structured content of a successful call."""
        result = self.tool(name, **arguments)
        if result.get("isError"):
            raise AssertionError(result["content"][0]["text"])
        return result["structuredContent"]

    def failure(self, name, **arguments):
        result = self.tool(name, **arguments)
        if not result.get("isError"):
            raise AssertionError(result)
        return result["structuredContent"]["error"], result["content"][0]["text"]


class Editor(Process):
    """A front-end with the server's own protocol, on the same store."""

    def __init__(self, folder, name="ann"):
        super().__init__(folder=folder)
        self.ask("initialize", processId=None)
        self.ask("login", name=name)

    def ask(self, method, **params):
        message = self.answer(self.request(method, params))
        if "error" in message:
            raise AssertionError(message["error"])
        return message["result"]
