"""The library for scripts: with the real server, and with a scripted one for what needs a source."""

import concurrent.futures
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import unittest
from unittest import mock

from real import SECONDS, SERVER, RealCase
from support import FOLDER, fake_server
from todo_server import Change, Conflict, InvalidValue, NotFound, Side, Todo, TodoError, TodoServer

LOGIN = [["expect", "initialize"], ["answer", {}], ["expect", "login"], ["answer", {"name": "ann"}]]
WIRE = {
    "id": "t1", "title": "Buy milk", "note": "", "done": False, "version": 4, "sync": "synced",
    "createdAt": "2026-01-31T08:15:00.123Z", "updatedAt": "2026-01-31T08:15:00.123Z",
    "source": {"url": "https://github.com/o/r/issues/7", "number": 7},
}  # fmt: skip
SIDE = {"title": "Mine", "note": "n", "done": True}


class LibraryTests(RealCase):
    def test_a_todo_from_add_to_remove(self):
        with TodoServer(name="ann") as todos:
            milk = todos.add("Buy milk", note="Two litres")
            self.assertIsInstance(milk, Todo)
            self.assertEqual((milk.title, milk.note, milk.done, milk.sync), ("Buy milk", "Two litres", False, "local"))
            bread = todos.add("Buy bread")
            self.assertEqual([todo.title for todo in todos.list()], ["Buy bread", "Buy milk"])
            self.assertEqual([todo.id for todo in todos.list("two lit")], [milk.id])
            milk = todos.edit(milk, done=True)
            self.assertEqual([todo.id for todo in todos.list(done=True)], [milk.id])
            self.assertEqual(todos.find(bread.id[:8]), bread)
            self.assertEqual(todos.get(milk.id), milk)
            todos.remove(milk)
            self.assertEqual((todos.undo().what, todos.undo().what, todos.redo().what), ("remove", "done", "done"))
            self.assertTrue(todos.load())
        with TodoServer(name="ann") as todos:
            self.assertEqual(len(todos.list()), 2)

    def test_invalid_calls_raise_errors(self):
        with TodoServer(name="ann", options={"store": "memory"}) as todos:
            with self.assertRaises(InvalidValue) as caught:
                todos.add(" ")
            self.assertEqual(caught.exception.fields, {"title": "A title must not be blank."})
            with self.assertRaises(NotFound):
                todos.get("nothing")
            old = todos.add("Base")
            todos.edit(old.id, title="Theirs")
            with self.assertRaises(Conflict) as caught:
                todos.edit(old, title="Mine")
            conflict = caught.exception
            self.assertEqual(
                (conflict.base.title, conflict.mine.title, conflict.theirs),
                ("Base", "Mine", Side("Theirs", "", False, 2)),
            )
            with self.assertRaises(Conflict):
                todos.remove(old)
            with self.assertRaisesRegex(NotFound, "todo"):
                todos.find("")
            with self.assertRaises(TodoError) as caught:
                todos.ask("login", name="bob")
            self.assertEqual(caught.exception.kind, "alreadyLoggedIn")

    def test_a_beginning_that_several_ids_have(self):
        rows = "".join('{"title":"%s","id":"same-%s"}\n' % (name, name) for name in ("one", "two"))
        rows = '{"format":"todo-server","version":1}\n' + rows
        subprocess.run([*SERVER, "import", "--name", "ann"], input=rows.encode(), check=True, capture_output=True)
        with TodoServer(name="ann") as todos:
            self.assertEqual(todos.find("same-o").title, "one")
            with self.assertRaisesRegex(TodoError, "“same” is the beginning of 2 ids: same-t?o"):
                todos.find("same")

    def test_the_first_call_starts_the_server_without_with(self):
        todos = TodoServer(name="ann", options={"store": "memory"})
        self.addCleanup(todos.close)
        self.assertEqual(todos.add("Buy milk").title, "Buy milk")
        self.assertIs(todos.start(), todos)
        todos.close()
        todos.close()
        for call in (todos.list, todos.start, todos.watch().__next__):
            with self.assertRaisesRegex(TodoError, "closed") as caught:
                call()
            self.assertEqual(caught.exception.kind, "died")

    def test_one_that_was_never_used_needs_no_server(self):
        todos = TodoServer(command=["/no/such/program"])
        with self.assertRaises(OSError):
            todos.list()
        with self.assertRaisesRegex(TodoError, "closed"):
            todos.list()
        TodoServer(command=["/no/such/program"]).close()

    def test_a_script_that_ends_without_close_ends_its_server(self):
        script = (
            "from todo_server import TodoServer; todos = TodoServer(name='ann', options={'store': 'memory'});"
            "todos.add('a'); print(todos._pipe.pid)"
        )
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=SECONDS,
            env={**os.environ, "PYTHONPATH": os.path.join(FOLDER, "src")},
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with self.assertRaises(ProcessLookupError):
            os.kill(int(done.stdout), 0)

    def test_threads_share_a_session(self):
        todos = TodoServer(name="ann", options={"store": "memory"})
        self.addCleanup(todos.close)
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            added = list(threads.map(lambda number: todos.add(str(number)).id, range(40)))
        self.assertEqual(len(set(added)), 40)
        self.assertEqual({todo.id for todo in todos.list()}, set(added))
        # A thread that waits is woken at the end.
        watch, ended = todos.watch(), queue.SimpleQueue()

        def read():
            try:
                while True:
                    ended.put(next(watch))
            except TodoError as error:
                ended.put(error)

        thread = threading.Thread(target=read)
        thread.start()
        todos.add("seen")
        while not isinstance(ended.get(timeout=SECONDS), Change):
            pass
        todos.close()
        while not isinstance(ended.get(timeout=SECONDS), TodoError):
            pass
        thread.join(SECONDS)

    def test_a_callback_must_not_call_the_session(self):
        caught = []

        def progress(*_):
            for call in (todos.list, todos.close):
                try:
                    call()
                except RuntimeError as error:
                    caught.append(str(error))

        steps = [
            ["expect", "syncTodos"],
            ["send", {"method": "$/progress", "params": {"token": "syncTodos-1", "value": {
                "kind": "begin", "title": "t"}}}],
            ["answer", {"pushed": 0, "pulled": 0, "merged": 0, "conflicts": 0, "failed": []}],
        ]  # fmt: skip
        with TodoServer(name="ann", command=fake_server(*LOGIN, *steps)) as todos:
            todos.sync(on_progress=progress)
        self.assertEqual(caught, ["A callback of TodoServer must not call it."] * 2)

    def test_options_are_named_as_on_the_command_line(self):
        for options, message in (
            ({"store": "cloud"}, "--store cannot be used: expected memory, sqlite, sqlite:PATH or source."),
            ({"source": "gitlab:x"}, "--source cannot be used: expected local or github:OWNER/REPO."),
        ):
            with self.assertRaises(TodoError) as caught, TodoServer(options=options):
                pass
            self.assertEqual(str(caught.exception), message)

    def test_changes_that_others_make_are_watched(self):
        with TodoServer(name="ann") as todos, TodoServer(name="ann") as other:
            kept = other.add("Kept")
            changes = todos.watch()
            seen = []

            def next_change(change):
                seen.append(next(changes))
                self.assertEqual((seen[-1].what, seen[-1].todo.title), change)

            self.prime(changes, todos, other, kept)
            other.remove(kept.id)
            next_change(("removed", "Kept"))
            new = other.add("New")
            next_change(("added", "New"))
            other.edit(new, note="with a note")
            next_change(("changed", "New"))
            self.assertEqual(seen[-1].todo.note, "with a note")

    def test_quick_changes_are_watched_one_by_one(self):
        with TodoServer(name="ann") as todos, TodoServer(name="ann") as other:
            kept = other.add("Kept")
            changes = todos.watch()
            self.prime(changes, todos, other, kept)
            for title in ("1", "2", "3"):
                other.edit(kept.id, title=title)
            todos.edit(kept.id, done=False)
            other.remove(kept.id)
            other.undo()
            other.remove(kept.id)
            seen = [next(changes) for _ in range(7)]
            self.assertEqual([change.version for change in seen], list(range(3, 10)))
            self.assertEqual([change.what for change in seen], ["changed"] * 4 + ["removed", "added", "removed"])
            self.assertEqual({(change.list, change.id, change.who) for change in seen}, {("local", kept.id, "local")})

    def test_a_watch_ends_with_its_server(self):
        with TodoServer(name="ann") as todos, TodoServer(name="ann") as other:
            kept = other.add("Kept")
            changes = todos.watch()
            self.prime(changes, todos, other, kept)
            os.kill(todos._pipe.pid, signal.SIGKILL)
            with self.assertRaises(TodoError) as caught:
                next(changes)
            self.assertEqual(caught.exception.kind, "died")

    def prime(self, changes, todos, other, todo):
        """Makes the first change as soon as the list was read: it cannot be missed, however slow the machine is."""

        def list_then_change():
            del todos.list  # from now on that of the class
            listed = todos.list()
            other.edit(todo.id, done=True)
            return listed

        todos.list = list_then_change
        self.assertEqual(next(changes).what, "changed")

    def test_more_than_a_page(self):
        rows = ['{"format":"todo-server","version":1}\n', *('{"title":"Todo %d"}\n' % number for number in range(2500))]
        subprocess.run(
            [*SERVER, "import", "--name", "ann"], input="".join(rows).encode(), check=True, capture_output=True
        )
        with TodoServer(name="ann") as todos, mock.patch("todo_server.todos.PAGE_TODOS", 1000):
            self.assertEqual([todo.title for todo in todos.list()], [f"Todo {number}" for number in range(2500)])

    def test_the_example_of_the_readme(self):
        with open(f"{FOLDER}/README.md") as file:
            example = re.findall(r"```python\n(.*?)```", file.read(), re.DOTALL)[0]
        run = [sys.executable, "-W", "error", "-c", example]
        output = subprocess.run(run, cwd=f"{FOLDER}/src", capture_output=True, text=True)
        self.assertEqual((output.stdout, output.stderr), ("Buy milk\n{'title': 'A title must not be blank.'}\n", ""))


