"""Tests of `.ci/libraries --unchanged`, which decides whether CI tests the libraries on their own."""

import os
import shutil
import subprocess
import tempfile
import unittest

PROJECT = os.path.abspath(f"{os.path.dirname(__file__)}/../..")
MANIFEST = "// swift-tools-version:6.2\nlet package = 1\n"
SOURCE = "/// A counter.\nstruct Counter {\n  // The count.\n  var count = 0\n}\n"


class UnchangedLibraries(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(f"{self.folder}/.ci")
        shutil.copy(f"{PROJECT}/.ci/libraries", f"{self.folder}/.ci")
        self.git("init", "-q")
        self.write("Package.swift", MANIFEST)
        self.write("Sources/JSONRPC/Counter.swift", SOURCE)
        self.commit()
        subprocess.run([f"{self.folder}/.ci/libraries", "--record"], check=True)
        self.assertTrue(self.is_unchanged())

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t", *words], cwd=self.folder, check=True)

    def write(self, path, text):
        os.makedirs(os.path.dirname(f"{self.folder}/{path}"), exist_ok=True)
        with open(f"{self.folder}/{path}", "w", encoding="utf-8") as file:
            file.write(text)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "A change")

    def is_unchanged(self):
        return subprocess.run([f"{self.folder}/.ci/libraries", "--unchanged"], check=False).returncode == 0

    def test_a_comment_changes_no_library(self):
        text = SOURCE.replace("/// A counter.", "/// The number of clicks.").replace("// The count.", "// From 0.")
        self.write("Sources/JSONRPC/Counter.swift", text)
        self.commit()
        self.assertTrue(self.is_unchanged())

    def test_code_changes_a_library(self):
        self.write("Sources/JSONRPC/Counter.swift", SOURCE.replace("count = 0", "count = 1"))
        self.assertFalse(self.is_unchanged(), "not committed")
        self.commit()
        self.assertFalse(self.is_unchanged())

    def test_a_new_file_changes_a_library(self):
        self.write("Sources/WorkflowRuntime/Node.swift", "struct Node {}\n")
        self.commit()
        self.assertFalse(self.is_unchanged())

    def test_the_tools_version_changes_the_manifest(self):
        self.write("Package.swift", MANIFEST.replace("6.2", "6.3"))
        self.commit()
        self.assertFalse(self.is_unchanged())

    def test_another_module_changes_no_library(self):
        self.write("Sources/TodoModel/Todo.swift", "struct Todo {}\n")
        self.commit()
        self.assertTrue(self.is_unchanged())


if __name__ == "__main__":
    unittest.main()
