"""Which todos the words of a command mean, with the real server."""

import json
import os
import re
import subprocess
import sys
import unittest

from real import RealCase, issue
from support import PROGRAM
from todo_server import NotFound, TodoServer
from todo_server.naming import find_todos


class NamingTests(RealCase):
    def todo(self, *arguments, code=0, **environment):
        run = [sys.executable, PROGRAM, *arguments, "--name", "ann"]
        result = subprocess.run(
            run, capture_output=True, text=True, env={**os.environ, **environment}, stdin=subprocess.DEVNULL
        )
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        return result.stdout if code == 0 else result.stderr

    def import_rows(self, rows):
        text = "\n".join(['{"format":"todo-server","version":1}', *rows, ""])
        server = os.environ["TODO_SERVER"].split()
        subprocess.run([*server, "import", "--name", "ann"], input=text.encode(), check=True, capture_output=True)

    def fill(self):
        """Todos with known ids, the first on top."""
        rows = [("aa1", "Buy milk"), ("aa2", "Buy oat milk"), ("bb1", "Pay the rent"), ("bb2", "Call Bob"),
                ("cc77", "Lamp")]  # fmt: skip
        self.import_rows([json.dumps({"id": id, "title": title}) for id, title in rows])
        return [todo["id"] for todo in json.loads(self.todo("list", "--json"))]

    def done(self):
        return {todo["id"] for todo in json.loads(self.todo("ls", "--json")) if todo["done"]}

    def test_several_ids_ranges_and_words_of_titles(self):
        order = self.fill()
        self.todo("done", "aa1", "bb2")
        self.assertEqual(self.done(), {"aa1", "bb2"})
        self.todo("undone", f"{order[0]}..{order[-1]}")
        self.assertEqual(self.done(), set())
        self.todo("done", f"{order[2]}..{order[1]}")
        self.assertEqual(self.done(), {order[1], order[2]})
        self.todo("undone", order[1], order[2], order[1])
        # Unquoted words are of one title, and the whole title is enough.
        self.todo("done", "oat", "mil")
        self.assertEqual(self.done(), {"aa2"})
        self.todo("done", "buy", "milk")  # the other one is done
        self.assertEqual(self.done(), {"aa1", "aa2"})
        self.todo("rm", "call", "bob")
        self.todo("edit", "rent", "--title", "Pay the rent in March")
        self.assertEqual(self.todo("show", "rent"), "Pay the rent in March\n")
        self.assertEqual(len(json.loads(self.todo("show", "aa1", "aa2", "--json"))), 2)

    def test_ambiguous_or_unknown_words_change_nothing(self):
        self.fill()
        for words, message in [
            (["milk"], "2 titles have “milk”"), (["aa"], "“aa” is the beginning of 2 ids"),
            (["cheese"], "no title that is open has it"), (["aa1", "cheese"], "no title that is open has it"),
            (["bb1..cheese"], "no such todo"), ([""], "no such todo"),
        ]:  # fmt: skip
            with self.subTest(words):
                said = self.todo("done", *words, code=1)
                self.assertIn(message, said)
                self.assertEqual(self.done(), set())
        self.todo("add", "cc7", "cable")
        self.assertIn("the beginning of an id and in a title", self.todo("rm", "cc7", code=1))
        self.todo("rm", "cc77")  # a whole id is not ambiguous
        self.assertNotIn("Lamp", self.todo("list"))

    def test_a_title_names_its_todo_with_all_punctuation(self):
        titles = ["Buy milk: 2 l", "C++ course", "50% off", "(urgent) call", "🎉 party", "@work thing", "a/b test",
                  "#7 fix", "[x] box", "- dash", "a... b", "Buy  oat\tmilk", "tools (new-ish)", "Call C"]  # fmt: skip
        rows = [json.dumps({"id": f"a{number}", "title": title}) for number, title in enumerate(titles)]
        self.import_rows(rows)
        listed = [line.partition("] ")[2] for line in self.todo("ls").splitlines()]
        self.assertEqual(len(listed), len(titles))
        for title in titles[0], "- dash":
            self.assertEqual(self.todo("done", title).partition("] ")[2], title + "\n")
        with TodoServer(name="ann") as todos:
            cases = [([shown], title) for shown, title in zip(listed, titles)]
            cases += [(["Buy", "milk:"], titles[0]), (["c++"], titles[1]), (["off", "50%"], titles[2]),
                      (["(urg"], titles[3]), (["urgent"], titles[3]), (["🎉"], titles[4]), (["#7", "fix"], titles[7]),
                      (["(new"], titles[12])]  # fmt: skip
            for words, title in cases:
                with self.subTest(words):
                    self.assertEqual([todo.title for todo in find_todos(todos, words)], [title])
            todos.add("\u200e")  # is shown as nothing
            for words in (["ish"], [""]):
                self.assertRaises(NotFound, find_todos, todos, words)

    def test_numbers_of_issues(self):
        url = self.issues((200, [issue(number, f"Issue {number}") for number in range(1, 6)]))
        source = ["--source", "github:o/r", "--github-url", url]
        os.environ["TODO_SERVER_SYNC"] = "manual"
        self.addCleanup(os.environ.pop, "TODO_SERVER_SYNC")
        self.assertEqual(self.todo("show", "#3", *source), "Issue 3\n")
        self.assertEqual(self.todo("show", "2-4", "5", *source), "Issue 2\n\nIssue 3\n\nIssue 4\n\nIssue 5\n")

    def test_list_has_words_sort_limit_and_fields(self):
        self.fill()
        self.todo("add", "unquoted", "words", "--note", "n")
        self.assertEqual(len(self.todo("ls", "milk").splitlines()), 2)
        self.assertEqual(len(self.todo("list", "oat", "mil").splitlines()), 1)
        titles = [line.split("] ")[1] for line in self.todo("ls", "--sort", "title", "--limit", "2").splitlines()]
        self.assertEqual(titles, ["Buy milk", "Buy oat milk"])
        self.assertEqual(self.todo("ls", "--sort=-title", "--limit", "0"), "")
        columns = self.todo("ls", "--sort", "title", "--limit", "1", "--fields", "title,done,id")
        self.assertEqual(columns, "Buy milk\tfalse\taa1\n")
        rows = json.loads(self.todo("ls", "unquoted", "--fields", "note,title", "--json"))
        self.assertEqual(rows, [{"title": "unquoted words", "note": "n"}])
        for option, values in (
            (["--fields", "id,password"], "expected one of id, title, "),
            (["--sort", "size"], "expected one of order, -order, title, "),
            (["--limit", "-1"], "expected an integer of at least 0."),
        ):
            said = self.todo("ls", *option, code=1)
            self.assertIn(f"todo: {option[0]} cannot be used: {values}", said)
            self.assertNotIn("got", said)

    def test_editor_works_without_a_terminal_on_stdin(self):
        self.fill()
        script = os.path.join(self.folder, "editor")
        with open(script, "w") as file:
            file.write("#!/bin/sh\nprintf 'Edited\\n\\nnote\\n' > \"$1\"\n")
        os.chmod(script, 0o700)
        self.todo("edit", "bb1", EDITOR=script)
        self.assertEqual(self.todo("show", "bb1"), "Edited\n\nnote\n")
        self.assertIn("edit needs something to change", self.todo("edit", "bb1", code=2))


