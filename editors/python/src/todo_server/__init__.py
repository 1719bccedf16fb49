"""Todos from Python: a library for scripts, a client for todo-server, the command `todo`, a front-end on the terminal.

    with TodoServer(name="ann") as todos:
        todos.add("Buy milk")

Needs Python 3.9 and its standard library, and the program todo-server.
"""

from typing import TYPE_CHECKING, Any

from .errors import Conflict, InvalidValue, NotFound, RPCError, ServerDied, Side, TodoError
from .finding import Failure, find_server
from .records import AgendaTodo, Change, ConflictingTodo, RemovedTodo, Step, Todo
from .todos import TodoServer

if TYPE_CHECKING:
    from .client import Client

__version__ = "0.2.0"
__all__ = [
    "AgendaTodo", "Change", "Client", "Conflict", "ConflictingTodo", "Failure", "InvalidValue", "NotFound",
    "RPCError", "RemovedTodo", "ServerDied", "Side", "Step", "Todo", "TodoError", "TodoServer", "find_server",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Imports the client when it is used: asyncio takes longer than everything else."""
    if name != "Client":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .client import Client

    return Client
