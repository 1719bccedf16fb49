"""A client for todo-server: JSON-RPC 2.0 over the pipes of a child process.

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
import signal
from typing import Any, Callable
from collections.abc import Sequence

from todo_patch import PatchError, apply_patch

STALE = -32801  # the screens no longer offer what was asked for
CLOSE_SECONDS = 2.0
READ_AHEAD_BYTES = 256 * 1024
STDERR_BYTES_KEPT = 8 * 1024


class RPCError(Exception):
    """The server's answer was an error. `str()` is its sentence for a person."""

    def __init__(self, code: int, message: str, data: Any = None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    @property
    def kind(self) -> str | None:
        """What went wrong, such as "notFound"; None when the server named no kind."""
        return self.data.get("kind") if isinstance(self.data, dict) else None


class ServerDied(Exception):
    """The server is gone: by its exit code or by a signal, with the last line it wrote to stderr."""

    def __init__(self, exit_code: int | None, signal_number: int | None = None, last_line: str = ""):
        if signal_number is None:
            how = f"exit code {exit_code}"
        else:
            names = {item.value: item.name for item in signal.Signals}
            how = f"signal {signal_number} {names.get(signal_number, '')}".rstrip()
        super().__init__(f"the server ended ({how})" + (f": {last_line}" if last_line else ""))
        self.exit_code, self.signal, self.last_line = exit_code, signal_number, last_line


class Client:
    """One server, and what it shows.

    `rendering` and `revision` are always the latest. `on_render(client)` is called after each change of them,
    `on_notification(method, params)` for everything else the server says, `on_death(ServerDied)` when it ends
    without being asked to. `async with` starts, initialises, and at its end shuts down.
    """

    def __init__(
        self,
        command: Sequence[str] = (),
        *,
        options: dict | None = None,
        patch: bool = False,
        name: str = "todo-python",
        on_render: Callable[[Client], None] | None = None,
        on_notification: Callable[[str, Any], None] | None = None,
        on_death: Callable[[ServerDied], None] | None = None,
    ):
        self.command, self.options, self.patch, self.name = list(command), options or {}, patch, name
        self.on_render, self.on_notification, self.on_death = on_render, on_notification, on_death
        self.rendering: dict | None = None
        self.revision = -1
        self.died: ServerDied | None = None
        self.pid: int | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._pending: dict[int, asyncio.Future] = {}
        self._waiters: list[tuple[Callable[[dict], bool], asyncio.Future]] = []
        self._tasks: set = set()
        self._last_id = 0
        self._closing = False
        self._stderr = b""

    @property
    def screen(self) -> dict | None:
        """The screen in front, or None before the first rendering."""
        return self.rendering["items"][-1]["screen"] if self.rendering and self.rendering["items"] else None

    # Lifecycle

    async def __aenter__(self) -> Client:
        await self.start()
        try:
            await self.initialize()
            await self.initialized()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def start(self, command: Sequence[str] | None = None) -> None:
        """Starts the server. Raises OSError when it cannot be run."""
        if command is not None:
            self.command = list(command)
        pipe = asyncio.subprocess.PIPE
        # A session of its own, so that a Ctrl-C meant for this process does not end the server before it is asked to.
        self._process = await asyncio.create_subprocess_exec(
            *self.command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, limit=READ_AHEAD_BYTES
        )
        self.pid = self._process.pid
        self._draining = asyncio.Lock()
        self._reader = asyncio.ensure_future(self._read())

    async def initialize(self) -> dict:
        """Says who this is and what it can do; the result says what the server can do."""
        params = {
            "processId": os.getpid(),
            "clientInfo": {"name": self.name},
            "capabilities": {"render": {"patch": self.patch}},
            "initializationOptions": self.options,
        }
        return await self.request("initialize", params)

    async def initialized(self) -> None:
        """Renderings start after this."""
        await self.notify("initialized", {})

    async def shutdown(self) -> None:
        self._closing = True
        await self.request("shutdown")

    async def exit(self) -> None:
        self._closing = True
        await self.notify("exit")

    async def close(self) -> None:
        """Ends the server: politely, and by force when that takes longer than two seconds."""
        if self._process is None:
            return
        self._closing = True
        try:
            await asyncio.wait_for(self.shutdown(), CLOSE_SECONDS)
            await self.exit()
        except (RPCError, ServerDied, asyncio.TimeoutError):
            pass
        self._process.stdin.close()
        await self._end()
        with contextlib.suppress(ConnectionError, asyncio.TimeoutError):
            await asyncio.wait_for(self._process.stdin.wait_closed(), CLOSE_SECONDS)

    # Saying

    async def request(self, method: str, params: Any = None, timeout: float | None = None) -> Any:
        """The result. Raises RPCError, ServerDied, or asyncio.TimeoutError after `timeout` seconds.

        A request that times out or whose task is cancelled is cancelled at the server, too.
        """
        self._last_id += 1
        number = self._last_id
        future = self._pending[number] = asyncio.get_running_loop().create_future()
        try:
            await self._send({"id": number, "method": method}, params)
            return await asyncio.wait_for(future, timeout)
        except (asyncio.CancelledError, asyncio.TimeoutError):
            if self.died is None:
                self._write({"method": "$/cancelRequest", "params": {"id": number}})
            raise
        finally:
            del self._pending[number]
            if not future.cancel() and not future.cancelled():
                future.exception()  # looked at, so that asyncio does not complain that nobody did

    async def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification. Raises ServerDied."""
        await self._send({"method": method}, params)

    async def refresh(self) -> None:
        """Asks for the full rendering, for a client that lost count."""
        full = await self.request("workflow/rendering")
        if full["revision"] >= self.revision:
            self._show(full["revision"], full["rendering"])

    async def wait_for(self, predicate: Callable[[dict], bool], timeout: float | None = None) -> dict:
        """The first front screen, now or later, that satisfies `predicate`.

        Raises ServerDied, asyncio.TimeoutError, or what `predicate` raises.
        """
        if self.screen is not None and predicate(self.screen):
            return self.screen
        if self.died:
            raise self.died
        waiter = (predicate, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            return await asyncio.wait_for(waiter[1], timeout)
        finally:
            self._waiters.remove(waiter)

    async def _send(self, message: dict, params: Any) -> None:
        if self._process is None:
            raise RuntimeError("the server was not started")
        if self.died:
            raise self.died
        if params is not None:
            message["params"] = params
        self._write(message)
        try:
            async with self._draining:  # before Python 3.10 only one task may
                await self._process.stdin.drain()
        except ConnectionError:
            await self._end()
            raise self.died from None

    def _write(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, allow_nan=False).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    # Hearing

    async def _read(self) -> None:
        errors = asyncio.ensure_future(self._read_stderr())
        reason = ""
        try:
            while True:
                head = await self._process.stdout.readuntil(b"\r\n\r\n")
                self._receive(json.loads(await self._process.stdout.readexactly(_content_length(head))))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except (ValueError, TypeError, LookupError, AttributeError, asyncio.LimitOverrunError):
            reason = "it sent something that is no message"
            self._kill()
        try:
            code = await asyncio.wait_for(self._process.wait(), CLOSE_SECONDS)
        except asyncio.TimeoutError:  # it closed its output and stayed
            self._kill()
            code = await self._process.wait()
        await asyncio.wait([errors], timeout=0.5)  # a grandchild may hold the pipe open
        errors.cancel()
        lines = [line for line in self._stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        last_line = reason or (lines[-1].strip() if lines else "")
        self.died = ServerDied(code if code >= 0 else None, -code if code < 0 else None, last_line)
        for future in [*self._pending.values(), *(future for _, future in self._waiters)]:
            if not future.done():
                future.set_exception(self.died)
        if not self._closing:
            self._call(self.on_death, self.died)

    async def _read_stderr(self) -> None:
        while True:
            piece = await self._process.stderr.read(4096)
            if not piece:
                return
            self._stderr = (self._stderr + piece)[-STDERR_BYTES_KEPT:]

    def _receive(self, message: dict) -> None:
        if "method" in message:
            if message["method"] == "workflow/render":
                self._receive_rendering(message["params"])
            else:
                self._call(self.on_notification, message["method"], message.get("params"))
            return
        number, error = message.get("id"), message.get("error")
        # An error without an id is about a message that the server could not read: whichever it was, it has no answer.
        futures = list(self._pending.values()) if number is None else [self._pending.get(number)]
        for future in futures:
            if future is None or future.done():
                continue
            if error is None:
                future.set_result(message["result"])
            else:
                future.set_exception(RPCError(error["code"], error["message"], error.get("data")))

    def _receive_rendering(self, params: dict) -> None:
        if "patch" not in params:
            self._show(params["revision"], params["rendering"])
            return
        try:
            if params["base"] != self.revision:
                raise PatchError("a rendering is missing")
            self._show(params["revision"], apply_patch(self.rendering, params["patch"]))
        except PatchError:
            task = asyncio.ensure_future(self._recover())
            self._tasks.add(task)  # asyncio itself keeps no task alive
            task.add_done_callback(self._tasks.discard)

    async def _recover(self) -> None:
        try:
            await self.refresh()
        except (RPCError, ServerDied):
            pass

    def _show(self, revision: int, rendering: dict) -> None:
        self.revision, self.rendering = revision, rendering
        for predicate, future in self._waiters:
            try:
                if not future.done() and self.screen is not None and predicate(self.screen):
                    future.set_result(self.screen)
            except Exception as error:
                future.set_exception(error)
        self._call(self.on_render, self)

    def _call(self, callback: Callable | None, *arguments: Any) -> None:
        """Calls user code, whose mistakes must not end the reading."""
        try:
            if callback:
                callback(*arguments)
        except Exception as error:
            context = {"message": "a callback of todo_client.Client failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)

    async def _end(self) -> None:
        """Waits until the server is gone, and helps when that takes too long."""
        done, _ = await asyncio.wait([self._reader], timeout=CLOSE_SECONDS)
        if not done:
            self._kill()
            await self._reader

    def _kill(self) -> None:
        try:
            self._process.kill()
        except ProcessLookupError:
            pass


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    raise ValueError("no Content-Length")
