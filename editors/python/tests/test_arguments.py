"""The arguments of the command line, and the imports for reading them."""

import contextlib
import io
import os
import subprocess
import sys
import unittest

from real import SECONDS, RealCase
from support import PROGRAM
from todo_server import arguments

LIST = """
import sys
before = set(sys.modules)
sys.argv = ["todo", "list", "is:open"]
from todo_server import __main__
code = __main__.main()
print(*sorted({"argparse", "asyncio", "dataclasses", "getpass", "shutil", "traceback", "typing"} & (set(sys.modules) - before)))
sys.exit(code)
"""


class ArgumentTests(RealCase):
    def test_words_without_options_are_read_as_argparse_reads_them(self):
        read = 0
        for command in [*arguments.COMMANDS, *arguments.ALIASES]:
            for words in ([], [""], ["a"], ["a b", "k3f9..p2q7", "7"]):
                plain = arguments._plain([command, *words])
                if plain is None:
                    continue
                read += 1
                parsed = arguments._parsed([command, *words])
                self.assertEqual(plain, {name: value for name, value in parsed.items() if value not in (None, False)})
        self.assertGreater(read, 30)

    def test_other_arguments_are_left_to_argparse(self):
        for words in ([], ["nothing"], ["add"], ["undo", "a"], ["edit", "a"], ["login"], ["-h"], ["list", "--json"]):
            self.assertIsNone(arguments._plain(words), words)
        self.assertIsNone(arguments._plain(["add", "\udc80"]))

    def test_usage_error_names_every_command(self):
        for words in (["nothing"], ["nothing", "list"]):
            with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit):
                arguments.parse(words)
            self.assertIn("'completion'", said.getvalue())

    def test_list_imports_nothing_that_takes_long(self):
        path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TODO_NAME": "ann"}
        run = subprocess.run([sys.executable, "-c", LIST], capture_output=True, env=path, timeout=SECONDS, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "\n", ""))

    def test_wrong_value_is_reported_with_the_name_of_its_option(self):
        run = subprocess.run(
            [sys.executable, PROGRAM, "list", "--sort", "size"], capture_output=True, timeout=SECONDS, text=True,
            env={**os.environ, "TODO_NAME": "ann"},
        )  # fmt: skip
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, "^todo: --sort cannot be used: expected one of order,")


if __name__ == "__main__":
    unittest.main()
