#!/usr/bin/env python3
"""Validates messages against the schema that the server prints.

Usage: check_traffic.py [--server COMMAND] [--recorded FOLDER]

Without a folder: the messages of all transcripts, and of the examples on the pages. With one: the
messages recorded there by `recorder.c`. The exit code is 1 if a message violates the schema.
"""

import argparse
import collections
import itertools
import json
import os
import shlex
import subprocess
import sys

import recordings
import transcripts
from wire_schema import Traffic, WireSchema

# Invalid messages that tests of front-ends send on purpose.
DELIBERATE = (
    "getTodoRequest/params: None is", "getTodoRequest/params/id: 7 is",
    "screenChangeRequest/params/values: None is", "screenWindowRequest/params/offset: -1 is",
    "screenActRequest/params/items: '", "listTodosRequest/params/fields/0: 'password' is",
    "listTodosRequest/params/fields/1: 'password' is", "listTodosRequest/params/limit: -1 is",
    "listTodosRequest/params/sort: 'size' is")

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
PAGES = ("Protocol.md", "editors/python/REFERENCE.md")

# A test that adds 100,000 todos shows nothing new after the first thousands. Fewer responses are
# read, so that each one belongs to a request that was read.
SAID_MAX = 5_000
ANSWERED_MAX = 4_000


def printed_schema(command):
    return WireSchema(json.loads(subprocess.check_output([*command, "schema"])))


def check_transcript(schema, text):
    traffic = Traffic(schema)
    for arrow, message in transcripts.messages(text):
        (traffic.front_end if arrow == "-->" else traffic.server)(message)
    return traffic


def written(schema):
    """The messages of each transcript and example."""
    for path in transcripts.files(PROJECT + "/Fixtures/transcripts"):
        with open(path, encoding="utf-8") as file:
            yield os.path.relpath(path, PROJECT), check_transcript(schema, file.read())
    for page in PAGES:
        with open(f"{PROJECT}/{page}", encoding="utf-8") as file:
            for block in transcripts.examples(file.read()):
                yield f"{page}: " + block.split("\n")[0], check_transcript(schema, block)


def recorded(schema, folder):
    for name, said, answered in recordings.conversations(folder):
        traffic = Traffic(schema)
        for message in itertools.islice(said, SAID_MAX):
            traffic.front_end(message)
        for message in itertools.islice(answered, ANSWERED_MAX):
            traffic.server(message)
        traffic.problems += [
            wrong for wrong in traffic.wrong_calls if not wrong.startswith(DELIBERATE)]
        yield name, traffic


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--server", default=PROJECT + "/.build/debug/todo-server")
    parser.add_argument("--recorded", metavar="FOLDER")
    options = parser.parse_args()
    schema = printed_schema(shlex.split(options.server))
    counts, conversations, failed = collections.Counter(), 0, False
    for name, traffic in (
            recorded(schema, options.recorded) if options.recorded else written(schema)):
        conversations += 1
        counts += traffic.counts
        for problem in traffic.problems:
            failed = True
            print(f"{name}: {problem}")
    print(f"schema: {conversations} conversations, {counts['fromFrontEnd']} messages of front-ends"
          f" and {counts['fromServer']} of the server")
    return 1 if failed or not counts["fromServer"] else 0


if __name__ == "__main__":
    sys.exit(main())
