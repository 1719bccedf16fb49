"""Removed todos: in the library, by commands, and in a terminal that was open all the time."""

import json
import os
import shlex
import subprocess
import sys

from real import SECONDS, SERVER, RealCase, issue
from real_terminal import TerminalCase
from support import FOLDER, PROGRAM, Terminal
from todo_server import InvalidValue, NotFound, TodoServer

REMOVALS = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "Tests", "LanguageServer", "removals.py")


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
        """The output of a command to stdout and stderr."""
        result = subprocess.run(
            [sys.executable, PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=SECONDS, env={**os.environ, "USER": "someone"},
        )  # fmt: skip
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result.stdout, result.stderr

    def test_a_todo_that_left_the_filter(self):
        bug = {**issue(1, "Issue"), "labels": [{"name": "bug"}]}
        url = self.issues((200, [bug]), (200, [issue(1, "Issue")]))
        options = ["--source", "github:o/r?labels=bug", "--github-url", url]
        id = self.todo("list", *options)[0].split()[0]
        self.todo("sync", *options)
        self.assertRegex(self.todo("removed", *options)[0], rf"^{id}  Issue  \(left the filter, [-0-9]+ [:0-9]+\)\n$")
        self.assertIn("left the filter of its list", self.todo("restore", id, *options, code=1)[1])

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

    def test_words_of_titles_and_several_ids(self):
        ids = {title: self.todo("add", title)[0].split()[0] for title in ("Buy milk", "Buy bread", "Pay the rent", "Rent")}
        kept = self.todo("add", "Buy eggs")[0].split()[0]
        self.todo("rm", *ids.values())
        said = self.todo("restore", "buy", code=1)[1]
        self.assertIn("2 titles have “buy”", said)
        for title in ("Buy milk", "Buy bread"):
            self.assertIn(f"{ids[title]}  {title}\n", said)
        self.assertNotIn(kept, said)  # it is not removed
        self.assertIn("todo removed lists them", self.todo("restore", "eggs", code=1)[1])
        self.assertIn(f"“{ids['Rent']} no such”", self.todo("restore", ids["Rent"], "no such", code=1)[1])
        self.assertEqual(len(self.todo("removed")[0].splitlines()), 4)  # nothing was changed
        # The whole title is enough.
        self.assertEqual(self.todo("restore", "rent")[0], f"{ids['Rent']}  [ ] Rent\n")
        self.assertEqual(self.todo("restore", "pay", "rent")[0], f"{ids['Pay the rent']}  [ ] Pay the rent\n")
        both = [ids["Buy milk"], ids["Buy bread"]]
        restored = json.loads(self.todo("restore", *both, "--json")[0])
        self.assertEqual([todo["id"] for todo in restored], both)
        self.todo("rm", *both)
        self.assertEqual(self.todo("forget", "mil", "--yes")[0], f"forgotten {both[0]}\n")
        self.todo("rm", "rent")
        self.assertEqual(self.todo("forget", *both, "--yes", code=1)[0], "")
        forgotten = self.todo("forget", ids["Rent"], both[1], "--yes")[0]
        self.assertEqual(forgotten, f"forgotten {ids['Rent']}\nforgotten {both[1]}\n")

    def test_forgetting_several_asks_once(self):
        ids = [self.todo("add", title)[0].split()[0] for title in ("Milk", "Bread")]
        self.todo("rm", *ids)
        terminal = Terminal(self.environment | {"USER": "someone"}, "forget", *ids)
        self.addCleanup(terminal.close)
        terminal.wait("  Milk  (removed by you", "  Bread  (removed by you", "Forget these 2, their history and their unsaved texts?")
        terminal.keys("y", "<Enter>")
        terminal.wait(f"forgotten {ids[0]}", f"forgotten {ids[1]}", "ended with 0")


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

    def removals(self, *words):
        """The output of `removals.py`."""
        return subprocess.run([sys.executable, REMOVALS, *words], check=True, capture_output=True, text=True).stdout

    def check_restored(self, options, ways):
        """Each todo is removed in its way while a terminal is open, and comes back with its id and its note."""
        self.removals("prepare", *options)
        self.environment["TODO_SERVER"] = shlex.join([*SERVER, *options])
        terminal = self.logged_in()
        for way, reason in ways:
            title = f"By {way}"
            with self.subTest(way):
                terminal.wait("Todos of ann", title)
                before = self.removals("remove", way, *options)
                terminal.wait("Todos of ann", without=[title])
                terminal.keys("R")
                terminal.wait("Removed todos of ann", title, reason)
                terminal.keys("<Enter>")
                if way == "closing":
                    terminal.wait("opened there again")
                    terminal.keys("y")
                terminal.wait(f"Restored: {title}")
                terminal.keys("<Escape>")
                terminal.wait("Todos of ann", f"[ ] {title}")
                self.assertEqual(self.removals("find", way, *options), before)

    def test_todo_removed_by_other_programs_comes_back(self):
        self.check_restored(["--store", f"sqlite:{self.data}/todos.sqlite"], [
            ("script", "removed by you"), ("assistant", "removed by an assistant"),
            ("mirror", "removed in a document"), ("language client", "removed in a document")])  # fmt: skip

    def test_todo_removed_at_the_source_comes_back(self):
        command = [sys.executable, REMOVALS, "issues"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as github:
            url = github.stdout.readline().strip()
            options = ["--store", f"sqlite:{self.data}/todos.sqlite", "--sync", "manual"]
            options += ["--source", "github:o/r", "--github-url", url]
            self.check_restored(options, [("closing", "closed at the source"), ("deletion", "deleted at the source")])
