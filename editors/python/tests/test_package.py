"""What is installed: every file compiles, is packed and documented, and works outside of the checkout."""

import compileall
import os
import re
import subprocess
import sys
import tempfile
import unittest

from real import SERVER
from support import FOLDER

FILES = sorted(name for name in os.listdir(FOLDER) if name.endswith(".py"))


def text_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class PackageTests(unittest.TestCase):
    def test_01_every_file_compiles(self):
        self.assertTrue(compileall.compile_dir(FOLDER, quiet=2, force=True))

    def test_02_the_manifest_and_the_readme_name_every_file(self):
        packed = re.search(r"py-modules = \[(.*?)\]", text_of("pyproject.toml"), re.DOTALL).group(1)
        self.assertEqual(sorted(re.findall(r'"(\w+)"', packed)), [name[:-3] for name in FILES])
        self.assertEqual(sorted(re.findall(r"^\| `(\w+\.py)` \|", text_of("README.md"), re.MULTILINE)), FILES)

    def test_03_help_and_the_readme_name_the_same_commands_and_options(self):
        run = [sys.executable, os.path.join(FOLDER, "todo.py")]
        said = subprocess.run([*run, "--help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"^    (\w+) ", said, re.MULTILINE)
        readme = text_of("README.md")
        self.assertEqual(set(re.findall(r"^todo\.py (\w+)", readme, re.MULTILINE)), set(commands))
        for command in commands:
            said += subprocess.run([*run, command, "--help"], capture_output=True, text=True, check=True).stdout
        for option in set(re.findall(r"--[a-z][a-z-]+", said)) - {"--help"}:
            self.assertIn(option, readme)

    def test_04_importing_the_library_starts_nothing_and_prints_nothing(self):
        program = "import todo, todo_client, todo_server, os; os.wait()"
        run = [sys.executable, "-c", program]
        result = subprocess.run(run, cwd=FOLDER, capture_output=True, text=True)
        self.assertEqual(result.stdout, "")
        self.assertIn("ChildProcessError", result.stderr)  # there is no child to wait for

    def test_05_the_files_work_elsewhere_in_an_empty_home(self):
        with tempfile.TemporaryDirectory() as home:
            modules = os.path.join(home, "modules")
            os.mkdir(modules)
            for name in FILES:
                with open(os.path.join(modules, name), "w", encoding="utf-8") as file:
                    file.write(text_of(name))
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TODO_SERVER": " ".join(SERVER), "USER": "ann"}
            start = "import sys, todo; sys.exit(todo.main())"  # as the script does that pip writes
            for arguments, out in ((["add", "Milk"], "[ ] Milk"), (["list"], "[ ] Milk")):
                run = [sys.executable, "-c", start, *arguments]
                result = subprocess.run(run, cwd=modules, env=environment, capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(out, result.stdout)


if __name__ == "__main__":
    unittest.main()
