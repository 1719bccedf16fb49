"""The command lines of the two programs, from the sources of their --help."""

import argparse
import dataclasses
import re
import subprocess
import sys


@dataclasses.dataclass
class Option:
    names: list
    value: str  # "" for a switch, else what stands for the value
    help: str
    choices: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Command:
    name: str
    arguments: str
    help: str
    options: list = dataclasses.field(default_factory=list)
    choices: list = dataclasses.field(default_factory=list)  # of its first argument


@dataclasses.dataclass
class Program:
    name: str
    summary: str
    commands: list
    options: list
    notes: list  # paragraphs below the options
    see_also: str


def server(path):
    """todo-server, whose --help has three columns: a command or an option, and what it does."""
    text = subprocess.run([path, "--help"], capture_output=True, text=True, check=True).stdout
    head, usage, options, notes = text.strip("\n").split("\n\n")
    program = Program(
        "todo-server", head.partition(": ")[2], [], [], notes.split("\n"), "todo(1)")
    lines = usage.splitlines()
    column = re.match(r"  todo-server .*?  +", lines[0]).end()
    for line in lines:
        words = line[:column].removeprefix("  todo-server ").replace("[OPTION...]", "").strip()
        if not words.startswith("--"):
            own = [Option([name], "", "") for name in re.findall(r"\[(--[a-z-]+)\]", words)]
            name, _, arguments = re.sub(r" ?\[--[a-z-]+\]", "", words).partition(" ")
            program.commands.append(Command(name.strip("[]"), arguments, line[column:], own))
    for line in options.splitlines():
        found = re.match(r"  (--\S+)(?: ([^ ]\S*))?(?:  +(.*))?$", line)
        if found:
            name, value, what = found.groups()
            choices = value.split("|") if value and "|" in value and value.islower() else []
            program.options.append(Option([name], value or "", what or "", choices))
        else:
            program.options[-1].help += " " + line.strip()
    program.options += [
        Option(["--version"], "", "print the version"), Option(["--help"], "", "print the usage")]
    return program


def client(package):
    """todo, whose --help comes from the parser of its arguments."""
    sys.path.insert(0, package)
    from todo_server.parser import make_parser
    parser = make_parser()
    commands = next(action for action in parser._actions if isinstance(action.choices, dict))
    helps = {action.dest: action.help for action in commands._choices_actions}
    common = {name for action in parser._actions for name in action.option_strings}
    program = Program(
        "todo", parser.description.rstrip("."), [], options_of(parser, set()),
        parser.epilog.split("\n"), "todo-server(1)")
    for name, one in commands.choices.items():
        if name not in helps:  # another name of a command
            continue
        positionals = [action for action in one._actions if not action.option_strings]
        program.commands.append(Command(
            name, " ".join(action.metavar or action.dest.upper() for action in positionals),
            helps[name], options_of(one, common),
            [str(choice) for action in positionals for choice in action.choices or []]))
    return program


def options_of(parser, without):
    return [
        Option(
            action.option_strings,
            "" if action.nargs == 0 else action.metavar or action.dest.upper(),
            action.help or "", [str(choice) for choice in action.choices or []])
        for action in parser._actions
        if action.option_strings and not without & set(action.option_strings)
        and action.help != argparse.SUPPRESS]
