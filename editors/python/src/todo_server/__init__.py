"""Todos from Python: a library for scripts, a client for todo-server, the command `todo`, a front-end on the terminal.

    with TodoServer(name="ann") as todos:
        todos.add("Buy milk")

Needs Python 3.9 and its standard library, and the program todo-server.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .client import Client
    from .errors import Conflict, InvalidValue, NotFound, RPCError, ServerDied, TodoError
    from .finding import Failure, find_server
    from .records import AgendaTodo, Change, ConflictingTodo, Draft, RemovedTodo, Side, Step, Todo
    from .todos import TodoServer

__version__ = "0.2.0"
__all__ = [
    "AgendaTodo", "Change", "Client", "Conflict", "ConflictingTodo", "Draft", "Failure", "InvalidValue", "NotFound",
    "RPCError", "RemovedTodo", "ServerDied", "Side", "Step", "Todo", "TodoError", "TodoServer", "find_server",
]  # fmt: skip
_MODULES = {
    "client": ("Client",),
    "errors": ("Conflict", "InvalidValue", "NotFound", "RPCError", "ServerDied", "TodoError"),
    "finding": ("Failure", "find_server"),
    "records": ("AgendaTodo", "Change", "ConflictingTodo", "Draft", "RemovedTodo", "Side", "Step", "Todo"),
    "todos": ("TodoServer",),
}


def __getattr__(name: str) -> Any:
    """Imports a module when one of its names is used: a command needs few of them."""
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
