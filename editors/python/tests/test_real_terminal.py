"""The interactive front-end in a real terminal, and the real server."""

import os
import re
import shlex
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from real import PASSWORD, SERVER, TEXT, issue
from real_terminal import TerminalCase
from support import HERE, PROGRAM, Terminal, until


class TerminalTests(TerminalCase):
    def test_marked_rows_are_one_question_and_one_undo(self):
        for title in ("three", "two", "one"):
            self.elsewhere("addTodo", {"title": title})
        terminal = self.logged_in()
        terminal.wait("1 of 3")
        terminal.keys(" ", "j", " ", "x")
        terminal.wait("[x] one", "[ ] two", "[x] three", "1 open · 2 done")
        terminal.keys("u")
        terminal.wait("[ ] one", "[ ] two", "[ ] three", "3 open")
        terminal.keys("<Home>", " ", " ", "d")
        terminal.wait("Remove 2 todos? (y/n)")
        terminal.keys("y")
        terminal.wait("1 of 1", without=["] one", "] two"])
        self.assertEqual(self.stored(), [("three", "", False)])

    def test_tab_completes_qualifiers_labels_and_values(self):
        self.elsewhere("addTodo", {"title": "one", "labels": ["at home", "at work", "garden"]})
        terminal = self.logged_in()
        terminal.wait("1 of 1")
        terminal.keys("/", "is:open -label:g", "<Tab>")
        terminal.wait("Words: is:open -label:garden")
        terminal.keys("<C-u>", 'label:"', "<Tab>")
        terminal.wait('Words: label:"at')
        terminal.keys("<Tab>")
        terminal.wait('label:"at home"  label:"at work"')
        terminal.keys("h", "<Tab>", "<Enter>")
        terminal.wait('with “label:"at home"”', "1 of 1")
        terminal.keys("p", "h", "<Tab>")
        terminal.wait("Priority (none removes it): high")

    def test_06_10_11_12_13_16_17_from_welcome_to_log_out(self):
        self.environment["EDITOR"] = self.editor("one\ntwo")
        terminal = self.logged_in()
        terminal.wait("Nothing to do.")
        terminal.keys("a", TEXT, "<Enter>")
        text = terminal.wait("[ ] é ☕ 😀")
        self.assertNotIn(self.elsewhere("listTodos", {})["todos"][0]["id"], text)
        terminal.keys("a", "Second", "<Enter>")
        terminal.wait("[ ] Second", "of 2")
        self.assertEqual(self.stored(), [("Second", "", False), (TEXT, "", False)])
        terminal.keys("<Home>", "<Enter>")
        terminal.wait("Title", "Note", "Enter Save")
        terminal.keys("!", "<Tab>", "<Enter>")
        terminal.wait("  one", "  two")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Second!", "of 2")
        self.assertEqual(self.stored()[0], ("Second!", "one\ntwo", False))
        terminal.keys("x")
        terminal.wait("[x] Second!")
        terminal.keys("/", "sec", "<Enter>")
        terminal.wait("with “sec”", "1 of 1")
        terminal.keys("d", "n")
        terminal.wait("1 of 1", without=["(y/n)"])
        terminal.keys("d")
        terminal.wait("Remove this todo? “Second!” (y/n)")
        terminal.keys("y")
        terminal.wait("No todo matches.")
        self.assertEqual(self.stored(), [(TEXT, "", False)])
        terminal.keys("<Escape>")
        terminal.wait("Todos of ann", "1 of 1", without=["with “sec”"])
        terminal.keys("<Escape>")  # which never logs out
        terminal.wait("nothing to go back to")
        terminal.keys("L")
        terminal.wait("Welcome")
        terminal.keys("<C-c>")
        terminal.wait("ended with 0")

    def test_14_15_a_title_that_is_wrong_is_not_saved_and_discard_shows_what_is_stored(self):
        terminal = self.logged_in()
        terminal.keys("a", "Title", "<Enter>")
        terminal.wait("[ ] Title")
        terminal.keys("<Enter>")
        terminal.wait("Discard")
        terminal.keys("<C-u>")
        terminal.wait("must not be blank")
        terminal.keys("<Enter>")
        terminal.wait("not possible now", "Discard")
        self.assertEqual(self.stored(), [("Title", "", False)])
        terminal.keys("New", "<Enter>")
        terminal.wait("[ ] New")
        terminal.keys("<Enter>")
        terminal.wait("Discard")
        terminal.keys("er", "<Escape>")
        terminal.wait("Discard what you typed?")
        terminal.keys("y")
        terminal.wait("[ ] New\n")
        self.assertEqual(self.stored(), [("New", "", False)])

    def test_an_answer_that_is_refused_can_be_brought_back_until_it_is_accepted(self):
        terminal = self.logged_in()
        terminal.keys("a")
        terminal.wait("Title:")
        terminal.paste("x" * 1025)
        terminal.keys("<Enter>")
        terminal.wait("A title must have at most 1024 characters.")
        terminal.keys("a", "<C-y>", "<BSpace>", "<Enter>")
        terminal.wait("[ ] xxx")
        self.assertEqual(self.stored(), [("x" * 1024, "", False)])
        terminal.keys("D", "frii", "<Enter>")
        terminal.wait("A due date must be")
        terminal.keys("D", "<C-y>")
        terminal.wait("frii")
        terminal.keys("<C-u>", "2099-12-01", "<Enter>")
        terminal.wait("2099")
        terminal.keys("a", "<C-y>", "Buy milk", "<Enter>")
        terminal.wait("[ ] Buy milk")

    def test_a_refusal_is_shown_once(self):
        terminal = self.logged_in()
        terminal.keys("a", "<Enter>")
        self.assertEqual(terminal.wait("must not be blank").count("must not be blank"), 1)

    def test_a_terminal_without_a_second_screen_shows_no_question_after_the_end(self):
        terminal = Terminal(self.environment, shell=True)
        self.addCleanup(terminal.close)
        for keys in (["q"], ["a", "x", "<C-c>", "y"]):
            terminal.keys(f"TERM=linux {sys.executable} {PROGRAM}; echo ended with $?", "<Enter>")
            terminal.wait("Name", "Password")
            terminal.keys("ann", "<Enter>")
            terminal.wait("Todos of ann", without=["Loading"])
            terminal.keys(*keys)
            self.assertNotIn("Quit all the same", terminal.wait("ended with 0"))

    def test_27_keys_that_come_faster_than_answers(self):
        terminal = self.open()
        terminal.keys("ann", "<Enter>")
        terminal.wait("Nothing to do.")
        terminal.keys(
            "a", "one", "<Enter>", "a", "two", "<Enter>", "a", "three", "<Enter>", "<Home>", "<Enter>", "!", "<C-s>"
        )
        terminal.wait("[ ] one", "[ ] two", "[ ] three!")

    def test_07_09_18_register_and_a_wrong_password(self):
        terminal = self.open()
        terminal.keys("<Tab>", "<Tab>")
        terminal.wait("r Register")
        terminal.keys("r")
        terminal.wait("User name", "Esc Back", without=["Welcome"])
        terminal.keys("short", "<Tab>", "short")
        terminal.wait("•••••", without=["•short"])
        terminal.keys("<Enter>")
        terminal.wait("not possible now")
        terminal.keys("<BTab>", "<C-u>", "annabella", "<Tab>", "<C-u>", PASSWORD, "<Enter>")
        terminal.wait("Todos of annabella")
        terminal.keys("L")
        terminal.wait("Welcome")
        terminal.keys("<C-u>", "annabella", "<Tab>", "wrong password", "<Enter>")
        terminal.wait("Welcome", "wrong.")
        terminal.keys("<C-u>", PASSWORD, "<Enter>")
        terminal.wait("Todos of annabella")
        self.secret_is_nowhere(terminal.everything)
        self.assertNotIn("wrong password", terminal.everything)

    def test_23_24_a_server_that_is_killed_starts_again_twice(self):
        terminal = self.logged_in()
        terminal.keys("a", "kept", "<Enter>")
        terminal.wait("[ ] kept")
        for _ in range(2):
            os.kill(self.server_of(terminal), signal.SIGKILL)
            terminal.wait("the server ended (signal 9 SIGKILL)", "r restarts", "[ ] kept")
            terminal.keys("<Enter>", "r")
            terminal.wait("Welcome")
            terminal.keys("ann", "<Enter>")
            terminal.wait("[ ] kept")
        self.assertNotIn("Traceback", terminal.everything)

    def test_26_no_process_stays(self):
        for how in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, "close"):
            self.end(self.logged_in("--store", "memory"), how)

    def test_a_load_that_fails_can_be_tried_again(self):
        url = self.issues((500, {}), (200, [issue(number, f"Issue {number}") for number in range(1, 31)]))
        terminal = self.open("--source", "github:o/r", "--github-url", url)
        terminal.keys("ann", "<Enter>")
        terminal.wait("Try again")
        terminal.keys("<Enter>")
        terminal.wait("[ ] Issue 1", "1 of 30")

    def test_08_loading_then_the_list(self):
        url = self.issues((200, [issue(number, f"Issue {number}") for number in range(1, 31)]), held=True)
        terminal = self.open("--source", "github:o/r", "--github-url", url)
        terminal.keys("ann", "<Enter>")
        terminal.wait("Loading from github:o/r…")
        self.release.set()
        terminal.wait("[ ] Issue 1", "1 of 30")

    def test_19_undo_and_redo_change_the_row_back_and_forth(self):
        terminal = self.logged_in()
        terminal.keys("a", "Milk", "<Enter>")
        terminal.wait("[ ] Milk")
        terminal.keys("x")
        for key, row in (("u", "[ ] Milk"), ("U", "[x] Milk"), ("u", "[ ] Milk"), ("U", "[x] Milk")):
            terminal.wait("[ ] Milk" if row.startswith("[x]") else "[x] Milk")
            terminal.keys(key)
            terminal.wait(row)
            self.assertEqual(self.stored(), [("Milk", "", row.startswith("[x]"))])
        terminal.keys("u", "u")
        terminal.wait("Nothing to do.")
        terminal.keys("U")
        terminal.wait("[ ] Milk")

    def test_a_wide_terminal_shows_the_note_beside_the_list_until_it_is_narrow(self):
        for title, note in (("Bread", ""), ("Milk", "Two litres\nof oats")):
            self.elsewhere("addTodo", {"title": title, "note": note})
        terminal = self.logged_in(columns=120)
        terminal.wait("[ ] Milk", "│ Two litres", "│ of oats")
        terminal.keys("j")
        terminal.wait("2 of 2", without=["litres"])
        terminal.keys("k")
        terminal.wait("│ Two litres")
        terminal.resize(80, 20)
        terminal.wait("[ ] Milk", "1 of 2", without=["│", "litres"])

    def test_22_two_at_once_on_one_store(self):
        one, other = self.logged_in(), self.logged_in()
        one.keys("a", "Shared", "<Enter>")
        other.wait("[ ] Shared")
        other.keys("x")
        one.wait("[x] Shared")

    def test_a_server_that_never_answers_is_reported_and_ctrl_c_quits(self):
        self.environment["TODO_SERVER"] = shlex.join(
            [sys.executable, os.path.join(HERE, "fake_server.py"), '[["deaf"]]']
        )
        terminal = Terminal(self.environment)
        self.addCleanup(terminal.close)
        terminal.wait("No answer for", "waiting… Ctrl-C quits.")
        terminal.keys("<C-c>")
        terminal.wait("ended with 0")

    def test_28_a_list_of_100000(self):
        rows = ['{"format":"todo-server","version":1}\n']
        rows += ['{"title":"Todo %d"}\n' % number for number in range(100_000)]
        load = [*SERVER, "import", "--name", "ann"]
        subprocess.run(load, input="".join(rows).encode(), check=True, capture_output=True)
        log, _ = self.hold_server()
        terminal = self.open()
        terminal.keys("ann", "<Enter>")
        terminal.wait("1 of 100000", "[ ] Todo 0\n")
        terminal.keys("<End>")
        terminal.wait("100000 of 100000", "[ ] Todo 99999")
        for _ in range(4):  # to where the window ends, and beyond
            terminal.keys(*["<PageUp>"] * 12)
        terminal.wait("99424 of 100000", "[ ] Todo 99423")
        terminal.keys("<Home>", "<Up>")
        terminal.wait("1 of 100000")
        terminal.keys(*["<PageDown>"] * 30)
        terminal.wait("361 of 100000", "[ ] Todo 360\n")
        self.elsewhere("addTodo", {"title": "above"})
        terminal.wait("362 of 100001", "[ ] Todo 360\n")
        terminal.keys("x")
        terminal.wait("[x] Todo 360\n")
        terminal.keys("/", "todo 99999", "<Enter>")
        terminal.wait("1 of 1\n", "[ ] Todo 99999")
        with open(log, "rb") as file:  # never the whole list, of some 10 MB
            self.assertLess(max(map(len, file)), 100_000)

    def test_ctrl_l_draws_what_another_program_has_overwritten_also_in_a_question(self):
        terminal = self.logged_in()
        find = [*terminal.tmux, "display-message", "-p", "#{pane_tty}"]
        path = subprocess.run(find, capture_output=True, text=True, check=True).stdout.strip()
        terminal.keys("a", "Milk")
        terminal.wait("Title: Milk")
        with open(path, "w") as tty:
            tty.write("\x1b[HWelcome to another program")
        terminal.wait("Welcome to another program")
        terminal.keys("<C-l>")
        terminal.wait("Todos of ann", "Title: Milk", "a Add", without=["Welcome", "another"])

    def in_shell(self):
        """A terminal with the first screen, started from a shell with the prompt `theshell:`."""
        terminal = Terminal(self.environment, shell=True)
        self.addCleanup(terminal.close)
        terminal.keys("PS1=the''shell:", "<Enter>")
        terminal.wait("theshell:")
        terminal.keys(f"{sys.executable} {PROGRAM}", "<Enter>")
        terminal.wait("Welcome", "Password")
        return terminal

    def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(self):
        terminal = self.in_shell()
        for _ in range(2):
            terminal.keys("<C-z>")
            terminal.wait("Stopped")
            terminal.keys("fg", "<Enter>")
            terminal.wait("Welcome", "Password", without=["theshell:"])
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann")
        terminal.keys("q")
        terminal.wait("theshell:", without=["Todos of ann"])

    def test_ctrl_z_in_the_users_editor_goes_to_the_shell_and_fg_comes_back_to_the_editor(self):
        self.elsewhere("addTodo", {"title": "Call Bea", "note": "on Monday"})
        for editor, sign, leave in (
            ("vim -N -u NONE -i NONE", "~\n~", [":q", "<Enter>"]), ("emacs -nw -Q", "(Fundamental)", ["<C-x>", "<C-c>"]),
        ):  # fmt: skip
            self.environment["VISUAL"] = editor
            terminal = self.in_shell()
            terminal.keys("ann", "<Enter>")
            terminal.wait("1 of 1")
            terminal.keys("<Enter>", "<Tab>", "<Enter>")
            terminal.wait("on Monday", sign)
            terminal.keys("<C-z>")
            terminal.wait("Stopped")
            terminal.keys("fg", "<Enter>")
            terminal.wait("on Monday", sign, without=["theshell:"])
            terminal.keys(*leave)
            terminal.wait("Nothing was changed", "Ctrl-S Save", "on Monday", without=[sign, "theshell:"])

    def test_ctrl_c_in_the_users_editor_keeps_the_text_that_it_wrote(self):
        done, editor = self.slow_editor("never"), self.environment["EDITOR"]
        with open(editor, "w") as file:
            file.write(f"#!/bin/sh\nprintf 'on Sunday' > $1\necho written\nread line < {done}\n")
        terminal, _ = self.open_todo("Call Bea", "on Monday")
        terminal.keys("<Tab>", "<Enter>")
        terminal.wait("written")
        terminal.keys("<C-c>")
        terminal.wait("nothing was changed. What it left is", "on Monday")
        (left,) = Path(self.environment["XDG_STATE_HOME"]).glob("todo-server/text-*/note.md")
        self.assertEqual(left.read_text(), "on Sunday")

    def test_an_editor_that_changes_nothing_says_so(self):
        self.environment["EDITOR"] = "true"
        terminal, _ = self.open_todo("Call Bea", "on Monday")
        terminal.keys("<Tab>", "<Enter>")
        terminal.wait("Nothing was changed", "--wait")
        terminal.keys("<Escape>")
        terminal.wait("Todos of ann", without=["(y/n)"])

    def test_no_color(self):
        for value in ("", "1"):
            self.environment["NO_COLOR"] = value
            terminal = self.open()
            terminal.keys("<Enter>")
            terminal.wait("not possible now")

            def colored(terminal=terminal):
                return re.findall(r"\x1b\[[0-9;]*3[0-7]m", terminal.text("-e"))

            if value:
                self.assertEqual(colored(), [])
            else:
                until(colored, lambda: "no color")

    def test_a_question_about_a_long_title_is_seen_on_a_small_terminal(self):
        self.elsewhere("addTodo", {"title": "Two words and more of them so that it is long"})
        terminal = self.logged_in()
        for size, question in (((20, 5), " Remove this todo?\n “Two words and\n more of th…” (y/n)"),
                               ((14, 3), " Remove this\n todo? “…”\n (y/n)")):  # fmt: skip
            terminal.resize(*size)
            terminal.keys("d")
            terminal.wait(question)
            terminal.keys("n")
            terminal.wait("[ ] Two", without=["(y/n)"])


if __name__ == "__main__":
    unittest.main()
