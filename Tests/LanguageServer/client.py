"""A small LSP client over pipes that keeps buffers as an editor does."""

import bisect
import json
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time

HERE = os.path.abspath(os.path.dirname(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
SERVER = shlex.split(
    os.environ.get("TODO_SERVER", os.path.join(PROJECT, ".build/debug/todo-server")))
# The timeout after which a test fails.
PATIENCE_SECONDS = 60

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
}


class Failed(Exception):
    """The server responded with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


def line_starts(text, returns=False):
    """Returns the offsets of lines, which a CR alone ends if `returns` is true."""
    return [0] + [match.end() for match in re.finditer(r"\r?\n|\r" if returns else "\n", text)]


def offset(text, position, encoding="utf-16", returns=False):
    """Returns the offset of a position, clamped to the end of its line."""
    starts = line_starts(text, returns)
    line = position["line"]
    if line >= len(starts):
        return len(text)
    end = starts[line + 1] - 1 if line + 1 < len(starts) else len(text)
    if end > starts[line] and text[end - 1] == "\r" and text[end:end + 1] == "\n":
        end -= 1
    place, left = starts[line], position["character"]
    while place < end and left > 0:
        units = len(text[place].encode("utf-16-le")) // 2
        left -= units if encoding == "utf-16" else len(text[place].encode())
        if left < 0:
            break
        place += 1
    return place


def applied(text, edits, encoding="utf-16", returns=False):
    """Returns a text with several edits applied, the last one first."""
    places = []
    for number, edit in enumerate(edits):
        start = offset(text, edit["range"]["start"], encoding, returns)
        end = offset(text, edit["range"]["end"], encoding, returns)
        places.append((start, max(start, end), number, edit["newText"]))
    for start, end, _, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


class Client:
    """A connection to `todo-server lsp`."""

    def __init__(self, *options, capabilities=None, environment=None, initialize=True, **params):
        self.capabilities = CAPABILITIES if capabilities is None else capabilities
        # A shell that starts tests in its background has SIGINT ignored.
        self.process = subprocess.Popen(
            SERVER + ["lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.inbox = queue.Queue()
        # Received messages that were not awaited, in order.
        self.said = []
        self.id = 0
        self.buffers = {}
        # How edits are handled: "yes" (applied), "no" (not applied, but reported as applied),
        # "refused", or as in the random test "late".
        self.applies = "yes"
        self.late = []
        self.answers_edits = True
        threading.Thread(target=self._read, daemon=True).start()
        params.setdefault("initializationOptions", {"checksVersions": True, "sendsChangesFirst": True})
        if initialize:
            self.initialize_result = self.ask(
                "initialize", processId=os.getpid(), rootUri=None, capabilities=self.capabilities,
                **params)
            self.notify("initialized")

    # Sending.

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def begin(self, method, **params):
        self.id += 1
        self.send({"id": self.id, "method": method, "params": params})
        return self.id

    def ask(self, method, **params):
        return self.answer(self.begin(method, **params))

    def answer(self, number):
        found = self.wait(lambda m: m.get("id") == number and "method" not in m)
        if "error" in found:
            raise Failed(found["error"])
        return found["result"]

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    # Receiving.

    def _read(self):
        output = self.process.stdout
        while True:
            length = 0
            while (line := output.readline().strip()):
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                self.inbox.put(None)
                return
            self.inbox.put(json.loads(output.read(length)))

    def wait(self, is_wanted):
        """Returns the next message that matches, beginning with those received before."""
        for index, message in enumerate(self.said):
            if is_wanted(message):
                return self.said.pop(index)
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                message = self.inbox.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"not within {PATIENCE_SECONDS} s; heard {self.said}") from None
            if message is None:
                raise AssertionError(f"the server ended; heard {self.said}")
            self.handle(message)
            if is_wanted(message):
                return message
            self.said.append(message)

    def drain(self):
        """Handles all messages received so far."""
        while not self.inbox.empty():
            message = self.inbox.get()
            if message is None:
                raise AssertionError("the server ended")
            self.handle(message)
            self.said.append(message)

    def handle(self, message):
        if message.get("method") == "workspace/applyEdit":
            done = self.apply(message["params"]["edit"])
            if self.answers_edits:
                self.send({"id": message["id"], "result": {"applied": done}})
        elif "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})

    def apply(self, edit):
        changes = edit.get("documentChanges") or [
            {"textDocument": {"uri": uri, "version": None}, "edits": edits}
            for uri, edits in edit["changes"].items()]
        done = True
        for change in changes:
            buffer = self.buffers.get(change["textDocument"]["uri"])
            done = buffer is not None and buffer.offer(change) and done
        return done

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()


class Document:
    """A buffer in an editor."""

    def __init__(
            self, client, path, text=None, sync="incremental", language="markdown", returns=False,
            version=1):
        self.client = client
        self.path = path
        self.uri = path if ":" in path else f"file://{path}"
        self.sync = sync
        # Whether a CR alone ends a line.
        self.returns = returns
        # Whether each edit of several is sent as its own change.
        self.says_each = False
        self.encoding = client.initialize_result["capabilities"]["positionEncoding"]
        if text is None:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        self.text = text
        self.version = version
        self.refused_count = 0
        client.buffers[self.uri] = self
        client.notify("textDocument/didOpen", textDocument={
            "uri": self.uri, "languageId": language, "version": version, "text": text})

    @property
    def identifier(self):
        return {"uri": self.uri}

    def position(self, place):
        starts = line_starts(self.text, self.returns)
        line = bisect.bisect_right(starts, place) - 1
        start = starts[line]
        code = "utf-16-le" if self.encoding == "utf-16" else "utf-8"
        units = len(self.text[start:place].encode(code)) // (2 if code == "utf-16-le" else 1)
        return {"line": line, "character": units}

    def replace(self, start, end, new):
        """Replaces a range, and sends the change."""
        change = {"text": new}
        change["range"] = {"start": self.position(start), "end": self.position(end)}
        self.text = self.text[:start] + new + self.text[end:]
        if self.sync == "full":
            change = {"text": self.text}
        self.version += 1
        self.client.notify(
            "textDocument/didChange",
            textDocument={"uri": self.uri, "version": self.version}, contentChanges=[change])

    def set(self, text):
        """Replaces the differing part of the buffer, so that it becomes the given text."""
        before = 0
        most = min(len(text), len(self.text))
        while before < most and text[before] == self.text[before]:
            before += 1
        after = 0
        while after < most - before and text[-1 - after] == self.text[-1 - after]:
            after += 1
        if text != self.text:
            self.replace(before, len(self.text) - after, text[before:len(text) - after])

    def sub(self, old, new):
        place = self.text.index(old)
        self.replace(place, place + len(old), new)

    def type(self, line):
        """Inserts a line above the end marker."""
        place = self.text.index("<!-- end")
        self.replace(place, place, line + "\n")

    def save(self, writes=True):
        if writes and ":" not in self.path:
            with open(self.path, "w", encoding="utf-8", newline="") as file:
                file.write(self.text)
        self.client.notify("textDocument/didSave", textDocument=self.identifier)

    def save_marked(self, reason=1):
        """Applies the marks that the server assigns before a save, and saves the buffer."""
        edits = self.client.ask(
            "textDocument/willSaveWaitUntil", textDocument=self.identifier, reason=reason)
        self.set(applied(self.text, edits, self.encoding, self.returns))
        self.save()

    def offer(self, change):
        """Handles an edit of the server."""
        if self.client.applies in ("no", "refused"):
            return self.client.applies == "no"
        if self.client.applies == "late":
            self.client.late.append((self, change))
            return True
        return self.apply(change)

    def apply(self, change):
        version = change["textDocument"]["version"]
        if version is not None and version != self.version:
            self.refused_count += 1
            return False
        edits = change["edits"]
        for some in [[edit] for edit in reversed(edits)] if self.says_each else [edits]:
            self.set(applied(self.text, some, self.encoding, self.returns))
        return True

    def actions(self, line=0):
        """Returns the code actions of a line, by their titles."""
        place = {"line": line, "character": 0}
        return {action["title"]: action for action in self.client.ask(
            "textDocument/codeAction", textDocument=self.identifier,
            range={"start": place, "end": place}, context={"diagnostics": []})}

    def show_news(self):
        """Requests the pending edit, and applies it; returns whether there was one."""
        action = self.actions().get("Show what is new")
        return action is not None and self.client.apply(action["edit"])

    def close(self):
        del self.client.buffers[self.uri]
        self.client.notify("textDocument/didClose", textDocument=self.identifier)

    def wait(self, what):
        """Returns the text once it matches."""
        is_wanted = what if callable(what) else lambda text: what in text
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_wanted(self.text):
            if time.monotonic() > end:
                raise AssertionError(f"not within {PATIENCE_SECONDS} s; the text is\n{self.text}")
            self.client.drain()
            time.sleep(0.002)
        return self.text
