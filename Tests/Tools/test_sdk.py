"""The official SDK, in each of its modes, and fastmcp, as installed by their users."""

import asyncio
import tempfile
import unittest

import fastmcp
import mcp
from fastmcp.client.transports import StdioTransport
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import ElicitResult

from assistant import FOREVER, SERVER, Editor

MODES = ["legacy", "auto", "2026-07-28"]


class SDK(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.editor = Editor(self.folder)
        self.addCleanup(self.editor.end)
        self.command = {
            "command": SERVER, "args": ["mcp", "--name", "ann"],
            "env": {"XDG_DATA_HOME": self.folder}}
        self.questions = []

    async def accept(self, context, params):
        self.questions.append(params.message)
        return ElicitResult(action="accept", content={})

    def client(self, mode, **options):
        transport = stdio_client(StdioServerParameters(**self.command))
        return mcp.Client(transport, mode=mode, elicitation_callback=self.accept, **options)

    async def ask_until(self, client, is_done):
        """Requests the list until the condition is met."""
        async with asyncio.timeout(FOREVER):
            while not is_done():
                await client.call_tool("list_todos", {})

    async def test_every_tool_in_every_mode(self):
        for mode in MODES:
            with self.subTest(mode):
                async with self.client(mode) as client:
                    self.assertEqual(
                        client.protocol_version, "2025-11-25" if mode == "legacy" else "2026-07-28")
                    self.assertEqual(len((await client.list_tools()).tools), 7)

                    async def call(name, **arguments):
                        # The SDK validates structured content against the tool's schema.
                        result = await client.call_tool(name, arguments)
                        self.assertFalse(result.is_error, result.content)
                        return result.structured_content

                    todo = (await call("add_todo", title="Buy milk"))["todo"]
                    named = {"id": todo["id"]}
                    await call("edit_todo", **named, version=1, note="2 l")
                    self.assertEqual((await call("get_todo", **named))["todo"]["note"], "2 l")
                    self.assertEqual((await call("list_todos", query="milk"))["total"], 1)
                    self.assertTrue((await call("remove_todo", **named, version=2))["removed"])
                    self.assertEqual(self.questions.pop(), 'Remove the todo "Buy milk"?')
                    undone = await call("undo", **named, version=2)
                    self.editor.ask(
                        "editTodo", id=todo["id"], version=undone["todo"]["version"], title="Oat milk")
                    stale = await client.call_tool(
                        "edit_todo", {**named, "version": undone["todo"]["version"], "title": "Soy milk"})
                    self.assertTrue(stale.is_error)
                    self.assertEqual(stale.structured_content["error"]["theirs"]["title"], "Oat milk")
                    self.editor.ask("removeTodo", id=todo["id"])

    async def test_errors_reach_the_caller(self):
        for mode in MODES:
            with self.subTest(mode):
                async with self.client(mode) as client:
                    for call in [
                        client.call_tool("nope", {}), client.read_resource("todo://todo/nope"),
                        client.read_resource("file:///etc/passwd")]:
                        with self.assertRaises(mcp.MCPError):
                            await call
                    self.assertTrue((await client.call_tool("get_todo", {})).is_error)

    async def test_a_stream_of_changes(self):
        todo = self.editor.ask("addTodo", title="a")["todo"]
        uri = f"todo://todo/{todo['id']}"
        for mode in ["auto", "2026-07-28"]:
            async with self.client(mode) as client:
                async with client.listen(resource_subscriptions=[uri, "todo://list"]) as stream:
                    version = self.editor.ask("getTodo", id=todo["id"])["todo"]["version"]
                    self.editor.ask("editTodo", id=todo["id"], version=version, note=mode)
                    updated = {(await anext(stream)).uri, (await anext(stream)).uri}
                    self.assertEqual(updated, {uri, "todo://list"})

    async def test_subscriptions_of_a_session(self):
        received = []

        async def hear(message):
            received.append(message)

        async with self.client("legacy", message_handler=hear) as client:
            await client.subscribe_resource("todo://list")
            self.editor.ask("addTodo", title="a")
            await self.ask_until(client, lambda: received)
            self.assertEqual(received[0].params.uri, "todo://list")

    async def test_progress(self):
        reached = []

        async def progress(done, total, message):
            reached.append((done, message))

        # Nothing listens on this port.
        self.command["args"] += [
            "--source", "github:octo/tasks", "--github-url", "http://127.0.0.1:9", "--sync", "manual"]
        for count, mode in enumerate(MODES, 1):
            async with self.client(mode) as client:
                await client.call_tool("sync", {}, progress_callback=progress)
                # The SDK calls back concurrently with the call, which may return earlier.
                await self.ask_until(client, lambda: len(reached) == count)
        self.assertEqual(reached, [(0, "Asking the source")] * len(MODES))

    async def test_two_clients_with_an_editor_between_them(self):
        async with self.client("legacy") as first, self.client("2026-07-28") as second:
            added = await first.call_tool("add_todo", {"title": "shared"})
            id = added.structured_content["todo"]["id"]
            self.editor.ask("editTodo", id=id, version=1, title="shared by three")
            for client in [first, second]:
                stale = await client.call_tool("edit_todo", {"id": id, "version": 1, "title": "x"})
                self.assertTrue(stale.is_error)
                version = stale.structured_content["error"]["theirs"]["version"]
                fresh = await client.call_tool(
                    "edit_todo", {"id": id, "version": version, "title": f"by {version}"})
                self.assertEqual(fresh.structured_content["todo"]["version"], version + 1)
            todo = self.editor.ask("getTodo", id=id)["todo"]
            self.assertEqual((todo["title"], todo["version"]), ("by 3", 4))

    async def test_fastmcp(self):
        async def accept(message, response_type, params, context):
            return fastmcp.client.elicitation.ElicitResult(action="accept", content={})

        transport = StdioTransport(**self.command)
        async with fastmcp.Client(transport, elicitation_handler=accept) as client:
            self.assertEqual(len(await client.list_tools()), 7)
            self.assertEqual(str((await client.list_resources())[0].uri), "todo://list")
            added = await client.call_tool("add_todo", {"title": "a"})
            todo = added.structured_content["todo"]
            removed = await client.call_tool("remove_todo", {"id": todo["id"], "version": 1})
            self.assertTrue(removed.structured_content["removed"])
            read = await client.read_resource("todo://list")
            self.assertIn('"total":0', read[0].text)
            with self.assertRaises(fastmcp.exceptions.ToolError) as raised:
                await client.call_tool("undo", {"id": todo["id"], "version": 7})
            self.assertIn("changed", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
