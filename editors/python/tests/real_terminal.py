"""A terminal with the front-end and the real server, and another client beside it."""

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys

from real import SERVER, RealCase
from support import HERE, PROGRAM, Terminal, is_running, until
from todo_server.client import Client


class TerminalCase(RealCase):
    def open(self, *arguments, columns=80):
        terminal = Terminal(self.environment, *arguments, columns=columns)
        self.addCleanup(terminal.close)
        terminal.wait("Name", "Password")
        return terminal

    def logged_in(self, *arguments, **more):
        terminal = self.open(*arguments, **more)
        terminal.keys("ann", "<Enter>")
        terminal.wait("Todos of ann", without=["Loading"])
        return terminal

    def elsewhere(self, method, *params):
        """The response to another client on the same store, to the last of several requests."""

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

    def server_of(self, terminal):
        """The process id of the server that a terminal started."""
        list_pids = [*terminal.tmux, "list-panes", "-F", "#{pane_pid}"]
        pid = subprocess.run(list_pids, capture_output=True, text=True).stdout.strip()
        for _ in range(2):  # the shell, todo.py, the server
            pid = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout.strip()
        return int(pid)

    def open_todo(self, title, note):
        """A terminal in which a todo is open, and the id of the todo."""
        todo = self.elsewhere("addTodo", {"title": title, "note": note})["todo"]
        terminal = self.logged_in()
        terminal.keys("<Enter>")
        terminal.wait("Enter Save", note.split("\r")[0])
        return terminal, todo["id"]

    def open_conflict(self):
        """A terminal that shows a conflict whose own side is stored nowhere, and the id of the todo."""
        terminal, todo = self.open_todo("Call Bea", "on Monday")
        terminal.keys(" now")
        terminal.wait("Call Bea now")
        self.elsewhere("editTodo", {"id": todo, "title": "Call Bob"})
        terminal.wait("changed elsewhere while you were editing")
        terminal.keys("<C-s>")
        terminal.wait("Changed elsewhere", "m Keep mine", "Call Bea now", "Call Bob")
        return terminal, todo

    def hold_server(self):
        """Has the server log its output, and send it when a file is missing: the paths of both."""
        log, hold = os.path.join(self.folder, "log"), os.path.join(self.folder, "hold")
        command = [sys.executable, os.path.join(HERE, "held_server.py"), log, hold, *SERVER]
        self.environment["TODO_SERVER"] = shlex.join(command)
        return log, hold

    def open_held(self):
        """A terminal as of `open_todo`, whose server's words can be held back by a file; its path."""
        log, hold = self.hold_server()
        terminal, todo = self.open_todo("Call Bea", "on Monday")

        def change(**to):
            """Changes the todo elsewhere, and waits until the server of the terminal has sent that."""
            self.elsewhere("editTodo", {"id": todo, **to})

            def is_sent():
                with open(log) as file:
                    return next(iter(to.values())) in file.read()

            until(is_sent, lambda: "the server did not send the change")

        return terminal, hold, change

    def kill_server(self, terminal):
        os.kill(self.server_of(terminal), signal.SIGKILL)

    def parent(self, process):
        with open(f"/proc/{process}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[1])

    def end(self, terminal, how, server=None):
        """Ends a front-end by a signal, or with its terminal; neither it nor its server stays."""
        server = server or self.server_of(terminal)
        front_end = self.parent(server)
        terminal.close() if how == "close" else os.kill(front_end, how)
        until(lambda: not is_running(server) and not is_running(front_end), lambda: f"still there after {how}")

    def bring_back(self, terminal, row):
        """Restarts the server of a terminal, and restores the unsaved text once there is a row."""
        terminal.keys("<C-r>")
        terminal.wait("Welcome", "What you typed is kept")
        terminal.keys("ann", "<Enter>")
        terminal.wait(row)
        terminal.keys("<C-y>")
