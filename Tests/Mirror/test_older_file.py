"""Tests rule 2 of the document: a store and a file that the program of schema 23 wrote.

The marks in the file are `^id.version`. Some of the IDs are those of imported todos, such as `t12`.
"""

import contextlib
import os
import re
import shutil
import sqlite3

from test_mirror import PROJECT, MirrorCase

FIXTURE = os.path.join(PROJECT, "Fixtures/stores/schema-23")
RECORDED_PATH = "/home/ann/23-todos.md"
OLDER_MARK = r" \^([0-9a-z]+)\.(\d+)$"
MARK = r" \^[0-9a-z]{6}$"


class OlderFileTests(MirrorCase):
    def setUp(self):
        super().setUp()
        store = f"{self.folder}/store/todos.sqlite"
        os.makedirs(os.path.dirname(store), 0o700)
        shutil.copy(f"{FIXTURE}.sqlite", store)
        os.chmod(store, 0o600)
        with contextlib.closing(sqlite3.connect(store)) as database, database:
            database.execute(
                "UPDATE document SET path = ? WHERE path = ?",
                (os.path.realpath(self.path), RECORDED_PATH))
        self.text = self.read(f"{FIXTURE}.md")
        self.before = self.todos()

    def todos(self):
        return self.call(("listTodos", {}))["result"]["todos"]

    def save(self, text):
        """Saves a text, and returns the next one and the todos."""
        self.write(text)
        done = self.run_once()
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.read(), self.todos()

    def test_rule_2_an_unchanged_file_gets_new_marks_only(self):
        self.assertLessEqual({"1", "t1", "t12"}, {todo["id"] for todo in self.before})
        text, todos = self.save(self.text)
        self.assertEqual(todos, self.before)
        shown = re.sub(MARK, "", text, flags=re.M).split("\n")[1:]
        self.assertEqual(
            [line for line in shown if not line.startswith("<!-- end")],
            [line for line in re.sub(OLDER_MARK, "", self.text, flags=re.M).split("\n")[1:]
             if not line.startswith("<!-- end")])
        marks = re.findall(MARK, text, flags=re.M)
        self.assertEqual((len(marks), len(set(marks))), (len(todos), len(todos)))
        self.assertEqual(self.save(text)[1], self.before)

    def test_rule_2_an_edit_of_each_line_is_an_edit_of_its_todo(self):
        # The new marks are assigned before the older file is read again.
        self.save(self.text)
        edited = re.sub(OLDER_MARK, r", at once ^\1.\2", self.text, flags=re.M)
        marks = dict(re.findall(OLDER_MARK, self.text, flags=re.M))
        text, todos = self.save(edited)
        self.assertNotIn("!conflict", text)
        self.assertEqual([todo["id"] for todo in todos], [todo["id"] for todo in self.before])
        for old, new in zip(self.before, todos):
            self.assertEqual(marks[old["id"]], str(old["version"]))
            self.assertEqual(old["note"], new["note"])
            self.assertIn("at once", new["title"])
            self.assertTrue(new["title"].startswith(old["title"]))

    def test_rule_2_a_missing_line_is_a_removed_todo(self):
        line = next(line for line in self.text.split("\n") if "^t12." in line)
        _, todos = self.save(self.text.replace(f"{line}\n", ""))
        self.assertEqual(
            [todo["id"] for todo in todos],
            [todo["id"] for todo in self.before if todo["id"] != "t12"])
