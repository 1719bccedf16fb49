"""Typed text in a real terminal: it is there after the end of the front-end or of its server."""

import os
import shlex
import signal
import time
import unittest

from real import PASSWORD, SERVER
from real_terminal import TerminalCase
from support import is_running, until


class RestoredTextTests(TerminalCase):
    def start_again(self, row):
        """A terminal with a message about unsaved text, once its list shows a row."""
        terminal = self.open()
        terminal.wait("Welcome", "What you typed is kept")
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
        terminal.wait("Welcome", "What you typed is kept")
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
        terminal.wait("Welcome", "What you typed is kept")
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

    def test_after_the_death_of_a_server_a_text_is_announced_by_one_of_both(self):
        announced, ours = "1 unsaved text was recovered", "Ctrl-Y in the list brings back"
        for late in ("", "!"):  # the second one is typed when there is no server, which has an older text
            terminal, todo = self.open_todo("Call Bea", "on Monday")
            terminal.keys(" now")
            terminal.wait("Call Bea now")
            time.sleep(2)
            self.kill_server(terminal)
            terminal.wait("Ctrl-R restarts")
            terminal.keys(late, "<C-r>")
            terminal.wait("Welcome", "What you typed is kept")
            terminal.keys("ann", "<Enter>")
            terminal.wait("[ ] Call Bea", announced, " draft", *[ours] * bool(late), without=[] if late else [ours])
            terminal.keys("<C-y>" if late else "<Enter>")
            terminal.wait("Call Bea now" + late, "not saved yet" if late else "Unsaved text from")
            terminal.keys("<C-s>")
            terminal.wait("[ ] Call Bea now" + late, "Todos of ann", without=[ours, announced])
            terminal.keys("<C-c>")
            terminal.wait("ended with 0")
            self.elsewhere("removeTodo", {"id": todo})

    def test_a_comparison_is_a_draft_at_the_next_start(self):
        terminal, _ = self.open_conflict()
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

    def test_a_server_that_is_killed_in_a_conflict(self):
        self.environment["EDITOR"] = self.editor("")
        terminal, _ = self.open_conflict()
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


if __name__ == "__main__":
    unittest.main()
