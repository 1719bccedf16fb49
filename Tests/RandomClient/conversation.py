"""A session with a server, whose output is checked completely."""

import collections
import json
import os
import subprocess
import threading
import time

from json_patch import PatchError, apply_patch

# The server counts as stuck after this time without output.
PATIENCE_SECONDS = 60


class Wrong(Exception):
    """An invalid or missing message of the server."""


class Renderings:
    """The rendering of each revision, from notifications and responses."""

    # A patch refers to the previous rendering, a response to one of the last few.
    KEPT_MAX = 2_000

    def __init__(self):
        self.at = collections.OrderedDict()
        self.pushed = None

    @property
    def newest(self):
        """The rendering of the latest notification, or None."""
        return self.at.get(self.pushed)

    def push(self, params):
        revision = params["revision"]
        if self.pushed is not None and revision <= self.pushed:
            raise Wrong(f"revision {revision} is pushed after {self.pushed}")
        before = self.newest
        if "patch" in params:
            rendering = self._patched(params)
        else:
            rendering = params["rendering"]
        if rendering == before:
            raise Wrong(f"revision {revision} is pushed, and equals {self.pushed}")
        self._keep(revision, rendering, "is pushed")
        self.pushed = revision

    def _patched(self, params):
        if not params["patch"]:
            raise Wrong(f"the patch of revision {params['revision']} is empty")
        if params["base"] != self.pushed:
            raise Wrong(f"a patch of {params['base']} is pushed after {self.pushed}")
        try:
            return apply_patch(self.newest, params["patch"])
        except PatchError as error:
            raise Wrong(f"the patch of revision {params['revision']}: {error}") from None

    def answer(self, result):
        """Checks that the result of `workflow/rendering` equals the notification of that revision."""
        self._keep(result["revision"], result["rendering"], "is answered")

    def _keep(self, revision, rendering, verb):
        known = self.at.setdefault(revision, rendering)
        if known != rendering:
            raise Wrong(
                f"revision {revision} {verb} as\n  {brief(rendering)}\nand was\n  {brief(known)}")
        while len(self.at) > self.KEPT_MAX:
            self.at.popitem(last=False)


def brief(rendering):
    text = json.dumps(rendering, ensure_ascii=False)
    return text if len(text) < 3_000 else text[:3_000] + "…"


