"""A process with pipes. `subprocess` can do more, but importing it takes 1.9 ms, a twentieth of the command `todo list`."""

from __future__ import annotations

import fcntl
import io
import os
import signal
import threading
import time
from collections.abc import Sequence

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Optional

FIRST_POLL_SECONDS, LAST_POLL_SECONDS = 0.0001, 0.02
DEFAULT_SIGNALS = [signal.SIGPIPE, signal.SIGXFSZ]  # which Python itself ignores


class Process:
    """A process with a pipe each for its stdin, stdout and stderr. Raises OSError.

    It has a session of its own, so that a Ctrl-C meant for this process does not end it.
    """

    def __init__(self, command: Sequence[str], buffer_bytes: int):
        pipes: list[int] = []
        try:
            for _ in range(3):
                pipes += _pipe()
            theirs = (pipes[0], pipes[3], pipes[5])
            actions = [(os.POSIX_SPAWN_DUP2, pipe, number) for number, pipe in enumerate(theirs)]
            self.pid = os.posix_spawnp(
                command[0], tuple(command), os.environ, file_actions=actions, setsid=True, setsigdef=DEFAULT_SIGNALS
            )
        except BaseException:
            _close(pipes)
            raise
        _close(theirs)
        self.stdin = io.BufferedWriter(io.FileIO(pipes[1], "w"), buffer_bytes)
        self.stdout = io.BufferedReader(io.FileIO(pipes[2]), buffer_bytes)
        self.stderr = io.BufferedReader(io.FileIO(pipes[4]), buffer_bytes)
        self._lock = threading.Lock()  # so that no signal reaches another process that got the number
        self._status: Optional[int] = None

    def wait(self, seconds: float) -> Optional[int]:
        """The exit code, or the negative number of the signal; None if the process has not ended in this time."""
        deadline, pause = time.monotonic() + seconds, FIRST_POLL_SECONDS
        while (status := self._poll()) is None and time.monotonic() < deadline:
            time.sleep(pause)
            pause = min(pause * 2, LAST_POLL_SECONDS)
        return status

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> int:
        """Ends the process, and waits for its end; as `wait`."""
        self._send(signal.SIGKILL)
        while (status := self.wait(LAST_POLL_SECONDS)) is None:
            pass
        return status

    def _poll(self) -> Optional[int]:
        with self._lock:
            if self._status is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # this program ignores SIGCHLD, so the system has dropped the status
                    pid, status = self.pid, 0
                self._status = os.waitstatus_to_exitcode(status) if pid else None
            return self._status

    def _send(self, number: int) -> None:
        if self._poll() is None:
            with self._lock:
                if self._status is None:
                    os.kill(self.pid, number)


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are none of the numbers of stdin, stdout and stderr, which the parent may have closed."""
    ends = os.pipe()
    if min(ends) > 2:
        return ends
    try:
        reading, writing = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3) for end in ends)
        return reading, writing
    finally:
        _close(ends)


def _close(pipes: Sequence[int]) -> None:
    for pipe in pipes:
        os.close(pipe)
