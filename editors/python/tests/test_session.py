"""A session with keys and messages of the server in any order."""

import asyncio
import unittest
from unittest import mock

import support  # noqa: F401
from screens import action, form
from todo_server.client import STALE, RPCError
from todo_server.terminal.session import Session


class Server:
    """A client that records requests; `answer` ends the oldest one."""

    def __init__(self):
        self.rendering, self.asked, self.asked_count = None, [], 0

    async def request(self, method, params):
        self.asked_count += 1
        self.asked.append((method.removeprefix("screen/"), params, asyncio.get_running_loop().create_future()))
        return await self.asked[-1][2]


class SessionTests(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        with mock.patch("todo_server.terminal.drafts.load", return_value=([], "", [])):
            self.session = Session(["never started"], {}, lambda: None)
        self.server = self.session.client = Server()

    async def show(self, base, title, note="", name="edit", id=None, **more):
        """Sends a form with these texts, which are those of a base."""
        one = form({"name": "title", "label": "Title", "value": title}, {"name": "note", "label": "Note", "value": note},
                   name=name, id=id or name, **more)  # fmt: skip
        one["body"]["base"] = base
        one["actions"] = [action("save", role="save"), action("back", role="back")]
        self.server.rendering = {"items": [{"screen": one}]}
        self.session._rendered(self.server)
        await asyncio.sleep(0)

    async def type(self, **values):
        self.session.change(values)
        await asyncio.sleep(0)

    async def save(self):
        saving = asyncio.ensure_future(self.session.do(self.session.view.action(role="save"), {}))
        await asyncio.sleep(0)
        return saving

    async def answer(self, outcome="stays", reason=None, base=None):
        """Answers the oldest request: what it was, and its params."""
        method, params, future = self.server.asked.pop(0)
        if reason:
            future.set_exception(RPCError(STALE, "no", {"reason": reason}))
        else:
            future.set_result({"outcome": outcome, **({"base": base} if base else {})})
        for _ in range(5):
            await asyncio.sleep(0)
        return method, {key: params.get(key) for key in ("base", "values")}

    async def test_the_server_gets_the_newest_text_one_request_after_the_other(self):
        await self.show("1", "")
        for text in ("M", "Mi", "Mil", "Milk"):
            await self.type(title=text)
        self.assertEqual(await self.answer(), ("change", {"base": "1", "values": {"title": "M"}}))
        self.assertEqual(await self.answer(), ("change", {"base": "1", "values": {"title": "Milk"}}))
        self.assertEqual(self.server.asked, [])

    async def test_a_text_that_is_typed_back_is_sent_too(self):
        await self.show("1", "M")
        await self.type(title="Mi")
        await self.type(title="M")
        await self.answer()
        self.assertEqual((await self.answer())[1]["values"], {"title": "M"})

    async def test_an_edited_pane_takes_neither_base_nor_fields(self):
        await self.show("1", "Milk", "one")
        await self.type(note="two")
        await self.show("2", "Oat milk", "one", message={"id": 1, "level": "info", "text": "changed"})
        await self.type(title=self.session.view.text(self.session.view.fields[0]) + "!")
        self.assertIn("message", self.session.view.screen)
        await self.answer()
        self.assertEqual((await self.answer())[1], {"base": "1", "values": {"title": "Milk!", "note": "two"}})

    async def test_an_edited_comparison_shows_the_newest_sides(self):
        await self.show("1", "Milk", "theirs")
        await self.type(title="Oat milk")
        self.session.view.fields[1]["readOnly"] = True
        await self.show("2", "Rice milk", "newer")
        self.assertEqual([item["value"] for item in self.session.view.fields], ["Milk", "newer"])
        self.assertEqual(self.session.view.base, "1")

    async def test_a_clean_pane_takes_both(self):
        await self.show("1", "Milk")
        await self.show("2", "Oat milk")
        await self.type(note="two")
        self.assertEqual((await self.answer())[1], {"base": "2", "values": {"note": "two"}})

    async def saved_while_typing(self, **typed):
        await self.show("1", "Milk", "one")
        await self.type(title="Oat milk")
        await self.answer()
        await self.save()
        await self.type(**typed)

    async def test_text_typed_during_a_save_is_based_on_the_saved_version(self):
        await self.saved_while_typing(title="Oat milk!", note="two")
        await self.show("2", "Oat milk", "one")
        self.assertEqual((await self.answer(base="2"))[0], "act")
        sent = {"base": "2", "values": {"title": "Oat milk!", "note": "two"}}
        self.assertEqual(await self.answer(), ("change", sent))

    async def test_text_typed_during_a_save_is_not_based_on_a_newer_version(self):
        for stored, base in (("2", "2"), (None, "1")):
            with self.subTest(stored):
                self.setUp()
                await self.saved_while_typing(title="Oat milk!")
                await self.show("3", "Rice milk", "three")
                await self.answer(base=stored)
                sent = {"base": base, "values": {"title": "Oat milk!"}}
                self.assertEqual(await self.answer(), ("change", sent))

    async def test_after_a_save_an_older_text_is_not_typed_any_more(self):
        await self.saved_while_typing()
        await self.show("2", "Oat milk", "one")
        await self.answer()
        self.assertEqual((await self.answer())[0], "act")  # back
        self.assertEqual(self.session.view.values, {})

    async def test_a_form_that_gets_another_id_by_being_saved_stays(self):
        await self.saved_while_typing(title="Oat milk!")
        await self.show("new/1", "Oat milk", "one", id="another")
        await self.answer(base="new/1")
        self.assertFalse(self.session.is_frozen)
        self.assertEqual((await self.answer())[1], {"base": "new/1", "values": {"title": "Oat milk!"}})

    async def test_a_save_that_asks_with_the_same_form_takes_its_base_and_keeps_the_text(self):
        await self.saved_while_typing()
        await self.show("2", "Rice milk", "three")
        await self.answer("asks")
        self.assertEqual(self.session.view.text(self.session.view.fields[1]), "three")
        self.assertEqual((await self.answer())[1], {"base": "2", "values": {"title": "Oat milk"}})

    async def test_a_refused_save_is_reported_again_and_keeps_the_text(self):
        for reason in ("disabled", "unconfirmed"):
            with self.subTest(reason):
                self.setUp()
                await self.saved_while_typing()
                await self.answer(reason=reason)
                self.assertEqual(await self.answer(), ("change", {"base": "1", "values": {"title": "Oat milk"}}))

    async def test_a_save_whose_form_goes_and_that_fails_keeps_the_text(self):
        await self.saved_while_typing()
        await self.show("9", "Other", name="list")
        await self.answer(reason="notInFront")
        self.assertEqual([draft["values"] for draft in self.session.kept], [{"title": "Oat milk", "note": "one"}])
        await self.show("1", "Oat milk", "one")  # found again, it is not kept twice
        self.assertEqual(self.session.kept, [])

    async def test_a_text_whose_form_becomes_another_one_is_typed_into_no_field_of_that(self):
        await self.show("1", "Milk", "one")
        await self.type(title="Oat milk")
        await self.answer()
        await self.show("9", "Other", name="list")
        bringing = asyncio.ensure_future(self.session.bring_back())
        await asyncio.sleep(0)
        await self.show("1", "Oat milk and more", name="gone")
        await self.answer()
        await bringing
        self.assertEqual(self.session.view.values, {})


if __name__ == "__main__":
    unittest.main()
