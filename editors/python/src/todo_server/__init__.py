"""Todos from Python: a library for scripts, a client for todo-server, the command `todo`, a front-end on the terminal.

    with TodoServer(name="ann") as todos:
        todos.add("Buy milk")

Needs Python 3.9 and its standard library, and the program todo-server.
"""

from .client import Client, RPCError, ServerDied
from .errors import Conflict, InvalidValue, NotFound, Side, TodoError
from .finding import Failure, find_server
from .records import AgendaTodo, Change, ConflictingTodo, RemovedTodo, Step, Todo
from .todos import TodoServer

__version__ = "0.2.0"
__all__ = [
    "AgendaTodo", "Change", "Client", "Conflict", "ConflictingTodo", "Failure", "InvalidValue", "NotFound",
    "RPCError", "RemovedTodo", "ServerDied", "Side", "Step", "Todo", "TodoError", "TodoServer", "find_server",
]  # fmt: skip
