"""Editors of the terminal at the file of a mirror, by their keys."""

import os
import signal
import subprocess
import tempfile
import unittest

from test_mirror import FORGED, STEPS, MirrorCase, is_taken


class EditorTests(MirrorCase):
    def open_terminal(self, *command):
        """An editor at the file, by its keys: how to type, and what is on its screen."""
        socket = os.path.join(tempfile.mkdtemp(dir=self.folder), "tmux")
        terminal = ["tmux", "-S", socket, "-f", os.devnull]
        environment = {**os.environ, "HOME": self.folder, "TERM": "xterm-256color"}
        subprocess.run(
            terminal + ["new-session", "-d", "-x", "80", "-y", "24", *command, self.path],
            check=True, env=environment)
        self.addCleanup(subprocess.run, terminal + ["kill-server"], stderr=subprocess.DEVNULL)
        # An editor whose terminal goes writes to its folder first, which goes as well.
        editor = int(subprocess.run(
            terminal + ["display-message", "-p", "#{pane_pid}"],
            check=True, capture_output=True).stdout)
        self.addCleanup(os.kill, editor, signal.SIGKILL)

        def type(*keys):
            subprocess.run(terminal + ["send-keys", "--", *keys], check=True)

        def screen():
            return subprocess.run(
                terminal + ["capture-pane", "-p"], capture_output=True, text=True).stdout

        self.wait_for(lambda: "<!-- end" in screen(), screen)
        return type, screen

    def test_nano(self):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        type, screen = self.open_terminal("nano")
        type("Down", "- [ ] Milk", "Enter", "C-s")
        self.wait(is_taken("Milk"))
        # The buffer of nano is outdated: after further typing, nano asks whether to overwrite the file.
        self.call(("addTodo", {"title": "Rent"}))
        self.wait(is_taken("Rent"))
        type("- [ ] Bread", "Enter", "C-s")
        self.wait_for(lambda: "was changed" in screen() or "modified" in screen(), screen)
        type("y")
        self.wait(is_taken("Bread"))
        self.assertEqual(sorted(self.titles()), ["Bread", "Milk", "Rent"])

    def check_vim(self, backupcopy):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        type, screen = self.open_terminal(
            "vim", "-u", "NONE", "-N", "-c", f"set noautoread backupcopy={backupcopy}")
        type("ggo- [ ] Milk", "Escape", ":w", "Enter")
        self.wait(is_taken("Milk"))
        # The buffer is outdated, and its line has no mark. It is written nevertheless.
        type("A and bread", "Escape", ":w!", "Enter")
        self.wait_for(lambda: "(y/n)?" in screen(), screen)
        type("y")
        self.wait(is_taken("Milk and bread"))
        self.call(("addTodo", {"title": "Rent"}))
        self.wait(is_taken("Rent"))
        # Read again, a todo is copied and ticked.
        type("Escape", ":e!", "Enter")
        self.wait_for(lambda: "] Rent ^" in screen(), screen)
        type("gg/Rent", "Enter", "yyp", "0f[lrx", "fRcwRoof", "Escape", ":w", "Enter")
        # The copy has the mark of the other one until it is taken.
        text = self.wait(
            lambda text: len({word for word in text.split() if word.startswith("^")}) == 3)
        self.assertIn("- [x] Roof ^", text)
        self.assertEqual(sorted(self.titles()), ["Milk and bread", "Rent", "Roof"])

    def test_vim_of_all_file_formats_makes_no_line_of_a_note(self):
        self.call(("addTodo", {"title": "Release", "note": STEPS}))
        self.call(("addTodo", {"title": "Returns", "note": f"{FORGED}\r" * 50 + "\r\n" * 50}))
        self.start()
        self.wait(is_taken("Release"))
        for formats in ("unix,dos,mac", "mac,dos,unix"):
            before = self.call(("listTodos", {}))["result"]["todos"]
            name = f"Milk{formats.replace(',', '')}"
            subprocess.run(
                ["vim", "-u", "NONE", "-N", "-es", "-c", f"set fileformats={formats}", "-c", "edit!",
                 "-c", f"1put ='- [ ] {name}'", "-c", "wq!", self.path],
                env={**os.environ, "HOME": self.folder}, timeout=60)
            self.wait(is_taken(name))
            after = self.call(("listTodos", {}))["result"]["todos"]
            self.assertEqual(after[0]["title"], name)
            self.assertEqual(
                [(todo["title"], todo["note"]) for todo in after[1:]],
                [(todo["title"], todo["note"]) for todo in before])

    def test_vim_that_writes_into_the_file(self):
        self.check_vim("yes")

    def test_vim_that_writes_another_file(self):
        self.check_vim("no")

    def test_vim_that_chooses_how_it_writes(self):
        self.check_vim("auto")


if __name__ == "__main__":
    unittest.main()
