"""Unsaved texts of ended sessions: in the library, and by the command."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import unittest

from real import SECONDS, SERVER, RealCase
from support import PROGRAM, until
from todo_server import Client, TodoServer

DURABLE_SECONDS = 3.0  # twice the time after which a text is a draft


async def leave_unsaved(id, values):
    """Types into the form of a todo, and kills the server."""
    client = Client(SERVER)
    await client.start()
    await client.request("login", {"name": "ann"})
    await client.wait_for(lambda screen: screen["name"] == "todoList", SECONDS)
    await client.request("screen/act", {"screen": "todoList", "action": "open", "item": id})
    screen = await client.wait_for(lambda screen: screen["name"] == "todoEdit", SECONDS)
    base = screen["body"]["base"]
    await client.request("screen/change", {"screen": "todoEdit", "base": base, "values": values})
    await asyncio.sleep(DURABLE_SECONDS)
    os.kill(client.pid, signal.SIGKILL)
    await client.close()


class DraftTests(RealCase):
    def setUp(self):
        super().setUp()
        with TodoServer(name="ann") as todos:
            self.milk = todos.add("Buy milk")
        asyncio.run(leave_unsaved(self.milk.id, {"note": "Two\nlitres"}))

    def todo(self, *arguments, code=0):
        """The output of the command, to stdout or stderr."""
        run = subprocess.run(
            [sys.executable, PROGRAM, *arguments], capture_output=True, text=True, timeout=SECONDS,
            env={**os.environ, "TODO_NAME": "ann"},
        )  # fmt: skip
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout or run.stderr

    def test_library_lists_and_discards_them(self):
        with TodoServer(name="ann") as todos:
            [draft] = until(todos.drafts, lambda: "there is no draft")
            self.assertEqual((draft.id, draft.version, draft.title), (self.milk.id, self.milk.version, "Buy milk"))
            self.assertEqual((draft.fields, draft.merged), ({"note": "Two\nlitres"}, None))
            self.assertGreater(draft.typed_at, self.milk.created_at)
            self.assertEqual(todos.list("is:draft"), [self.milk])
            todos.discard(draft)
            todos.discard(draft.number)  # it may have been discarded elsewhere
            self.assertEqual(todos.drafts(), [])

    def test_command_lists_and_discards_them(self):
        [draft] = json.loads(self.todo("drafts", "--json"))
        number = str(draft["number"])
        self.assertEqual(draft["fields"], {"note": "Two\nlitres"})
        self.assertRegex(
            self.todo("drafts"), rf"^{number}  [-\d]+ [:\d]+  {self.milk.id}  Buy milk\n    note: Two\n      litres\n$"
        )
        self.assertIn("no unsaved text 999", self.todo("drafts", "--discard", "999", code=1))
        self.assertEqual(self.todo("drafts", "--discard", number, "--json"), "[]\n")
        self.assertEqual(self.todo("drafts"), "")


if __name__ == "__main__":
    unittest.main()
