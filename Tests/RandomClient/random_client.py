#!/usr/bin/env python3
"""A front-end that pipelines all kinds of messages, in any order, and checks all output.

Usage: random_client.py [--seconds N] [--seed N] [--server COMMAND] [--sync] [--schema]

Each session pipelines random requests, batches, cancels and invalid messages into a real server, and
checks its output against Protocol.md. A session with an odd seed is a script with several users and
lists, whose server is killed; it tracks the contents of the lists. A seed, which is printed, makes a
session reproducible. With --sync, some scripts have a source that accepts their changes, each of which
takes a second. With --schema, every message is validated against the schema that the server prints;
that needs PyPI's jsonschema. The exit code is 1 if a check failed.
"""

import argparse
import os
import random
import shlex
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from conversation import Conversation, Wrong  # noqa: E402
from hub import Hub  # noqa: E402
from requests_at_random import RequestsAtRandom  # noqa: E402
from script_session import ScriptSession  # noqa: E402

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def schema_printed_by(command):
    sys.path.insert(0, PROJECT + "/Tests/Schema")
    from check_traffic import printed_schema
    return printed_schema(command)


def check(schema, conversation):
    """Raises Wrong for messages that the schema does not allow."""
    from wire_schema import Traffic
    traffic = Traffic(schema)
    for message in conversation.said:
        traffic.front_end(message)
    for message in conversation.answered:
        traffic.server(message)
    if traffic.problems:
        raise Wrong("\n".join(traffic.problems[:5]))


def random_session(command, folder, chance):
    """Runs a session with all kinds of messages; returns its conversation."""
    store = chance.choice(["memory", f"sqlite:{folder}/todos.sqlite"])
    conversation = Conversation(command + ["--store", store], folder, chance)
    try:
        making = RequestsAtRandom(chance, conversation)
        for message in making.beginning():
            conversation.send(message)
        for _ in range(chance.randrange(5, 40)):
            conversation.send_together(making.burst())
            if chance.random() < 0.3:
                conversation.wait_for_answers()
        conversation.end()
    finally:
        conversation.kill()
    return [conversation]


def script_session(command, folder, chance, syncs):
    """Runs a script that tracks its lists; returns the conversations with its servers."""
    hub = Hub(chance.randrange(6)) if syncs and chance.random() < 0.5 else None
    try:
        script = ScriptSession(command, folder, chance, hub)
        script.run()
    finally:
        if hub:
            hub.close()
    return script.conversations


def session(command, seed, syncs=False, schema=None):
    """Runs one session and returns the number of sent messages. Raises Wrong."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        if seed % 2:
            conversations = script_session(command, folder, chance, syncs)
        else:
            conversations = random_session(command, folder, chance)
        if schema:
            for conversation in conversations:
                check(schema, conversation)
        return sum(conversation.sent_count for conversation in conversations)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, help="of one session, which alone is run")
    parser.add_argument("--server", default=PROJECT + "/.build/debug/todo-server")
    parser.add_argument("--sync", action="store_true", help="with a source that takes changes")
    parser.add_argument("--schema", action="store_true", help="hold messages against it, too")
    options = parser.parse_args()
    command = shlex.split(options.server)
    first = options.seed if options.seed is not None else random.SystemRandom().getrandbits(48)
    schema = schema_printed_by(command) if options.schema else None
    end, sessions, sent = time.monotonic() + options.seconds, 0, 0
    while sessions == 0 or (options.seed is None and time.monotonic() < end):
        seed = first + sessions
        try:
            sent += session(command, seed, options.sync, schema)
        except Wrong as wrong:
            print(f"random client: --seed {seed}: {wrong}")
            return 1
        sessions += 1
    print(f"random client: {sessions} sessions, {sent} messages, first seed {first}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
