"""The client library and the real server."""

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import unittest

from real import NOTE, PASSWORD, SECONDS, SERVER, TEXT, RealCase, issue
from support import FOLDER
from todo_server.client import STALE, Client, RPCError, ServerDied


class LibraryTests(RealCase, unittest.IsolatedAsyncioTestCase):
    @contextlib.asynccontextmanager
    async def session(self, name="ann", **options):
        """A client that is logged in and has loaded."""
        async with Client(SERVER, **options) as client:
            if name:
                await client.request("login", {"name": name}, timeout=SECONDS)
                await client.request("loadTodos", timeout=SECONDS)
            yield client

    async def fails(self, kind, request):
        """The error of a request that fails with this kind."""
        with self.assertRaises(RPCError) as caught:
            await request
        self.assertEqual((caught.exception.code, caught.exception.kind), (-32803, kind))
        self.assertGreater(len(caught.exception.message), 5)
        return caught.exception

    async def test_server_info_has_its_name_version_and_methods(self):
        client = await Client(SERVER).start()
        self.addAsyncCleanup(client.close)
        said = client.server
        self.assertEqual(said["protocolVersion"], 1)
        self.assertEqual(said["serverInfo"]["name"], "todo-server")
        self.assertLessEqual(
            {"login", "listTodos", "editTodo", "workflow/rendering"}, set(said["capabilities"]["methods"])
        )
        await client.close()
        self.assertEqual(client.died.exit_code, 0)

    async def test_welcome_loading_list(self):
        seen = []

        def note(client):
            if client.screen["name"] not in seen[-1:]:
                seen.append(client.screen["name"])

        async with Client(SERVER, on_render=note) as client:
            await client.wait_for(lambda screen: screen["name"] == "welcome", SECONDS)
            answer = await client.request("login", {"name": "ann"})
            self.assertEqual(answer["name"], "ann")
            self.assertGreaterEqual(client.revision, answer["revision"])
            await client.wait_for(lambda screen: screen["name"] == "todoList", SECONDS)
        self.assertEqual(seen, ["welcome", "loading", "todoList"])

    async def test_add_list_get_edit_remove(self):
        async with self.session() as client:
            one = (await client.request("addTodo", {"title": TEXT, "note": NOTE}))["todo"]
            self.assertEqual((one["title"], one["note"], one["done"], one["sync"]), (TEXT, NOTE, False, "local"))
            self.assertEqual([item["title"] for item in client.screen["body"]["items"]], [TEXT])
            two = (await client.request("addTodo", {"title": "Other"}))["todo"]
            listed = await client.request("listTodos")
            self.assertEqual(([todo["id"] for todo in listed["todos"]], listed["total"]), ([two["id"], one["id"]], 2))
            edited = (await client.request("editTodo", {"id": one["id"], "title": "New", "done": True}))["todo"]
            self.assertEqual((edited["title"], edited["note"], edited["done"]), ("New", NOTE, True))
            self.assertEqual((await client.request("getTodo", {"id": one["id"]}))["todo"], edited)
            self.assertEqual((await client.request("listTodos", {"done": True}))["todos"], [edited])
            self.assertEqual((await client.request("listTodos", {"query": "OTH"}))["todos"], [two])
            await client.request("removeTodo", {"id": one["id"]})
            await self.fails("notFound", client.request("getTodo", {"id": one["id"]}))
            self.assertEqual([item["id"] for item in client.screen["body"]["items"]], [two["id"]])

    async def test_an_older_version_is_a_conflict(self):
        async with self.session() as client:
            todo = (await client.request("addTodo", {"title": "Base"}))["todo"]
            await client.request("editTodo", {"id": todo["id"], "title": "Theirs", "version": todo["version"]})
            edit = {"id": todo["id"], "title": "Mine", "version": todo["version"]}
            error = await self.fails("conflict", client.request("editTodo", edit))
            self.assertLessEqual({"base", "mine", "theirs"}, set(error.data))
            await self.fails("conflict", client.request("removeTodo", {"id": todo["id"], "version": todo["version"]}))
            self.assertEqual((await client.request("getTodo", {"id": todo["id"]}))["todo"]["title"], "Theirs")

    async def test_errors_have_kinds(self):
        async with self.session() as client:
            await self.fails("alreadyLoggedIn", client.request("login", {"name": "bob"}))
            await self.fails("validation", client.request("addTodo", {"title": " \t "}))
            await self.fails("notFound", client.request("editTodo", {"id": "nothing", "title": "x"}))
            for method, params, code in (
                ("noSuchMethod", None, -32601), ("getTodo", None, -32602), ("getTodo", {"id": 7}, -32602),
                ("screen/act", {"screen": "todoEdit", "action": "save"}, STALE),
                ("screen/act", {"screen": "todoList", "action": "open", "item": "nothing"}, STALE),
                ("screen/change", {"screen": "welcome", "values": {"name": "x"}}, STALE),
            ):  # fmt: skip
                with self.subTest(method), self.assertRaises(RPCError) as caught:
                    await client.request(method, params)
                self.assertEqual(caught.exception.code, code)
                if code == STALE:
                    self.assertEqual(caught.exception.data["revision"], client.revision)

    async def test_logout(self):
        async with self.session() as client:
            await client.request("logout")
            self.assertEqual(client.screen["name"], "welcome")
            await self.fails("notLoggedIn", client.request("listTodos"))
            await client.request("login", {"name": "bob"})
            await client.wait_for(lambda screen: screen["name"] == "todoList", SECONDS)

    async def test_screens_alone(self):
        async with self.session(name=None) as client:

            async def act(screen, action, **more):
                return await client.request("screen/act", {"screen": screen, "action": action, **more})

            await client.wait_for(lambda screen: screen["name"] == "welcome", SECONDS)
            await client.request("screen/change", {"screen": "welcome", "values": {"name": "ann"}})
            self.assertEqual(client.screen["body"]["fields"][0]["value"], "ann")
            await act("welcome", "login")
            await client.wait_for(lambda screen: screen["name"] == "todoList", SECONDS)
            await act("todoList", "add", values={"title": "From the screen"})
            item = (await client.wait_for(lambda screen: screen["body"].get("items"), SECONDS))["body"]["items"][0]
            await act("todoList", "open", item=item["id"])
            await client.wait_for(lambda screen: screen["name"] == "todoEdit", SECONDS)
            await act("todoEdit", "save", values={"title": "Saved", "note": NOTE})
            await client.wait_for(lambda screen: screen["name"] == "todoList", SECONDS)
            todo = (await client.request("getTodo", {"id": item["id"]}))["todo"]
            self.assertEqual((todo["title"], todo["note"]), ("Saved", NOTE))
            whole = (await client.request("workflow/rendering"))["rendering"]
            self.assertEqual(client.screen, whole["items"][-1]["screen"])
            self.assertEqual(set(client.rendering["items"][0]["screen"]), {"id", "name", "title"})

    async def test_register(self):
        heard = []
        async with self.session(name=None) as client:
            receive = client._receive
            client._receive = lambda message: (heard.append(json.dumps(message, ensure_ascii=False)), receive(message))
            for name, password in (("ann", PASSWORD), ("annabella", "kurz"), ("annabella", "7 chars")):
                error = await self.fails(
                    "validation", client.request("register", {"username": name, "password": password})
                )
                self.assertEqual(error.message, "Invalid username or password")
            answer = await client.request("register", {"username": "annabella", "password": PASSWORD}, timeout=SECONDS)
            self.assertEqual(answer["username"], "annabella")
            await client.request("loadTodos")
            self.assertEqual((await client.request("listTodos"))["total"], 0)
            await client.request("logout")
            await self.fails("invalidCredentials", client.request("login", {"name": "annabella"}))
            await self.fails(
                "invalidCredentials", client.request("login", {"name": "annabella", "password": "wrong" * 3})
            )
            await client.request("login", {"name": "annabella", "password": PASSWORD}, timeout=SECONDS)
            await client.request("logout")
            again = client.request("register", {"username": "annabella", "password": PASSWORD}, timeout=SECONDS)
            await self.fails("registrationFailed", again)
        self.secret_is_nowhere(*heard, client.died.last_line)
        self.secret_is_nowhere(*heard, secret="wrongwrong")

    async def test_an_edit_that_was_answered_survives_a_kill(self):
        async with self.session() as client:
            todo = (await client.request("addTodo", {"title": "Before"}))["todo"]
            await client.request("editTodo", {"id": todo["id"], "title": "After"})
            os.kill(client.pid, signal.SIGKILL)
            with self.assertRaises(ServerDied) as caught:
                await client.request("loadTodos", timeout=SECONDS)
                await client.request("loadTodos", timeout=SECONDS)
            self.assertEqual(caught.exception.signal, signal.SIGKILL)
        async with self.session() as client:
            self.assertEqual((await client.request("getTodo", {"id": todo["id"]}))["todo"]["title"], "After")

    async def test_two_clients_on_one_store(self):
        async with self.session() as one, self.session() as two:
            todo = (await one.request("addTodo", {"title": "Shared"}))["todo"]
            self.assertEqual((await two.request("getTodo", {"id": todo["id"]}))["todo"], todo)
            await two.request("editTodo", {"id": todo["id"], "title": "Changed", "version": todo["version"]})
            edit = {"id": todo["id"], "title": "Mine", "version": todo["version"]}
            await self.fails("conflict", one.request("editTodo", edit))

    async def test_a_source_and_its_failures(self):
        url = self.issues((200, [issue(1, "First", "a\r\nb"), issue(2, "Second")]))
        async with self.session(options={"source": "github:o/r", "githubURL": url}) as client:
            listed = await client.request("listTodos")
            self.assertEqual(
                [(todo["title"], todo["note"]) for todo in listed["todos"]], [("Second", ""), ("First", "a\r\nb")]
            )
        url = self.issues((500, {"message": "No."}), (200, [issue(3, "Third")]))
        async with self.session(None, options={"source": "github:o/other", "githubURL": url}) as client:
            await client.request("login", {"name": "ann"})
            failure = await client.wait_for(lambda screen: screen["name"] == "failure", SECONDS)
            self.assertEqual(failure["message"]["level"], "error")
            await client.request("screen/act", {"screen": "failure", "action": "retry"})
            listed = await client.wait_for(lambda screen: screen["name"] == "todoList", SECONDS)
            self.assertEqual([item["title"] for item in listed["body"]["items"]], ["Third"])

    async def test_a_store_that_cannot_be(self):
        with self.assertRaises((RPCError, ServerDied)) as caught:
            async with Client(SERVER, options={"store": "cloud"}):
                pass
        self.assertIn("store", str(caught.exception))

    async def test_the_example_of_the_readme(self):
        with open(os.path.join(FOLDER, "README.md")) as file:
            example = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)[1]
        run = [sys.executable, "-W", "error", "-c", example]
        folder = os.path.join(FOLDER, "src")
        output = await asyncio.to_thread(subprocess.run, run, cwd=folder, capture_output=True, text=True)
        self.assertEqual((output.stdout, output.stderr), ("['Buy milk']\n", ""))


if __name__ == "__main__":
    unittest.main()
