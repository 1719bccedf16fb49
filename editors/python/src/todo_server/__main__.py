"""The command `todo`: interactive on a terminal, one-shot commands for scripts."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys

from . import arguments
from .errors import CONFLICT_CODE, Conflict, InvalidValue, RPCError, ServerDied, TodoError, sentence
from .finding import Failure, find_server
from .text import shown

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from collections.abc import Callable

    from .arguments import Given


def run(find: Callable[[], list[str]] = find_server) -> None:
    """Runs the command line, and ends the process, without what Python does first: it frees each todo of a list."""
    code = main(find)
    try:
        sys.stdout.flush()
    finally:
        os._exit(code)


def main(find: Callable[[], list[str]] = find_server) -> int:
    """Runs the command line; the exit code. `find` says which command starts the server."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the parent process has closed it
            setattr(sys, name, open(os.devnull, mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    signal.signal(signal.SIGINT, _interrupt)
    try:
        given = arguments.parse()
        run = _run if given["command"] else _interactive
        code = run([] if given["command"] == "completion" else find(), given)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader has closed the pipe
        _drop_output()
        return 128 + signal.SIGPIPE  # as a shell has it of other programs
    except OSError as error:
        _drop_output()
        print(f"todo: {error.filename + ': ' if error.filename else ''}{error.strerror or error}", file=sys.stderr)
    except (Failure, RPCError, ServerDied, TodoError) as error:
        text, fields = sentence(str(error)), error.fields if isinstance(error, InvalidValue) else {}
        text += "".join(f"\n{name}: {reason}" for name, reason in fields.items() if reason not in text)
        print("todo: " + "\n".join(map(shown, text.split("\n"))), file=sys.stderr)
        return CONFLICT_CODE if isinstance(error, Conflict) else 1
    return 1


def _run(server: list[str], given: Given) -> int:
    from . import commands

    if given["command"] != "watch":  # the others end soon, and have few cycles of objects to free
        gc.disable()

    return commands.run(server, given)


def _interactive(server: list[str], given: Given) -> int:
    try:
        from .terminal import app
    except ImportError:
        raise Failure("This Python has no curses for a full screen. Commands work: try --help.") from None
    import asyncio

    asyncio.run(app.run(server, arguments.server_options(given)))
    return 0


def _interrupt(*_: object) -> None:
    """Exits immediately, also during a question, which asyncio's own handler of Ctrl-C does not do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # another Ctrl-C must not interrupt the server's shutdown
    raise KeyboardInterrupt


def _drop_output() -> None:
    """Drops the unwritten output, which Python would write again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    run()
