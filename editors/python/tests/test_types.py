"""The types that are generated from the schema of the server: up to date, and usable."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import fields
from typing import get_type_hints

from real import SERVER
from support import FOLDER
from todo_server import Todo, wire

GENERATOR = os.path.join(FOLDER, "generate_types")


class TypesTests(unittest.TestCase):
    def generate(self, program, *arguments):
        environment = {**os.environ, "TODO_SERVER": " ".join(SERVER)}
        return subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, env=environment)

    def test_they_are_what_the_schema_says(self):
        result = self.generate(GENERATOR, "--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_stale_types_are_found_and_generated_again(self):
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy(GENERATOR, folder)
            path = os.path.join(folder, "src", "todo_server", "wire.py")
            os.makedirs(os.path.dirname(path))
            with open(wire.__file__) as good, open(path, "w") as stale:
                stale.write(good.read().replace("    badge: str\n", ""))
            self.assertIn("is not what the schema says", self.generate(program, "--check").stderr)
            self.assertEqual(self.generate(program).returncode, 0)
            self.assertEqual(self.generate(program, "--check").returncode, 0)

    def test_every_name_in_them_is_there(self):
        made = [one for one in vars(wire).values() if isinstance(one, type) and hasattr(one, "__total__")]
        self.assertGreater(len(made), 50)
        for one in made:
            get_type_hints(one)

    def test_a_todo_has_what_the_schema_gives_it(self):
        names = {"createdAt": "created_at", "sourceDue": "source_due", "updatedAt": "updated_at", "source": "url"}
        for member in get_type_hints(wire.Todo):
            self.assertIn(names.get(member, member), {one.name for one in fields(Todo)})


if __name__ == "__main__":
    unittest.main()
