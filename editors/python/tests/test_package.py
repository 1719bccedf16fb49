"""The installed package: every file compiles, is packed and documented, and works outside of the checkout."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from real import SERVER
from support import FOLDER

PACKAGE = os.path.join(FOLDER, "src", "todo_server")
FILES = sorted(
    os.path.relpath(os.path.join(folder, name), FOLDER)
    for folder, _, names in os.walk(PACKAGE)
    for name in names
    if name.endswith(".py")
)


def text_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class PackageTests(unittest.TestCase):
    def test_01_every_file_is_python_3_9(self):
        for name in [*FILES, "todo.py", "checkout.py"]:
            ast.parse(text_of(name), name, feature_version=(3, 9))

    def test_02_the_readme_names_every_file(self):
        named = re.findall(r"^\| `([\w/]+\.py)` \|", text_of("README.md"), re.MULTILINE)
        plain = [os.path.relpath(name, "src/todo_server") for name in FILES]
        wanted = [name for name in plain if os.path.basename(name) != "__init__.py"]
        self.assertEqual(sorted(named), sorted([*wanted, "todo.py", "checkout.py"]))

    def test_03_help_and_the_readme_name_the_same_commands_and_options(self):
        run = [sys.executable, os.path.join(FOLDER, "todo.py")]
        said = subprocess.run([*run, "--help"], capture_output=True, text=True, check=True).stdout
        found = re.findall(r"^    (\w+)(?: \((\w+)\))? ", said, re.MULTILINE)
        commands = [command for command, _ in found]
        readme = text_of("README.md")
        aliases = {alias for _, alias in found if alias}
        self.assertEqual(set(re.findall(r"^todo (\w+)", readme, re.MULTILINE)), {*commands, *aliases})
        for command in commands:
            said += subprocess.run([*run, command, "--help"], capture_output=True, text=True, check=True).stdout
        for option in set(re.findall(r"--[a-z][a-z-]+", said)) - {"--help"}:
            self.assertIn(option, readme)

    def test_04_importing_the_library_starts_nothing_and_prints_nothing(self):
        program = "import todo_server, todo_server.__main__, os; os.wait()"
        run = [sys.executable, "-c", program]
        result = subprocess.run(run, cwd=os.path.dirname(PACKAGE), capture_output=True, text=True)
        self.assertEqual(result.stdout, "")
        self.assertIn("ChildProcessError", result.stderr)  # there is no child to wait for

    def test_05_pip_installs_the_package_and_the_command(self):
        with tempfile.TemporaryDirectory() as home:
            source = os.path.join(home, "source")  # setuptools writes beside what it builds
            shutil.copytree(
                FOLDER, source, ignore=shutil.ignore_patterns("tests", "__pycache__", "build", "*.egg-info")
            )
            place = os.path.join(home, "venv")
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
            python = os.path.join(place, "bin", "python")
            pip = os.path.dirname(importlib.util.find_spec("pip").origin)  # the installed one works, too
            install = [python, pip, "install", "-q", "--no-input", "--disable-pip-version-check", source]
            done = subprocess.run(install, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TODO_SERVER": " ".join(SERVER), "USER": "ann"}
            command = [os.path.join(place, "bin", "todo")]
            for run in ([*command, "add", "Milk"], [*command, "list"], [python, "-m", "todo_server", "list"]):
                result = subprocess.run(run, cwd=home, env=environment, capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn("[ ] Milk", result.stdout)
            # A wheel that has the server puts it there, and the environment need not be on the PATH.
            os.symlink(SERVER[0], os.path.join(place, "bin", "todo-server"))
            beside = {name: value for name, value in environment.items() if name != "TODO_SERVER"}
            result = subprocess.run([*command, "list"], cwd=home, env={**beside, "PATH": "/usr/bin:/bin"},
                                    capture_output=True, text=True)  # fmt: skip
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            typed = "import importlib.resources as r, todo_server; print(r.files(todo_server).joinpath('py.typed').is_file())"
            result = subprocess.run([python, "-c", typed], cwd=home, capture_output=True, text=True)
            self.assertEqual((result.stdout, result.stderr), ("True\n", ""))


if __name__ == "__main__":
    unittest.main()
