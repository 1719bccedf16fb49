"""Todos from Python: a client for todo-server, the command `todo`, and a front-end on the terminal.

Needs Python 3.9 and its standard library, and the program todo-server.
"""

from .client import Client, RPCError, ServerDied
from .finding import Failure, find_server

__version__ = "0.1.0"
__all__ = ["Client", "Failure", "RPCError", "ServerDied", "find_server"]
