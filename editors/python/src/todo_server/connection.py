"""A server for callers without `async`, which any thread may call."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Sequence

from .errors import RPCError, ServerDied, TodoError, todo_error

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    from .pipe import Pipe, Reply

PATIENCE_SECONDS = 1.5  # without an answer before `on_wait` is called
CLOSED = "This TodoServer is closed."
# No screen is shown: the server need not read a whole list for one.
CAPABILITIES = {"render": {"frontOnly": True, "window": 1}}


class Connection:
    """A server that the first call starts, and `close` or the end of the program ends.

    `on_start` is called once the server runs, before any other call. `request` raises TodoError, and never waits for a
    server that is gone.
    """

    def __init__(
        self,
        pipe: Pipe,
        client_name: str,
        options: dict[str, Any],
        on_start: Callable[[], None],
        on_wait: Optional[Callable[[], None]],
    ):
        self._pipe, self._on_start, self._on_wait = pipe, on_start, on_wait
        self._client_name, self._options = client_name, options
        self._starting, self._lock = threading.RLock(), threading.Lock()
        self._is_started = self._is_closed = False
        self._initializing: Optional[list[Reply]] = None  # from `launch` until its answer was read

    def launch(self) -> None:
        """Starts the server unless it was started. The next call waits until it runs. Raises OSError."""
        with self._starting:
            if self._is_closed:
                raise TodoError(CLOSED, "died")
            if self._is_started:
                return
            atexit.register(self.close)
            self._is_started = True
            try:
                self._pipe.start()
                client = {"processId": os.getpid(), "clientInfo": {"name": self._client_name}}
                params = {**client, "capabilities": CAPABILITIES, "initializationOptions": self._options}
                self._initializing = self._send([("initialize", params)])
            except BaseException:
                self.close()
                raise

    def start(self) -> None:
        """Starts the server unless it was started, and waits until it runs."""
        self.launch()
        with self._starting:
            replies, self._initializing = self._initializing, None
            if replies is None:
                return
            try:
                self._results(replies)
                self._on_start()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Ends the server, and with it the calls that wait in other threads."""
        self._check_thread()
        with self._lock:
            was_closed, self._is_closed = self._is_closed, True
        if not was_closed:
            atexit.unregister(self.close)
            self._pipe.close()

    def request(self, requests: Sequence[tuple[str, Any]]) -> list[Any]:
        """The results of requests, each a method with its params, that are sent with nothing between them.

        Raises the first error after all have ended.
        """
        self._check_thread()
        self.start()
        return self._results(self._send(requests))

    def _check_thread(self) -> None:
        if threading.current_thread() is self._pipe.reader:
            raise RuntimeError("A callback of TodoServer must not call it.")

    def _send(self, requests: Sequence[tuple[str, Any]]) -> list[Reply]:
        if self._is_closed:
            raise TodoError(CLOSED, "died")
        try:
            return self._pipe.send(requests)
        except ServerDied as error:
            raise TodoError(str(error), "died") from None

    def _results(self, replies: Sequence[Reply]) -> list[Any]:
        self._wait(replies)
        for reply in replies:
            if isinstance(reply.error, RPCError):
                raise todo_error(reply.error) from None
            if reply.error:
                raise TodoError(str(reply.error), "died") from None
        return [reply.result for reply in replies]

    def _wait(self, replies: Sequence[Reply]) -> None:
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            in_time = (reply.ended.wait(max(deadline - time.monotonic(), 0)) for reply in replies)
            if self._on_wait and not all(in_time):
                self._on_wait()
            for reply in replies:
                reply.ended.wait()
        except BaseException:
            self._pipe.cancel(replies)
            raise
