"""Tests `todo-server lsp` with real clients, which the test starts."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from client import HERE, PATIENCE_SECONDS, PROJECT, SERVER

CLIENTS = os.path.join(HERE, "clients")
TITLES = """
import json, sys
for line in sys.stdin:
    for todo in json.loads(line).get("result", {}).get("todos", []):
        print(f"[{'x' if todo['done'] else ' '}] {todo['title']} ({todo['note']})")
"""
README = os.path.join(PROJECT, "editors/lsp/README.md")
NEOVIMS = shlex.split(os.environ.get("NVIM", "nvim"))


def configuration(client):
    """Returns the configuration of a client from the README."""
    with open(README, encoding="utf-8") as file:
        after = file.read().split(f"\n{client}:\n", 1)[1]
    return after.split("```", 2)[1].split("\n", 1)[1]


class ClientTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="todo-lsp-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = ["--store", f"sqlite:{self.folder}/store/todos.sqlite"]
        self.path = os.path.join(self.folder, "todos.md")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("<!-- todo-server ann local 0 -->\n<!-- end -->\n")

    def call(self, method, **params):
        """Returns a command that sends requests to another server, and prints the responses."""
        calls = [("initialize", {}), ("login", {"name": "ann"}), (method, params)]
        lines = [
            json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            for number, (method, params) in enumerate(calls)]
        command = shlex.join(["printf", "%s\\n", *lines])
        return f"{command} | {shlex.join(SERVER + self.store)}"

    def add(self, title):
        return f"{self.call('addTodo', title=title)} >/dev/null"

    def titles(self):
        """Returns a command that prints the list, one todo a line."""
        return f"{self.call('listTodos')} | {shlex.join([sys.executable, '-c', TITLES])}"

    def install(self):
        """Installs the server under the name in the README, with the list of the test."""
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        path = os.path.join(folder, "todo-server")
        with open(path, "w", encoding="utf-8") as file:
            words = shlex.join([*SERVER, "lsp", "--name", "ann", *self.store])
            file.write(f"#!/bin/sh\n[ \"$*\" = lsp ] && exec {words}\nexit 64\n")
        os.chmod(path, 0o755)
        return folder

    def run_client(self, *words):
        subprocess.run(["sh", "-c", self.add("From another client")], check=True)
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE_SECONDS * 6, cwd=self.folder, env={
                **os.environ, "PATH": f"{self.install()}:{os.environ['PATH']}", "HOME": self.folder, "XDG_CONFIG_HOME": f"{self.folder}/config",
                "XDG_DATA_HOME": f"{self.folder}/data", "XDG_STATE_HOME": f"{self.folder}/state",
                "XDG_CACHE_HOME": f"{self.folder}/cache", "XDG_RUNTIME_DIR": self.folder,
                "TODO_FILE": self.path, "TODO_ADD": self.add("Added meanwhile"),
                "TODO_TITLES": self.titles(),
                "TODO_LSP": "\n".join(SERVER + ["lsp", "--name", "ann", *self.store])})
        said = done.stdout + done.stderr
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("ok", said.split())

    def test_neovim(self):
        for neovim in NEOVIMS:
            with self.subTest(neovim):
                self.setUp()
                self.run_client(
                    neovim, "--clean", "--headless", "-n", "-i", "NONE",
                    "-c", f"luafile {CLIENTS}/nvim.lua", "-c", "cquit")

    def test_eglot(self):
        self.assertIsNotNone(shutil.which("emacs"))
        self.run_client(
            "emacs", "--batch", "-q", "-f", "package-initialize", "-l", f"{CLIENTS}/wait.el",
            "-l", f"{CLIENTS}/eglot.el")

    def test_lsp_mode(self):
        settings = os.path.join(self.folder, "settings.el")
        with open(settings, "w", encoding="utf-8") as file:
            file.write(configuration("lsp-mode"))
        self.run_client(
            "emacs", "--batch", "-q", "-f", "package-initialize", "-l", settings,
            "-l", f"{CLIENTS}/wait.el", "-l", f"{CLIENTS}/lsp-mode.el")

    def test_ale(self):
        self.assertTrue(os.path.isdir("/usr/share/vim-ale"))
        self.run_client("vim", "-Nu", "NONE", "-es", "-S", f"{CLIENTS}/ale.vim", "-c", "cquit")


if __name__ == "__main__":
    unittest.main()
