"""Conflicts in a real terminal: nothing is stored without the user's decision."""

import os
import unittest

from real_terminal import TerminalCase


class ConflictTests(TerminalCase):
    def test_text_typed_during_a_conflicting_save_stays_and_comes_back(self):
        terminal, hold, change = self.open_held()
        open(hold, "w").close()
        change(title="Call Bob")
        terminal.keys(" now", "<C-s>")
        terminal.wait("No answer for")
        terminal.keys(" or never")
        terminal.wait("Call Bea now or never")
        os.remove(hold)
        terminal.wait("Call Bea now or never", "The server shows something else now")
        terminal.keys("sdq")
        terminal.wait("Call Bea now or neversdq")
        terminal.keys("<BSpace>", "<BSpace>", "<BSpace>", "<Escape>")
        terminal.wait("Changed elsewhere", "t Take theirs", "Call Bob", "Call Bea now", without=["never"])
        terminal.keys("t", "y")
        terminal.wait("[ ] Call Bob", "Todos of ann")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now or never", "not saved yet")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "Call Bea now or never", "Call Bob")
        terminal.keys("m")
        terminal.wait("[ ] Call Bea now or never")

    def test_a_decision_on_unseen_sides_is_requested_again(self):
        self.environment["EDITOR"] = self.editor("Call both\n\non Monday")
        terminal, hold, change = self.open_held()
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        change(title="Call Bob")
        terminal.wait("changed elsewhere while you were editing")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "m Keep mine", "Call Bob")
        change(title="Call Bill")
        terminal.wait("Call Bill", without=["Bob"])
        for theirs, keys, kept in (("Ben", ["m"], "Call Bea now"), ("Ron", ["<C-s>"], "Call both")):
            if keys == ["<C-s>"]:
                terminal.keys("<Enter>")
                terminal.wait("Call both")
            open(hold, "w").close()
            change(title=f"Call {theirs}")
            terminal.keys(*keys)
            terminal.wait("No answer for")
            os.remove(hold)
            terminal.wait(f"Call {theirs}", kept, "m Keep mine", without=["No answer"])
            self.assertEqual(self.stored(), [(f"Call {theirs}", "on Monday", False)])
        terminal.keys("<C-s>")
        terminal.wait("Theirs was changed after you wrote the merged text.", "“Call Ron” (y/n)")
        terminal.keys("y")
        terminal.wait("[ ] Call both", "Todos of ann")
        self.assertEqual(self.stored(), [("Call both", "on Monday", False)])

    def test_a_yes_about_newer_sides_stores_the_merged_text(self):
        self.environment["EDITOR"] = self.editor("Call both\n\non Monday")
        for keys, question, stored in (
            (["<C-s>"], "Theirs was changed after you wrote the merged text.", "Call both"),
            (["m"], "Keep mine, and drop what you typed as merged?", "Call Bea now"),
        ):
            with self.subTest(stored):
                terminal, todo = self.open_conflict()
                terminal.keys("<Enter>")
                terminal.wait("Call both")
                self.elsewhere("editTodo", {"id": todo, "title": "Call Bill"})
                terminal.wait("Call Bill", "Call both", without=["Bob"])
                terminal.keys(*keys)
                terminal.wait(question)
                terminal.keys("y")
                terminal.wait(f"[ ] {stored}", "Todos of ann")
                self.assertEqual(self.stored()[0], (stored, "on Monday", False))
                terminal.close()

    def test_a_merged_text_without_edits_follows_theirs(self):
        terminal, todo = self.open_conflict()
        for theirs in ("Bill", "Ben"):
            self.elsewhere("editTodo", {"id": todo, "title": f"Call {theirs}"})
            terminal.wait(f"{theirs} >>>")
        terminal.keys("<C-s>")
        terminal.wait("Both versions of a text are still there, between markers.")
        terminal.keys("y")
        terminal.wait("[ ] Call <<< Bea now === Ben >>>")

    def test_saving_twice_settles_no_conflict(self):
        terminal, _ = self.open_conflict()
        for _ in range(2):
            terminal.keys("<C-s>")
            terminal.wait("Both versions of a text are still there, between markers. Save them? “Call")
        self.assertEqual(self.stored(), [("Call Bob", "on Monday", False)])
        terminal.keys("n")
        terminal.wait("Changed elsewhere", without=["(y/n)"])

    def test_ctrl_c_asks_in_a_conflict(self):
        terminal, _ = self.open_conflict()
        terminal.keys("<C-c>")
        terminal.wait("“Call Bea now” is not saved. Quit all the same? (y/n)")
        terminal.keys("n", "m")  # keeping mine loses nothing
        terminal.wait("[ ] Call Bea now", "Todos of ann")
        terminal.keys("<C-c>")
        terminal.wait("ended with 0")


if __name__ == "__main__":
    unittest.main()
