"""The parser of the command line."""

from __future__ import annotations

import os
import re
import sys
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Sequence
from typing import Any, Optional

NEGATED = re.compile(r"-[a-z]+:.", re.IGNORECASE)
FORMATS = ("taskwarrior", "todotxt", "markdown")
SHELLS = ("bash", "zsh")
ALIASES = {"ls": "list"}
SERVER_OPTIONS = {"store": "store", "github_url": "githubURL", "register_url": "registerURL"}
Given = dict[str, Any]  # the arguments, by name; those that were not given are missing or None
EPILOG = """Without a command: the interactive front-end, or list where there is no terminal. ID is the beginning of an id, the
number of an issue (7), a range (k3f9..p2q7, 7-9), or words of a title that no other title has; it may be repeated.
Exit code: 0, or 1 when it failed, 2 when the arguments make no sense, 3 when there is a conflict to settle, 130 after
Ctrl-C."""
FIELDS = ("due", "labels", "priority")


def parse(arguments: Optional[Sequence[str]] = None) -> Given:
    """The arguments, checked. Exits with code 2 when they make no sense."""
    parser = make_parser()
    arguments, negated = _negated(sys.argv[1:] if arguments is None else arguments)
    given = vars(parser.parse_args(arguments))
    if negated and "words" not in given:
        parser.error(f"unrecognized arguments: {' '.join(negated)}")
    if negated:
        given["words"] = [*given["words"], *negated]
    for value in given.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and any("\ud800" <= character <= "\udfff" for character in text):
                parser.error("an argument is not UTF-8")
    given["command"] = ALIASES.get(given["command"], given["command"])
    command, reads_password = given["command"], given.get("password_stdin")
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if command is None and not has_terminal:
        print("todo: this is not a terminal, so your todos are listed; --help has the other commands.", file=sys.stderr)
        command = given["command"] = "list"
    if command is None and (given.get("name") or reads_password or given.get("json")):
        parser.error("--name, --password-stdin and --json need a command")
    changes = any(given.get(key) is not None for key in ("title", "note", "note_file", "append_note", "done", *FIELDS))
    if command == "edit" and not changes and not has_terminal and not has_editor():
        options = "--title, --note, --note-file, --append-note, --done, --undone, --due, --label or --priority"
        parser.error(f"edit needs something to change: {options}")
    if reads_password and (given.get("note_file") == "-" or (command == "import" and given["file"] == "-")):
        parser.error("stdin cannot be the password and something else")
    if command == "forget" and not given.get("yes") and not has_terminal:
        parser.error("not on a terminal, so forget needs --yes")
    if command == "register" and not reads_password and not sys.stdin.isatty():
        parser.error("not on a terminal, so register needs --password-stdin")
    return given


