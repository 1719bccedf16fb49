"""The interactive front-end in a real terminal, and the real server."""

import asyncio
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import unittest

from real import PASSWORD, SERVER, TEXT, RealCase, issue
from support import HERE, PROGRAM, Terminal, is_running, until
from todo_server.client import Client


class TerminalTests(RealCase):
    def open(self, *arguments):
        terminal = Terminal(self.environment, *arguments)
        self.addCleanup(terminal.close)
        terminal.wait("Name", "Password")
        return terminal

    def logged_in(self, *arguments):
        terminal = self.open(*arguments)
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann", without=["Loading"])
        return terminal

    def elsewhere(self, method, *params):
        """What another client on the same store is answered, the last of several requests."""

        async def ask():
            async with Client(SERVER) as client:
                await client.request("login", {"name": "ann"})
                return [await client.request(method, one) for one in params][-1]

        return asyncio.run(ask())

    def stored(self):
        """The todos as another client finds them."""
        result = subprocess.run(
            [sys.executable, PROGRAM, "list", "--name", "ann", "--json"], capture_output=True, stdin=subprocess.DEVNULL
        )
        return [(todo["title"], todo["note"], todo["done"]) for todo in json.loads(result.stdout)]

    def editor(self, text):
        """A program for $EDITOR that writes this text."""
        path = os.path.join(self.folder, "editor")
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\nprintf '%s\\n' {shlex.quote(text)} > $1\n")
        os.chmod(path, 0o700)
        return path

    def slow_editor(self, text):
        """Makes $EDITOR a program that says `editing`, and writes this text when a line comes through a pipe: its path."""
        done, editor = os.path.join(self.folder, "done"), self.editor(text)
        os.mkfifo(done)
        with open(editor, "w") as file:
            file.write(f"#!/bin/sh\necho editing\nread line < {done}\necho {shlex.quote(text)} > $1\n")
        self.environment["EDITOR"] = editor
        return done

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
        terminal.wait("Remove this todo? (y/n)")
        terminal.keys("y")
        terminal.wait("No todo has these words.")
        self.assertEqual(self.stored(), [(TEXT, "", False)])
        terminal.keys("<Escape>")  # which never logs out
        terminal.wait("nothing to go back to")
        terminal.keys("/", "<C-u>", "<Enter>")
        terminal.wait("Todos of ann", "1 of 1")
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

    def server_of(self, terminal):
        """The process id of the server that a terminal started."""
        list_pids = [*terminal.tmux, "list-panes", "-F", "#{pane_pid}"]
        pid = subprocess.run(list_pids, capture_output=True, text=True).stdout.strip()
        for _ in range(2):  # the shell, todo.py, the server
            pid = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout.strip()
        return int(pid)

    def test_26_no_process_stays(self):
        for how in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, "close"):
            terminal = self.logged_in("--store", "memory")
            server = self.server_of(terminal)
            with open(f"/proc/{server}/stat") as file:
                front_end = int(file.read().rpartition(")")[2].split()[1])
            terminal.close() if how == "close" else os.kill(front_end, how)
            self.both_end(server, front_end, how)

    def both_end(self, one, other, how):
        until(lambda: not is_running(one) and not is_running(other), lambda: f"still there after {how}")

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

    def open_todo(self, title, note):
        """A terminal in which a todo is open, and the id of the todo."""
        todo = self.elsewhere("addTodo", {"title": title, "note": note})["todo"]
        terminal = self.logged_in()
        terminal.keys("<Enter>")
        terminal.wait("Enter Save", note)
        return terminal, todo["id"]

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

    def open_held(self):
        """A terminal as of `open_todo`, whose server's words can be held back by a file; its path."""
        log, hold = os.path.join(self.folder, "log"), os.path.join(self.folder, "hold")
        command = [sys.executable, os.path.join(HERE, "held_server.py"), log, hold, *SERVER]
        self.environment["TODO_SERVER"] = " ".join(command)
        terminal, todo = self.open_todo("Call Bea", "on Monday")

        def change(**to):
            """Changes the todo elsewhere, and waits until the server of the terminal has said so."""
            self.elsewhere("editTodo", {"id": todo, **to})

            def is_said():
                with open(log) as file:
                    return next(iter(to.values())) in file.read()

            until(is_said, lambda: "the server did not say what was changed")

        return terminal, hold, change

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

    def test_22_two_at_once_on_one_store(self):
        one, other = self.logged_in(), self.logged_in()
        one.keys("a", "Shared", "<Enter>")
        other.wait("[ ] Shared")
        other.keys("x")
        one.wait("[x] Shared")

    def test_23_all_that_was_typed_comes_back_after_a_restart(self):
        self.environment["EDITOR"] = self.editor("on Monday at noon")
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now", "<Tab>", "<Enter>")
        terminal.wait("on Monday at noon")
        os.kill(self.server_of(terminal), signal.SIGKILL)
        terminal.wait("Ctrl-R restarts", "Call Bea now", "on Monday at noon")
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

    def test_what_was_typed_into_a_todo_that_is_gone_becomes_a_new_one(self):
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        os.kill(self.server_of(terminal), signal.SIGKILL)
        terminal.wait("Ctrl-R restarts")
        self.elsewhere("removeTodo", {"id": todo})
        terminal.keys("<C-r>")
        terminal.wait("Welcome")
        terminal.keys("ann", "<Enter>")
        terminal.wait("Nothing to do.")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now", "on Monday", "not saved yet")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call Bea now")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday", False)])

    def test_a_todo_that_is_removed_elsewhere_is_said_at_once_and_can_be_saved_as_new(self):
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        self.elsewhere("removeTodo", {"id": todo})
        terminal.wait("Call Bea now", "removed elsewhere", "Save as new")
        terminal.keys("<C-s>")
        terminal.wait("[ ] Call Bea now", "Todos of ann")
        self.assertEqual(self.stored(), [("Call Bea now", "on Monday", False)])

    def test_what_is_typed_while_a_save_is_held_is_text_and_stays(self):
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

    def test_what_is_typed_while_a_save_meets_a_conflict_stays_and_comes_back(self):
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
        os.kill(self.server_of(terminal), signal.SIGKILL)
        terminal.wait("the server ended", "Ctrl-R restarts", "Call Bea now!")
        os.remove(hold)
        terminal.keys("<C-r>")
        terminal.wait("Welcome", "Ctrl-Y in the list brings back")
        terminal.keys("ann", "<Enter>")
        terminal.wait("[ ] Call Bea")
        terminal.keys("<C-y>")
        terminal.wait("Call Bea now!", "not saved yet")

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
        terminal.keys("<C-r>")
        terminal.wait("Welcome")
        terminal.keys("ann", "<Enter>")
        terminal.wait("[ ] Call Bea")
        terminal.keys("<C-y>")
        terminal.wait("on Sunday", "not saved yet")

    def test_a_title_that_was_being_typed_when_the_server_died(self):
        terminal = self.logged_in()
        terminal.keys("a", "Buy rq")
        terminal.wait("Title: Buy rq")
        os.kill(self.server_of(terminal), signal.SIGKILL)
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

    def test_escape_asks_when_typed_text_would_go_also_without_a_server_that_answers(self):
        terminal, hold, _ = self.open_held()
        open(hold, "w").close()
        terminal.keys(" now", "<Escape>")
        terminal.wait("what you typed goes. Do it? (y/n)")
        terminal.keys("n")
        terminal.wait("Call Bea now", without=["(y/n)"])
        os.remove(hold)

    def test_a_server_that_never_answers_is_told_of_and_ctrl_c_ends_at_once(self):
        self.environment["TODO_SERVER"] = shlex.join(
            [sys.executable, os.path.join(HERE, "fake_server.py"), '[["deaf"]]']
        )
        terminal = Terminal(self.environment)
        self.addCleanup(terminal.close)
        terminal.wait("has not answered yet. Ctrl-C ends.")
        terminal.keys("<C-c>")
        terminal.wait("ended with 130")

    def test_28_a_list_of_100000(self):
        rows = ['{"format":"todo-server","version":1}\n']
        rows += ['{"title":"Todo %d"}\n' % number for number in range(100_000)]
        load = [*SERVER, "import", "--name", "ann"]
        subprocess.run(load, input="".join(rows).encode(), check=True, capture_output=True)
        terminal = self.open()
        began = time.monotonic()
        terminal.keys("ann", "<Enter>")
        terminal.wait("1 of 100000", "[ ] Todo 0\n")
        self.assertLess(time.monotonic() - began, 1)
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

    def test_ctrl_z_goes_to_the_shell_and_fg_comes_back(self):
        terminal = Terminal(self.environment, shell=True)
        self.addCleanup(terminal.close)
        terminal.keys("PS1=the''shell:", "<Enter>")
        terminal.wait("theshell:")
        terminal.keys(f"{sys.executable} {PROGRAM}", "<Enter>")
        terminal.wait("Welcome", "Password")
        for _ in range(2):
            terminal.keys("<C-z>")
            terminal.wait("Stopped")
            terminal.keys("fg", "<Enter>")
            terminal.wait("Welcome", "Password", without=["theshell:"])
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann")
        terminal.keys("q")
        terminal.wait("theshell:", without=["Todos of ann"])

    def test_no_color(self):
        colors = {}
        for value in ("", "1"):
            self.environment["NO_COLOR"] = value
            terminal = self.open()
            terminal.keys("<Enter>")
            terminal.wait("not possible now")
            colors[value] = re.findall(r"\x1b\[[0-9;]*3[0-7]m", terminal.text("-e"))
        self.assertTrue(colors[""])
        self.assertEqual(colors["1"], [])


if __name__ == "__main__":
    unittest.main()