class TerminalTests(RealCase):
    def test_lines_fit_the_terminal_and_have_colours(self):
        import pty

        def run(**environment):
            controller, terminal = pty.openpty()
            process = subprocess.Popen(
                [sys.executable, PROGRAM, "ls", "--name", "ann"], stdout=terminal, stderr=subprocess.PIPE,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "COLUMNS": "40", "TERM": "xterm", **environment},
            )  # fmt: skip
            os.close(terminal)
            output = b""
            while True:
                try:
                    part = os.read(controller, 65536)
                except OSError:
                    break
                if not part:
                    break
                output += part
            os.close(controller)
            self.assertEqual((process.wait(), process.stderr.read()), (0, b""))
            process.stderr.close()
            return output.decode().replace("\r\n", "\n")

        for title in ("x" * 100, "字" * 50, "short"):
            subprocess.run([sys.executable, PROGRAM, "add", title, "--name", "ann"], check=True, capture_output=True)
        subprocess.run([sys.executable, PROGRAM, "done", "short", "--name", "ann"], check=True, capture_output=True)
        plain = run(NO_COLOR="1")
        self.assertNotIn("\x1b", plain)
        for line in plain.splitlines():
            self.assertLessEqual(sum(2 if character == "字" else 1 for character in line), 40)
        self.assertEqual(plain.count("…"), 2)
        coloured = run(NO_COLOR="")
        self.assertIn("\x1b[2m", coloured)
        self.assertEqual(re.sub(r"\x1b\[\d*m", "", coloured), plain)


if __name__ == "__main__":
    unittest.main()
