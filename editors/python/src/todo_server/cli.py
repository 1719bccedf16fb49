"""The one-shot commands: each starts a server, logs in, does one thing, and prints plain lines."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import sys
from argparse import SUPPRESS, ArgumentParser
from typing import Any
from collections.abc import Sequence

from .client import Client, RPCError
from .finding import Failure
from .text import shown

PAGE_TODOS = 1000
SERVER_OPTIONS = {"store": "store", "source": "source", "github_url": "githubURL", "register_url": "registerURL"}
Given = dict[str, Any]  # the arguments, by name; those that were not given are missing or None


# Arguments


def parse(arguments: Sequence[str] | None = None) -> Given:
    """The arguments, checked. Exits with code 2 when they make no sense."""
    parser = _parser()
    given = vars(parser.parse_args(arguments))
    for value in given.values():
        if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
            parser.error("an argument is not UTF-8")
    command, reads_password = given["command"], given.get("password_stdin")
    if command is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("todo: this is not a terminal, so your todos are listed; --help has the other commands.", file=sys.stderr)
        command = given["command"] = "list"
    if command is None and (given.get("name") or reads_password or given.get("json")):
        parser.error("--name, --password-stdin and --json need a command")
    if command == "edit" and all(given.get(key) is None for key in ("title", "note", "note_file", "done")):
        parser.error("edit needs something to change: --title, --note, --note-file, --done or --undone")
    if reads_password and given.get("note_file") == "-":
        parser.error("stdin cannot be both the password and the note")
    if command == "register" and not reads_password and not sys.stdin.isatty():
        parser.error("not on a terminal, so register needs --password-stdin")
    return given


def _parser() -> ArgumentParser:
    common = ArgumentParser(add_help=False, argument_default=SUPPRESS)
    common.add_argument("--name", help="whose todos (default: $TODO_NAME, the last login, $USER)")
    common.add_argument("--store", help="memory, sqlite or sqlite:PATH")
    common.add_argument("--source", help="local or github:OWNER/REPO")
    common.add_argument("--github-url", metavar="URL", help="the API of another GitHub host")
    common.add_argument("--register-url", metavar="URL", help="the service that makes accounts")
    common.add_argument("--password-stdin", action="store_true", help="read the password from stdin")
    common.add_argument("--json", action="store_true", help="print JSON")
    epilog = "Without a command: the interactive front-end, or list where there is no terminal."
    parser = ArgumentParser("todo", description="Todos, from a terminal or a script.", epilog=epilog, parents=[common])
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str, *positionals: str, note: bool = False, done: Sequence[str] = ()) -> Any:
        one = commands.add_parser(name, help=text, description=text, parents=[common])
        for positional in positionals:
            one.add_argument(positional, metavar="NAME" if positional == "account" else positional.upper())
        if note:
            either = one.add_mutually_exclusive_group()
            either.add_argument("--note", help="the note")
            either.add_argument("--note-file", metavar="FILE", help="read the note from a file; - is stdin")
        if done:
            either = one.add_mutually_exclusive_group()
            for flag in done:
                either.add_argument(flag, dest="done", action="store_const", const=flag == "--done")
        return one

    command("list", "list todos", done=("--done", "--open")).add_argument("--query", help="only those with these words")
    command("add", "add a todo", "title", note=True)
    edit = command("edit", "change a todo", "id", note=True, done=("--done", "--undone"))
    edit.add_argument("--title", help="the new title")
    command("show", "print a todo", "id")
    command("done", "check a todo off", "id")
    command("rm", "remove a todo", "id")
    command("login", "log in, and remember the name", "account")
    command("register", "make an account, and remember the name", "account")
    return parser


def server_options(given: Given) -> dict[str, str]:
    """The initializationOptions that were asked for."""
    return {wire: given[name] for name, wire in SERVER_OPTIONS.items() if given.get(name) is not None}


# Commands


def run(server: Sequence[str], given: Given) -> None:
    """Does one command. Raises Failure, OSError, RPCError and ServerDied."""
    asyncio.run(_session(server, given, _read_note(given)))


async def _session(server: Sequence[str], given: Given, note: str | None) -> None:
    command, failure, todo_id = given["command"], "", {"id": given.get("id")}
    async with Client(server, options=server_options(given), name="todo-cli") as client:
        name = given.get("account") or given.get("name") or os.environ.get("TODO_NAME") or _remembered()
        if command == "register":
            await _register(client, name, given)
        else:
            await _log_in(client, name, given)
        if command in ("login", "register"):
            _remember(name)
            key, did = ("name", "logged in as") if command == "login" else ("username", "registered")
            value, text = {key: name}, f"{did} {shown(name)}\n"
        elif command == "list":
            failure = await _load(client)
            value = await _list(client, {key: given[key] for key in ("query", "done") if given.get(key) is not None})
            text = "".join(map(_line, value))
        elif command == "rm":
            await _ask(client, "removeTodo", todo_id)
            value, text = todo_id, f"removed {given['id']}\n"
        elif command == "show":
            value = (await _ask(client, "getTodo", todo_id))["todo"]
            note = value["note"]
            if sys.stdout.isatty():  # elsewhere it is wanted byte for byte
                note = "\n".join(map(shown, note.split("\n")))
            text = shown(value["title"]) + "\n" + (f"\n{note}" if note else "")
            text += "" if text.endswith("\n") else "\n"
        else:
            done = True if command == "done" else given.get("done")
            wanted = {**todo_id, "title": given.get("title"), "note": note, "done": done}
            params = {key: value for key, value in wanted.items() if value is not None}
            value = (await _ask(client, "addTodo" if command == "add" else "editTodo", params))["todo"]
            text = _line(value)
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n" if given.get("json") else text)
    if failure:
        sys.stdout.flush()
        raise Failure(f"{failure} (Listed is what is stored here.)")


async def _list(client: Client, params: dict) -> list[dict]:
    todos: list[dict] = []
    while True:
        page = await client.request("listTodos", {**params, "offset": len(todos), "limit": PAGE_TODOS})
        todos += page["todos"]
        if not page["todos"] or len(todos) >= page["total"]:
            return todos


async def _load(client: Client) -> str:
    """Waits for the load; says what went wrong with it."""
    try:
        return "" if (await client.request("loadTodos"))["complete"] else "Not everything could be loaded."
    except RPCError as error:
        return error.message


async def _ask(client: Client, method: str, params: dict) -> dict:
    """The answer, after the load if it cannot be had before."""
    try:
        return await client.request(method, params)
    except RPCError as error:
        if error.kind != "notFound":
            raise
    failure = await _load(client)
    try:
        return await client.request(method, params)
    except RPCError as error:
        raise Failure(f"{error} {failure}".strip()) from None


def _line(todo: dict) -> str:
    return f"{todo['id']}  [{'x' if todo['done'] else ' '}] {shown(todo['title'])}\n"


# Who it is


async def _register(client: Client, name: str, given: Given) -> None:
    password = _password("Password: ", given)
    if not given.get("password_stdin") and getpass.getpass("Again: ") != password:
        raise Failure("The passwords differ.")
    await client.request("register", {"username": name, "password": password})


async def _log_in(client: Client, name: str, given: Given) -> None:
    """Logs in, with a password where one is given or needed."""
    if not given.get("password_stdin"):
        try:
            await client.request("login", {"name": name})
            return
        except RPCError as error:
            if error.kind != "invalidCredentials":
                raise
            if not sys.stdin.isatty():
                raise Failure(f"{error} (--password-stdin gives a password.)") from None
    await client.request("login", {"name": name, "password": _password(f"Password for {shown(name)}: ", given)})


def _password(question: str, given: Given) -> str:
    try:
        if not given.get("password_stdin"):
            return getpass.getpass(question)
        return sys.stdin.buffer.readline().decode().rstrip("\r\n")
    except EOFError:
        raise Failure("No password was given.") from None
    except UnicodeDecodeError:
        raise Failure("The password is not UTF-8.") from None


def _read_note(given: Given) -> str | None:
    path = given.get("note_file")
    if path is None:
        return given.get("note")
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode()
        with open(path, "rb") as file:
            return file.read().decode()
    except UnicodeDecodeError:
        raise Failure("The note is not UTF-8.") from None


def _name_file() -> str:
    """Where the name of the last login is kept."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(state, "todo-server", "name")


def _remembered() -> str:
    try:
        with open(_name_file(), encoding="utf-8") as file:
            name = file.read().rstrip("\n")
    except (OSError, ValueError):
        name = ""
    return name or os.environ.get("USER") or getpass.getuser()


def _remember(name: str) -> None:
    path = _name_file()
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(name + "\n")
    os.replace(path + ".new", path)
