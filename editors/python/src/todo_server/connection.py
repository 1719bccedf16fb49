"""A server for callers without `async`: its client runs on a thread of its own, and any thread may call it."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine
from concurrent import futures
from typing import Any, Optional, TypeVar

from .client import Client, RPCError, ServerDied
from .errors import TodoError, todo_error

PATIENCE_SECONDS = 1.5  # without an answer before `on_wait` is called
CLOSED = "This TodoServer is closed."
Answer = TypeVar("Answer")
Work = Callable[[], Coroutine[Any, Any, Answer]]


class Connection:
    """A client that the first call starts, and `close` or the end of the program ends.

    `on_start` is called once the server runs, before any other call. `run` raises TodoError, and never waits for a server
    that is gone.
    """

    def __init__(self, client: Client, on_start: Callable[[], None], on_wait: Optional[Callable[[], None]]):
        self._client, self._on_start, self._on_wait = client, on_start, on_wait
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._starting, self._lock = threading.RLock(), threading.Lock()
        self._is_started = self._is_closed = False
        self._in_flight: set[futures.Future[Any]] = set()

    def start(self) -> None:
        """Starts the server unless it was started."""
        with self._starting:
            if self._is_closed:
                raise TodoError(CLOSED, "died")
            if self._is_started:
                return
            self._thread.start()
            atexit.register(self.close)
            self._is_started = True
            try:
                self._wait(self._client.start())
                self._on_start()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Ends the server, and with it the calls that wait in other threads."""
        self._check_thread()
        with self._lock:
            was_closed, self._is_closed = self._is_closed, True
        if was_closed:
            return
        if not self._thread.is_alive():
            self._loop.close()
            return
        atexit.unregister(self.close)
        try:
            asyncio.run_coroutine_threadsafe(self._client.close(), self._loop).result()
            futures.wait(list(self._in_flight))  # the end of the server has ended them
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def run(self, work: Work[Answer]) -> Answer:
        """The result of work on the client."""
        self._check_thread()
        self.start()
        return self._wait(work())

    def _check_thread(self) -> None:
        if threading.current_thread() is self._thread:
            raise RuntimeError("A callback of TodoServer must not call it.")

    def _wait(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        with self._lock:
            if self._is_closed:
                work.close()
                raise TodoError(CLOSED, "died")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
            self._in_flight.add(future)
        future.add_done_callback(self._in_flight.discard)
        try:
            if self._on_wait and not futures.wait([future], timeout=PATIENCE_SECONDS).done:
                self._on_wait()
            return future.result()
        except RPCError as error:
            raise todo_error(error) from None
        except ServerDied as error:
            raise TodoError(str(error), "died") from None
        except BaseException:
            future.cancel()
            raise
