"""Tests the rules of the document with a file that is saved as editors and their users do."""

import os
import re
import time
import unittest

from test_mirror import MirrorCase

MARK = r"\^[0-9a-z]{6}"
# The time without changes after which the file is settled.
QUIET_SECONDS = 1


class RuleCase(MirrorCase):
    def open(self, *titles):
        """Adds todos, and returns the file with them."""
        self.call(*[("addTodo", {"title": title}) for title in reversed(titles)])
        self.mirror = self.start()
        self.wait(lambda text: text.count(" ^") == len(titles) and "<!-- end" in text)
        return self.settled()

    def settled(self):
        last, since = None, time.monotonic()
        while time.monotonic() < since + QUIET_SECONDS:
            text = self.read() if os.path.exists(self.path) else None
            if text != last:
                last, since = text, time.monotonic()
            time.sleep(0.02)
        return last

    def save(self, text):
        self.write(text)
        return self.settled()

    def todos(self):
        return self.call(("listTodos", {}))["result"]["todos"]

    def ids(self):
        return {todo["title"]: todo["id"] for todo in self.todos()}

    def edit(self, todo, **changes):
        return self.call(
            ("editTodo", {"id": todo["id"], "version": todo["version"], **changes}))["result"]

    def remove(self, todo):
        return self.call(("removeTodo", {"id": todo["id"], "version": todo["version"]}))["result"]


def line(text, title):
    return next(line for line in text.split("\n") if f"] {title} ^" in line)


def without(text, title):
    return text.replace(line(text, title) + "\n", "")


def typed(text, *lines):
    return text.replace("<!-- end", "\n".join(lines) + "\n<!-- end")


