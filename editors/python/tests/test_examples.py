"""Each recipe does what its first lines say."""

import os
import shlex
import signal
import subprocess
import sys
import unittest

from real import SECONDS, RealCase
from support import FOLDER, PROGRAM, until
from todo_server import TodoServer


class ExampleTests(RealCase):
    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.folder, "bin")
        os.mkdir(self.bin)
        self.program("todo", f'exec {shlex.quote(sys.executable)} {shlex.quote(PROGRAM)} "$@"')

    def program(self, name, script):
        path = os.path.join(self.bin, name)
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o700)

    def environment_of(self, **more):
        paths = {"PATH": f"{self.bin}:{os.environ['PATH']}", "PYTHONPATH": os.path.join(FOLDER, "src")}
        return {**os.environ, **paths, "TODO_NAME": "ann", **more}

    def example(self, name, *arguments):
        run = [os.path.join(FOLDER, "examples", name), *arguments]
        done = subprocess.run(run, capture_output=True, text=True, env=self.environment_of(), stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def add(self, *titles):
        with TodoServer(name="ann") as todos:
            return [todos.add(title) for title in titles]

    def test_every_example_is_tested(self):
        tested = {name[5:].replace("_", "-") for name in dir(self) if name.startswith("test_")}
        self.assertLessEqual(set(os.listdir(os.path.join(FOLDER, "examples"))), tested)

    def test_open_by_word(self):
        self.add("Buy milk", "Buy bread", "Read")
        self.assertEqual(self.example("open-by-word"), "2\tbuy\n1\tbread\n1\tmilk\n1\tread\n")

    def test_mail_summary(self):
        sent = os.path.join(self.folder, "sent")
        self.program("mail", f'{{ printf "%s|" "$@"; echo; cat; }} > {shlex.quote(sent)}')
        self.assertEqual(self.example("mail-summary", "ann@example.org"), "")
        self.assertFalse(os.path.exists(sent))
        _, rent = self.add("Buy milk", "Pay the rent")
        with TodoServer(name="ann") as todos:
            todos.edit(rent, done=True)
        self.example("mail-summary", "ann@example.org")
        with open(sent) as file:
            self.assertEqual(file.read(), "-s|Todos: 1 open|ann@example.org|\n"
                             "Open:\n  - Buy milk\n\nDone since yesterday:\n  - Pay the rent\n")  # fmt: skip

    def test_on_change(self):
        run = [os.path.join(FOLDER, "examples", "on-change"), "echo", "seen:"]
        process = self.start(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment_of())
        os.set_blocking(process.stdout.fileno(), False)

        def change():
            self.add("Buy milk")
            return process.stdout.readline()

        self.assertEqual(until(change, lambda: "it said nothing"), "seen: added Buy milk\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)


if __name__ == "__main__":
    unittest.main()
