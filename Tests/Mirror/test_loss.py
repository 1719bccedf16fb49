"""Regressions: edits that a mirror once lost or duplicated."""

import os
import subprocess
import unittest

from test_mirror import FaultCase, MirrorCase, is_taken


class LossTests(MirrorCase):
    def ids(self):
        return {todo["title"]: todo["id"] for todo in self.call(("listTodos", {}))["result"]["todos"]}

    def start_with_todos(self, *titles):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("\n".join(f"- [ ] {title}" for title in titles))
        return self.wait(lambda text: all(is_taken(title)(text) for title in titles))

    def test_marks_that_a_program_cuts_come_back(self):
        text = self.start_with_todos("Milk", "Rent")
        before = self.ids()
        subprocess.run(["sed", "-i", "s/ ^[^ ]*$//", self.path], check=True)
        self.assertEqual(self.wait(is_taken("Milk")), text)
        self.assertEqual(self.ids(), before)

    def test_writer_killed_while_overwriting_removes_nothing(self):
        """It has the beginning of the new text, and the end of the old one."""
        titles = ["One", "Two", "Three", "Four"]
        text = self.start_with_todos(*titles)
        lines = text.split("\n")
        typed = "- [ ] Milk ".ljust(len(lines[3]), "k") + "\n"
        start = f"{lines[0]}\n{typed}{lines[1]}\n{lines[2]}\n"
        with open(self.path, "r+", encoding="utf-8") as file:
            file.write(start)
        self.wait(is_taken(typed[6:-1]))
        self.assertLessEqual(set(titles), set(self.ids()))

    def test_a_text_of_another_store_that_was_swapped_out_is_kept(self):
        other = os.path.join(self.folder, "other")
        os.mkdir(other)
        mine, self.store = self.store, ["--store", f"sqlite:{other}/store/todos.sqlite"]
        copy = os.path.join(other, "todos.md")
        self.assertEqual(self.run_once(path=copy).returncode, 0)
        self.write(self.read(copy).replace("<!-- end", "- [ ] Milk\n<!-- end"), copy)
        self.assertEqual(self.run_once(path=copy).returncode, 0)
        text = self.read(copy)
        self.store = mine
        self.write(text, os.path.join(self.folder, ".todos.md.todo-server-1-1"))
        mirror = self.start()
        self.assertIn("with another store", mirror.stderr.readline())
        self.assertEqual(self.read(self.path + ".unreadable-1"), text)


class LossByFaultTests(FaultCase):
    def test_a_line_that_is_typed_on_in_an_old_text_stays_one_todo(self):
        self.start_with("exchange")
        text = self.wait(lambda text: text.endswith("<!-- end -->\n"))
        for line in ["Buy milk", "Buy milk and bread", "Buy milk and bread\n  White"]:
            self.write(text.replace("<!-- end", f"- [ ] {line}\n<!-- end"))
            self.wait(lambda text: line.split("\n")[-1] in text, self.path + ".new")
        self.assertEqual(self.titles(), ["Buy milk and bread"])

    def test_unreadable_text_stays_in_place_when_the_disk_is_full(self):
        full = os.path.join(self.folder, "full")
        mirror = self.start_with("", MIRROR_FULL=full)
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.write("", full)
        typed = b"- [ ] K\xe4se\n" * 20
        with open(self.path, "wb") as file:
            file.write(typed)
        self.assertIn("no room for a copy", mirror.stderr.readline())
        with open(self.path, "rb") as file:
            self.assertEqual(file.read(), typed)
        os.unlink(full)
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        with open(self.path + ".unreadable-1", "rb") as file:
            self.assertEqual(file.read(), typed)


if __name__ == "__main__":
    unittest.main()
