"""A Vim in a terminal of its own, for tests with real keys: `NAME_terminal.py TEST FOLDER` runs one, in that folder."""

import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SERVER = os.environ["TODO_SERVER"]
LIMIT_SECONDS = 60  # bounds a hang, and nothing else


def until(look, what):
    """Returns the first true result of `look()`."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while not (answer := look()):
        assert time.monotonic() < deadline, f"never: {what() if callable(what) else what}"
        time.sleep(0.02)
    return answer


def is_running(pid):
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid):
    out = subprocess.run(["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True).stdout
    return [int(word) for word in out.split()]


class Terminal:
    """Vim in a terminal of its own: installed as a package in an empty home, configured by nothing but the command."""

    numbers = itertools.count()

    def __init__(self, folder, name="home", store=None, arguments=("-c", "Todo"), command=None, columns=80, lines=20, settings="laststatus=2", locale="C.UTF-8"):
        self.home = os.path.join(folder, name)
        package = os.path.join(self.home, ".vim/pack/todo/start/todo")
        if not os.path.exists(package):
            shutil.copytree(PLUGIN, package, ignore=shutil.ignore_patterns("tests"))
        server = command or f"{SERVER} --store sqlite:{store or os.path.join(folder, 'todos.sqlite')}"
        with open(os.path.join(self.home, ".vimrc"), "w") as file:
            file.write(f"set {settings} noswapfile viminfo='100,:100,@100\nlet g:todo_command = '{server}'\n")
        # A server of tmux that is just ending takes no new session.
        socket = os.path.join(folder, f"{name}-{next(self.numbers)}.tmux")
        self.tmux = ["tmux", "-S", socket, "-f", "/dev/null"]
        home = {"HOME": self.home, "XDG_DATA_HOME": self.home, "XDG_CONFIG_HOME": self.home, "XDG_STATE_HOME": self.home, "LC_ALL": locale}
        environment = [part for key, value in home.items() for part in ("-e", f"{key}={value}")]
        line = f"{shlex.join(['vim', *arguments])}; echo ended with $?; exec sleep 1000"
        size = ["-x", str(columns), "-y", str(lines)]
        subprocess.run([*self.tmux, "-u", "new-session", "-d", "-c", self.home, *size, *environment, line, ";", "set", "-s", "escape-time", "0"],
                       check=True, capture_output=True)  # fmt: skip
        self.shell = int(self.run("display-message", "-p", "#{pane_pid}"))
        self.vim = until(lambda: children(self.shell), "vim")[0]

    def run(self, *words):
        return subprocess.run([*self.tmux, *words], check=True, capture_output=True, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True)
        # Vim allocates memory when it is hung up, and hangs forever if that interrupts an
        # allocation.
        end = time.monotonic() + 5
        while is_running(self.vim) and time.monotonic() < end:
            time.sleep(0.05)
        if is_running(self.vim):
            os.kill(self.vim, signal.SIGKILL)

    def keys(self, *names):
        """Presses keys: a text is typed, a name in angle brackets is a key of tmux."""
        for name in names:
            self.run("send-keys", *([name[1:-1]] if name.startswith("<") else ["-l", "--", name]))

    def text(self):
        return self.run("capture-pane", "-p")

    def see(self, pattern, gone=None, colours=False):
        """Waits for a screen that has a pattern, and not the text `gone`; returns the match.

        Vim draws a change in several steps: a test waits for the screen that it expects.
        """

        def look():
            text = self.run("capture-pane", "-p", *(["-e"] if colours else []))
            return (not gone or gone not in text) and re.search(pattern, text, re.M)

        return until(look, lambda: f"{pattern} without {gone} in\n{self.text()}")

    def see_without(self, gone):
        self.see("", gone)

    def open(self, title):
        """A text, with the cursor at the end of its first line."""
        self.log_in()
        self.keys("a", title, "<Enter>")
        self.see(rf"^\[ \] {title}")
        self.keys("<Enter>")
        self.see("^Title\n")

    def conflict(self, folder):
        """A text that was changed here and elsewhere, and both sides of it."""
        self.open("Buy milk")
        self.keys("A and tea", "<Escape>")
        self.see(r"^ Buy milk · Edit \[\+\] ")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy bread"}))
        self.see("changed elsewhere")
        self.keys(":w", "<Enter>")
        self.see(r"Mine(.|\n)*Theirs")

    def log_in(self, name="ann"):
        self.see(r"^Name:")
        self.keys("<Enter>", name, "<Enter>")
        self.see(r"help\nPassword.*:")
        self.keys("<Enter>")
        self.see(rf"^Todos of {name}")


def other(folder, *operations):
    """Returns the results of another client of the same store."""
    calls = [("initialize", {}), ("login", {"name": "ann"}), ("loadTodos", {}), *operations]
    lines = [json.dumps({"jsonrpc": "2.0", "id": n, "method": m, "params": p}) for n, (m, p) in enumerate(calls)]
    command = [*SERVER.split(), "--store", "sqlite:" + os.path.join(folder, "todos.sqlite")]
    done = subprocess.run(command, input="\n".join(lines), check=True, capture_output=True, text=True).stdout
    answers = {answer.get("id"): answer for answer in map(json.loads, done.splitlines())}
    return [answers[n].get("result") for n in range(3, len(calls))]


def holding(folder, hold):
    """The command of a server that says nothing while there is a file `hold`."""
    proxy = shlex.join(["python3", "-B", os.path.join(PLUGIN, "tests/holding_server.py"), hold])
    return f"{proxy} {SERVER} --store sqlite:{os.path.join(folder, 'todos.sqlite')}"


def stored(folder):
    return other(folder, ("listTodos", {}))[0]["todos"]


def at_both_widths(test):
    """Runs a test at 80 and at 120 columns."""

    def run(folder):
        for columns in (80, 120):
            os.mkdir(os.path.join(folder, str(columns)))
            test(os.path.join(folder, str(columns)), columns)

    return run


def run(tests):
    """Runs the test that the command line names."""
    try:
        tests[sys.argv[1]](sys.argv[2])
    except AssertionError as error:
        last = error.__traceback__.tb_next
        sys.exit(f"{error or 'assertion failed'} (line {last.tb_lineno if last else 0})")
