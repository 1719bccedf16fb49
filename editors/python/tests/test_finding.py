"""Finding the server, and building it: in a copy of the checkout, with a swift that is a shell script."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import FOLDER, HERE

BUILDS = """#!/bin/sh
echo "$@" >> builds
echo "[1/2] Compiling TodoModel"
echo "[2/2] Linking todo-server"
mkdir -p .build/release
[ -f .build/release/todo-server ] || cp server .build/release/todo-server
"""
FAILS = """#!/bin/sh
echo "[1/2] Compiling TodoModel"
seq 1 100
echo "error: no such module" >&2
exit 1
"""


class FindingTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = os.path.join(folder.name, "check out")
        self.editor = os.path.join(self.checkout, "editors", "python")
        shutil.copytree(FOLDER, self.editor, ignore=shutil.ignore_patterns("tests", "__pycache__"))
        self.bin = os.path.join(self.checkout, "bin")
        for name in ("bin", os.path.join("Sources", "A")):
            os.makedirs(os.path.join(self.checkout, name))
        self.write("Package.swift", "")
        self.write(os.path.join("Sources", "A", "a.swift"), "")
        self.write("server", f'#!/bin/sh\nexec {sys.executable} {os.path.join(HERE, "fake_server.py")} "$SCRIPT"\n')
        os.chmod(os.path.join(self.checkout, "server"), 0o700)

    def write(self, name, text):
        with open(os.path.join(self.checkout, name), "w") as file:
            file.write(text)

    def swift(self, script):
        self.write(os.path.join("bin", "swift"), script)
        os.chmod(os.path.join(self.bin, "swift"), 0o700)

    def run_list(self, **environment):
        environment = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": self.checkout, "SCRIPT": "[]", **environment}
        return subprocess.run(
            [sys.executable, os.path.join(self.editor, "todo.py"), "list"],
            env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def builds(self):
        path = os.path.join(self.checkout, "builds")
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return file.read().splitlines()

    def script(self):
        """A server that refuses to be initialised: enough to see that it was started."""
        return '[["expect", "initialize"], ["fail", {"code": -32803, "message": "Started."}]]'

    def test_it_is_built_if_it_is_missing_or_older_than_a_source(self):
        self.swift(BUILDS)
        first = self.run_list(SCRIPT=self.script())
        self.assertEqual(self.builds(), ["build -c release --static-swift-stdlib --product todo-server"])
        self.assertRegex(
            first.stderr, r"(?s)todo: building the server.*\[1/2\] Compiling TodoModel.*todo: built in \d+ s"
        )
        self.assertTrue(first.stderr.endswith("todo: Started.\n"), first.stderr)
        self.assertEqual((first.stdout, first.returncode), ("", 1))
        self.assertEqual(self.run_list(SCRIPT=self.script()).stderr, "todo: Started.\n")
        self.assertEqual(len(self.builds()), 1)
        future = os.path.getmtime(os.path.join(self.checkout, ".build", "release", "todo-server")) + 1
        os.utime(os.path.join(self.checkout, "Sources", "A", "a.swift"), (future, future))
        self.run_list(SCRIPT=self.script())
        self.assertEqual(len(self.builds()), 2)

    def test_a_build_that_finds_nothing_to_do_is_not_repeated(self):
        self.swift(BUILDS)
        self.run_list(SCRIPT=self.script())
        binary = os.path.join(self.checkout, ".build", "release", "todo-server")
        os.utime(binary, (1, 1))
        for _ in range(2):
            self.run_list(SCRIPT=self.script())
            self.assertEqual(len(self.builds()), 2)

    def test_a_failed_build_shows_why(self):
        self.swift(FAILS)
        result = self.run_list()
        self.assertEqual(result.returncode, 1)
        self.assertTrue(
            result.stderr.endswith(
                "error: no such module\ntodo: The server could not be built, for the reason above.\n"
            ),
            result.stderr,
        )
        self.assertNotIn("Traceback", result.stderr)

    def test_no_swift(self):
        result = self.run_list(PATH="/nowhere")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(
            result.stderr,
            "todo: The server is not built and there is no swift: install it from https://swift.org/install.\n",
        )

    def test_no_swift_but_an_older_build(self):
        os.makedirs(os.path.join(self.checkout, ".build", "release"))
        binary = os.path.join(self.checkout, ".build", "release", "todo-server")
        shutil.copy(os.path.join(self.checkout, "server"), binary)
        os.utime(binary, (1, 1))
        lines = self.run_list(PATH="/nowhere", SCRIPT=self.script()).stderr.splitlines()
        self.assertEqual(lines[0], "todo: the server is older than its sources, and there is no swift to build it.")
        self.assertEqual(lines[1], "todo: Started.")

    def test_the_environment_comes_first(self):
        server = f"'{os.path.join(self.checkout, 'server')}'"
        self.assertEqual(self.run_list(TODO_SERVER=server, SCRIPT=self.script()).stderr, "todo: Started.\n")
        self.assertEqual(self.builds(), [])

    def test_without_a_checkout(self):
        os.remove(os.path.join(self.checkout, "Package.swift"))
        self.assertIn("There is no todo-server: put it on the PATH", self.run_list().stderr)
        shutil.copy(os.path.join(self.checkout, "server"), os.path.join(self.bin, "todo-server"))
        self.assertEqual(self.run_list(SCRIPT=self.script()).stderr, "todo: Started.\n")

    def test_25_servers_that_cannot_be_started(self):
        for command, reason in (("/no/such/server", "No such file"), ("false", "the server ended (exit code 1)")):
            result = self.run_list(TODO_SERVER=command)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertRegex(result.stderr, r"^todo: .*\n$")
            self.assertIn(reason, result.stderr)


if __name__ == "__main__":
    unittest.main()
