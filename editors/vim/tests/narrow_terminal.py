"""Narrow and resized terminals, with real keys."""

import os
import time

from terminal import Terminal, other, run, stored, until


def test_54_hints_follow_the_width_of_the_window(folder):
    with Terminal(folder) as one:
        one.log_in()
        one.see(r"<CR> open  a add  x done or not  g\? help$")
        one.run("resize-window", "-x", "50", "-y", "20")
        one.see(r"^ Todos of ann +g\? help$")


def test_54_a_message_in_a_narrow_window_asks_for_no_key(folder):
    for name in ("laststatus=1", "laststatus=2"):
        with Terminal(folder, name, settings=f"{name} ruler showcmd", columns=20, lines=10) as one:
            one.see("^Name:")
            one.keys(":Todo fly", "<Enter>")
            one.see("^todo: .*…")
            one.keys("<Enter>")
            one.see(r"^Name: *\n*\Z")
            one.keys("ann", "<Enter>")
            one.see("^Name: ann")
            one.keys("<C-c>")
            until(lambda: one.keys(":echo 'is' &ruler &showcmd", "<Enter>") or "is 1 1" in one.text(), "both options")


def test_54_a_long_message_is_whole_until_a_key_is_pressed(folder):
    server = os.path.join(folder, "server")
    with open(server, "w") as file:
        file.write("echo no room is left on the disk of the todos >&2; exit 3")
    with Terminal(folder, command=f"sh {server}", columns=40, lines=12) as one:
        one.see("^todo: the server ended .code 3.: no room\n? is left on the disk of the todos. :Todo\n? restart *\n\\[No Name\\]", gone="Press")
        one.run("resize-window", "-x", "50", "-y", "8")
        one.see(r"^todo: the server ended .code 3.: no room is left o\n?n the disk of the todos. :Todo restart *\n\[No Name\]", gone="Press")
        one.keys("j")
        one.see_without("is left")
        one.keys(":messages", "<Enter>")
        one.see("is left o\nn")


def test_54_popups_of_two_lines_stay_at_the_bottom_of_a_lower_terminal(folder):
    with Terminal(folder, columns=80, lines=30) as one:
        one.open("Buy milk")
        one.run("resize-window", "-x", "60", "-y", "30")
        one.keys("A x")
        other(folder, ("editTodo", {"id": stored(folder)[0]["id"], "title": "Buy bread " * 10}))
        one.see("^todo: This todo was changed elsewhere while you were editing\n\\.")
        one.run("resize-window", "-x", "60", "-y", "15")
        one.see("\n~\ntodo: This todo was changed elsewhere while you were editing\n\\. *\n.*\n-- INSERT --")
        one.keys("<Escape>", "-")
        one.see(r"^Discard what you typed\? “Buy bread(.|\n)*\(y/n\)\n*\Z")
        one.run("resize-window", "-x", "60", "-y", "8")
        one.see(r"^Discard what you typed\? “Buy bread.*\n.*\n.*\(y/n\)\n*\Z")


def test_58_with_one_window_a_resize_is_drawn_after_a_pause(folder):
    with Terminal(folder, columns=36) as one:
        one.log_in()
        one.keys(":set laststatus=1 updatetime=1", "<Enter>")
        one.keys("a", "Buy milk", "<Enter>")
        one.see(r"^Todos of ann +1 open  g\? help$")
        # Vim has no timer left, and waits for a key.
        time.sleep(1)
        one.run("resize-window", "-x", "27", "-y", "20")
        one.see(r"^Todos of ann +g\? help$")


if __name__ == "__main__":
    run(globals())
