"""The interactive front-end in a real terminal, and the real server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import unittest

from real import PASSWORD, SERVER, TEXT, RealCase, issue
from support import PROGRAM, Terminal, is_running, until
from todo_client import Client


class TerminalTests(RealCase):
    def open(self, *arguments):
        terminal = Terminal(self.environment, *arguments)
        self.addCleanup(terminal.close)
        terminal.wait("Name", "Password")
        return terminal

    def logged_in(self, *arguments):
        terminal = self.open(*arguments)
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann")
        return terminal

    def stored(self):
        """The todos as another client finds them."""
        result = subprocess.run(
            [sys.executable, PROGRAM, "list", "--name", "ann", "--json"], capture_output=True, stdin=subprocess.DEVNULL
        )
        return [(todo["title"], todo["note"], todo["done"]) for todo in json.loads(result.stdout)]

    def test_log_in_add_edit_toggle_filter_remove_log_out(self):
        terminal = self.logged_in()
        terminal.wait("Nothing to do.")
        terminal.keys("a", TEXT, "<Enter>")
        terminal.wait("[ ] é ☕ 😀")
        terminal.keys("a", "Second", "<Enter>")
        terminal.wait("[ ] Second", "of 2")
        self.assertEqual(self.stored(), [("Second", "", False), (TEXT, "", False)])
        terminal.keys("<Home>", "<Enter>")
        terminal.wait("Title", "Note", "Ctrl-S Save")
        terminal.keys("!", "<Tab>", "one", "<Enter>", "two", "<C-s>")
        terminal.wait("[ ] Second!", "of 2")
        self.assertEqual(self.stored()[0], ("Second!", "one\ntwo", False))
        terminal.keys("d")
        terminal.wait("[x] Second!")
        terminal.keys("f", "sec", "<Enter>")
        terminal.wait("with “sec”", "1 of 1")
        terminal.keys("r", "n")
        terminal.wait("1 of 1", without=["(y/n)"])
        terminal.keys("r")
        terminal.wait("Remove this todo? (y/n)")
        terminal.keys("y")
        terminal.wait("No todo has these words.")
        self.assertEqual(self.stored(), [(TEXT, "", False)])
        terminal.keys("<Escape>")
        terminal.wait("Welcome")
        terminal.keys("<C-c>")
        terminal.wait("ended with 0")

    def test_a_title_that_is_wrong(self):
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
        terminal.wait("[ ] New\n")
        self.assertEqual(self.stored(), [("New", "", False)])

    def test_keys_in_one_go(self):
        terminal = self.open()
        terminal.keys("ann", "<Enter>")
        terminal.wait("Nothing to do.")
        terminal.keys(
            "a", "one", "<Enter>", "a", "two", "<Enter>", "a", "three", "<Enter>", "<Home>", "<Enter>", "!", "<C-s>"
        )
        terminal.wait("[ ] one", "[ ] two", "[ ] three!")

    def test_register(self):
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
        terminal.keys("<Escape>")
        terminal.wait("Welcome")
        terminal.keys("<C-u>", "annabella", "<Tab>", "wrong password", "<Enter>")
        terminal.wait("Welcome", "wrong.")
        terminal.keys("<C-u>", PASSWORD, "<Enter>")
        terminal.wait("Todos of annabella")
        self.secret_is_nowhere(terminal.everything)
        self.assertNotIn("wrong password", terminal.everything)

    def test_a_server_that_is_killed(self):
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

    def test_no_process_stays(self):
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

    def test_five_thousand_todos(self):
        async def fill():
            async with Client(SERVER) as client:
                await client.request("login", {"name": "ann"})
                await client.request("loadTodos")
                for start in range(0, 5000, 500):
                    titles = [{"title": f"Todo {number}"} for number in range(start, start + 500)]
                    await asyncio.gather(*(client.request("addTodo", params) for params in titles))

        asyncio.run(fill())
        terminal = self.logged_in()
        terminal.wait("1 of 5000", "Todo 4999")
        terminal.keys("<End>")
        terminal.wait("5000 of 5000", "Todo 0\n")


if __name__ == "__main__":
    unittest.main()