class SourceTests(unittest.TestCase):
    def session(self, *steps):
        todos = TodoServer(name="ann", command=fake_server(*LOGIN, *steps))
        todos.__enter__()
        self.addCleanup(todos.__exit__)
        return todos

    def test_a_todo_of_a_source_keeps_what_the_server_says(self):
        todo = Todo.from_wire(WIRE)
        self.assertEqual(
            (todo.url, todo.number, todo.created_at.microsecond), ("https://github.com/o/r/issues/7", 7, 123000)
        )
        self.assertEqual(todo.raw, WIRE)
        self.assertEqual((todo.source_due, todo.assignees, todo.milestone, todo.comments), (None, (), None, 0))
        details = {"assignees": ["ann", "bob"], "milestone": "v1", "comments": 2}
        todo = Todo.from_wire({**WIRE, "source": {**WIRE["source"], **details}, "sourceDue": "2026-12-01"})
        self.assertEqual(
            (todo.source_due, todo.assignees, todo.milestone, todo.comments), ("2026-12-01", ("ann", "bob"), "v1", 2)
        )
        failed = Todo.from_wire(
            {**WIRE, "sync": "failed", "failure": {"kind": "forbidden", "message": "It is locked."}}
        )
        self.assertEqual(failed.failure, "It is locked.")

    def test_sync_with_progress(self):
        result = {"pushed": 1, "pulled": 2, "merged": 0, "conflicts": 0, "failed": [], "revision": 9}
        shown = []
        todos = self.session(["expect", "syncTodos"], ["answer", result], ["expect", "syncTodos"], ["echo"])
        self.assertEqual(todos.sync(on_progress=lambda *step: shown.append(step)), result)
        self.assertEqual(todos.sync(dry_run=True), {"dryRun": True, "all": False})
        todos._progress["t"] = lambda *step: shown.append(step)
        for value in (
            {"kind": "begin", "title": "Syncing"},
            {"kind": "report", "message": "2 of 4", "percentage": 50},
            {"kind": "end"},
        ):
            todos._notified("$/progress", {"token": "t", "value": value})
        self.assertEqual(shown, [("Syncing", None), ("2 of 4", 50)])

    def test_conflicts_and_lists(self):
        wire = {
            "id": "t1",
            "version": 3,
            "base": None,
            "mine": SIDE,
            "theirs": SIDE,
            "merged": SIDE,
            "fields": ["title"],
        }
        todos = self.session(
            ["expect", "listConflicts"], ["answer", {"conflicts": [wire], "total": 1}],
            ["expect", "resolveConflict"], ["answer", {"todo": WIRE, "revision": 3}],
            ["expect", "listLists"], ["answer", {"lists": [{"source": "local", "total": 1, "open": True}]}],
            ["expect", "openList"], ["answer", {"source": "local", "revision": 4}],
        )  # fmt: skip
        found = todos.conflicts()
        self.assertEqual((found[0].base, found[0].mine), (None, Side("Mine", "n", True)))
        self.assertEqual(todos.resolve(found[0], "merged", title="Both").title, "Buy milk")
        self.assertEqual(todos.lists()[0]["source"], "local")
        todos.open("local")

    def test_a_server_that_dies_or_is_too_old(self):
        error = {"code": -32601, "message": "method not found: syncTodos"}
        todos = self.session(
            ["expect", "syncTodos"], ["fail", error], ["expect", "listTodos"], ["stderr", "on fire\n"], ["exit", 3]
        )
        with self.assertRaisesRegex(TodoError, "a newer one can"):
            todos.sync()
        with self.assertRaises(TodoError) as caught:
            todos.list()
        self.assertEqual(
            (str(caught.exception), caught.exception.kind), ("the server ended (exit code 3): on fire", "died")
        )

    def test_slow_request_calls_on_wait(self):
        waited = []
        todos = TodoServer(
            command=fake_server(["expect", "initialize"], ["answer", {}], ["deaf"]), on_wait=lambda: waited.append(1)
        )
        with todos:
            with self.assertRaises(KeyboardInterrupt):
                todos._connection._on_wait = self.interrupt
                todos.list()

    def interrupt(self):
        raise KeyboardInterrupt


if __name__ == "__main__":
    unittest.main()
