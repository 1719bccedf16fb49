"""Runs every command on the pages, and the program of Protocol.md.

    TODO_SERVER=.build/debug/todo-server python3 -m unittest discover -s Tests/Pages
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SERVER = os.path.abspath(os.environ.get("TODO_SERVER", f"{PROJECT}/.build/debug/todo-server"))
PAGES = sorted(
    os.path.relpath(path, PROJECT)
    for pattern in ("*.md", "editors/*/*.md", "Fixtures/*/*.md", "Tests/*/*/*.md")
    for path in glob.glob(f"{PROJECT}/{pattern}"))
# Tests, which take minutes: .ci/run runs them.
ELSEWHERE = re.compile(r"swift test\n|.*editors/\w+/tests/run\n")
# The program has been built with these tests, and Debian's packages are there already.
SWIFT = """#!/bin/sh
case " $* " in
  " build -c release --show-bin-path ") echo "$BUILT" ;;
  " build -c release --static-swift-stdlib --disable-local-rpath --product todo-server ") ;;
  *) echo "what is swift $*?" >&2; exit 64 ;;
esac
"""
CODE = """#!/bin/sh
[ "$1" = --install-extension ] && exec python3 -m zipfile --test "$2"
"""
APT = """#!/bin/sh
case "$1" in update) ;; *) exec /usr/bin/apt-get --simulate "$@" ;; esac
"""


def text_of(name):
    with open(os.path.join(PROJECT, name), encoding="utf-8") as file:
        return file.read()


def blocks(name, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(name), re.DOTALL | re.MULTILINE)


class Home:
    """A home of its own, in which the commands of a page run one after the other."""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="todo-pages-")
        self.bin = f"{self.folder}/shims"
        os.makedirs(self.bin)
        os.makedirs(f"{self.folder}/built")
        shutil.copy(SERVER, f"{self.folder}/built/todo-server")
        for name, text in (
                ("swift", SWIFT), ("apt-get", APT), ("sudo", '#!/bin/sh\nexec "$@"\n'),
                ("code", CODE)):
            with open(f"{self.bin}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(f"{self.bin}/{name}", 0o755)
        known = {k: v for k, v in os.environ.items() if not k.startswith(("TODO_", "XDG_", "GH"))}
        self.environment = {
            **known, "HOME": self.folder, "BUILT": f"{self.folder}/built", "TASKRC": "/dev/null",
            "TASKDATA": f"{self.folder}/task",
            "PATH": f"{self.bin}:{self.folder}/.local/bin:{os.environ['PATH']}"}
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command, **variables):
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=self.work, stdin=subprocess.DEVNULL,
            capture_output=True, encoding="utf-8", timeout=300,
            env={**self.environment, **variables}, check=False)

    @property
    def work(self):
        """The checkout, as far as the page's commands need it; what they make is not in ours."""
        folder = f"{self.folder}/checkout"
        if not os.path.isdir(folder):
            os.makedirs(folder)
            shutil.copytree(
                f"{PROJECT}/editors", f"{folder}/editors",
                ignore=shutil.ignore_patterns("tests", "__pycache__", "build", "*.egg-info"))
            for name in ("CHANGELOG.md", "LICENSE"):  # the archive of the extension contains them
                shutil.copy(f"{PROJECT}/{name}", folder)
        return folder


