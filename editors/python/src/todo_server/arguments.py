"""The arguments of the command line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

TYPE_CHECKING = False  # importing typing takes long
if TYPE_CHECKING:
    from typing import Any, Optional

    Given = dict[str, Any]  # the arguments, by name; those that were not given are missing, None or False

NEGATED = r"-[A-Za-z]+:."
# Of each command its help, and the name of its positional argument, with dots if it may be repeated.
COMMANDS = {
    "list": ("list todos, or only those with these words", "words..."),
    "agenda": ("list the open todos with a due date of all lists, by date", ""),
    "add": ("add a todo", "title..."),
    "edit": ("change todos; without options, in $EDITOR", "id..."),
    "show": ("print todos", "id..."),
    "done": ("check todos off", "id..."),
    "undone": ("take the check mark back", "id..."),
    "rm": ("remove todos", "id..."),
    "move": ("move a todo: WORDS before WORDS, or WORDS after WORDS", "id..."),
    "removed": ("list the todos that were removed, closed or deleted in the last 30 days", ""),
    "restore": ("put removed todos back", "id..."),
    "forget": ("delete removed todos and their history for good", "id..."),
    "drafts": ("list the unsaved texts that ended sessions have left", ""),
    "undo": ("take back the last change", ""),
    "redo": ("make it again", ""),
    "sync": ("bring changes to the source and from it", ""),
    "conflicts": ("list the todos that were changed here and at the source", ""),
    "resolve": ("settle a conflict; without options, in $EDITOR", "id"),
    "lists": ("list your lists", ""),
    "export": ("write the todos of a list to stdout", ""),
    "import": ("read todos", "file"),
    "watch": ("print every change, until Ctrl-C", ""),
    "login": ("log in, and remember the name", "account"),
    "register": ("make an account, and remember the name", "account"),
    "completion": ("print what completes this command in a shell", "shell"),
}
CHECKED = ("edit", "forget", "register")  # whose arguments depend on each other, or on the terminal
ALIASES = {"ls": "list"}
SERVER_OPTIONS = {"store": "store", "github_url": "githubURL", "register_url": "registerURL"}
FIELDS = ("due", "labels", "priority")


def parse(arguments: Optional[Sequence[str]] = None) -> Given:
    """The arguments, checked. Exits with code 2 when they make no sense."""
    arguments = sys.argv[1:] if arguments is None else arguments
    return _plain(arguments) or _parsed(arguments)


def _plain(arguments: Sequence[str]) -> Optional[Given]:
    """The arguments of a command without options, if it needs no checks; nor does it need argparse, which takes long."""
    command, *words = arguments or [""]
    command = ALIASES.get(command, command)
    _, positional = COMMANDS.get(command, ("", ""))
    if command not in COMMANDS or command in CHECKED or not all(map(_is_plain, words)):
        return None
    if not positional:
        return None if words else {"command": command}
    is_enough = words or positional == "words..."
    return {"command": command, positional[:-3]: words} if positional.endswith("...") and is_enough else None


def _is_plain(word: str) -> bool:
    return not word.startswith("-") and _is_utf8(word)


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _parsed(arguments: Sequence[str]) -> Given:
    from .parser import make_parser

    arguments, negated = _negated(arguments)
    parser = make_parser(arguments[0] if arguments else None)
    given = vars(parser.parse_args(arguments))
    if negated and "words" not in given:
        parser.error(f"unrecognized arguments: {' '.join(negated)}")
    if negated:
        given["words"] = [*given["words"], *negated]
    for value in given.values():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not _is_utf8(text):
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
    negated = [word for word in arguments[:end] if re.match(NEGATED, word)]
    return [word for word in arguments[:end] if word not in negated] + [*arguments[end:]], negated


def has_editor() -> bool:
    """Whether the user has chosen an editor, which then works without a terminal on stdin, too."""
    return bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


def server_options(given: Given) -> dict[str, Any]:
    """The requested initializationOptions."""
    options = {wire: given[name] for name, wire in SERVER_OPTIONS.items() if given.get(name) is not None}
    sources = given.get("source") or []
    return {**options, **({"source": sources[0]} if len(sources) == 1 else {"sources": sources} if sources else {})}


