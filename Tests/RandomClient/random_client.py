#!/usr/bin/env python3
"""A front-end that sends everything at once, in any order, and believes nothing.

Usage: random_client.py [--seconds N] [--seed N] [--server COMMAND]

Session after session it pipelines random requests, batches, cancels and broken messages into a
real server, and holds what comes back against what Protocol.md says. With the seed that it prints,
a session is the same again. The exit code is 1 if something did not hold.
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
from requests_at_random import RequestsAtRandom  # noqa: E402

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def session(command, seed):
    """One session: how many messages were sent. Raises Wrong."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
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
        return conversation.sent_count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, help="of one session, which alone is run")
    parser.add_argument("--server", default=PROJECT + "/.build/debug/todo-server")
    options = parser.parse_args()
    command = shlex.split(options.server)
    first = options.seed if options.seed is not None else random.SystemRandom().getrandbits(48)
    end, sessions, sent = time.monotonic() + options.seconds, 0, 0
    while sessions == 0 or (options.seed is None and time.monotonic() < end):
        seed = first + sessions
        try:
            sent += session(command, seed)
        except Wrong as wrong:
            print(f"random client: --seed {seed}: {wrong}")
            return 1
        sessions += 1
    print(f"random client: {sessions} sessions, {sent} messages, first seed {first}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