class PageTests(unittest.TestCase):
    def run_commands(self, page, is_installed=True, first=""):
        """The output of all commands of a page, which run one after the other in one home."""
        said = ""
        with Home() as home:
            if is_installed:
                os.symlink(f"{home.folder}/built/todo-server", f"{home.bin}/todo-server")
                os.symlink(f"{home.work}/editors/python/todo.py", f"{home.bin}/todo")
            for command in [first, *blocks(page, "sh")]:
                if ELSEWHERE.fullmatch(command):
                    continue
                # It would run until it is stopped.
                command = command.replace("mirror todos.md", "mirror todos.md --once")
                # Only the launcher of the checkout looks for the server there.
                server = {"TODO_SERVER": SERVER} if "todo.py" in command else {}
                run = home.run(command, **server)
                self.assertEqual(run.returncode, 0, f"{page}: {command}\n{run.stdout}{run.stderr}")
                said += run.stdout
        return said

    def test_every_command_of_the_readme_runs(self):
        said = self.run_commands("README.md", is_installed=False)
        self.assertIn("problem: none" if "problem:" in said else "ok: store", said)
        self.assertIn('"title": "Buy milk"', said.replace('"title":"', '"title": "'))

    def test_every_command_of_the_reference_runs(self):
        said = self.run_commands("editors/python/REFERENCE.md")
        self.assertIn("Buy bread", said)
        self.assertIn("1 todos were imported", said)

    def test_every_command_for_contributors_runs(self):
        self.assertIn("1 passed, 0 failed", self.run_commands("CONTRIBUTING.md"))

    def test_every_command_of_the_python_page_runs(self):
        said = self.run_commands("editors/python/README.md", first="task add 'Call Bea'")
        self.assertIn("1 imported", said)

    def test_every_other_command_runs(self):
        tested = {
            "README.md", "editors/python/README.md", "editors/python/REFERENCE.md",
            "CONTRIBUTING.md"}
        for page in set(PAGES) - tested:
            with self.subTest(page):
                self.run_commands(page)

    def test_the_first_command_of_the_readme_starts_the_program(self):
        first, *_, last = blocks("README.md", "sh")
        self.assertTrue(first.endswith("&& editors/python/todo.py\n"), first)
        self.assertEqual(last, "swift test\n")

    def test_every_link_and_path_exists(self):
        self.assertGreater(len(PAGES), 12)
        for page in PAGES:
            text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)]*)\)", text):
                path, _, anchor = target.partition("#")
                if path.startswith("https:"):
                    continue
                place = os.path.join(os.path.dirname(page), path) if path else page
                self.assertTrue(os.path.exists(os.path.join(PROJECT, place)), f"{page}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(place), f"{page}: {target}")
            for path in re.findall(r"`((?:Sources|Tests|Fixtures|editors|\.ci)/[\w./-]*)`", text):
                self.assertTrue(os.path.exists(os.path.join(PROJECT, path)), f"{page}: {path}")


def anchors(page):
    text = re.sub(r"```.*?```", "", text_of(page), flags=re.DOTALL)
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


class ProtocolProgramTests(unittest.TestCase):
    """The front-end in Protocol.md, exactly as printed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="todo-pages-")
        with open(f"{cls.folder}/front_end.py", "w", encoding="utf-8") as file:
            file.write(blocks("Protocol.md", "python")[0])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def front_end(self, text, *server):
        return subprocess.run(
            [sys.executable, f"{self.folder}/front_end.py", *(server or (SERVER, "--store", "memory"))],
            input=text, capture_output=True, encoding="utf-8", timeout=60, check=False)

    def test_piped_commands_do_everything(self):
        run = self.front_end(
            "name=ann\nlogin\nadd\nBuy milk\nopen 1\nnote=Two litres\\nor three\nsave\n"
            "toggle 1\nremove 1\ny\nundo\nfilter\nmi\n")
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertIn("Note (note): Two litres\nor three\n", run.stdout)
        self.assertIn("1 [x] Buy milk\n", run.stdout)
        self.assertIn("Remove this todo? Buy milk\n", run.stdout)
        self.assertIn("Undone: Buy milk", run.stdout)
        self.assertTrue(run.stdout.rstrip().endswith("[logout]"), run.stdout)
        self.assertIn("with “mi”", run.stdout)

    def test_control_characters_do_not_reach_the_terminal(self):
        run = self.front_end("name=ann\nlogin\nadd\n\x1b[31mred \u202emirrored\nremove 1\nn\n")
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        self.assertIn(r"1 [ ] \u{1b}[31mred \u{202e}mirrored", run.stdout)
        self.assertNotIn("\x1b", run.stdout)

    def test_unknown_actions_and_fields_are_reported(self):
        run = self.front_end("nope\nnope=1\n\nname=\nlogin\n")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("There is no nope here.", run.stdout)
        self.assertIn("There is no login here.", run.stdout)

    def test_end_of_the_server_is_reported_as_a_sentence(self):
        for command in ("read x; exit 7", "exit 7", "read x; printf '{\"half'; exit 7"):
            run = self.front_end("name=ann\nlogin\n", "sh", "-c", command)
            self.assertEqual(run.returncode, 1, command)
            self.assertIn("The server has ended with code 7.", run.stdout)
            self.assertNotIn("Traceback", run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
