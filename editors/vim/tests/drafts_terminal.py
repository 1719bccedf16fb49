"""Unsaved text survives the end of Vim and of the server: with real keys.

DRAFT_ROUNDS is how often that is tried (default: 1), and DRAFT_SECONDS how long after its text is on the screen a Vim is
killed (default: as soon as there is a draft).
"""

import contextlib
import glob
import os
import signal
import time

from terminal import Terminal, children, is_running, run, stored, until


def family(pid):
    """A process and all that it started."""
    return [pid, *(one for child in children(pid) for one in family(child))]


def is_kept(folder, text):
    """Whether there is a draft with that text."""
    files = [open(path, encoding="utf-8") for path in glob.glob(os.path.join(folder, "todos.sqlite.drafts-*"))]
    return any(text in file.read() for file in files)


def kill(one, folder, text):
    """Ends a Vim and its server together, when they have a draft with that text."""
    one.see(f"{text}$")
    seconds = float(os.environ.get("DRAFT_SECONDS", "0"))
    time.sleep(seconds)
    if not seconds:
        until(lambda: is_kept(folder, text), "the draft")
    processes = family(one.vim)
    for process in processes:
        os.kill(process, signal.SIGKILL)
    until(lambda: not any(map(is_running, processes)), "the end of both")


def test_80_text_survives_the_end_of_editor_and_server(folder):
    for number in range(int(os.environ.get("DRAFT_ROUNDS", "1"))):
        os.mkdir(os.path.join(folder, str(number)))
        survives(os.path.join(folder, str(number)))


@contextlib.contextmanager
def recovered(folder):
    """A Vim with a text that was typed before Vim and the server were killed."""
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A and tea")
        kill(one, folder, "Buy milk and tea")
    with Terminal(folder) as one:
        one.log_in()
        one.see("1 unsaved text was recovered")
        one.see(r"^\[ \] Buy milk +draft$")
        one.keys("<Enter>")
        one.see("^Buy milk and tea$")
        one.see("Unsaved text from")
        yield one


def survives(folder):
    with recovered(folder) as one:
        one.see(r"^ Buy milk · Edit \[\+\] ")
        one.keys("A and bread", "<Escape>", ":w", "<Enter>")
        one.see("todo: saved")
        assert stored(folder)[0]["title"] == "Buy milk and tea and bread"
        one.keys("-")
        one.see(r"^\[ \] Buy milk and tea and bread$")


def test_80_zz_stores_a_recovered_text(folder):
    with recovered(folder) as one:
        one.keys("ZZ")
        one.see("^ended with 0")
        assert stored(folder)[0]["title"] == "Buy milk and tea"


def test_80_e_discards_a_recovered_text(folder):
    with recovered(folder) as one:
        for _ in range(2):
            one.keys(":e!", "<Enter>")
            one.see(r"^Title\nBuy milk\n(.|\n)*^ Buy milk · Edit +\S", gone="Unsaved text")
        one.keys("-")
        one.see(r"^\[ \] Buy milk$")


def test_80_text_typed_without_a_pause_is_sent_about_once_a_second(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        one.keys("A ")
        end = time.monotonic() + 2
        while time.monotonic() < end:
            one.keys("x")
        # The server has the time to store what it has.
        os.kill(one.vim, signal.SIGKILL)
        until(lambda: is_kept(folder, "Buy milk xx"), "the draft")


def test_81_several_texts_are_a_choice(folder):
    with Terminal(folder) as one:
        one.open("Buy milk")
        with Terminal(folder, "two") as two:
            two.log_in()
            two.see(r"^\[ \] Buy milk")
            two.keys("<Enter>")
            two.see("^Title\n")
            two.keys("A and tea")
            one.keys("A and bread")
            kill(one, folder, "Buy milk and bread")
            kill(two, folder, "Buy milk and tea")
    with Terminal(folder) as one:
        one.log_in()
        one.see("2 unsaved texts were recovered")
        one.see(r"^\[ \] Buy milk +draft$")
        one.keys("<Enter>")
        one.see("^Unsaved texts\nBuy milk.*UTC: Buy milk and .*\nBuy milk.*UTC: Buy milk and ")
        one.see("<CR> open  dd discard  - back")
        one.keys("dd")
        one.see(r"^Discard this text\? “Buy milk” \(y/n\)")
        one.keys("y")
        one.see_without("Discard this text")
        one.see("^Unsaved texts\nBuy milk.*UTC: Buy milk and [^\n]*\n~")
        one.keys("<Enter>")
        one.see("^Buy milk and (tea|bread)$")
        one.keys("-")
        one.see(r"^Discard what you typed\? “Buy milk”")
        one.keys("y")
        one.see(r"^\[ \] Buy milk$")


if __name__ == "__main__":
    run(globals())