class Conversation:
    def __init__(self, command, folder, chance):
        self.chance = chance
        self.has_headers = chance.random() < 0.5
        self.renderings = Renderings()
        self.sent_count = 0
        # The messages of both sides, in order, without invalid JSON.
        self.said, self.answered = [], []
        self.ids = 0
        # The number of expected responses by id; those without an id are counted under None.
        self.due = collections.Counter()
        self.methods = {}
        self.errors = open(os.path.join(folder, "errors"), "w+b")
        self.wrong = None
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            env={**os.environ, "XDG_DATA_HOME": folder})
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    # MARK: Sending

    def an_id(self):
        """A new id, or rarely one in flight, which is refused."""
        open_ids = self.open_ids()
        if open_ids and self.chance.random() < 0.02:
            return self.chance.choice(open_ids)
        self.ids += 1
        return self.ids if self.chance.random() < 0.7 else f"id {self.ids}"

    def open_ids(self):
        """The ids of cancellable requests: cancelling `initialize` would leave no session."""
        with self.changed:
            return [
                id for id, count in self.due.items()
                if count > 0 and id is not None and "initialize" not in self.methods[id]]

    def send(self, message):
        self.send_together([message])

    def send_together(self, messages):
        """Writes messages in pieces that are split inside them."""
        data = b""
        with self.changed:
            for message in messages:
                self._expect(message)
                data += self._frame(message)
        self.sent_count += len(messages)
        while data:
            count = self.chance.choice([1, 7, 100, 5_000, len(data)])
            try:
                self.process.stdin.write(data[:count])
                self.process.stdin.flush()
            except BrokenPipeError:
                self._check()
                raise Wrong("the server reads no more:\n" + self._said()) from None
            data = data[count:]
        self._check()

    def _frame(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        if self.has_headers:
            return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        return body + b"\n"

    def _expect(self, message):
        if isinstance(message, bytes):
            # Bytes that are not JSON.
            self.due[None] += 1
            return
        self.said.append(message)
        for one in message if isinstance(message, list) else [message]:
            if "id" in one:
                self.due[one["id"]] += 1
                self.methods.setdefault(one["id"], []).append(one["method"])

    # MARK: Receiving

    def _read(self):
        try:
            while True:
                body = self._next_body()
                if body is None:
                    return
                message = json.loads(body)
                with self.changed:
                    self._take(message)
                    self.changed.notify_all()
        except Wrong as wrong:
            self._fail(wrong)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._fail(Wrong(f"the server wrote something that is not a message: {error!r}"))

    def _fail(self, wrong):
        with self.changed:
            self.wrong = self.wrong or wrong
            self.changed.notify_all()

    def _next_body(self):
        line = self.process.stdout.readline()
        if not self.has_headers or not line:
            return line or None
        length = int(line.split(b":")[1])
        self.process.stdout.readline()
        return self.process.stdout.read(length)

    def _take(self, message):
        self.answered.append(message)
        if isinstance(message, list):
            if not message:
                raise Wrong("an empty batch is answered")
            for answer in message:
                self._take_answer(answer)
        elif "method" in message:
            if "id" in message:
                raise Wrong(f"the server asks: {message['method']}")
            if message["method"] == "workflow/render":
                self.renderings.push(message["params"])
        else:
            self._take_answer(message)

    def _take_answer(self, answer):
        id = answer["id"]
        if self.due[id] <= 0:
            raise Wrong(f"an unexpected response: {answer}")
        self.due[id] -= 1
        if ("result" in answer) == ("error" in answer):
            raise Wrong(f"an answer has not one of result and error: {answer}")
        if "error" in answer:
            if answer["error"]["code"] == -32603 or not answer["error"]["message"]:
                raise Wrong(f"an internal error: {answer}")
            return
        result = answer["result"]
        if isinstance(result, dict) and "rendering" in result:
            self.renderings.answer(result)
        elif isinstance(result, dict) and "revision" in result:
            pushed = self.renderings.pushed
            if pushed is not None and result["revision"] < pushed:
                raise Wrong(f"the answer {answer} comes after revision {pushed}")

    # MARK: Ending

    def _check(self):
        if self.wrong:
            raise self.wrong

    def wait_for_answers(self):
        end = time.monotonic() + PATIENCE_SECONDS
        with self.changed:
            while not self.wrong and any(self.due.values()):
                if not self.reader.is_alive():
                    raise Wrong("the server has ended:\n" + self._said())
                if not self.changed.wait(timeout=min(1, max(0, end - time.monotonic()))):
                    if time.monotonic() >= end:
                        raise Wrong(f"no answer to {self._unanswered()}")
        self._check()

    def _unanswered(self):
        return [(id, self.methods.get(id)) for id, count in self.due.items() if count > 0][:10]

    def end(self):
        """Waits for all responses, compares the pushed rendering with the requested one, and ends the server."""
        self.wait_for_answers()
        self.send({"jsonrpc": "2.0", "id": "the end", "method": "workflow/rendering"})
        self.wait_for_answers()
        self.send({"jsonrpc": "2.0", "id": "shutdown", "method": "shutdown"})
        self.wait_for_answers()
        self.send({"jsonrpc": "2.0", "method": "exit"})
        try:
            code = self.process.wait(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            raise Wrong("the server does not end after exit") from None
        if code != 0:
            raise Wrong(f"the server ends with code {code}:\n{self._said()}")
        self.reader.join(timeout=PATIENCE_SECONDS)
        self._check()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        # Responses written before the kill are read to the end.
        self.reader.join(timeout=PATIENCE_SECONDS)
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.errors.close()

    def _said(self):
        self.errors.seek(0)
        return self.errors.read()[-3_000:].decode(errors="replace")
