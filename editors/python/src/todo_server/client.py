"""A client for todo-server: JSON-RPC 2.0 over the pipes of a child process, one message a line.

Needs Python 3.9 and its standard library. Protocol.md says what the server understands.

    async with Client(["todo-server"]) as client:
        await client.request("login", {"name": "ann"})
        print(client.screen["title"])
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from typing import TYPE_CHECKING, Any, Callable, cast
from collections.abc import Sequence

from .errors import RPCError, ServerDied

if TYPE_CHECKING:
    from .wire import Rendering, Screen

STALE = -32801  # the screens no longer offer the requested action
CLOSE_SECONDS = 2.0
TERMINATE_SECONDS = 1.0  # for a change that is being stored
LINE_BYTES_MAX = 1 << 30  # of a message of the server; a rendering without a window has the whole list
STDERR_CHARACTERS_SHOWN = 1000


class Client:
    """One server, and what it shows.

    `rendering` and `revision` are always the latest. `on_render(client)` is called after each change of them,
    `on_notification(method, params)` for everything else the server says, `on_death(ServerDied)` when it ends
    without being asked to. `window` is how many items of a list are wanted, None all; `preview` whether with the
    beginnings of their notes; without `screens` there are no renderings at all. `async with` starts and closes.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        options: dict[str, Any] | None = None,
        window: int | None = None,
        preview: bool = False,
        screens: bool = True,
        name: str = "todo-python",
        on_render: Callable[[Client], None] | None = None,
        on_notification: Callable[[str, Any], None] | None = None,
        on_death: Callable[[ServerDied], None] | None = None,
    ):
        self.command, self.options, self.name = list(command), options or {}, name
        self.window, self.preview, self.screens = window, preview, screens
        self.on_render, self.on_notification, self.on_death = on_render, on_notification, on_death
        self.rendering: Rendering | None = None
        self.revision = -1
        self.server: dict[str, Any] = {}  # what it said of itself
        self.died: ServerDied | None = None
        self.pid: int | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._asked_at: dict[int, float] = {}  # of requests without an answer, also of those that no task waits for now
        self._waiters: list[tuple[Callable[[Screen], bool], asyncio.Future[Screen]]] = []
        self._last_id = 0
        self._closing = False
        self._last_line = ""

    @property
    def waiting_seconds(self) -> float:
        """For how long the oldest request has had no answer; 0 when all are answered."""
        return time.monotonic() - min(self._asked_at.values()) if self._asked_at else 0.0

    @property
    def screen(self) -> Screen | None:
        """The screen in front, or None before the first rendering."""
        # What is in front is whole, also where the others are not.
        front: Any = self.rendering["items"][-1]["screen"] if self.rendering and self.rendering["items"] else None
        return cast("Screen | None", front)

    async def start(self) -> Client:
        """Starts the server. Raises OSError, RPCError or ServerDied, and then leaves no process."""
        pipe = asyncio.subprocess.PIPE
        # A session of its own, so that a Ctrl-C meant for this process does not end the server before it is asked to.
        self._process = await asyncio.create_subprocess_exec(
            *self.command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, limit=LINE_BYTES_MAX
        )
        self.pid = self._process.pid
        self._reader = asyncio.ensure_future(self._read())
        params = {
            "processId": os.getpid(),
            "clientInfo": {"name": self.name},
            "capabilities": {"render": {"frontOnly": True, "window": self.window, "preview": self.preview}},
            "initializationOptions": self.options,
        }
        try:
            self.server = await self.request("initialize", params)
            if self.screens:
                self.notify("initialized")  # renderings start after this
        except BaseException:
            await self.close()
            raise
        return self

    async def close(self) -> None:
        """Ends the server, by force when that takes longer than two seconds.

        While a request has no answer it gets SIGTERM: it then finishes what it is storing, and waits for nothing.
        """
        if self._process is None:
            return
        self._closing, patience = True, CLOSE_SECONDS
        if self._asked_at and not self.died:
            patience = TERMINATE_SECONDS
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
        else:
            with contextlib.suppress(RPCError, ServerDied, asyncio.TimeoutError):
                await self.request("shutdown", timeout=CLOSE_SECONDS)
                self.notify("exit")
        stdin = self._process.stdin
        assert stdin and self._reader
        stdin.close()
        if not (await asyncio.wait([self._reader], timeout=patience))[0]:
            self._kill()
            await self._reader
        with contextlib.suppress(ConnectionError):
            await stdin.wait_closed()

    async def __aenter__(self) -> Client:
        return await self.start()

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def request(self, method: str, params: Any = None, timeout: float | None = None) -> Any:
        """The result. Raises RPCError, ServerDied, or asyncio.TimeoutError after `timeout` seconds.

        A request that times out or whose task is cancelled is cancelled at the server, too.
        """
        self._last_id += 1
        number = self._last_id
        self._send({"id": number, "method": method, "params": params})
        future = self._pending[number] = asyncio.get_running_loop().create_future()
        self._asked_at[number] = time.monotonic()
        try:
            return await asyncio.wait_for(future, timeout)
        except (asyncio.CancelledError, asyncio.TimeoutError):
            if not self.died:
                self.notify("$/cancelRequest", {"id": number})
            raise
        finally:
            del self._pending[number]

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification. Raises ServerDied."""
        self._send({"method": method, "params": params})

    async def wait_for(self, predicate: Callable[[Screen], bool], timeout: float | None = None) -> Screen:
        """The first front screen, now or later, that satisfies `predicate`.

        Raises ServerDied, asyncio.TimeoutError, or what `predicate` raises.
        """
        if self.screen is not None and predicate(self.screen):
            return self.screen
        if self.died:
            raise self.died
        future: asyncio.Future[Screen] = asyncio.get_running_loop().create_future()
        waiter = (predicate, future)
        self._waiters.append(waiter)
        try:
            return await asyncio.wait_for(future, timeout)
        finally:
            self._waiters.remove(waiter)

    def _send(self, message: dict[str, Any]) -> None:
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the server was not started")
        if self.died:
            raise self.died
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, allow_nan=False)
        self._process.stdin.write(line.encode() + b"\n")

    async def _read(self) -> None:
        assert self._process and self._process.stdout
        errors, reason = asyncio.ensure_future(self._read_stderr()), ""
        try:
            async for line in self._process.stdout:
                self._receive(json.loads(line))
        except ConnectionError:
            pass
        except (ValueError, TypeError, LookupError, AttributeError):
            reason = "it sent an invalid message"
            self._kill()
        try:
            status = await asyncio.wait_for(self._process.wait(), CLOSE_SECONDS)
        except asyncio.TimeoutError:  # it closed its output and stayed
            self._kill()
            status = await self._process.wait()
        await asyncio.wait([errors], timeout=0.5)  # a grandchild may hold the pipe open
        errors.cancel()
        self.died = ServerDied(status, reason or self._last_line)
        for future in [*self._pending.values(), *(future for _, future in self._waiters)]:
            if not future.done():
                future.set_exception(self.died)
        if not self._closing:
            self._call(self.on_death, self.died)

    async def _read_stderr(self) -> None:
        assert self._process and self._process.stderr
        async for line in self._process.stderr:
            text = line.decode("utf-8", "replace").strip()
            self._last_line = text[:STDERR_CHARACTERS_SHOWN] or self._last_line

    def _receive(self, message: dict[str, Any]) -> None:
        if message.get("method") == "workflow/render":
            self._show(message["params"]["revision"], message["params"]["rendering"])
            return
        if "method" in message:
            self._call(self.on_notification, message["method"], message.get("params"))
            return
        number, error = message["id"], message.get("error")
        self._asked_at.pop(number, None)
        # An error without an id is about a message that the server could not read: whichever it was, it has no answer.
        futures = list(self._pending.values()) if number is None else [self._pending.get(number)]
        for future in futures:
            if future is None or future.done():
                continue
            if error is None:
                future.set_result(message["result"])
            else:
                future.set_exception(RPCError(error["code"], error["message"], error.get("data")))

    def _show(self, revision: int, rendering: Rendering) -> None:
        self.revision, self.rendering = revision, rendering
        for predicate, future in self._waiters:
            try:
                if not future.done() and self.screen is not None and predicate(self.screen):
                    future.set_result(self.screen)
            except Exception as error:
                future.set_exception(error)
        self._call(self.on_render, self)

    def _call(self, callback: Callable[..., None] | None, *arguments: Any) -> None:
        """Calls user code, whose mistakes must not end the reading."""
        try:
            if callback:
                callback(*arguments)
        except Exception as error:
            context = {"message": "a callback of todo_server.Client failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self._process:
                self._process.kill()
