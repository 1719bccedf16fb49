"""Typed text in a real terminal: changes elsewhere and late answers do not overwrite it."""

import os
import unittest

from real_terminal import TerminalCase
from support import until


class TypedTextTests(TerminalCase):
    def test_20_21_a_change_elsewhere_is_shown_but_never_over_unsaved_text(self):
        self.environment["EDITOR"] = self.editor("on Tuesday at noon")
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        self.elsewhere("editTodo", {"id": todo, "note": "on Tuesday"})
        terminal.wait("on Tuesday", without=["changed elsewhere"])
        terminal.keys("<Tab>", "<Enter>")
        terminal.wait("on Tuesday at noon")
        self.elsewhere("editTodo", {"id": todo, "note": "on Friday"})
        terminal.wait("on Tuesday at noon", "changed elsewhere while you were editing", without=["Friday"])
        terminal.keys("<C-s>")
        text = terminal.wait("Changed elsewhere", "m Keep mine", "t Take theirs", "Save merged")
        self.assertEqual(text.splitlines()[3].split(), ["Mine", "(open)", "Merged", "(open)", "Theirs", "(open)"])
        columns = [line.split() for line in text.splitlines() if "on Tuesday at noon" in line]
        self.assertEqual(columns[0], ["on", "Tuesday", "at", "noon", "<<<", "mine", "on", "Friday"])
        terminal.keys("<F2>")
        terminal.wait("Before", "on Tuesday   ")
        terminal.keys("<F2>")
        terminal.keys("t", "n", "T")  # neither the answer no nor a letter without an action does anything
        self.editor("Call Bea\n\non Tuesday or Friday")
        terminal.wait("Changed elsewhere", without=["(y/n)"])
        terminal.keys("<Enter>")
        terminal.wait("on Tuesday or Friday")
        terminal.keys("<C-s>")
        terminal.wait("Todos of ann", "[ ] Call Bea")
        self.assertEqual(self.stored(), [("Call Bea", "on Tuesday or Friday", False)])

    def test_21_text_that_crosses_a_change_on_the_wire_overwrites_nothing(self):
        terminal, hold, change = self.open_held()
        with open(hold, "w"):
            change(title="Call Bob")
        terminal.keys(" at noon")
        terminal.wait("Call Bea at noon")
        os.remove(hold)
        terminal.wait("Call Bea at noon", "changed elsewhere while you were editing")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "Call Bob", "Call Bea at noon")
        self.assertEqual(self.stored(), [("Call Bob", "on Monday", False)])

    def test_21_the_users_editor_takes_its_time_and_overwrites_nothing(self):
        done = self.slow_editor("on Sunday")
        terminal, _, change = self.open_held()
        terminal.keys("<Tab>", "<Enter>")
        terminal.wait("editing")
        change(note="on Wednesday")
        with open(done, "w") as file:
            file.write("\n")
        terminal.wait("on Sunday", "changed elsewhere while you were editing")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "on Wednesday", "on Sunday")

    def test_text_of_a_removed_todo_is_saved_as_new(self):
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        self.kill_server(terminal)
        terminal.wait("Ctrl-R restarts")
        self.elsewhere("removeTodo", {"id": todo})
        self.bring_back(terminal, "Todos of ann")
        terminal.wait("Call Bea now", "on Monday", "not saved yet")
        terminal.keys("<C-s>")
        terminal.wait("removed elsewhere. Save it as a new one? “Call Bea” (y/n)")
        terminal.keys("y")
        terminal.wait("[ ] Call Bea now")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday", False)])

    def test_a_todo_that_is_removed_elsewhere_is_reported_and_can_be_saved_as_new(self):
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        self.elsewhere("removeTodo", {"id": todo})
        terminal.wait("Call Bea now", "removed elsewhere", "Save as new")
        terminal.keys("<C-s>")
        terminal.wait("Save it as a new one? “Call Bea", "(y/n)")
        terminal.keys("y")
        terminal.wait("[ ] Call Bea now", "Todos of ann")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday", False)])

    def test_text_typed_during_a_save_stays(self):
        terminal, hold, _ = self.open_held()
        open(hold, "w").close()
        terminal.keys(" now", "<C-s>", "dd")
        terminal.wait("Call Bea nowdd")
        terminal.wait("No answer for", "Ctrl-C quits")
        terminal.keys("xyz")
        terminal.wait("Call Bea nowddxyz")
        os.remove(hold)
        terminal.wait("Saved. What you typed since then is not saved yet.", "Call Bea nowddxyz")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday", False)])
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call Bea nowddxyz")
        self.assertEqual(self.stored(), [("Call Bea nowddxyz", "on Monday", False)])

    def test_a_todo_that_is_removed_elsewhere_during_a_save_keeps_its_text(self):
        terminal, hold, _ = self.open_held()
        open(hold, "w").close()
        self.elsewhere("removeTodo", {"id": self.elsewhere("listTodos", {})["todos"][0]["id"]})
        terminal.keys(" now", "<C-s>")
        terminal.wait("No answer for")
        os.remove(hold)
        terminal.wait("Call Bea now", "removed elsewhere", without=["Todos of ann"])
        terminal.keys("<C-s>")
        terminal.wait("Save it as a new one? “Call Bea", "(y/n)")
        terminal.keys("y")
        terminal.wait("[ ] Call Bea now", "Todos of ann")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday", False)])

    def test_keys_that_were_pressed_while_an_answer_was_held_do_nothing(self):
        terminal, hold, _ = self.open_held()
        terminal.keys("<Escape>")
        terminal.wait("1 of 1")
        open(hold, "w").close()
        terminal.keys("x")
        terminal.wait("No answer for")
        terminal.keys("dx", "<Enter>")
        terminal.keys("?")
        terminal.wait("this help")
        os.remove(hold)
        terminal.wait("this help", without=["No answer"])
        terminal.keys("j")
        terminal.wait("[x] Call Bea", "1 of 1", without=["(y/n)"])
        self.assertEqual(self.stored(), [("Call Bea", "on Monday", True)])

    def test_ctrl_c_asks_when_typed_text_would_go_and_never_twice(self):
        for keys in (["<C-c>", "n", "<C-c>", "y"], ["<C-c>", "<C-c>"]):
            terminal, _ = self.open_todo("Call Bea", "on Monday")
            terminal.keys(" now")
            terminal.wait("Call Bea now")
            for key in keys:
                terminal.keys(key)
                if key == "<C-c>" and key is not keys[-1]:
                    terminal.wait("not saved. Quit all the same? (y/n)")
                elif key == "n":
                    terminal.wait("Call Bea now", without=["(y/n)"])
            terminal.wait("ended with 0")
            terminal.close()

    def test_text_typed_during_a_save_overwrites_no_later_change(self):
        terminal, hold, change = self.open_held()
        open(hold, "w").close()
        terminal.keys(" now", "<C-s>", "!")
        terminal.wait("Call Bea now!")
        until(lambda: self.stored() == [("Call Bea now", "on Monday", False)], lambda: "not saved")
        change(title="Call Bob")
        os.remove(hold)
        terminal.wait("Saved. What you typed since then is not saved yet.", "Call Bea now!")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "Call Bea now!", "Call Bob")
        self.assertEqual(self.stored(), [("Call Bob", "on Monday", False)])

    def test_a_text_is_not_saved_in_the_list_of_another_user(self):
        terminal, _ = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        self.kill_server(terminal)
        terminal.wait("Ctrl-R restarts")
        terminal.keys("<C-r>")
        terminal.wait("Welcome")
        terminal.keys("bob", "<Enter>")
        terminal.wait("Todos of bob")
        terminal.keys("<C-y>")
        terminal.wait("Todos of bob", "This text is of another user", "kept: Ctrl-Y in the list")
        terminal.keys("<C-c>")
        terminal.wait("“Call Bea now” is not saved. Quit all the same? (y/n)")
        terminal.keys("n", "L")
        terminal.wait("Welcome")
        terminal.keys("<C-u>", "ann", "<Enter>")
        terminal.wait("[ ] Call Bea", "Todos of ann")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now", "not saved yet")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call Bea now", "Todos of ann")

    def test_an_editor_that_changes_line_ends_changes_nothing(self):
        self.environment["EDITOR"] = self.editor("on Monday\nat noon")
        terminal, _ = self.open_todo("Call Bea", "on Monday\r\nat noon\r\n")
        terminal.keys("<Tab>", "<Enter>")
        terminal.wait("Nothing was changed")
        terminal.keys("<BTab>", " now", "<C-s>")
        terminal.wait("[ ] Call Bea now", "Todos of ann")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday\r\nat noon\r\n", False)])

    def test_escape_asks_when_typed_text_would_go_also_without_a_server_that_answers(self):
        terminal, hold, _ = self.open_held()
        open(hold, "w").close()
        terminal.keys(" now", "<Escape>")
        terminal.wait("what you typed goes. Do it? “Call Bea” (y/n)")
        terminal.keys("n")
        terminal.wait("Call Bea now", without=["(y/n)"])
        os.remove(hold)


if __name__ == "__main__":
    unittest.main()
