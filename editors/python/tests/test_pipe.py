"""The server of the library, with scripted servers that misbehave."""

import concurrent.futures
import contextlib
import io
import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

from support import DEADLINE_SECONDS as SECONDS
from support import fake_server
from todo_server import TodoError, TodoServer

INITIALIZE = [["expect", "initialize"], ["answer", {}]]


class PipeTests(unittest.TestCase):
    def setUp(self):
        patch = mock.patch("todo_server.pipe.CLOSE_SECONDS", SECONDS)
        patch.start()
        self.addCleanup(patch.stop)

    def started(self, *steps, **more):
        todos = TodoServer(command=fake_server(*INITIALIZE, *steps), **more)
        self.addCleanup(todos.close)
        return todos.start()

    def died(self, todos):
        """The error of a call whose server ends."""
        with self.assertRaises(TodoError) as caught:
            todos.ask("a")
        self.assertEqual(caught.exception.kind, "died")
        return str(caught.exception)

    def test_initialize_has_client_process_and_options_and_asks_for_no_whole_list(self):
        todos = TodoServer(command=fake_server(*INITIALIZE), options={"store": "memory"})
        self.addCleanup(todos.close)
        with mock.patch.object(todos._pipe, "send", wraps=todos._pipe.send) as send:
            todos.start()
        params = {"processId": os.getpid(), "clientInfo": {"name": "todo-python"}}
        params["capabilities"] = {"render": {"frontOnly": True, "window": 1}}
        params["initializationOptions"] = {"store": "memory"}
        send.assert_called_once_with([("initialize", params)])

    def test_answers_out_of_order(self):
        answers = [["send", {"id": number, "result": number}] for number in (3, 2)]
        todos = self.started(["expect", "a"], ["expect", "b"], *answers)
        self.assertEqual(todos._connection.request([("a", None), ("b", None)]), [2, 3])

    def test_first_error_is_raised_after_all_answers(self):
        error = {"code": -32803, "message": "first"}
        todos = self.started(
            ["expect", "a"], ["fail", error], ["expect", "b"], ["answer", 1], ["expect", "c"], ["answer", 2]
        )
        with self.assertRaisesRegex(TodoError, "first"):
            todos._connection.request([("a", None), ("b", None)])
        self.assertEqual(todos.ask("c"), 2)

    def test_error_without_an_id_ends_every_call(self):
        todos = self.started(["expect", "a"], ["send", {"id": None, "error": {"code": -32700, "message": "not JSON"}}])
        with self.assertRaisesRegex(TodoError, "not JSON"):
            todos.ask("a")

    def test_death_ends_the_calls_of_all_threads(self):
        todos = self.started(["expect", "a"], ["expect", "a"], ["stderr", "first\non fire\n\n"], ["exit", 3])
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            said = list(threads.map(self.died, [todos, todos]))
        self.assertEqual(said, ["the server ended (exit code 3): on fire"] * 2)
        self.assertEqual(self.died(todos), said[0])

    def test_malformed_message_ends_the_session(self):
        for raw in ("garbage\n", "{a}\n", '{"id":2}\n', "[]\n", "7\n", '{"id":2,"error":{}}\n', "[" * 100_000 + "\n"):
            with self.subTest(raw):
                self.assertRegex(self.died(self.started(["expect", "a"], ["raw", raw])), "invalid message")

    def test_flood_on_stderr_does_not_block_and_its_end_is_kept(self):
        todos = self.started(["stderr", "x" * 100, 3000], ["stderr", "\nthe last line\n"], ["expect", "a"], ["exit", 1])
        self.assertEqual(self.died(todos), "the server ended (exit code 1): the last line")

    def test_server_that_closes_its_output_and_stays_is_ended(self):
        with mock.patch("todo_server.pipe.CLOSE_SECONDS", 0.1):
            self.assertRegex(self.died(self.started(["expect", "a"], ["hush"])), "SIGKILL")

    def test_server_that_ignores_shutdown_is_ended(self):
        todos = self.started(["deaf"])
        with mock.patch("todo_server.pipe.CLOSE_SECONDS", 0.1):
            todos.close()
        self.assertEqual(todos._pipe.died.signal, signal.SIGKILL)
        with self.assertRaises(ProcessLookupError):
            os.kill(todos._pipe.pid, 0)

    def test_server_with_an_unanswered_request_gets_sigterm(self):
        """Also if it reads none of a request that fills the pipe."""
        todos = self.started(["deaf"], on_wait=self.interrupt)
        with mock.patch("todo_server.connection.PATIENCE_SECONDS", 0.1), self.assertRaises(KeyboardInterrupt):
            todos.ask("a", text="x" * 10_000_000)
        todos.close()
        self.assertEqual(todos._pipe.died.signal, signal.SIGTERM)

    def test_interrupted_call_is_cancelled(self):
        todos = self.started(
            ["expect", "slow"], ["expect", "$/cancelRequest"], ["send", {"id": 2, "result": "too late"}],
            ["expect", "next"], ["answer", "on time"], on_wait=self.interrupt,
        )  # fmt: skip
        with mock.patch("todo_server.connection.PATIENCE_SECONDS", 0.1), self.assertRaises(KeyboardInterrupt):
            todos.ask("slow")
        self.assertEqual(todos.ask("next"), "on time")

    def test_failed_initialize_leaves_no_process(self):
        todos = TodoServer(command=fake_server(["expect", "initialize"], ["fail", {"code": -32602, "message": "no"}]))
        with self.assertRaisesRegex(TodoError, "no"):
            todos.start()
        self.assertIsNotNone(todos._pipe.died)

    def test_interrupted_start_leaves_no_process(self):
        todos = TodoServer(command=fake_server(["deaf"]))
        with mock.patch.object(todos._pipe.reader, "start", self.interrupt), self.assertRaises(KeyboardInterrupt):
            todos.start()
        with self.assertRaises(ProcessLookupError):
            os.kill(todos._pipe.pid, 0)

    def test_error_in_a_callback_is_reported_and_harmless(self):
        progress = {"method": "$/progress", "params": {"token": "syncTodos-1", "value": {"kind": "begin", "title": "t"}}}
        todos = self.started(["expect", "syncTodos"], ["send", progress], ["answer", {"pushed": 1}])
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(todos.sync(on_progress=lambda *_: 1 / 0), {"pushed": 1})
        self.assertIn("ZeroDivisionError", said.getvalue())

    def test_launch_does_not_wait_and_the_next_call_does(self):
        todos = TodoServer(command=fake_server(*INITIALIZE, ["expect", "a"], ["answer", 1]))
        self.addCleanup(todos.close)
        with mock.patch.object(todos._connection, "_wait", wraps=todos._connection._wait) as wait:
            todos.launch()
            wait.assert_not_called()
            self.assertEqual(todos.ask("a"), 1)

    def test_failed_initialize_after_launch_is_raised_by_the_next_call_and_leaves_no_process(self):
        todos = TodoServer(command=fake_server(["expect", "initialize"], ["fail", {"code": -32803, "message": "no"}]))
        todos.launch()
        with self.assertRaisesRegex(TodoError, "no"):
            todos.ask("a")
        self.assertFalse(todos._pipe.reader.is_alive())

    def test_program_without_standard_streams_or_child_signals_has_a_server(self):
        steps = [*INITIALIZE, ["expect", "a"], ["answer", 7]]
        code = f"""
import os, signal
from todo_server import TodoServer
os.closerange(0, 3)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
with TodoServer(command={fake_server(*steps)!r}) as todos:
    code = todos.ask("a")
os._exit(code)
"""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.assertEqual(subprocess.run([sys.executable, "-c", code], env=environment, timeout=SECONDS).returncode, 7)

    def test_server_is_in_a_session_of_its_own(self):
        pid = self.started()._pipe.pid
        self.assertEqual(os.getsid(pid), pid)

    def test_commands_do_not_import_asyncio(self):
        """Importing it takes longer than most commands."""
        program = "import sys; sys.argv = ['todo', 'completion', 'bash']; import todo_server.__main__ as main; main.main()"
        check = "; sys.exit('asyncio' in sys.modules)"
        path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", program + check], capture_output=True, env=path)
        self.assertEqual((run.returncode, run.stderr), (0, b""))

    def interrupt(self):
        raise KeyboardInterrupt


if __name__ == "__main__":
    unittest.main()
