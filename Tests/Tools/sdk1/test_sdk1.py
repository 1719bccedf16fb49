"""The first version of the official SDK, which most programs still use."""

import os
import pathlib
import tempfile
import unittest

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client

PROJECT = pathlib.Path(__file__).resolve().parents[3]
SERVER = os.environ.get("TODO_SERVER", str(PROJECT / ".build/debug/todo-server"))


class FirstSDK(unittest.IsolatedAsyncioTestCase):
    async def test_every_tool(self):
        questions = []

        async def accept(context, params):
            questions.append(params.message)
            return types.ElicitResult(action="accept", content={})

        with tempfile.TemporaryDirectory() as folder:
            command = StdioServerParameters(
                command=SERVER, args=["mcp", "--name", "ann"], env={"XDG_DATA_HOME": folder})
            async with stdio_client(command) as streams, ClientSession(
                    *streams, elicitation_callback=accept) as session:
                self.assertEqual((await session.initialize()).protocolVersion, "2025-11-25")
                self.assertEqual(len((await session.list_tools()).tools), 7)

                async def call(name, **arguments):
                    result = await session.call_tool(name, arguments)
                    self.assertFalse(result.isError, result.content)
                    return result.structuredContent

                todo = (await call("add_todo", title="Buy milk"))["todo"]
                named = {"id": todo["id"]}
                await call("edit_todo", **named, version=1, done=True)
                self.assertTrue((await call("get_todo", **named))["todo"]["done"])
                self.assertTrue((await call("remove_todo", **named, version=2))["removed"])
                self.assertEqual(questions, ['Remove the todo "Buy milk"?'])
                await call("undo", **named, version=2)
                self.assertEqual((await call("list_todos"))["total"], 1)
                stale = await session.call_tool("remove_todo", {**named, "version": 1})
                self.assertTrue(stale.isError)
                read = await session.read_resource("todo://list")
                self.assertIn("Buy milk", read.contents[0].text)
                with self.assertRaises(McpError):
                    await session.call_tool("nope", {})


if __name__ == "__main__":
    unittest.main()
