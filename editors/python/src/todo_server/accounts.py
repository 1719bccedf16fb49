"""The profile of a command: its name, its password, and the name of the last login."""

from __future__ import annotations

import os
import sys

from .errors import TodoError
from .finding import Failure, state_folder
from .text import shown

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from .arguments import Given
    from .todos import TodoServer


def profile_name(given: Given) -> str:
    """The profile whose todos are meant. Also an empty name that was given, which the server refuses: a variable of a script that is not set."""
    return given["name"] if "name" in given else os.environ.get("TODO_NAME") or _remembered()


def register(todos: TodoServer, name: str, given: Given) -> None:
    """Makes an account, with a password, which a user on a terminal types twice."""
    if not given.get("password_stdin"):
        _check_name(todos, name)
    password = _password("Password: ", given)
    if not given.get("password_stdin") and _ask("Again: ") != password:
        raise Failure("The passwords differ.")
    todos.register(name, password)


def _check_name(todos: TodoServer, name: str) -> None:
    """Raises Failure if the server's form for an account refuses the name."""
    todos.ask("screen/act", screen="welcome", action="openRegister")
    todos.ask("screen/change", screen="register", values={"username": name})
    form = todos.ask("workflow/rendering")["rendering"]["items"][-1]["screen"]
    for field in form["body"]["fields"]:
        if field["name"] == "username" and "error" in field:
            raise Failure(f"{field['label']}: {field['error']}")


def log_in(todos: TodoServer, name: str, given: Given) -> None:
    """Logs in, with a password where one is given or needed."""
    if not given.get("password_stdin"):
        try:
            return todos.login(name)
        except TodoError as error:
            if error.kind != "invalidCredentials":
                raise
            if not sys.stdin.isatty():
                raise Failure(f"{error} (--password-stdin gives a password.)") from None
    todos.login(name, _password(f"Password for {shown(name)}: ", given))


def _password(question: str, given: Given) -> str:
    try:
        if not given.get("password_stdin"):
            return _ask(question)
        return sys.stdin.buffer.readline().decode().rstrip("\r\n")
    except EOFError:
        raise Failure("No password was given.") from None
    except UnicodeDecodeError:
        raise Failure("The password is not UTF-8.") from None


def _ask(question: str) -> str:
    import getpass  # takes long

    return getpass.getpass(question)


def _name_file() -> str:
    """The file with the name of the last login."""
    return os.path.join(state_folder(), "name")


def _remembered() -> str:
    try:
        with open(_name_file(), encoding="utf-8") as file:
            name = file.read().rstrip("\n")
    except (OSError, ValueError):
        name = ""
    if name := name or os.environ.get("USER", ""):
        return name
    import getpass

    return getpass.getuser()


def remember(name: str) -> None:
    """Makes this the name of the next commands."""
    path = _name_file()
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(name + "\n")
    os.replace(path + ".new", path)
