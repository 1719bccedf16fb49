"""The usual tasks of a user, and servers and terminals that end, with real keys."""

import os
import re
import signal
import subprocess

from terminal import Terminal, children, is_running, run, stored, until


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
        one.keys("-")
        one.see(r"^\[ \] Buy milk é☕ and tea")
        one.keys("x")
        one.see(r"^\[x\] Buy milk")
        one.keys("g?")
        one.see(r"dd +\[Remove")
        one.keys("<Escape>", "dd")
        one.see(r"Remove this todo\? “Buy milk é☕ and tea” \(y/n\)")
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


def test_09_the_question_for_a_password_says_that_it_may_be_empty(folder):
    with Terminal(folder) as one:
        one.see(r"r register")
        one.keys("<Enter>", "ann", "<Enter>")
        one.see(r"^Password \(may be empty\):")
        one.keys("<Escape>", "r")
        one.see("^User name:")
        # A new account has one. The question is repeated for a name that is too short.
        one.keys("<Enter>", "ann", "<Enter>")
        one.see(r"^! At least 8 characters\.(.|\n)*^User name: ann\s*\Z")
        one.keys("abella", "<Enter>")
        one.see(r"^Password:\s*\Z")
        one.keys("short", "<Enter>")
        one.see(r"^Password:.*\n! At least 8 characters\.(.|\n)*^Password:\s*\Z", gone="short")
        one.keys("long enough", "<Enter>")
        one.see("^Todos of annabella")


def test_14_keys_typed_ahead_reach_the_screen_they_were_meant_for(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.keys("aOne\raTwo\r\rA more\x1b:w\r-x")
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
        one.see_without("annabella")


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


def test_25_a_reason_ends_in_one_dot(folder):
    server = os.path.join(folder, "server")
    with open(server, "w") as file:
        file.write("echo Please try again. >&2; exit 3")
    with Terminal(folder, command=f"sh {server}") as one:
        one.see(r"^todo: the server ended \(code 3\): Please try again\. :Todo restart")


def test_25_without_utf_8_nothing_starts(folder):
    with Terminal(folder, locale="C") as one:
        one.see("^todo: needs .set encoding=utf-8.", gone="Press ENTER")
        assert not children(one.vim)
        # Where the encoding is changed later, nothing is saved.
        one.keys(":set encoding=utf-8", "<Enter>", ":Todo", "<Enter>")
        one.open("Buy milk")
        one.keys("A and tea", "<Escape>", ":set encoding=latin1", "<Enter>", ":w", "<Enter>")
        one.see(r"\[\+\](.|\n)*^todo: needs .set encoding=utf-8.")
        assert stored(folder)[0]["title"] == "Buy milk"


def test_25_a_text_is_saved_where_files_are_read_only(folder):
    with Terminal(folder, arguments=("-R", "-c", "Todo")) as one:
        one.open("Buy milk")
        for title in ("Buy tea", "Buy bread"):
            one.keys("cc", title, "<Escape>", ":w", "<Enter>")
            until(lambda: stored(folder)[0]["title"] == title, one.text)
            one.keys(":e!", "<Enter>")


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
    run(globals())