class RuleTests(RuleCase):
    def test_rule_1_removal_elsewhere_moves_no_heading(self):
        text = self.open("Milk", "Bread", "Report")
        text = self.save(text.replace(
            line(text, "Bread"), f"\n# Shop\n\n{line(text, 'Bread')}\n\n# Work\n"))
        self.remove(self.todos()[0])
        left = self.settled()
        self.assertEqual(left.split("\n")[1:], without(text, "Milk").split("\n")[1:])

    def test_rule_2_text_after_a_mark_belongs_to_the_title(self):
        text = self.open("Buy")
        text = self.save(re.sub(f"({MARK})", r"\g<1>500 EUR", text))
        self.assertEqual([todo["title"] for todo in self.todos()], ["Buy 500 EUR"])
        self.assertEqual(len(re.findall(MARK, text)), 1)

    def test_rule_3_a_line_without_a_box_keeps_its_todo(self):
        text = self.open("Milk", "Bread")
        ids = self.ids()
        for start in ("- ", "", "[ ] ", "- [] ", "1. [ ] ", "- [-] "):
            with self.subTest(start):
                shown = self.save(self.read().replace("- [ ] Bread", f"{start}Bread"))
                self.assertEqual(self.ids(), ids)
                self.assertEqual(shown.split("\n")[1:], text.split("\n")[1:])

    def test_rule_3_indented_lines_keep_their_todos(self):
        self.open("Milk", "Bread")
        ids = self.ids()
        for indent in ("  ", "\t", "        "):
            self.save(self.read().replace("- [ ] Bread", f"{indent}- [ ] Bread"))
            self.assertEqual(self.ids(), ids)

    def test_rule_3_the_bullet_and_the_tick_stay_unchanged(self):
        text = self.open("Milk")
        self.save(typed(text.replace("- [ ] Milk", "* [X] Milk"), "+ [ ] Bread"))
        for _ in range(2):
            shown = self.settled()
            self.assertIn("\n* [X] Milk ^", shown)
            self.assertIn("\n+ [ ] Bread ^", shown)
            # Also after a restart.
            self.end(self.mirror)
            self.mirror = self.start()
            self.call(("addTodo", {"title": "Cheese"}))
            self.wait(lambda text: "- [ ] Cheese ^" in text)

    def test_rule_5_markup_in_a_title_is_not_escaped(self):
        titles = ["#home sweet", "[docs](url)", "**Urgent**", "[[Page]]", "C:\\_foo \\(z\\)"]
        text = self.open(*titles)
        for title in titles:
            self.assertIn(f"] {title} ^", text)

    def test_rule_7_a_file_that_is_taken_over_is_kept_beside(self):
        lines = [
            "An introduction", "", "# Home", "", "- [ ] Milk", "- [x] Rent", "", "One", "", "Two",
            "", "# Work", "- [ ] Report", "  - [ ] A part", "  A note", "", "# Shop", "", "- Text",
            "- [ ] Bread"]
        first = "<!-- todo-server ann local 0 -->"
        original = "\n".join([first, *lines, ""])
        self.write(original)
        mirror = self.start()
        text = self.wait(lambda text: text.count(" ^") == 4)
        self.assertEqual(
            re.sub(f" {MARK}", "", text).split("\n")[1:], [*lines, "<!-- end -->", ""])
        self.assertEqual(self.read(f"{self.path}.original"), original)
        self.assertEqual(os.stat(f"{self.path}.original").st_mode & 0o777, 0o600)
        said = self.end(mirror)
        self.assertIn("It was kept as", said)

    def test_rule_7_the_first_line_comes_after_front_matter(self):
        front = "---\ntitle: List\n\ntags:\n  - home\n---\n"
        self.write(f"{front}\n<!-- todo-server ann local 0 -->\n- [ ] Milk\n")
        self.mirror = self.start()
        text = self.wait(lambda text: " ^" in text)
        self.assertRegex(
            text, rf"\A{front}\n<!-- todo-server ann local \d+ -->\n- \[ \] Milk {MARK}\n<!-- end")
        again = self.save(text.replace("title: List", "title: Home").replace("Milk", "Bread"))
        self.assertEqual([todo["title"] for todo in self.todos()], ["Bread"])
        self.assertTrue(again.startswith(front.replace("List", "Home")), again)

    def test_rule_9_a_line_is_one_todo_without_a_reload(self):
        text = self.open("Milk")
        self.save(typed(text, "- [ ] Call Ann"))
        new = self.ids()["Call Ann"]
        self.save(typed(text, "- [ ] Call Ann and Bob"))
        self.assertEqual(self.ids()["Call Ann and Bob"], new)
        self.save(typed(text, "- [x] Call Ann and Bob", "- [ ] Stamps"))
        # The other line shows that it is the same buffer.
        for title in ("Phone everybody", "Write a letter"):
            self.save(typed(text, f"- [x] {title}", "- [ ] Stamps"))
            self.assertEqual(self.ids()[title], new)
            self.assertEqual(
                {todo["title"]: todo["done"] for todo in self.todos()},
                {"Milk": False, title: True, "Stamps": False})
        self.save(text)
        self.assertEqual(list(self.ids()), ["Milk"])

    def test_rule_9_a_line_of_another_editor_in_the_same_place_is_another_todo(self):
        text = self.open("Milk")
        self.save(typed(text, "- [ ] Call Ann"))
        self.save(typed(text, "- [ ] Call Bob"))
        self.assertEqual(sorted(self.ids()), ["Call Ann", "Call Bob", "Milk"])

    def test_rule_9_a_line_that_lost_only_its_mark_is_its_todo(self):
        text = self.open("Milk", "Bread")
        ids = self.ids()
        self.save(re.sub(rf"(\] Milk) {MARK}", r"\1", text))
        self.assertEqual(self.ids(), ids)

    def test_rule_10_a_line_that_is_cut_and_pasted_is_its_todo(self):
        """`dd`, `:w`, then `u` or `p`, `:w`, with and without a reload."""
        self.open("Milk", "Bread", "Report")
        ids = self.ids()
        for reloads, restarts in ((False, False), (True, False), (True, True)):
            for below in (False, True):
                with self.subTest(reloads=reloads, restarts=restarts, below=below):
                    text = self.read()
                    cut = without(text, "Bread")
                    shown = self.save(cut)
                    self.assertEqual(len(self.todos()), 2)
                    if restarts:
                        self.end(self.mirror)
                        self.mirror = self.start()
                        shown = self.settled()
                    start = shown if reloads else cut
                    pasted = typed(start, line(text, "Bread"))
                    self.save(pasted if below or reloads else text)
                    self.assertEqual(self.ids(), ids)

    def test_rule_10_an_edit_that_is_reverted(self):
        text = self.open("Milk")
        self.save(text.replace("Milk", "Oat milk"))
        shown = self.save(text)
        self.assertEqual(list(self.ids()), ["Milk"])
        self.assertNotIn("!conflict", shown)

    def test_rule_10_an_edit_of_a_removed_todo_restores_it(self):
        text = self.open("Milk", "Bread")
        ids = self.ids()
        self.remove(self.todos()[0])
        self.settled()
        self.save(text.replace("Milk", "Milk, two"))
        self.assertEqual(self.ids(), {"Milk, two": ids["Milk"], "Bread": ids["Bread"]})
        self.save(text.replace("Milk", "Milk, two litres"))
        self.assertEqual(self.ids(), {"Milk, two litres": ids["Milk"], "Bread": ids["Bread"]})

    def test_rule_10_a_restored_todo_that_is_removed_elsewhere_stays_removed(self):
        text = self.open("Milk", "Bread")
        milk = next(todo for todo in self.todos() if todo["title"] == "Milk")
        self.save(without(text, "Milk"))
        restored = self.call(("restoreTodo", {"id": milk["id"]}))["result"]["todo"]
        text = self.settled()
        self.assertIn("Milk", text)
        self.remove(restored)
        self.settled()
        self.save(typed(text, "- [ ] Rent"))
        self.assertEqual(sorted(self.ids()), ["Bread", "Rent"])

    def test_rule_12_a_buffer_never_conflicts_with_itself(self):
        text = self.open("Milk")
        for title in ("Oat milk", "Soy milk", "Cream"):
            shown = self.save(text.replace("Milk", title))
            self.assertEqual(list(self.ids()), [title])
            self.assertNotIn("!conflict", shown)

    def test_rule_12_another_buffer_reverts_nothing(self):
        text = self.open("Milk", "Bread", "Report")
        self.save(text.replace("Milk", "Oat milk"))
        self.save(text.replace("Bread", "Rye bread"))
        self.assertEqual(sorted(self.ids()), ["Oat milk", "Report", "Rye bread"])

    def test_rule_12_a_tick_applies_to_the_text_that_is_kept(self):
        text = self.open("Milk")
        self.edit(self.todos()[0], title="Soy milk")
        self.settled()
        conflict = self.save(text.replace("Milk", "Oat milk"))
        self.assertIn("!conflict", conflict)
        ticked = self.save(conflict.replace("- [ ]", "- [x]"))
        self.save(re.sub(r"  === theirs\n.*\n  >>>\n", "", ticked))
        self.assertEqual(
            [(todo["title"], todo["done"]) for todo in self.todos()], [("Oat milk", True)])

    def test_rule_17_a_line_that_looks_like_a_todo_is_reported_once(self):
        text = self.open("Milk")
        lines = ["1. [ ] One", "- [-] Two", f"- [ ] {'x' * 5_000}"]
        self.save(typed(text, *lines, "```", "1. [ ] An example", "```"))
        self.save(self.read().replace("Milk", "Bread"))
        said = self.end(self.mirror)
        for start in ("1. [ ] One", "- [-] Two", "- [ ] xxx"):
            self.assertEqual(said.count(start), 1, said)
        self.assertNotIn("example", said)


if __name__ == "__main__":
    unittest.main()
