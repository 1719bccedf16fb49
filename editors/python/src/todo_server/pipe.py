"""A server on pipes, without `async`: threads send it requests, and others read its answers.

`client.py` is the same for asyncio, with screens. Importing asyncio takes longer than most commands.
"""

from __future__ import annotations

import contextlib
import json
import queue
import threading
from collections.abc import Callable, Sequence

from .errors import RPCError, ServerDied
from .process import Process

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

CLOSE_SECONDS = 2.0
TERMINATE_SECONDS = 1.0  # for a change that is being stored
READ_BYTES = 1 << 16  # a pipe has no more at a time
STDERR_SECONDS = 0.5  # a grandchild may hold the pipe open
STDERR_CHARACTERS_SHOWN = 1000


class Reply:
    """The answer to a request, once it has `ended`."""

    def __init__(self, number: int):
        self.number, self.ended = number, threading.Event()
        self.result: Any = None
        self.error: Optional[Exception] = None

    def end(self, result: Any, error: Optional[Exception] = None) -> None:
        """Wakes those that wait."""
        self.result, self.error = result, error
        self.ended.set()


class Pipe:
    """A server process. `on_notification(method, params)` and `on_death(ServerDied)` are called by `reader`."""

    def __init__(
        self,
        command: Sequence[str],
        on_notification: Callable[[str, Any], None],
        on_death: Callable[[ServerDied], None],
    ):
        self.command, self._on_notification, self._on_death = list(command), on_notification, on_death
        self.died: Optional[ServerDied] = None
        self._process: Optional[Process] = None
        self.reader = threading.Thread(target=self._read, daemon=True)
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._stderr_reader = threading.Thread(target=self._read_stderr, daemon=True)
        self._outgoing: queue.SimpleQueue[Optional[bytes]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._last_number = 0
        self._pending: dict[int, Reply] = {}
        self._unanswered: set[int] = set()  # also those that were cancelled
        self._is_closing = False
        self._last_line = ""

    @property
    def pid(self) -> Optional[int]:
        """The id of the process, once it was started."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the process. Raises OSError."""
        self._process = Process(self.command, READ_BYTES)
        for thread in (self._writer, self._stderr_reader, self.reader):  # which waits for the end of the others
            thread.start()

    def send(self, requests: Sequence[tuple[str, Any]]) -> list[Reply]:
        """Sends requests, each a method with its params, and nothing between them. Raises ServerDied."""
        with self._lock:
            if self.died:
                raise self.died
            replies, data = [], b""
            for method, params in requests:
                self._last_number += 1
                replies.append(Reply(self._last_number))
                data += _line({"id": self._last_number, "method": method, "params": params})
            self._pending.update((reply.number, reply) for reply in replies)
            self._unanswered.update(reply.number for reply in replies)
            self._outgoing.put(data)
        return replies

    def cancel(self, replies: Sequence[Reply]) -> None:
        """Cancels the requests that have no answer, and forgets them."""
        for reply in replies:
            with self._lock:
                is_pending = self._pending.pop(reply.number, None) is not None
            if is_pending:
                self._outgoing.put(_line({"method": "$/cancelRequest", "params": {"id": reply.number}}))

    def close(self) -> None:
        """Ends the server, by force if that takes longer than two seconds.

        While a request has no answer it gets SIGTERM: it then finishes what it is storing, and waits for nothing.
        """
        if self._process is None:
            return
        self._is_closing, patience = True, CLOSE_SECONDS
        if self.reader.ident is None:  # a Ctrl-C came during `start`
            self._outgoing.put(None)
            self._process.kill()
            return
        if self._unanswered and not self.died:
            patience = TERMINATE_SECONDS
            self._process.terminate()
        else:
            with contextlib.suppress(ServerDied):
                if self.send([("shutdown", None)])[0].ended.wait(CLOSE_SECONDS):
                    self._outgoing.put(_line({"method": "exit", "params": None}))
        self._outgoing.put(None)
        self.reader.join(patience)
        if self.reader.is_alive():
            self._process.kill()
            self.reader.join()
        self._writer.join()

    def _write(self) -> None:
        assert self._process and self._process.stdin
        # The reader notices the end of a server that reads no more.
        with contextlib.suppress(OSError), self._process.stdin as stdin:
            for data in iter(self._outgoing.get, None):
                stdin.write(data)
                stdin.flush()

    def _read(self) -> None:
        assert self._process and self._process.stdout
        reason = ""
        try:
            with self._process.stdout as stdout:
                for line in stdout:
                    self._receive(json.loads(line))
        except Exception:  # no caller may wait for this server any longer
            reason = "it sent an invalid message"
            self._process.kill()
        status = self._process.wait(CLOSE_SECONDS)
        if status is None:  # it closed its output and stayed
            status = self._process.kill()
        self._stderr_reader.join(STDERR_SECONDS)
        with self._lock:
            died = self.died = ServerDied(status, reason or self._last_line)
            pending = list(self._pending.values())
        for reply in pending:
            reply.end(None, died)
        self._outgoing.put(None)
        if not self._is_closing:
            _call(self._on_death, died)

    def _read_stderr(self) -> None:
        assert self._process and self._process.stderr
        with self._process.stderr as stderr:
            for line in stderr:
                text = line.decode("utf-8", "replace").strip()
                self._last_line = text[:STDERR_CHARACTERS_SHOWN] or self._last_line

    def _receive(self, message: dict[str, Any]) -> None:
        if "method" in message:
            _call(self._on_notification, message["method"], message.get("params"))
            return
        number, error = message["id"], message.get("error")  # type: Optional[int], Any
        # All of a message is read before its request is forgotten: a malformed one ends the server, and so the request.
        result = message["result"] if error is None else None
        failure = None if error is None else RPCError(error["code"], error["message"], error.get("data"))
        with self._lock:
            # An error without an id is about a message that the server could not read: whichever it was, it has no answer.
            numbers = [*self._pending] if number is None else [number]
            replies = [self._pending.pop(number, None) for number in numbers]
            self._unanswered.difference_update(numbers)
        for reply in replies:
            if reply:
                reply.end(result, failure)


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _call(callback: Callable[..., None], *arguments: Any) -> None:
    """Calls user code, whose mistakes must not end the reading."""
    try:
        callback(*arguments)
    except Exception:
        import traceback  # takes long

        traceback.print_exc()
