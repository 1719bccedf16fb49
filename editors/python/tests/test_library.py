"""The library for scripts: with the real server, and with a scripted one for what needs a source."""

import os
import re
import signal
import subprocess
import sys
import unittest

from real import SERVER, RealCase
from support import FOLDER, fake_server
from todo_server import Conflict, InvalidValue, NotFound, Side, Todo, TodoError, TodoServer

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
            os.kill(todos._client.pid, signal.SIGKILL)
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
        with TodoServer(name="ann") as todos:
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
                todos._on_wait = self.interrupt
                todos.list()

    def interrupt(self):
        raise KeyboardInterrupt


if __name__ == "__main__":
    unittest.main()
