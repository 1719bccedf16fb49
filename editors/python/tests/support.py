"""Shared by the tests: the path to the code, scripted servers, and a terminal with real keys."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
PROGRAM = os.path.join(FOLDER, "todo.py")
DEADLINE_SECONDS = 60  # bounds a hang, and nothing else
POLL_SECONDS = 0.03
sys.path.insert(0, os.path.join(FOLDER, "src"))


def fake_server(*steps):
    """The command of a server that does these steps (see fake_server.py)."""
    return [sys.executable, os.path.join(HERE, "fake_server.py"), json.dumps(steps)]


def until(look, what):
    """The result of `look()` as soon as it is true; fails with `what()` after the deadline."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        answer = look()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(what())
        time.sleep(POLL_SECONDS)


def is_running(pid):
    """Whether a process is there and not a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Terminal:
    """A terminal that runs todo.py, in a tmux server of its own."""

    def __init__(self, environment, *arguments, columns=80, rows=20, program=PROGRAM, shell=False):
        self.folder = tempfile.TemporaryDirectory(prefix="todo-")
        self.tmux = ["tmux", "-S", os.path.join(self.folder.name, "tmux"), "-f", "/dev/null"]
        command = shlex.join([sys.executable, program, *arguments])
        settings = [part for name, value in environment.items() for part in ("-e", f"{name}={value}")]
        command = "exec sh -i" if shell else f"{command}; echo ended with $?; exec sleep 1000"
        run = [*self.tmux, "new-session", "-d", "-x", str(columns), "-y", str(rows), *settings, command]
        options = ["set", "-s", "escape-time", "0", ";", "set", "-g", "status", "off"]
        subprocess.run([*run, ";", *options], check=True, capture_output=True)
        self.everything = ""

    def close(self):
        """Closes the terminal, and waits until its program has saved the unsaved text."""
        pane = subprocess.run([*self.tmux, "list-panes", "-F", "#{pane_pid}"], capture_output=True, text=True).stdout
        what = ["pgrep", "-P", pane.strip()] if pane else ["true"]  # it may be closed already
        found = subprocess.run(what, capture_output=True, text=True).stdout.split()
        subprocess.run([*self.tmux, "kill-server"], capture_output=True)
        self.folder.cleanup()
        until(lambda: not any(map(is_running, found)), lambda: f"still there without a terminal: {found}")

    def keys(self, *names):
        """Presses keys: a text is typed, and a name in angle brackets is a key of tmux, such as <Enter>."""
        for name in names:
            how = [name[1:-1]] if name.startswith("<") else ["-l", "--", name]
            subprocess.run([*self.tmux, "send-keys", *how], check=True)

    def paste(self, text):
        subprocess.run([*self.tmux, "set-buffer", text], check=True)
        subprocess.run([*self.tmux, "paste-buffer", "-p"], check=True)

    def resize(self, columns, rows):
        subprocess.run([*self.tmux, "resize-window", "-x", str(columns), "-y", str(rows)], check=True)

    def text(self, *options):
        text = subprocess.run([*self.tmux, "capture-pane", "-p", *options], capture_output=True, text=True).stdout
        self.everything += text
        return text

    def wait(self, *parts, without=()):
        """The screen, once it shows all the parts and nothing of `without`."""

        def look():
            text = self.text()
            return text if all(part in text for part in parts) and not any(part in text for part in without) else None

        return until(look, lambda: f"never showed {parts} without {without}:\n{self.text()}")


def real_server():
    """The command of the real server: $TODO_SERVER, or the debug build of this checkout."""
    if os.environ.get("TODO_SERVER"):
        return shlex.split(os.environ["TODO_SERVER"])
    checkout = os.path.dirname(os.path.dirname(FOLDER))
    binary = os.path.join(checkout, ".build", "debug", "todo-server")
    if not os.path.exists(binary):
        subprocess.run(["swift", "build", "--product", "todo-server"], cwd=checkout, check=True)
    return [binary]
