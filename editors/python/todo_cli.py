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

from todo_client import Client, RPCError, ServerDied
from todo_text import shown

PAGE_TODOS = 1000
SERVER_OPTIONS = {"store": "store", "source": "source", "github_url": "githubURL", "register_url": "registerURL"}
Given = dict[str, Any]  # the arguments, by name; those that were not given are missing or None


class Failure(Exception):
    """What the user is told instead of a result."""


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

    def command(
        name: str, text: str, *positionals: str, note: bool = False, done: Sequence[str] = ()
    ) -> ArgumentParser:
        one = commands.add_parser(name, help=text, description=text, parents=[common])
        for positional in positionals:
            one.add_argument(positional.lower().replace(" ", "_"), metavar=positional.split()[-1])
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
    command("add", "add a todo", "TITLE", note=True)
    edit = command("edit", "change a todo", "ID", note=True, done=("--done", "--undone"))
    edit.add_argument("--title", help="the new title")
    command("show", "print a todo", "ID")
    command("done", "check a todo off", "ID")
    command("rm", "remove a todo", "ID")
    command("login", "log in, and remember the name", "USER NAME")
    command("register", "make an account, and remember the name", "USER NAME")
    return parser


def server_options(given: Given) -> dict[str, str]:
    """The initializationOptions that were asked for."""
    return {wire: given[name] for name, wire in SERVER_OPTIONS.items() if given.get(name) is not None}


# Commands


def run(server: Sequence[str], given: Given) -> int:
    """Does one command; its exit code."""
    try:
        asyncio.run(_session(server, given))
        sys.stdout.flush()
        return 0
    except BrokenPipeError:  # whoever reads our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except (Failure, OSError, RPCError, ServerDied) as error:
        print(f"todo: {shown(str(error))}", file=sys.stderr)
    return 1


async def _session(server: Sequence[str], given: Given) -> None:
    note = _read_note(given)
    async with Client(server, options=server_options(given), name="todo-cli") as client:
        if given["command"] == "register":
            await _register(client, given)
            return
        name = given.get("user_name") or given.get("name") or os.environ.get("TODO_NAME") or _remembered()
        await _log_in(client, name, given)
        if given["command"] == "login":
            _remember(name)
            _print(given, {"name": name}, f"logged in as {shown(name)}\n")
        elif given["command"] == "list":
            await _list(client, given)
        elif given["command"] == "show":
            await _show(client, given)
        elif given["command"] == "rm":
            await _ask(client, "removeTodo", {"id": given["id"]})
            _print(given, {"id": given["id"]}, f"removed {given['id']}\n")
        else:
            wanted = {key: given.get(key) for key in ("id", "title", "done")}
            if given["command"] == "done":
                wanted["done"] = True
            params = {key: value for key, value in {**wanted, "note": note}.items() if value is not None}
            answer = await _ask(client, "addTodo" if given["command"] == "add" else "editTodo", params)
            _print(given, answer["todo"], _line(answer["todo"]))


async def _list(client: Client, given: Given) -> None:
    failure = await _load(client)
    params = {key: given[key] for key in ("query", "done") if given.get(key) is not None}
    todos: list[dict] = []
    while True:
        page = await client.request("listTodos", {**params, "offset": len(todos), "limit": PAGE_TODOS})
        todos += page["todos"]
        if not page["todos"] or len(todos) >= page["total"]:
            break
    _print(given, todos, "".join(map(_line, todos)))
    if failure:
        sys.stdout.flush()
        raise Failure(f"{failure} (Listed is what is stored here.)")


async def _show(client: Client, given: Given) -> None:
    todo = (await _ask(client, "getTodo", {"id": given["id"]}))["todo"]
    note = todo["note"]
    if sys.stdout.isatty():
        note = "\n".join(map(shown, note.split("\n")))
    text = shown(todo["title"]) + "\n" + (f"\n{note}" if note else "")
    _print(given, todo, text if text.endswith("\n") else text + "\n")


async def _register(client: Client, given: Given) -> None:
    password = _password("Password: ", given)
    if not given.get("password_stdin") and getpass.getpass("Again: ") != password:
        raise Failure("The passwords differ.")
    name = given["user_name"]
    await client.request("register", {"username": name, "password": password})
    _remember(name)
    _print(given, {"username": name}, f"registered {shown(name)}\n")


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


async def _load(client: Client) -> str:
    """Waits for the load; says what went wrong with it."""
    try:
        answer = await client.request("loadTodos")
        return "" if answer["complete"] else "Not everything could be loaded."
    except RPCError as error:
        return error.message


async def _ask(client: Client, method: str, params: dict) -> dict:
    """The answer, after the load if it cannot be had before."""
    try:
        return await client.request(method, params)
    except RPCError as error:
        if error.kind not in ("notFound", "busy"):
            raise
    failure = await _load(client)
    try:
        return await client.request(method, params)
    except RPCError as error:
        raise Failure(f"{error} {failure}".strip()) from None


def _line(todo: dict) -> str:
    return f"{todo['id']}  [{'x' if todo['done'] else ' '}] {shown(todo['title'])}\n"


def _print(given: Given, value: Any, text: str) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n" if given.get("json") else text)


def _password(question: str, given: Given) -> str:
    if not given.get("password_stdin"):
        return getpass.getpass(question)
    try:
        return sys.stdin.buffer.readline().decode().rstrip("\r\n")
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


# The name of the last login


def _name_file() -> str:
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
