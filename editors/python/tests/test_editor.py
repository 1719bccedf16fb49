"""A text in the user's editor: nothing in it is obeyed, and nothing of it is lost."""

import asyncio
import contextlib
import io
import os
import re
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from todo_server import Failure, ServerDied, TodoError, edited
from todo_server.editor import EditedText

VIM = "vim -N -u NONE -i NONE -es --cmd 'set modeline modelines=5' -c 'call writefile([&shiftwidth], $SEEN)' -c 'x!'"
EMACS = (
    "emacs -Q --batch --eval '(setq enable-local-variables :all)' "
    "--eval '(with-current-buffer (find-file-noselect (car (last command-line-args-left))) (write-region"
    ' (number-to-string fill-column) nil (getenv "SEEN")) (kill-emacs))\' --'
)


def edit(text):
    with EditedText(text) as file:
        return asyncio.run(file.visit())


class EditorTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.seen = os.path.join(self.folder, "seen")
        environment = {"XDG_STATE_HOME": self.folder, "SEEN": self.seen, "VISUAL": "", "EDITOR": "true"}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        self.addCleanup(patch.stop)

    def editor(self, script):
        path = os.path.join(self.folder, "editor")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, 0o700)
        os.environ["EDITOR"] = path

    def test_a_text_that_is_left_alone_comes_back_byte_for_byte(self):
        modeline = "vim: set sw=7:"
        for text in ("", "a", "a\n", "a\r\nb", "é ☕\n\n", modeline, f"{modeline}\n", f"a\n\n# {modeline}", "=" * 20 + "\nvi:",
                     "Local Variables:\nfill-column: 33\nEnd:\n", "-*- fill-column: 33 -*-"):  # fmt: skip
            with self.subTest(text):
                self.assertEqual(edit(text), text)

    def test_edited_text_loses_only_the_added_final_newline(self):
        self.editor("printf 'two\\nlines\\n' > $1")
        self.assertEqual(edit("one"), "two\nlines")
        self.assertEqual(edit("one\n"), "two\nlines\n")

    def test_only_its_owner_can_read_the_file_and_it_goes(self):
        with EditedText("secret") as file:
            self.assertEqual(stat.S_IMODE(os.stat(file.path).st_mode), 0o600)
            self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(file.path)).st_mode), 0o700)
        self.assertFalse(os.path.exists(os.path.dirname(file.path)))

    def test_vim_and_emacs_obey_nothing_in_a_text(self):
        for editor, texts, harmless, obeyed in (
            (VIM, ("vim: set sw=7:", "a\nb\nvim: set sw=7:", "ex:set sw=7:\nb\n"), "8", "7"),
            (EMACS, ("a\n\nLocal Variables:\nfill-column: 33\nEnd:\n", "-*- fill-column: 33 -*-\n"), "70", "33"),
        ):
            for text in texts:
                os.environ["EDITOR"] = editor
                edit(text)
                self.assertEqual(self.read_seen(), harmless, text)
            # The last text, alone, proves that the editor would obey.
            path = os.path.join(self.folder, "plain")
            with open(path, "w") as file:
                file.write(texts[-1] if editor == EMACS else texts[0])
            subprocess.run(f"{editor} {path}", shell=True, check=True)
            self.assertEqual(self.read_seen(), obeyed)

    def read_seen(self):
        with open(self.seen) as file:
            return file.read().strip()

    def test_unreadable_result_is_kept_and_named(self):
        for script, text in (("printf '\\377' > $1", "one"), ("printf 'all gone' > $1", "vim: set sw=7:")):
            self.editor(script)
            with self.assertRaisesRegex(Failure, "it is kept in (/.*/note.md)") as caught:
                edit(text)
            self.assertTrue(os.path.exists(str(caught.exception).split(" kept in ")[1].rstrip(".")))

    def test_an_editor_that_fails_changes_nothing(self):
        self.editor("echo new > $1; exit 1")
        with self.assertRaisesRegex(Failure, "exit code 1.*nothing was changed"):
            edit("old")

    def test_files_of_a_failed_editor_are_kept_and_named(self):
        for script in ("echo new > $1; kill -9 $$", "echo new > $1.swp; exit 1"):
            self.editor(script)
            with self.assertRaisesRegex(Failure, "nothing was changed. What it left is in (/.*)") as caught:
                edit("old")
            folder = str(caught.exception).split(" is in ")[1].rstrip(".")
            self.assertIn("new\n", [Path(folder, name).read_text() for name in os.listdir(folder)])
        self.editor("exit 1")
        with self.assertRaisesRegex(Failure, "nothing was changed.$"):
            edit("old")

    def test_an_editor_that_cannot_be_started_or_leaves_no_text_is_named(self):
        for command, said in (
            ("/no/such/editor", "The editor /no/such/editor cannot be started: No such file"),
            ("vi 'x", "EDITOR is not a command: No closing quotation"),
            ("rm", "The editor left no text: No such file or directory. Nothing was changed."),
        ):
            os.environ["EDITOR"] = command
            with self.assertRaisesRegex(Failure, said):
                edit("old")

    def test_a_ctrl_backslash_is_for_the_editor(self):
        self.editor("kill -QUIT $PPID; echo new > $1")
        program = "from test_editor import edit; print(edit('old'))"
        done = subprocess.run([sys.executable, "-c", program], cwd=support.HERE, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "new\n"))

    def test_no_editor_at_all(self):
        os.environ.update(EDITOR="", PATH=self.folder)
        with self.assertRaisesRegex(Failure, "names an editor"):
            edit("old")

    def test_a_command_keeps_the_text_whenever_it_ends_without_storing_it(self):
        """A Ctrl-C can come at any moment: in the editor, just after its end, or while the text is being stored."""
        ends = (KeyboardInterrupt(), ServerDied(-9), TodoError("The store is full.", "storage"))
        for is_in_editor in (True, False):
            for end in ends[: 1 if is_in_editor else None]:
                visit = mock.AsyncMock(return_value="Mine", side_effect=end if is_in_editor else None)
                with self.subTest(repr(end)), mock.patch.object(EditedText, "visit", visit):
                    with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(type(end)) as failed:
                        with edited.edited("Mine"):
                            raise end
                    kept = re.search(r"kept in (\S+)\.", f"{said.getvalue()} {failed.exception}")[1]
                    self.assertEqual(Path(kept).read_text(), "Mine")


if __name__ == "__main__":
    unittest.main()
