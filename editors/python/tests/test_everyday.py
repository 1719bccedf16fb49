"""Everyday tasks of users of task, todoman and gh: each is one command, of which the effect is checked."""

import json
import os
import subprocess
import sys
from datetime import timedelta

from real import SECONDS, SERVER, RealCase, issue, noon_of_another_day
from support import PROGRAM

TODOS = [
    ("rent", {"title": "Pay the rent", "due": "2020-03-01", "priority": "high", "labels": ["home", "money"]}),
    ("milk", {"title": "Buy milk", "labels": ["home"]}),
    ("oats", {"title": "Buy oat bread", "note": "Two"}),
    ("book", {"title": "Book a flight", "due": "9998-01-01", "priority": "low"}),
    ("past", {"title": "Old", "done": True}),
]


class EverydayTests(RealCase):
    def setUp(self):
        super().setUp()
        self.zone, self.today = noon_of_another_day()
        lines = [{"format": "todo-server", "version": 1}, *({"id": id, **members} for id, members in TODOS)]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        subprocess.run([*SERVER, "import", "--name", "ann"], input=text.encode(), check=True, capture_output=True)

    def todo(self, *arguments, stdin="", **environment):
        """The stdout of the command."""
        result = subprocess.run(
            [sys.executable, PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=SECONDS,
            env={**os.environ, "TODO_NAME": "ann", "TZ": self.zone, **environment},
        )  # fmt: skip
        self.assertEqual(result.returncode, 0, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def ids(self, *arguments):
        """The ids that `list` prints."""
        return [line.split()[0] for line in self.todo("list", *arguments).splitlines()]

    def get(self, *words):
        return json.loads(self.todo("show", *words, "--json"))

    def day(self, days):
        return (self.today + timedelta(days=days)).isoformat()

    def test_add_with_due_date_label_and_priority(self):
        self.todo("add", "Call", "Bob", "--due", "tomorrow", "--label", "work", "--priority", "high")
        todo = self.get("call bob")
        self.assertEqual((todo["due"], todo["labels"], todo["priority"]), (self.day(1), ["work"], "high"))

    def test_list_overdue(self):
        self.assertEqual(self.ids("is:overdue"), ["rent"])

    def test_list_due_this_week(self):
        for days in (6, 7):
            self.todo("add", f"In {days} days", "--due", self.day(days))
        self.assertEqual(self.todo("list", "due:week", "--fields", "title"), "In 6 days\n")

    def test_list_by_one_label_and_by_two(self):
        self.assertEqual(sorted(self.ids("label:home")), ["milk", "rent"])
        self.assertEqual(self.ids("label:home", "label:money"), ["rent"])
        self.assertEqual(self.ids("label:home", "-label:money"), ["milk"])

    def test_search_words(self):
        self.assertEqual(sorted(self.ids("buy")), ["milk", "oats"])

    def test_sort_by_due_date_and_by_priority(self):
        self.assertEqual(self.ids("--sort", "due")[:2], ["rent", "book"])
        self.assertEqual(self.ids("--sort", "priority")[:2], ["rent", "book"])

    def test_count_open(self):
        self.assertEqual(self.todo("list", "--open", "--count"), "4\n")
        self.assertEqual(json.loads(self.todo("list", "buy", "--count", "--json")), 2)

    def test_agenda(self):
        self.assertEqual(self.todo("agenda").split("\n"), [
            "Overdue", "rent  2020-03-01  Pay the rent  #home  #money  !high", "",
            "Later", "book  9998-01-01  Book a flight  !low", ""])  # fmt: skip

    def test_show_by_words_of_the_title(self):
        self.assertEqual(self.todo("show", "oat", "bread"), "Buy oat bread\n\nTwo\n")

    def test_move(self):
        before = self.ids()
        last, first = before[-1], before[0]
        self.todo("move", last, "before", first)
        self.assertEqual(self.ids(), [last, *before[:-1]])
        self.todo("move", last, "after", before[-2])
        self.assertEqual(self.ids(), before)
        self.assertEqual(self.todo("undo"), f"undone: move “{self.get(last)['title']}”\n")

    def test_done_for_several(self):
        self.todo("done", "milk", "oats")
        self.assertEqual(sorted(self.ids("--open")), ["book", "rent"])

    def test_change_the_date_of_several(self):
        self.todo("edit", "milk", "oats", "--due", "+3d")
        self.assertEqual(sorted(self.ids(f"due:{self.day(3)}")), ["milk", "oats"])

    def test_set_and_remove_priority(self):
        self.todo("edit", "milk", "--priority", "medium")
        self.todo("edit", "rent", "--priority", "none")
        self.assertEqual(self.ids("--sort", "priority")[:2], ["milk", "book"])

    def test_add_and_remove_labels(self):
        self.todo("edit", "rent", "--label", "urgent", "--label=-home")
        self.assertEqual(self.get("rent")["labels"], ["money", "urgent"])

    def test_rename(self):
        self.todo("edit", "milk", "--title", "Buy soy milk")
        self.assertEqual(self.get("soy")["id"], "milk")

    def test_append_to_a_note(self):
        self.todo("edit", "oat", "bread", "--append-note", "whole grain")
        self.assertEqual(self.get("oats")["note"], "Two\nwhole grain")
        self.todo("edit", "milk", "--append-note", "first", "--label", "shop")
        self.assertEqual((self.get("milk")["note"], self.get("milk")["labels"]), ("first", ["home", "shop"]))

    def test_edit_in_the_editor(self):
        script = os.path.join(self.folder, "editor")
        with open(script, "w") as file:
            file.write("#!/bin/sh\nprintf 'Edited\\n\\nnote\\n' > \"$1\"\n")
        os.chmod(script, 0o700)
        self.todo("edit", "oats", EDITOR=script)
        self.assertEqual(self.todo("show", "oats"), "Edited\n\nnote\n")

    def test_remove_restore_and_undo(self):
        self.todo("rm", "milk", "oats")
        self.assertEqual(len(self.ids()), 3)
        self.todo("restore", "oat", "bread")
        self.assertEqual(self.get("oats")["note"], "Two")
        self.todo("restore", "milk")
        self.todo("undo")
        self.assertNotIn("milk", self.ids())

    def test_json_for_jq(self):
        printed = self.todo("list", "--open", "--json")
        jq = ["jq", "-r", '.[] | select(.priority == "high") | .title']
        self.assertEqual(subprocess.run(jq, input=printed, capture_output=True, text=True).stdout, "Pay the rent\n")

    def test_export_and_import(self):
        for format, part in [("taskwarrior", '"description"'), ("todotxt", "(A)"), ("markdown", "- [ ] Pay the rent")]:
            with self.subTest(format):
                exported = self.todo("export", "--to", format)
                self.assertIn(part, exported)
                self.todo("import", "-", "--from", format, "--name", format, stdin=exported)
                copied = json.loads(self.todo("list", "--name", format, "--json"))
                self.assertEqual(sorted(todo["title"] for todo in copied), sorted(one["title"] for _, one in TODOS))

    def test_lists_of_several_repositories(self):
        url = self.issues((200, [issue(1, "Issue")]))
        options = ["--source", "github:o/a", "--source", "github:o/b", "--github-url", url]
        self.assertEqual([one["source"] for one in json.loads(self.todo("lists", "--json", *options))], [
            "github:o/a", "github:o/b"])  # fmt: skip