def _negated(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments without negated qualifiers, such as -label:home, and these: to argparse they are options."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    negated = [word for word in arguments[:end] if NEGATED.match(word)]
    return [word for word in arguments[:end] if word not in negated] + [*arguments[end:]], negated


def has_editor() -> bool:
    """Whether the user has chosen an editor, which then works without a terminal on stdin, too."""
    return bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


def server_options(given: Given) -> dict[str, Any]:
    """The initializationOptions for the given options."""
    options = {wire: given[name] for name, wire in SERVER_OPTIONS.items() if given.get(name) is not None}
    sources = given.get("source") or []
    return {**options, **({"source": sources[0]} if len(sources) == 1 else {"sources": sources} if sources else {})}


def make_parser() -> ArgumentParser:
    common = ArgumentParser(add_help=False, argument_default=SUPPRESS)
    common.add_argument("--name", help="whose todos (default: $TODO_NAME, the last login, $USER)")
    common.add_argument("--store", help="memory, sqlite, sqlite:PATH or source")
    common.add_argument("--source", action="append", help="local, github:OWNER/REPO or github:@me; agenda, list, lists: several")
    common.add_argument("--github-url", metavar="URL", help="the API of another GitHub host")
    common.add_argument("--register-url", metavar="URL", help="the service that makes accounts")
    common.add_argument("--password-stdin", action="store_true", help="read the password from stdin")
    common.add_argument("--json", action="store_true", help="print JSON")
    parser = ArgumentParser("todo", description="Todos, from a terminal or a script.", epilog=EPILOG, parents=[common])
    parser.add_argument("--version", action=Version, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(
        name: str, text: str, *positionals: str, note: bool = False, done: Sequence[str] = ()
    ) -> ArgumentParser:
        aliases = [alias for alias, of in ALIASES.items() if of == name]
        one = commands.add_parser(name, aliases=aliases, help=text, description=text, parents=[common])
        for positional in positionals:
            many: dict[str, Any] = {}
            if positional.endswith("..."):
                many["nargs"] = "*" if positional == "words..." else "+"
            metavar = "NAME" if positional == "account" else positional.rstrip(".").upper()
            one.add_argument(positional.rstrip("."), metavar=metavar, **many)
        if note:
            either = one.add_mutually_exclusive_group()
            either.add_argument("--note", help="the note")
            either.add_argument("--note-file", metavar="FILE", help="read the note from a file; - is stdin")
            if name == "edit":
                either.add_argument("--append-note", metavar="TEXT", help="add a line to the note")
        if done:
            either = one.add_mutually_exclusive_group()
            for flag in done:
                either.add_argument(flag, dest="done", action="store_const", const=flag == "--done")
        return one

    listing = command("list", "list todos, or only those with these words", "words...", done=("--done", "--open"))
    listing.add_argument("--query", help="only those with these words and qualifiers, such as is:open or label:home")
    listing.add_argument("--sort", metavar="KEY", help="such as title, or --sort=-updated for the newest first")
    listing.add_argument("--limit", type=int, metavar="N", help="the first N")
    listing.add_argument("--fields", metavar="NAME,NAME", help="columns, such as id,title,updatedAt")

    listing.add_argument("--count", action="store_true", help="only how many there are")
    command("agenda", "list the open todos with a due date of all lists, by date")

    def fields(one: ArgumentParser, label: str) -> None:
        one.add_argument("--due", metavar="DATE", help="2026-12-01, tomorrow, fri, +3d, perhaps with 17:30; none: no date")
        one.add_argument("--priority", metavar="WORD", help="high, medium, low or none")
        one.add_argument("--label", dest="labels", action="append", metavar="LABEL", help=label)

    fields(command("add", "add a todo", "title...", note=True), "a label; may be repeated")
    edit = command("edit", "change todos; without options, in $EDITOR", "id...", note=True, done=("--done", "--undone"))
    edit.add_argument("--title", help="the new title")
    fields(edit, "adds a label; --label=-LABEL removes it; may be repeated")
    command("show", "print todos", "id...")
    command("done", "check todos off", "id...")
    command("undone", "take the check mark back", "id...")
    command("rm", "remove todos", "id...")
    command("move", "move a todo: WORDS before WORDS, or WORDS after WORDS", "id...")
    command("removed", "list the todos that were removed, closed or deleted in the last 30 days")
    command("restore", "put removed todos back", "id...")
    forget = command("forget", "delete removed todos and their history for good", "id...")
    forget.add_argument("--yes", action="store_true", help="do not ask")
    command("undo", "take back the last change")
    command("redo", "make it again")
    sync = command("sync", "bring changes to the source and from it")
    sync.add_argument("--dry-run", action="store_true", help="say what would be sent, and send nothing")
    sync.add_argument("--all", action="store_true", help="look at everything, not only at what is new")
    command("conflicts", "list the todos that were changed here and at the source")
    resolve = command("resolve", "settle a conflict; without options, in $EDITOR", "id")
    either = resolve.add_mutually_exclusive_group()
    for keep in ("mine", "theirs", "merged"):
        either.add_argument(f"--{keep}", dest="keep", action="store_const", const=keep)
    command("lists", "list your lists")
    export = command("export", "write the todos of a list to stdout")
    export.add_argument("--to", choices=FORMATS, help="in the format of another program")
    load = command("import", "read todos", "file")
    load.add_argument("--from", dest="format", choices=FORMATS, help="in the format of another program")
    command("watch", "print every change, until Ctrl-C")
    command("login", "log in, and remember the name", "account")
    command("register", "make an account, and remember the name", "account")
    command("completion", "print what completes this command in a shell").add_argument("shell", choices=SHELLS)
    return parser


class Version(Action):
    """Prints the version, which is only known when the package is."""

    def __init__(self, *names: Any, **more: Any):
        more.update(nargs=0, dest=SUPPRESS, default=SUPPRESS)
        super().__init__(*names, **more)

    def __call__(self, parser: ArgumentParser, *_: Any) -> None:
        from . import __version__

        print(f"todo {__version__}")
        parser.exit()
