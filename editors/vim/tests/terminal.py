"""Tests with real keys in a terminal, and with signals: `terminal.py TEST FOLDER` runs one, in that folder."""

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
LIMIT_SECONDS = 15


def until(look, what):
    """What `look()` answers as soon as it is true."""
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

    def __init__(self, folder, name="home", store=None, arguments=("-c", "Todo"), command=None, columns=80):
        self.home = os.path.join(folder, name)
        package = os.path.join(self.home, ".vim/pack/todo/start/todo")
        if not os.path.exists(package):
            shutil.copytree(PLUGIN, package, ignore=shutil.ignore_patterns("tests"))
        server = command or f"{SERVER} --store sqlite:{store or os.path.join(folder, 'todos.sqlite')}"
        with open(os.path.join(self.home, ".vimrc"), "w") as file:
            file.write(f"set laststatus=2 noswapfile viminfo='100,:100,@100\nlet g:todo_command = '{server}'\n")
        self.tmux = ["tmux", "-S", os.path.join(folder, name + ".tmux"), "-f", "/dev/null"]
        home = {"HOME": self.home, "XDG_DATA_HOME": self.home, "XDG_CONFIG_HOME": self.home, "XDG_STATE_HOME": self.home}
        settings = [part for key, value in home.items() for part in ("-e", f"{key}={value}")]
        line = f"{shlex.join(['vim', *arguments])}; echo ended with $?; exec sleep 1000"
        size = ["-x", str(columns), "-y", "20"]
        subprocess.run([*self.tmux, "-u", "new-session", "-d", "-c", self.home, *size, *settings, line, ";", "set", "-s", "escape-time", "0"],
                       check=True, capture_output=True)  # fmt: skip
        self.shell = int(self.run("display-message", "-p", "#{pane_pid}"))
        self.vim = until(lambda: children(self.shell), "vim")[0]

    def run(self, *words):
        return subprocess.run([*self.tmux, *words], check=True, capture_output=True, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True)

    def keys(self, *names):
        """Presses keys: a text is typed, a name in angle brackets is a key of tmux."""
        for name in names:
            self.run("send-keys", *([name[1:-1]] if name.startswith("<") else ["-l", "--", name]))

    def text(self):
        return self.run("capture-pane", "-p")

    def see(self, pattern):
        until(lambda: re.search(pattern, self.text(), re.M), lambda: f"{pattern} in\n{self.text()}")

    def open(self, title):
        """A text, with the cursor at the end of its first line."""
        self.log_in()
        self.keys("a", title, "<Enter>")
        self.see(rf"^\[ \] {title}")
        self.keys("<Enter>")
        self.see("^Title\n")

    def log_in(self, name="ann"):
        self.see(r"^Name:")
        self.keys("<Enter>", name, "<Enter>")
        self.see(r"help\nPassword:")
        self.keys("<Enter>")
        self.see(rf"^Todos of {name}")


