"""The client against a scripted server."""

import asyncio
import json
import os
import signal
import unittest
from unittest import mock

from support import DEADLINE_SECONDS as SECONDS
from support import fake_server
from todo_server.client import Client, RPCError, ServerDied


HELLO = [["expect", "initialize"], ["answer", {"protocolVersion": 1}], ["expect", "initialized"]]
GOODBYE = [["expect", "shutdown"], ["answer", None], ["expect", "exit"], ["exit", 0]]


def render(revision, title, **more):
    screen = {"name": "s", "title": title, **more}
    return {"method": "workflow/render", "params": {"revision": revision, "rendering": {"items": [{"screen": screen}]}}}


def line(message):
    return json.dumps({"jsonrpc": "2.0", **message}) + "\n"


class ClientTests(unittest.IsolatedAsyncioTestCase):
    def client(self, *steps, **options):
        return Client(fake_server(*steps), **options)

    async def started(self, *steps, **options):
        """A client that has said hello: its next request has the id 2."""
        client = await self.client(*HELLO, *steps, **options).start()
        self.addAsyncCleanup(client.close)
        return client

    async def test_a_session_from_start_to_exit(self):
        async with self.client(*HELLO, ["send", render(1, "One")], *GOODBYE) as client:
            screen = await client.wait_for(lambda screen: screen["title"] == "One", SECONDS)
            self.assertIs(screen, client.screen)
            self.assertEqual(client.revision, 1)
        self.assertEqual(client.died.exit_code, 0)
        with self.assertRaises(ServerDied):
            await client.request("late")

    async def test_initialize_has_client_process_and_capabilities(self):
        steps = (["expect", "initialize"], ["echo"], ["expect", "initialized"])
        async with self.client(*steps, options={"store": "memory"}, window=7) as client:
            self.assertEqual(
                client.server,
                {
                    "processId": os.getpid(),
                    "clientInfo": {"name": "todo-python"},
                    "capabilities": {"render": {"frontOnly": True, "window": 7, "preview": False}},
                    "initializationOptions": {"store": "memory"},
                },
            )

    async def test_every_split_of_the_bytes(self):
        text = 'é ☕ 😀 "quotes" \\ backslash \u2028'
        messages = [render(7, text), {"id": 2, "result": text}]
        client = await self.started(["expect", "go"], ["dribble", messages])
        self.assertEqual(await client.request("go", timeout=SECONDS), text)
        self.assertEqual((client.revision, client.screen["title"]), (7, text))

    async def test_two_messages_in_one_write_and_answers_out_of_order(self):
        raw = line({"method": "a", "params": 1}) + line({"id": 3, "result": "b"}) + line({"id": 2, "result": "a"})
        client = await self.started(["expect", "a"], ["expect", "b"], ["raw", raw])
        self.assertEqual(await asyncio.gather(client.request("a"), client.request("b")), ["a", "b"])

    async def test_an_error_without_an_id_ends_all_requests(self):
        client = await self.started(
            ["expect", "a"], ["expect", "b"], ["send", {"id": None, "error": {"code": -32600, "message": "Too big."}}]
        )
        for error in await asyncio.gather(client.request("a"), client.request("b"), return_exceptions=True):
            self.assertEqual((type(error), str(error)), (RPCError, "Too big."))

    async def test_an_error_is_typed(self):
        error = {"code": -32803, "message": "No such todo.", "data": {"kind": "notFound"}}
        client = await self.started(
            ["expect", "go"], ["fail", error], ["expect", "go"], ["fail", {"code": -32601, "message": "What?"}]
        )
        with self.assertRaises(RPCError) as caught:
            await client.request("go")
        self.assertEqual(str(caught.exception), "No such todo.")
        self.assertEqual((caught.exception.code, caught.exception.kind), (-32803, "notFound"))
        with self.assertRaises(RPCError) as caught:
            await client.request("go")
        self.assertIsNone(caught.exception.kind)

    async def test_death_fails_everything_that_waits(self):
        deaths = []
        client = await self.started(
            ["expect", "a"],
            ["expect", "b"],
            ["stderr", "first\nthe disk is on fire\n\n"],
            ["exit", 3],
            on_death=deaths.append,
        )
        results = await asyncio.gather(
            client.request("a"), client.request("b"), client.wait_for(lambda _: True), return_exceptions=True
        )
        for error in results:
            self.assertIsInstance(error, ServerDied)
            self.assertEqual((error.exit_code, error.signal), (3, None))
            self.assertEqual(str(error), "the server ended (exit code 3): the disk is on fire")
        self.assertEqual(deaths, [client.died])
        for later in (client.request("c"), client.wait_for(lambda _: True)):
            with self.assertRaises(ServerDied):
                await later
        with self.assertRaises(ServerDied):
            client.notify("d")

    async def test_death_by_a_signal(self):
        client = await self.started(["expect", "a"], ["kill", signal.SIGKILL])
        with self.assertRaises(ServerDied) as caught:
            await client.request("a")
        self.assertEqual((caught.exception.exit_code, caught.exception.signal), (None, signal.SIGKILL))
        self.assertEqual(str(caught.exception), "the server ended (signal 9 SIGKILL)")

    async def test_a_flood_on_stderr_does_not_block_and_its_end_is_kept(self):
        client = await self.started(
            ["stderr", "x" * 100, 3000], ["stderr", "\nthe last line\n"], ["expect", "a"], ["exit", 1]
        )
        with self.assertRaises(ServerDied) as caught:
            await client.request("a", timeout=SECONDS)
        self.assertEqual(caught.exception.last_line, "the last line")

    async def test_the_line_of_a_crash_is_whole(self):
        crash = f"todo-server crashed: SIGSEGV. {'Send this line. ' * 59}frames 1a2b"
        client = await self.started(["stderr", crash + "\n"], ["expect", "a"], ["kill", signal.SIGSEGV])
        with self.assertRaises(ServerDied) as caught:
            await client.request("a", timeout=SECONDS)
        self.assertEqual(str(caught.exception), f"the server ended (signal 11 SIGSEGV): {crash}")

    async def test_malformed_message_ends_the_session(self):
        for raw in ("garbage\n", "{a}\n", line({"id": 2}), "[]\n", "7\n", line({"method": "workflow/render"})):
            with self.subTest(raw):
                client = await self.started(["expect", "a"], ["raw", raw])
                with self.assertRaisesRegex(ServerDied, "an invalid message"):
                    await client.request("a", timeout=SECONDS)

    @mock.patch("todo_server.client.CLOSE_SECONDS", 0.1)
    async def test_a_server_that_closes_its_output_and_stays_is_ended(self):
        client = await self.started(["expect", "a"], ["hush"])
        with self.assertRaises(ServerDied):
            await client.request("a", timeout=SECONDS)

    @mock.patch("todo_server.client.CLOSE_SECONDS", 0.1)
    async def test_a_server_that_does_not_want_to_end_is_ended(self):
        client = await self.started(["deaf"])
        await client.close()
        self.assertEqual(client.died.signal, signal.SIGKILL)
        with self.assertRaises(ProcessLookupError):
            os.kill(client.pid, 0)

    async def test_missing_program_raises_os_error(self):
        with self.assertRaises(OSError):
            async with Client(["/no/such/server"]):
                pass
        with self.assertRaises(RuntimeError):
            await Client(["true"]).request("a")

    async def test_a_failed_initialize_leaves_no_process(self):
        client = self.client(["expect", "initialize"], ["fail", {"code": -32602, "message": "store: no"}])
        with self.assertRaisesRegex(RPCError, "store: no"):
            async with client:
                pass
        self.assertIsNotNone(client.died)

    async def test_a_timeout_cancels_the_request(self):
        client = await self.started(
            ["expect", "slow"],
            ["expect", "$/cancelRequest"],
            ["send", {"id": 2, "result": "too late"}],
            ["expect", "next"],
            ["answer", "on time"],
        )
        with self.assertRaises(asyncio.TimeoutError):
            await client.request("slow", timeout=0.01)
        self.assertEqual(await client.request("next", timeout=SECONDS), "on time")

    async def test_a_cancelled_task_cancels_its_request(self):
        client = await self.started(["expect", "slow"], ["expect", "$/cancelRequest"], ["send", {"method": "seen"}])
        seen = asyncio.Event()
        client.on_notification = lambda *_: seen.set()
        task = asyncio.ensure_future(client.request("slow"))
        await asyncio.sleep(0)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(seen.wait(), SECONDS)

    async def test_each_rendering_replaces_the_one_before(self):
        renders = []
        client = await self.started(
            ["expect", "go"],
            ["send", render(4, "A")],
            ["send", render(5, "B")],
            ["answer", None],
            on_render=lambda client: renders.append((client.revision, client.screen["title"])),
        )
        await client.request("go")
        self.assertEqual(renders, [(4, "A"), (5, "B")])

    async def test_without_screens_nothing_is_rendered(self):
        steps = [["expect", "initialize"], ["answer", {}], ["expect", "go"], ["answer", 1]]
        async with self.client(*steps, screens=False) as client:
            self.assertEqual(await client.request("go", timeout=SECONDS), 1)

    @mock.patch("todo_server.client.CLOSE_SECONDS", 10 * SECONDS)  # longer than the test
    async def test_a_server_that_does_not_answer_is_ended_at_once(self):
        client = self.client(["deaf"])
        task = asyncio.ensure_future(client.start())
        while not client.waiting_seconds:
            await asyncio.sleep(0)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual(client.died.signal, signal.SIGTERM)

    async def test_a_mistake_in_a_callback_is_reported_and_harmless(self):
        reported = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
        client = await self.started(
            ["expect", "go"], ["send", render(1, "A")], ["answer", 1], on_render=lambda client: 1 / 0
        )
        self.assertEqual(await client.request("go", timeout=SECONDS), 1)
        self.assertIsInstance(reported[0], ZeroDivisionError)

    async def test_a_mistake_in_a_predicate_reaches_who_made_it(self):
        client = await self.started(["expect", "go"], ["send", render(1, "A")], ["answer", 1])
        waiting = asyncio.ensure_future(client.wait_for(lambda screen: screen["nothing"]))
        await asyncio.sleep(0)
        await client.request("go")
        with self.assertRaises(KeyError):
            await waiting

    async def test_the_server_is_in_a_session_of_its_own(self):
        client = await self.started()
        self.assertEqual(os.getsid(client.pid), client.pid)


if __name__ == "__main__":
    unittest.main()
