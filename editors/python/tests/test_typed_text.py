"""Nothing that was typed is lost: in a real terminal, with the real server, which holds its answers or dies."""

import os
import shlex
import signal
import time
import unittest

from real import PASSWORD, SERVER
from real_terminal import TerminalCase
from support import is_running, until


class TypedTextTests(TerminalCase):
    def test_20_21_a_change_elsewhere_is_shown_but_never_over_what_was_typed(self):
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
        terminal.keys("t", "n", "T")  # neither the answer no nor a letter that is no action does anything
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

    def test_23_all_that_was_typed_comes_back_after_a_restart(self):
        self.environment["EDITOR"] = self.editor("on Monday at noon")
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now", "<Tab>", "<Enter>")
        terminal.wait("on Monday at noon")
        self.kill_server(terminal)
        terminal.wait("Ctrl-R restarts", "Call Bea now", "on Monday at noon", without=["Save", "Discard"])
        terminal.keys("<BTab>", "rq")  # letters in a field are text, whatever has become of the server
        terminal.wait("Call Bea nowrq")
        terminal.keys("<BSpace>", "<BSpace>", "<C-r>")
        terminal.wait("Welcome", "Ctrl-Y in the list brings back")
        terminal.keys("ann", "<Enter>")
        terminal.wait("[ ] Call Bea")
        terminal.keys("<C-c>", "n")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now", "on Monday at noon", "not saved yet")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call Bea now")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday at noon", False)])
        terminal.keys("<C-c>")
        terminal.wait("ended with 0")

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

    def test_a_todo_that_is_removed_elsewhere_is_said_at_once_and_can_be_saved_as_new(self):
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

    def test_a_server_that_is_killed_while_a_save_has_no_answer(self):
        terminal, hold, _ = self.open_held()
        open(hold, "w").close()
        terminal.keys(" now", "<C-s>")
        terminal.wait("No answer for")
        terminal.keys("!")
        self.kill_server(terminal)
        terminal.wait("the server ended", "Ctrl-R restarts", "Call Bea now!")
        os.remove(hold)
        self.bring_back(terminal, "[ ] Call Bea")
        terminal.wait("Call Bea now!", "not saved yet")

    def test_a_server_that_cannot_be_started_again(self):
        link = os.path.join(self.folder, "todo-server")
        os.symlink(SERVER[0], link)
        self.environment["TODO_SERVER"] = shlex.join([link, *SERVER[1:]])
        terminal, _ = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        self.kill_server(terminal)
        terminal.wait("Ctrl-R restarts")
        os.remove(link)
        terminal.keys("<C-r>")
        terminal.wait("todo-server: No such file", "r restarts", without=["Starting", "Errno"])
        terminal.keys("<C-y>", "<C-s>")  # there is nothing yet to put it into
        os.symlink(SERVER[0], link)
        terminal.keys("r")
        terminal.wait("Welcome", "Ctrl-Y in the list brings back")
        terminal.keys("ann", "<Enter>")
        terminal.wait("[ ] Call Bea")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now", "not saved yet")

    def test_a_server_that_is_killed_while_the_text_is_in_the_editor(self):
        done = self.slow_editor("on Sunday")
        terminal, _ = self.open_todo("Call Bea", "on Monday")
        server = self.server_of(terminal)
        terminal.keys("<Tab>", "<Enter>")
        terminal.wait("editing")
        os.kill(server, signal.SIGKILL)
        with open(done, "w") as file:
            file.write("\n")
        terminal.wait("on Sunday", "the server ended", "Ctrl-R restarts")
        self.bring_back(terminal, "[ ] Call Bea")
        terminal.wait("on Sunday", "not saved yet")

    def start_again(self, row):
        """A terminal that has been told of a text that was left, once its list shows a row."""
        terminal = self.open()
        terminal.wait("Welcome", "Ctrl-Y in the list brings back")
        terminal.keys("ann", "<Enter>")
        terminal.wait(row)
        return terminal

    def left_texts(self):
        state = os.path.join(self.environment["XDG_STATE_HOME"], "todo-server")
        return [name for name in os.listdir(state) if name.startswith("unsaved-")] if os.path.exists(state) else []

    def kill(self, terminal):
        """Kills a front-end and its server together, when its text is old enough to be there afterwards."""
        server = self.server_of(terminal)
        time.sleep(2)
        for process in (self.parent(server), server):
            os.kill(process, signal.SIGKILL)
        until(lambda: not is_running(server), lambda: "still there after SIGKILL")

    def recovered(self):
        """A terminal in whose list the server shows a text that was left."""
        terminal = self.open()
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann", "1 unsaved text was recovered", " draft")
        return terminal

    def test_text_typed_before_the_end_is_a_draft_at_the_next_start(self):
        kills = [signal.SIGKILL] * int(os.environ.get("KILLS", 1))
        for how in (signal.SIGTERM, signal.SIGHUP, "close", *kills):
            terminal, todo = self.open_todo("Call Bea", "on Monday")
            terminal.keys(" now")
            terminal.wait("Call Bea now")
            self.kill(terminal) if how == signal.SIGKILL else self.end(terminal, how)
            self.assertEqual(self.left_texts(), [])
            self.elsewhere("editTodo", {"id": todo, "title": "Call Bob"})
            terminal = self.recovered()
            terminal.keys("<Enter>")
            terminal.wait("Call Bea now", "on Monday", "Unsaved text from")
            terminal.keys("<C-s>")  # it has the base that it was typed on: nothing is overwritten
            terminal.wait("Changed elsewhere", "Call Bea now", "Call Bob")
            terminal.keys("m")
            terminal.wait("[ ] Call Bea now", "Todos of ann", without=["draft"])
            terminal.keys("<C-c>")
            terminal.wait("ended with 0")
            self.elsewhere("removeTodo", {"id": todo})

    def test_a_comparison_is_a_draft_at_the_next_start(self):
        terminal = self.open_conflict()
        self.end(terminal, signal.SIGTERM)
        terminal = self.recovered()
        terminal.keys("<Enter>")
        terminal.wait("Call Bea now", "Unsaved text from")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "Call Bea now", "Call Bob")

    def test_several_texts_of_a_todo_are_a_choice(self):
        terminals = [self.open_todo("Call Bea", "on Monday")[0], self.logged_in()]
        terminals[1].keys("<Enter>")
        terminals[1].wait("Enter Save", "on Monday")
        for terminal, text in zip(terminals, (" now", " later")):
            terminal.keys(text)
            terminal.wait("Call Bea" + text)
            self.end(terminal, signal.SIGTERM)
        terminal = self.open()
        terminal.keys("ann", "<Enter>")
        terminal.wait("2 unsaved texts were recovered", " draft")
        terminal.keys("<Enter>")
        terminal.wait("Unsaved texts", "Call Bea now", "Call Bea later", "1 of 2")
        terminal.keys("d")
        terminal.wait("Discard this text? “Call Bea” (y/n)")
        terminal.keys("y")
        terminal.wait("1 of 1", "Call Bea now", without=["later"])
        terminal.keys("<Enter>")
        terminal.wait("Edit", "Call Bea now", "Unsaved text from")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call Bea now", "Todos of ann", without=["draft"])

    def test_a_text_is_dropped_only_when_the_user_says_so(self):
        terminal, _ = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        self.end(terminal, signal.SIGTERM)
        for key, answer in (("n", "Call Bea now"), ("y", "[ ] Call Bea")):
            terminal = self.recovered()
            terminal.keys("<Enter>")
            terminal.wait("Call Bea now", "Unsaved text from")
            terminal.keys("<Escape>")
            terminal.wait("“Call Bea” (y/n)")
            terminal.keys(key)
            terminal.wait(answer, without=["(y/n)"])
            self.end(terminal, signal.SIGTERM)
        terminal = self.logged_in()
        terminal.wait("[ ] Call Bea", without=["draft", "unsaved"])

    def test_a_text_whose_save_has_no_answer_is_not_lost(self):
        terminal, hold, _ = self.open_held()
        open(hold, "w").close()
        terminal.keys(" now", "<C-s>")
        terminal.wait("No answer for")
        terminal.keys("<C-c>")
        terminal.wait("not saved. Quit all the same? (y/n)")
        terminal.keys("n")
        terminal.wait("Call Bea now", without=["(y/n)"])
        self.end(terminal, signal.SIGTERM)
        os.remove(hold)
        terminal = self.start_again("[ ] Call Bea")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now", "not saved yet")

    def test_a_text_in_the_users_editor_is_kept_when_a_signal_comes(self):
        done, editor = self.slow_editor("never"), self.environment["EDITOR"]
        with open(editor, "w") as file:
            file.write(f"#!/bin/sh\nprintf 'on Sunday' > $1\necho written\nread line < {done}\n")
        for how in (signal.SIGTERM, "close"):
            terminal, todo = self.open_todo("Call Bea", "on Monday")
            server = self.server_of(terminal)
            terminal.keys("<Tab>", "<Enter>")
            terminal.wait("written")
            self.end(terminal, how, server)
            terminal = self.recovered()
            terminal.keys("<Enter>")
            terminal.wait("on Sunday", "Unsaved text from")
            terminal.keys("<C-s>")
            terminal.wait("[ ] Call Bea", "Todos of ann", without=["draft"])
            terminal.keys("<C-c>")
            terminal.wait("ended with 0")
            self.elsewhere("removeTodo", {"id": todo})

    def test_a_line_that_was_being_typed_is_kept_when_a_signal_comes_but_no_secret_is(self):
        terminal = self.open()
        terminal.keys("ann", "<Tab>", PASSWORD)
        terminal.wait("•••")
        self.end(terminal, signal.SIGTERM)
        self.secret_is_nowhere(terminal.everything)
        terminal = self.logged_in()
        terminal.keys("a", "Buy mi")
        terminal.wait("Title: Buy mi")
        self.end(terminal, signal.SIGTERM)
        terminal = self.logged_in()
        terminal.keys("a", "<C-y>", "lk", "<Enter>")
        terminal.wait("[ ] Buy milk")
        self.end(terminal, signal.SIGTERM)
        self.assertEqual(self.left_texts(), [])

    def test_a_title_that_was_being_typed_when_the_server_died(self):
        terminal = self.logged_in()
        terminal.keys("a", "Buy rq")
        terminal.wait("Title: Buy rq")
        self.kill_server(terminal)
        terminal.wait("the server ended", "Title: Buy rq")
        terminal.keys("r", "<C-r>")
        terminal.wait("Welcome")
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann")
        terminal.keys("a", "<C-y>", "<Enter>")
        terminal.wait("[ ] Buy rqr")

    def test_keys_that_were_pressed_while_an_answer_was_held_are_no_actions(self):
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

    def open_conflict(self):
        """A terminal that shows a conflict, from which there is no way back: mine is stored nowhere."""
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        self.elsewhere("editTodo", {"id": todo, "title": "Call Bob"})
        terminal.wait("changed elsewhere while you were editing")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "m Keep mine", "Call Bea now", "Call Bob")
        return terminal

    def test_ctrl_c_asks_in_a_conflict(self):
        terminal = self.open_conflict()
        terminal.keys("<C-c>")
        terminal.wait("not saved. Quit all the same? (y/n)")
        terminal.keys("n", "m")  # keeping mine loses nothing
        terminal.wait("[ ] Call Bea now", "Todos of ann")
        terminal.keys("<C-c>")
        terminal.wait("ended with 0")

    def test_a_decision_on_sides_that_were_not_seen_is_asked_for_again(self):
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

    def test_saving_twice_settles_no_conflict(self):
        terminal = self.open_conflict()
        for _ in range(2):
            terminal.keys("<C-s>")
            terminal.wait("Both versions of a text are still there, between markers. Save them? “Call")
        self.assertEqual(self.stored(), [("Call Bob", "on Monday", False)])
        terminal.keys("n")
        terminal.wait("Changed elsewhere", without=["(y/n)"])

    def test_a_server_that_is_killed_in_a_conflict(self):
        self.environment["EDITOR"] = self.editor("")
        terminal = self.open_conflict()
        self.kill_server(terminal)
        terminal.wait("Ctrl-R restarts", "Call Bea now", "Call Bob")
        self.bring_back(terminal, "[ ] Call Bob")
        terminal.wait("Changed elsewhere", "Call <<< Bea now ===", "Call Bob", "on Monday", "not saved yet")
        self.editor("Call both\n\non Monday")
        terminal.keys("<Enter>")
        terminal.wait("Call both")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call both", "Todos of ann")
        self.assertEqual(self.stored(), [("Call both", "on Monday", False)])

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
