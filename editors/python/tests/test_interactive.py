"""The interactive front-end in a real terminal, with a server whose screens it has never heard of."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

from support import HERE, PROGRAM, Terminal, is_running, until

TOY = f"{sys.executable} {os.path.join(HERE, 'toy_server.py')}"


class InteractiveTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.log = os.path.join(self.folder, "log")
        self.open()

    def open(self, **environment):
        kept = {"XDG_STATE_HOME": os.path.join(self.folder, "state")}
        self.terminal = Terminal({"TODO_SERVER": TOY, "TOY_LOG": self.log, **kept, **environment})
        self.addCleanup(self.terminal.close)
        self.terminal.wait("Gate", "Pin")

    def enter(self):
        self.terminal.keys("ann", "<Tab>", "1234", "<Enter>")
        self.terminal.wait("Zoo")

    def said(self, method):
        """The params of the messages with this method that the server got."""
        with open(self.log) as file:
            return [one.get("params") for one in map(json.loads, file) if one["method"] == method]

    def acts(self):
        """The actions without what is the same in each, and without values where there are none."""
        return [{key: value for key, value in one.items() if key not in ("screen", "base") and value}
                for one in self.said("screen/act")]  # fmt: skip

    def test_typing_is_validated_live(self):
        self.terminal.keys("bad")
        self.terminal.wait("A bad name.")
        self.terminal.keys("<BSpace>")
        self.terminal.wait("ba", without=["A bad name."])
        said = self.said("screen/change")[-1]
        self.assertEqual((said["screen"], said["values"]), ("gate", {"name": "ba"}))
        # The base of the form that was seen before the key.
        self.assertEqual({one["base"] for one in self.said("screen/change")}, {"as it is stored"})

    def test_keys_that_come_before_the_screen_is_up_to_date(self):
        """Name, Tab, a wrong secret and Enter in one go: Enter means what it will mean when all is typed."""
        self.terminal.keys("ann", "<Tab>", "99", "<Enter>")
        self.terminal.wait("A wrong pin.", "••")
        self.assertEqual(self.acts(), [{"action": "enter", "values": {"name": "ann", "pin": "99"}}])
        self.terminal.keys("<C-u>", "1234", "<Enter>", "n", "<C-u>", "Ada", "<Enter>", "7", "<Enter>")
        self.terminal.wait("Zoo", "Ada")
        self.assertNotIn("99", self.terminal.everything)
        self.assertNotIn("1234", self.terminal.everything)
        self.assertEqual(self.acts()[-1]["values"], {"title": "Ada", "pin": "7"})

    def test_rows(self):
        self.enter()
        self.terminal.wait("[ ] Rex é☕😀 ␛[31m  ", "a dog good", "[x] Pet 2", "1 of 40")
        self.terminal.keys("j", "<Down>", "k")
        self.terminal.wait("2 of 40")
        self.terminal.keys("<PageDown>")
        self.terminal.wait("14 of 40")
        self.terminal.keys("<End>")
        self.terminal.wait("40 of 40", "Pet 40")
        self.terminal.keys("<PageUp>", "<Home>", "<Up>")
        self.terminal.wait("1 of 40")
        self.terminal.keys("j", "<Enter>")
        self.terminal.wait("Story", "Pet 2")
        self.terminal.keys("<Escape>")
        self.terminal.wait("2 of 40")
        self.assertEqual(self.acts()[-2:], [{"action": "open", "item": "p2"}, {"action": "back"}])

    def test_20_the_selection_stays_with_its_row(self):
        self.enter()
        self.terminal.keys("jj")
        self.terminal.wait("3 of 40")
        self.terminal.keys("n", "<Enter>", "<Enter>")
        self.terminal.wait("4 of 41")
        self.terminal.keys("f", "y")
        self.terminal.wait("4 of 40", without=["Pet 3\n"])
        self.assertEqual(self.acts()[-1], {"action": "free", "item": "p3"})

    def test_marked_rows_are_done_at_once(self):
        self.enter()
        self.terminal.keys("j", " ", " ", "k", "k")
        self.terminal.wait("●[x] Pet 2", "●[ ] Pet 3")
        self.terminal.keys("d")
        self.terminal.wait("[ ] Pet 2", "[x] Pet 3", without=["●"])
        self.assertEqual(self.acts()[-1]["items"], ["p2", "p3"])
        self.terminal.keys(" ", " ", "<Escape>")
        self.terminal.wait("Zoo", without=["●"])
        self.terminal.keys("<Home>", " ", " ", "f")
        self.terminal.wait("Free 2 pets? (y/n)")
        self.terminal.keys("y")
        self.terminal.wait("Pet 3", "of 38", without=["Rex", "Pet 2", "●"])
        self.assertEqual(self.acts()[-1]["items"], ["p1", "p2"])

    def test_sections_fold(self):
        self.enter()
        self.terminal.keys("s")
        self.terminal.wait("▾ Dogs", "▾ Others", "Pet 2")
        self.terminal.keys("<Tab>")
        self.terminal.wait("▸ Dogs (2)", "Pet 3", without=["Rex", "Pet 2"])
        self.terminal.keys("d")
        self.terminal.wait("“Feed” is not possible now.")
        self.terminal.keys("j", "d")
        self.terminal.wait("[x] Pet 3")
        self.terminal.keys("k", "<Enter>")
        self.terminal.wait("▾ Dogs", "Pet 2")

    def click(self, text, column=0):
        """Presses the mouse on a text, or `column` columns after its beginning."""
        lines = self.terminal.text().split("\n")
        row = next(row for row, line in enumerate(lines) if text in line)
        place = chr(33 + lines[row].index(text) + column) + chr(33 + row)
        self.terminal.keys(f"\x1b[M {place}\x1b[M#{place}")

    def wheel(self, button):
        self.terminal.keys("\x1b[M" + "".join(map(chr, (32 + button, 35, 37))))

    def test_the_mouse_selects_opens_ticks_scrolls_and_presses(self):
        self.enter()
        self.terminal.wait("1 of 40")
        self.click("Pet 3")
        self.terminal.wait("3 of 40")
        self.click("] Pet 5")
        self.terminal.wait("[x] Pet 5", "5 of 40")
        self.wheel(65)
        self.terminal.wait("8 of 40")
        self.wheel(64)
        self.terminal.wait("5 of 40")
        self.click("Pet 5")
        self.terminal.wait("Story")
        self.terminal.keys("<Escape>")
        self.terminal.wait("Zoo")
        self.click("New")
        self.terminal.wait("Its name")

    def test_17_a_question_can_be_declined(self):
        self.enter()
        for answer in ("n", "<Escape>"):
            self.terminal.keys("f")
            self.terminal.wait("Free this pet? “")
            self.terminal.keys("x", answer)
            self.terminal.wait("Zoo", without=["(y/n)"])
        self.terminal.keys("n")
        self.terminal.wait("Its name: Bo")
        self.terminal.keys("b", "<Escape>")
        self.terminal.wait("Zoo", without=["Its name"])
        self.assertEqual([act["action"] for act in self.acts()], ["enter"])

    def test_a_text_of_several_lines(self):
        self.enter()
        self.terminal.keys("<Enter>", "<Tab>")
        self.terminal.wait("  one", "  two", "Enter Edit  Ctrl-S Save")
        self.terminal.keys("sbq")  # letters in a field are never actions
        self.terminal.wait("Enter opens this text in your editor.")
        self.terminal.paste("s")
        self.terminal.keys("<C-s>")
        self.terminal.wait("Zoo")
        self.assertEqual(self.acts()[-2:], [{"action": "save", "stay": True}, {"action": "back"}])
        self.assertEqual([one["values"] for one in self.said("screen/change") if "story" in one["values"]], [])

    def test_actions_of_a_form(self):
        self.enter()
        self.terminal.keys("<Enter>")
        self.terminal.wait("Alt-x Extra")
        self.terminal.keys("<M-x>", "<BTab>")
        self.terminal.wait(" x Extra", "q Quit")
        self.terminal.keys("x", "<Left>", "<Enter>")
        self.terminal.wait("Zoo")
        self.assertEqual([act["action"] for act in self.acts()[2:]], ["xtra", "xtra", "back"])

    def test_a_form_without_fields_and_a_body_that_is_new(self):
        self.terminal.keys("<Enter>")
        self.terminal.wait("“Enter” is not possible now.")
        self.terminal.keys("<M-a>")
        self.terminal.wait("A toy.", "Enter Go back", "o Odd")
        self.terminal.keys("o")
        self.terminal.wait("cannot draw “hologram”")
        self.terminal.keys("g")
        self.terminal.wait("A toy.")
        self.terminal.keys("<Enter>")
        self.terminal.wait("Gate")

    def test_progress_turns(self):
        self.enter()
        self.terminal.keys("w")
        first = self.terminal.wait("Feeding 3/12")
        until(lambda: self.terminal.text() != first, lambda: "the spinner stands still")
        self.terminal.keys("s")
        self.terminal.wait("Zoo")

    def test_disabled_and_stale_actions_are_reported(self):
        self.enter()
        self.terminal.keys("e")
        self.terminal.wait("“Never” is not possible now.")
        self.terminal.keys("g")
        self.terminal.wait("That is gone.")
        self.terminal.keys("j")
        self.terminal.wait("2 of 40", without=["That is gone."])

    def test_03_help(self):
        self.enter()
        self.terminal.keys("?")
        self.terminal.wait("Enter, o", "Esc, l", "this help")
        self.terminal.keys("c")
        self.terminal.wait("Pet 2", without=["this help"])
        self.terminal.keys("<Escape>")
        self.terminal.wait("Gate")
        self.terminal.keys("<F1>")
        self.terminal.wait("Shift-Tab")

    def test_27_a_slow_answer_does_not_stop_the_keys(self):
        self.enter()
        self.terminal.keys("h")
        self.terminal.wait("No answer for", "Ctrl-C quits", "1 of 40")
        self.terminal.keys("j")
        self.terminal.wait("2 of 40")
        self.terminal.keys("?")
        self.terminal.wait("this help")

    def test_23_24_a_dead_server_says_why_and_starts_again_twice(self):
        self.enter()
        for _ in range(2):
            self.terminal.keys("c")
            self.terminal.wait("the server ended (exit code 3): the zoo burns. r restarts, q quits.", "Pet 2")
            self.terminal.keys("j", "<Enter>", "r")
            self.terminal.wait("Gate")
            self.enter()
        self.assertNotIn("Traceback", self.terminal.everything)

    def test_a_server_that_dies_while_it_is_being_answered(self):
        for key, shown in (("n", "Its name: Bo"), ("f", "(y/n)"), ("?", "this help")):
            self.enter()
            self.terminal.keys(key)
            self.terminal.wait(shown)
            pid = str(self.said("initialize")[-1]["processId"])
            server = subprocess.run(["pgrep", "-P", pid], capture_output=True, text=True).stdout
            os.kill(int(server), signal.SIGKILL)
            # While something can be typed, letters are text.
            restart = "<C-r>" if key == "n" else "r"
            self.terminal.wait(
                f"the server ended (signal 9 SIGKILL). {restart.strip('<>').replace('C-r', 'Ctrl-R')} restarts", "Pet 2"
            )
            self.terminal.keys(restart)
            self.terminal.wait("Gate")

    def test_the_users_editor(self):
        self.terminal.close()
        editor = os.path.join(self.folder, "editor")
        with open(editor, "w") as file:
            file.write('#!/bin/sh\ncp "$1" "$0.seen"; printf "new é\\r\\ntext\\n" > "$1"\n')
        os.chmod(editor, 0o700)
        self.open(EDITOR=editor, VISUAL="")
        self.enter()
        self.terminal.keys("<Enter>", "<Tab>", "<Enter>")
        self.terminal.wait("  new é", "  text")
        self.terminal.keys("<C-s>")
        self.terminal.wait("Zoo")
        self.assertEqual(self.said("screen/change")[-1]["values"], {"story": "new é\r\ntext"})
        with open(editor + ".seen", newline="") as file:
            self.assertEqual(file.read(), "one\r\ntwo")

    def test_missing_editor_is_reported(self):
        self.terminal.close()
        self.open(EDITOR="/no/such/editor", VISUAL="")
        self.enter()
        self.terminal.keys("<Enter>", "<Tab>", "<Enter>")
        self.terminal.wait("No such file", "  two")

    def test_an_invalid_editor_command_does_not_end_the_program(self):
        self.terminal.close()
        self.open(EDITOR="vi 'x", VISUAL="")
        self.enter()
        self.terminal.keys("<Enter>", "<Tab>", "<Enter>")
        self.terminal.wait("EDITOR is not a command: No closing quotation.", "  two")
        self.terminal.keys("<Escape>")
        self.terminal.wait("Zoo")

    def test_a_paste_that_the_terminal_does_not_mark(self):
        self.enter()
        self.terminal.keys("n")
        self.terminal.wait("Its name: Bo")
        for _ in range(50):
            self.terminal.keys("y" * 2000)
        self.terminal.keys("END")
        self.terminal.wait("yyyEND")

    def test_quitting_waits_for_an_answer_and_ctrl_c_does_not(self):
        """Letters for a text that is being opened do nothing, and do not quit."""
        self.enter()
        self.terminal.keys("h")
        self.terminal.wait("No answer for", "Ctrl-C quits", "1 of 40")
        self.terminal.keys("q", "j")
        self.terminal.wait("2 of 40", "No answer for")
        self.terminal.keys("<C-c>")
        self.terminal.wait("ended with 0")

    def test_a_help_that_is_longer_than_the_terminal(self):
        self.enter()
        self.terminal.resize(50, 12)
        self.terminal.keys("?")
        self.terminal.wait("Enter, o", "more lines: PageDown")
        for _ in range(6):
            self.terminal.keys("<PageDown>")
        self.terminal.wait("Home End", without=["more lines"])
        self.terminal.keys("<PageUp>")
        self.terminal.wait("more lines: PageDown")
        self.terminal.keys("j")
        self.terminal.wait("Rex", "1 of 40", without=["Home End"])

    def test_a_terminal_that_changes_its_size(self):
        self.enter()
        self.terminal.resize(46, 9)
        self.terminal.wait("Zoo", "[x] Pet 2\n", "q Quit", without=["Pet 6"])
        self.terminal.resize(90, 30)
        self.terminal.wait("Pet 20")

    def test_the_help_is_closed_by_one_key_also_after_a_change_of_size(self):
        self.enter()
        self.terminal.keys("?")
        self.terminal.wait("this help")
        self.terminal.resize(60, 36)
        self.terminal.wait("this help", "Home End")
        self.terminal.keys("c")  # which crashes the server where no help is open
        self.terminal.wait("Pet 2", without=["this help", "the server ended"])
        self.terminal.keys("j")
        self.terminal.wait("2 of 40", without=["the server ended"])

    def test_26_every_way_to_end_leaves_nothing_behind(self):
        self.enter()
        self.terminal.keys("q")
        self.terminal.wait("ended with 0")
        for key in ("<C-c>", "q"):
            self.terminal.close()
            self.open()
            if key == "q":  # which is a letter until the field is left; read together the two keys are Alt-Q
                self.terminal.keys("<Escape>")
                self.terminal.wait("nothing to go back to")
            self.terminal.keys(key)
            text = self.terminal.wait("ended with 0")
            self.assertNotIn("Traceback", text)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            self.terminal.close()
            self.open()
            pid = self.said("initialize")[-1]["processId"]
            children = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
            self.assertEqual(len(children), 1)
            os.kill(pid, number)
            self.both_end(pid, children[0], number)
        self.assertEqual([len(self.said(method)) for method in ("shutdown", "exit")], [5, 5])

    def both_end(self, one, other, how):
        until(lambda: not is_running(one) and not is_running(other), lambda: f"still there after {how}")

    def test_a_terminal_that_goes_away(self):
        pid = self.said("initialize")[-1]["processId"]
        self.terminal.close()
        until(lambda: not is_running(pid), lambda: "still there")

    def test_terminals_that_cannot_show_a_screen(self):
        for name in ("dumb", "no-such-terminal"):
            self.terminal.close()
            self.terminal = Terminal({"TODO_SERVER": TOY, "TOY_LOG": self.log})
            self.addCleanup(self.terminal.close)
            self.terminal.wait("Gate")
            self.terminal.keys("<C-c>")
            self.terminal.wait("ended with 0")
            subprocess.run(
                [*self.terminal.tmux, "respawn-pane", "-k", "-e", f"TERM={name}",
                 f"TERM={name} {sys.executable} {PROGRAM}; echo ended with $?; sleep 1000"],
                check=True,
            )  # fmt: skip
            text = self.terminal.wait(f"(TERM={name}) cannot show a full screen", "ended with 1")
            self.assertNotIn("Traceback", text)

    def test_25_servers_that_cannot_be_started(self):
        for command, reason in (("/no/such/server", "No such file"), ("false", "the server ended (exit code 1)")):
            self.terminal.close()
            self.terminal = Terminal({"TODO_SERVER": command})
            self.addCleanup(self.terminal.close)
            text = self.terminal.wait("todo: ", reason, "ended with 1")
            self.assertNotIn("Traceback", text)


if __name__ == "__main__":
    unittest.main()
