"""Removed todos: in the library, by commands, and in a terminal that was open all the time."""

import json
import os
import subprocess
import sys

from real import SECONDS, RealCase
from real_terminal import TerminalCase
from support import PROGRAM
from todo_server import InvalidValue, NotFound, TodoServer


class RemovedLibraryTests(RealCase):
    def test_restore_and_forget(self):
        with TodoServer(name="ann") as todos:
            rent, milk = todos.add("Rent", "By Friday"), todos.add("Milk")
            todos.remove(rent)
            todos.remove(milk)
            removed = todos.removed()
            self.assertEqual([(one.title, one.reason, one.who) for one in removed], [
                ("Milk", "removed", "local"), ("Rent", "removed", "local")])  # fmt: skip
            self.assertGreater(removed[0].removed_at, milk.created_at)
            restored = todos.restore(removed[1])
            self.assertEqual((restored.id, restored.title, restored.note), (rent.id, "Rent", "By Friday"))
            self.assertEqual(todos.undo().what, "restore")
            self.assertEqual(todos.restore(rent).id, rent.id)
            with self.assertRaises(InvalidValue):
                todos.restore(rent.id)
            todos.forget(milk)
            with self.assertRaises(NotFound):
                todos.restore(milk.id)
            self.assertEqual(todos.removed(), [])

    def test_another_program_removed_it(self):
        with TodoServer(name="ann") as todos:
            rent = todos.add("Rent")
            with TodoServer(name="ann") as others:
                others.remove(rent)
            self.assertEqual([one.id for one in todos.removed()], [rent.id])
            todos.restore(rent)
            self.assertEqual([todo.id for todo in todos.list()], [rent.id])


class RemovedCommandTests(RealCase):
    def todo(self, *arguments, code=0):
        """What a command prints to stdout and stderr."""
        result = subprocess.run(
            [sys.executable, PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=SECONDS, env={**os.environ, "USER": "someone"},
        )  # fmt: skip
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result.stdout, result.stderr

    def test_removed_restore_and_forget(self):
        id = self.todo("add", "Rent", "--note", "By Friday")[0].split()[0]
        self.assertEqual(self.todo("removed")[0], "")
        self.todo("rm", id)
        self.assertRegex(self.todo("removed")[0], rf"^{id}  Rent  \(removed by you, \d{{4}}-\d\d-\d\d \d\d:\d\d\)\n$")
        (one,) = json.loads(self.todo("removed", "--json")[0])
        self.assertEqual((one["id"], one["title"], one["reason"], one["who"]), (id, "Rent", "removed", "local"))
        self.assertEqual(self.todo("restore", id[:6])[0], f"{id}  [ ] Rent\n")
        self.assertEqual(self.todo("show", id)[0], "Rent\n\nBy Friday\n")
        self.assertIn("todo removed", self.todo("restore", id, code=1)[1])
        self.todo("rm", id)
        self.assertIn("--yes", self.todo("forget", id, code=2)[1])
        self.assertEqual(self.todo("forget", id, "--yes")[0], f"forgotten {id}\n")
        self.assertEqual(self.todo("removed")[0], "")
        self.assertEqual(self.todo("forget", id, "--yes", code=1)[0], "")


class RemovedTerminalTests(TerminalCase):
    def test_todo_that_another_client_removed_comes_back_with_three_keys(self):
        ids = [self.elsewhere("addTodo", {"title": title, "note": "kept"})["todo"]["id"] for title in ("Rent", "Milk")]
        terminal = self.logged_in()
        terminal.wait("[ ] Rent", "[ ] Milk")
        self.elsewhere("removeTodo", *[{"id": id} for id in ids])
        terminal.wait("Nothing to do.")
        terminal.keys("R")
        terminal.wait("Removed todos of ann", "1 of 2", "removed by you")
        terminal.keys("j", "<Enter>")
        terminal.wait("Restored: Rent", "1 of 1")
        terminal.keys("<Escape>")
        terminal.wait("Todos of ann", "[ ] Rent")
        self.assertEqual(self.stored(), [("Rent", "kept", False)])