def test_05_06_installed_as_a_package_it_does_the_main_flow(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys("a")
        one.see("^Title:")
        one.keys("Buy milk é☕", "<Enter>")
        one.see(r"^\[ \] Buy milk é☕")
        one.keys("<Enter>")
        one.see(r"Edit .*g\? help")
        one.keys("A and tea", "<Escape>", "G", "o", "Two litres", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        one.keys("q")
        one.see(r"^\[ \] Buy milk é☕ and tea")
        one.keys("x")
        one.see(r"^\[x\] Buy milk")
        one.keys("g?")
        one.see(r"dd +\[Remove")
        one.keys("<Escape>", "dd")
        one.see(r"Remove this todo\?")
        one.keys("n", "dd")
        one.see(r"Remove this todo\?")
        one.keys("y")
        one.see(r"^Nothing to do\.")
        one.keys("a", "not this", "<Escape>", "L")
        one.see(r"^Password:")
        one.keys(":qa", "<Enter>")
        one.see("^ended with 0")


def test_09_password_is_on_no_screen_in_no_file_and_no_argv(folder):
    with Terminal(folder) as one:
        one.see(r"r register")
        one.keys("r")
        one.see("^User name:|^Username:")
        one.keys("<Enter>", "annabella", "<Enter>", "hunter2hunter2")
        one.see(r"^Password: \*+")
        everyone = subprocess.run(["ps", "-eo", "args="], capture_output=True, text=True).stdout
        assert not [line for line in everyone.splitlines() if "hunter2" in line and "tmux" not in line]
        one.keys("<Enter>")
        one.see("^Todos of annabella")
        assert "hunter2" not in one.run("capture-pane", "-p", "-S", "-")
        one.keys(":qa", "<Enter>")
        one.see("^ended with 0")
        found = subprocess.run(["grep", "-rl", "hunter2", one.home], capture_output=True, text=True).stdout
        assert found == "", found


def test_14_keys_typed_ahead_reach_the_screen_they_were_meant_for(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys("aOne\raTwo\r\rA more\x1b:w\rqx")
        one.see(r"^\[x\] Two more")


def test_17_what_was_asked_about_is_what_is_removed(folder):
    with Terminal(folder, "one") as one, Terminal(folder, "two") as two:
        one.log_in()
        two.log_in()
        one.keys("aBelow\raAbove\r")
        for each in (one, two):
            each.see(r"^\[ \] Above\n\[ \] Below")
            each.keys("gg", "j", "dd")
            each.see(r"Remove this todo\?")
        # The row below comes up to the cursor before the answer is given.
        two.keys("y")
        one.see(r"^Todos of ann\n\[ \] Below")
        one.see(r"Remove this todo\?")
        one.keys("y")
        one.see("todo: The list does not show that item any more")
        one.see(r"^Todos of ann\n\[ \] Below")


def test_18_what_is_wrong_is_shown_while_typing(folder):
    with Terminal(folder) as one:
        one.see(r"r register")
        one.keys("r")
        one.see("^Password:")
        one.keys("<Enter>", "ann")
        one.see("^! ")
        one.keys("abella")
        until(lambda: not re.search("^! .*\n(.*\n)*Password", one.text(), re.M), one.text)
        one.keys("<Escape>")
        until(lambda: "annabella" not in one.text(), one.text)


def test_22_two_vims_on_one_store_see_each_other_without_a_key(folder):
    with Terminal(folder, "one") as one, Terminal(folder, "two") as two:
        one.log_in()
        two.log_in()
        for here, there, title in ((one, two, "from one"), (two, one, "from two")):
            here.keys("a", title, "<Enter>")
            here.see(rf"^\[ \] {title}")
            there.see(rf"^\[ \] {title}")
        one.keys("x")
        one.see(r"^\[x\] from one")
        two.see(r"^\[x\] from one")


def test_23_24_killed_server_is_one_line_and_restarts_twice(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys("aBuy milk", "<Enter>")
        one.see("Buy milk")
        one.keys("<Enter>")
        one.see("Edit ")
        one.keys("A unsaved", "<Escape>")
        for _ in range(2):
            os.kill(children(one.vim)[0], signal.SIGKILL)
            one.see(r"the server ended \(signal kill\)")
            one.keys(":Todo restart", "<Enter>")
            one.see("^Name:")
        one.keys(":buffer Edit", "<Enter>")
        one.see("^Buy milk unsaved")


def test_25_missing_server_leaves_an_editor(folder):
    with Terminal(folder, command="/no/such") as one:
        one.see('todo: cannot run "/no/such"')
        one.keys("<Enter>", "ityping", "<Escape>")
        one.see("^typing")


def other(folder, *operations):
    """What another client of the same store is answered."""
    calls = [("initialize", {}), ("login", {"name": "ann"}), ("loadTodos", {}), *operations]
    lines = [json.dumps({"jsonrpc": "2.0", "id": n, "method": m, "params": p}) for n, (m, p) in enumerate(calls)]
    command = [*SERVER.split(), "--store", "sqlite:" + os.path.join(folder, "todos.sqlite")]
    done = subprocess.run(command, input="\n".join(lines), check=True, capture_output=True, text=True).stdout
    answers = {answer.get("id"): answer for answer in map(json.loads, done.splitlines())}
    return [answers[n].get("result") for n in range(3, len(calls))]


def stored(folder):
    return other(folder, ("listTodos", {}))[0]["todos"]


def at_both_widths(test):
    """Runs a test at 80 and at 120 columns."""

    def run(folder):
        for columns in (80, 120):
            os.mkdir(os.path.join(folder, str(columns)))
            test(os.path.join(folder, str(columns)), columns)

    return run


def test_40_w_stays_in_the_text_and_keeps_its_undo(folder):
    at_both_widths(stays)(folder)


def stays(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        one.see("^Buy milk and tea$")
        assert stored(folder)[0]["title"] == "Buy milk and tea"
        one.keys("u")
        one.see("^Buy milk$")
        one.keys(":w", "<Enter>")
        until(lambda: stored(folder)[0]["title"] == "Buy milk", "what was undone is stored")
        one.keys("q")
        one.see(r"^\[ \] Buy milk$")


def test_41_what_is_typed_before_an_answer_stays(folder):
    at_both_widths(held)(folder)


def held(folder, columns):
    hold, store = os.path.join(folder, "hold"), os.path.join(folder, "todos.sqlite")
    proxy = shlex.join(["python3", "-B", os.path.join(PLUGIN, "tests/holding_server.py"), hold])
    with Terminal(folder, columns=columns, command=f"{proxy} {SERVER} --store sqlite:{store}") as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>")
        open(hold, "w").close()
        one.keys(":w", "<Enter>", "A, dd, x, q")
        one.see("Buy milk and tea, dd, x, q$")
        os.remove(hold)
        until(lambda: stored(folder)[0]["title"] == "Buy milk and tea", "the late save")
        one.keys(" and more", "<Escape>")
        one.see(r"^Buy milk and tea, dd, x, q and more$")
        assert "Remove" not in one.text()
        one.keys(":w", "<Enter>")
        until(lambda: stored(folder)[0]["title"] == "Buy milk and tea, dd, x, q and more", "the second save")


def test_42_after_a_death_all_is_saved_again(folder):
    at_both_widths(dies)(folder)


def dies(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.open("Buy milk")
        one.keys("A and tea")
        one.see("and tea$")
        os.kill(children(one.vim)[0], signal.SIGKILL)
        one.see(r"the server ended \(signal kill\)")
        one.keys(" and bread", "<Escape>", "Go", "a note", "<Escape>", ":w", "<Enter>")
        one.see("todo: the server is not running")
        one.see("^Buy milk and tea and bread$")
        one.keys(":Todo restart", "<Enter>")
        one.see("^Name:")
        one.see("^Buy milk and tea and bread$")
        one.log_in()
        one.keys("<C-w>", "j", ":w", "<Enter>")
        one.see("todo: saved")
        todo = stored(folder)[0]
        assert (todo["title"], todo["note"]) == ("Buy milk and tea and bread", "a note"), todo


def test_43_removed_elsewhere_is_saved_as_new(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea")
        one.see("and tea$")
        other(folder, ("removeTodo", {"id": stored(folder)[0]["id"]}))
        one.see("saved as a new one")
        one.keys(" and bread", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        one.see("^Buy milk and tea and bread$")
        assert [todo["title"] for todo in stored(folder)] == ["Buy milk and tea and bread"]


def test_44_two_saves_settle_no_conflict(folder):
    at_both_widths(conflicts)(folder)


def conflicts(folder, columns):
    with Terminal(folder, columns=columns) as one:
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>")
        one.see("and tea$")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy bread"}))
        one.see("changed elsewhere")
        one.keys(":w", "<Enter>")
        one.see("Mine.*Theirs")
        one.keys(":w", "<Enter>")
        one.see("nothing was changed here yet")
        assert stored(folder)[0]["title"] == "Buy bread"
        one.keys("\\t")
        one.see(r"^\[ \] Buy bread")


def test_45_another_text_is_opened_only_after_a_question(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys(":split", "<Enter>", "q")
        one.see(r"^\[ \] Buy milk")
        one.keys("<Enter>", "A and tea", "<Escape>", "<C-w>", "j")
        one.see("and tea$")
        one.keys("a")
        one.see("has unsaved words")
        one.keys("c")
        one.see("^Buy milk and tea$")
        one.keys("x")
        one.see("has unsaved words")
        one.keys("s")
        one.see(r"^\[x\] Buy milk and tea")


def test_46_nothing_in_a_note_is_obeyed(folder):
    with Terminal(folder) as one:
        other(folder, ("addTodo", {"title": "Call", "note": "vim: set tabstop=3:"}))
        one.log_in()
        one.keys("<Enter>")
        one.see("^vim: set tabstop=3:")
        one.keys(":e!", "<Enter>", ":set tabstop?", "<Enter>")
        one.see("tabstop=8")


def test_47_q_gives_back_the_buffer_that_was_there(folder):
    with Terminal(folder, arguments=("-c", "call writefile(['was here'], 'a.txt')", "-c", "edit a.txt", "-c", "Todo")) as one:
        one.log_in()
        one.keys("q")
        one.see("^was here$")


def ends(folder, how):
    with Terminal(folder) as one:
        one.log_in()
        server = children(one.vim)[0]
        how(one)
        until(lambda: not is_running(one.vim), "the end of Vim")
        until(lambda: not is_running(server), "the end of the server")


def test_26_quit_leaves_nothing_behind(folder):
    ends(folder, lambda one: one.keys(":qa!", "<Enter>"))


def test_26_hangup_leaves_nothing_behind(folder):
    ends(folder, lambda one: os.kill(one.vim, signal.SIGHUP))


def test_26_terminate_leaves_nothing_behind(folder):
    ends(folder, lambda one: os.kill(one.vim, signal.SIGTERM))


def test_26_kill_leaves_nothing_behind(folder):
    ends(folder, lambda one: os.kill(one.vim, signal.SIGKILL))


def test_26_closed_terminal_leaves_nothing_behind(folder):
    ends(folder, lambda one: one.run("kill-server"))


if __name__ == "__main__":
    try:
        globals()[sys.argv[1]](sys.argv[2])
    except AssertionError as error:
        sys.exit(f"{error or 'assertion failed'} (line {error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else 0})")
