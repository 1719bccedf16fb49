"""The command line for argparse: the options of each command."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser

from .arguments import ALIASES, COMMANDS

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

FORMATS = ("taskwarrior", "todotxt", "markdown")
SHELLS = ("bash", "zsh")
EPILOG = """Without a command: the interactive front-end, or list where there is no terminal. ID is the beginning of an id, the
number of an issue (7), a range (k3f9..p2q7, 7-9), or words of a title that no other title has; it may be repeated.
Exit code: 0, or 1 when it failed, 2 when the arguments make no sense, 3 when there is a conflict to settle, 130 after
Ctrl-C."""


def make_parser(command: Optional[str] = None) -> ArgumentParser:
    """The parser of the command line; of one command only if it is named, because the others take time to make."""
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
    command = ALIASES.get(command or "", command)
    for name in [command] if command in COMMANDS else COMMANDS:
        text, positional = COMMANDS[name]
        aliases = [alias for alias, of in ALIASES.items() if of == name]
        one = commands.add_parser(name, aliases=aliases, help=text, description=text, parents=[common])
        if positional:
            many: dict[str, Any] = {}
            if positional.endswith("..."):
                many["nargs"] = "*" if positional == "words..." else "+"
            metavar = "NAME" if positional == "account" else positional.rstrip(".").upper()
            if positional == "shell":
                many["choices"] = SHELLS
            one.add_argument(positional.rstrip("."), metavar=metavar, **many)
        if name in OPTIONS:
            OPTIONS[name](one)
    return parser


def _note(one: ArgumentParser, can_append: bool = False) -> None:
    either = one.add_mutually_exclusive_group()
    either.add_argument("--note", help="the note")
    either.add_argument("--note-file", metavar="FILE", help="read the note from a file; - is stdin")
    if can_append:
        either.add_argument("--append-note", metavar="TEXT", help="add a line to the note")


def _done(one: ArgumentParser, *flags: str) -> None:
    either = one.add_mutually_exclusive_group()
    for flag in flags:
        either.add_argument(flag, dest="done", action="store_const", const=flag == "--done")


def _fields(one: ArgumentParser, label: str) -> None:
    one.add_argument("--due", metavar="DATE", help="2026-12-01, tomorrow, fri, +3d, perhaps with 17:30; none: no date")
    one.add_argument("--priority", metavar="WORD", help="high, medium, low or none")
    one.add_argument("--label", dest="labels", action="append", metavar="LABEL", help=label)


def _list(one: ArgumentParser) -> None:
    _done(one, "--done", "--open")
    one.add_argument("--query", help="only those with these words and qualifiers, such as is:open or label:home")
    one.add_argument("--sort", metavar="KEY", help="such as title, or --sort=-updated for the newest first")
    one.add_argument("--limit", type=int, metavar="N", help="the first N")
    one.add_argument("--fields", metavar="NAME,NAME", help="columns, such as id,title,updatedAt")
    one.add_argument("--count", action="store_true", help="only how many there are")


def _add(one: ArgumentParser) -> None:
    _note(one)
    _fields(one, "a label; may be repeated")


def _edit(one: ArgumentParser) -> None:
    _note(one, can_append=True)
    _done(one, "--done", "--undone")
    one.add_argument("--title", help="the new title")
    _fields(one, "adds a label; --label=-LABEL removes it; may be repeated")


def _forget(one: ArgumentParser) -> None:
    one.add_argument("--yes", action="store_true", help="do not ask")


def _drafts(one: ArgumentParser) -> None:
    one.add_argument("--discard", type=int, metavar="NUMBER", action="append", help="discard one for good; may be repeated")


def _sync(one: ArgumentParser) -> None:
    one.add_argument("--dry-run", action="store_true", help="say what would be sent, and send nothing")
    one.add_argument("--all", action="store_true", help="look at everything, not only at what is new")


def _resolve(one: ArgumentParser) -> None:
    either = one.add_mutually_exclusive_group()
    for keep in ("mine", "theirs", "merged"):
        either.add_argument(f"--{keep}", dest="keep", action="store_const", const=keep)


def _export(one: ArgumentParser) -> None:
    one.add_argument("--to", choices=FORMATS, help="in the format of another program")


def _import(one: ArgumentParser) -> None:
    one.add_argument("--from", dest="format", choices=FORMATS, help="in the format of another program")


OPTIONS = {
    "list": _list, "add": _add, "edit": _edit, "forget": _forget, "drafts": _drafts, "sync": _sync, "resolve": _resolve,
    "export": _export, "import": _import,
}  # fmt: skip


class Version(Action):
    """Prints the version, which is only known when the package is."""

    def __init__(self, *names: Any, **more: Any):
        more.update(nargs=0, dest=SUPPRESS, default=SUPPRESS)
        super().__init__(*names, **more)

    def __call__(self, parser: ArgumentParser, *_: Any) -> None:
        from . import __version__

        print(f"todo {__version__}")
        parser.exit()
