"""What is shown of a text that is being typed, while the server's answers are on their way."""

import asyncio
import unittest
from unittest import mock

from screens import form
from support import DEADLINE_SECONDS, fake_server
from todo_server.terminal.session import Session


def shows(revision, text):
    """A rendering of a form with a text."""
    one = form({"name": "title", "label": "Title", "value": text})
    one["body"]["base"] = "t1/1"
    return ["send", {"method": "workflow/render",
                     "params": {"revision": revision, "rendering": {"items": [{"screen": one}]}}}]  # fmt: skip


class SessionTests(unittest.TestCase):
    def test_an_older_text_never_takes_the_place_of_a_newer_one(self):
        """Typed: M, Mi, M. The last two are the same, and the answer to the first M is no answer to the second."""
        first, *others = ([shows(number, text), ["send", {"id": number, "result": {}}]]
                          for number, text in enumerate(("M", "Mi", "M"), 2))  # fmt: skip
        command = fake_server(
            ["expect", "initialize"], ["answer", {}], ["expect", "initialized"], shows(1, ""),
            *[["expect", "screen/change"]] * 3, *first, ["expect", "go on"], *sum(others, []),
        )  # fmt: skip
        seen = []

        async def talk():
            session = Session(command, {}, lambda: seen.append(session.view.values.get("title", shown())))

            def shown():
                return next((item["value"] for item in session.view.fields), "")

            await session.client.start()
            await session.client.wait_for(lambda one: one["id"] == "s", timeout=DEADLINE_SECONDS)
            for text in ("M", "Mi", "M"):
                session.change({"title": text})
            await asyncio.wait(session.tells, timeout=DEADLINE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            session.client.notify("go on")
            await asyncio.wait(session.tells, timeout=DEADLINE_SECONDS)
            await session.client.close()

        with mock.patch("todo_server.terminal.drafts.load", return_value=([], "", [])):
            asyncio.run(talk())
        self.assertEqual(set(seen), {"", "M"})

    def test_a_server_that_does_not_answer_is_not_told_of_every_key(self):
        async def hold_a_key():
            session = Session(["never started"], {}, lambda: None)
            for count in range(10_000):
                session.change({"title": "x" * count})
            count = len(session.tells)
            for tell in session.tells:
                tell.cancel()
            return count, session.view.values

        with mock.patch("todo_server.terminal.drafts.load", return_value=([], "", [])):
            count, values = asyncio.run(hold_a_key())
        self.assertEqual((count, values), (100, {"title": "x" * 9999}))


if __name__ == "__main__":
    unittest.main()
