"""The filters for the formats of other programs, by themselves and with those programs."""

import json
import os
import subprocess
import sys
import unittest

from real import RealCase
from support import PROGRAM
from todo_server.formats import markdown, split_extras, taskwarrior, todotxt, with_extras

TODO_TXT = """(A) 2026-01-02 Thank Mom for the meatballs @phone
x 2026-01-05 2026-01-02 Pay the rent +home due:2026-01-31
x (B) Odd but possible
Buy milk
Buy milk

  leading space
"""
MARKDOWN = """# Errands

Some words first.

- [ ] Buy milk
  Two litres

  of oats
- [x] Pay the rent
* [X] With a star
  1. [ ] Numbered and indented
     more

Words between.
- [ ] Last ^my-id

The end.
"""


class FilterTests(unittest.TestCase):
    def stored(self, todos):
        """Todos as an export has them after an import."""
        time = "2026-03-04T05:06:07.000Z"
        return [{"createdAt": time, "updatedAt": time, **todo} for todo in todos]

    def test_imported_file_is_exported_unchanged(self):
        for module, text in ((todotxt, TODO_TXT.replace("\n\n", "\n")), (markdown, MARKDOWN)):
            todos = self.stored(module.read(text))
            self.assertEqual(module.write(todos), text)
            again = self.stored(module.read(module.write(todos)))
            self.assertEqual(again, todos)
            self.assertEqual(len({todo["id"] for todo in todos}), len(todos))

    def test_todo_txt(self):
        todos = list(todotxt.read(TODO_TXT))
        self.assertEqual((todos[0]["title"], todos[0]["labels"]), ("Thank Mom for the meatballs", ["phone"]))
        self.assertEqual((todos[1]["title"], todos[1]["labels"]), ("Pay the rent", ["+home"]))
        self.assertEqual(todos[1]["due"], "2026-01-31")
        self.assertEqual(todos[0]["note"], '--- todo.txt ---\nfirst: "2026-01-02"')
        self.assertEqual([todo.get("priority") for todo in todos[:4]], ["high", None, "medium", None])
        self.assertEqual([todo["done"] for todo in todos], [False, True, True, False, False, False])
        self.assertEqual(todos[1]["createdAt"], "2026-01-02T00:00:00.000Z")

    def test_markdown(self):
        todos = list(markdown.read(MARKDOWN))
        titles = ["Buy milk", "Pay the rent", "With a star", "Numbered and indented", "Last"]
        self.assertEqual([todo["title"] for todo in todos], titles)
        self.assertEqual(split_extras(todos[0]["note"], "markdown")[0], "Two litres\n\nof oats")
        self.assertEqual([todo["done"] for todo in todos], [False, True, True, False, False])
        self.assertEqual(todos[4]["id"], "my-id")

    def test_todos_of_ours_go_there_and_come_back(self):
        ours = self.stored([
            {"id": "8f3k1m9p2q7r5s4t", "title": "Buy milk", "note": "Two\n\nlitres é ☕", "done": False},
            {"id": "b4ekdgxbtj56qz35", "title": "Done", "note": "", "done": True},
        ])  # fmt: skip
        for module in (todotxt, markdown):
            back = list(module.read(module.write(ours)))
            for one, other in zip(ours, back):
                extras = split_extras(other["note"], module.NAME)
                self.assertEqual((other["id"], other["title"], extras[0], other["done"]),
                                 (one["id"], one["title"], one["note"], one["done"]))  # fmt: skip

    def test_ends_of_lines_and_dates_that_are_text_are_not_lost(self):
        ours = self.stored([{"id": "8f3k1m9p2q7r5s4t", "title": "A", "note": "from\r\nGitHub\r\n.", "done": False}])
        self.assertEqual(list(markdown.read(markdown.write(ours)))[0]["note"], ours[0]["note"])
        windows = markdown.write(ours).replace("\r", "").replace("\n", "\r\n")
        self.assertEqual(list(markdown.read(windows))[0]["note"], "from\nGitHub\n.")
        line = "2024-01-01 2024-05-05 was a Sunday\n"
        self.assertEqual(todotxt.write(self.stored(todotxt.read(line))), line)

    def test_export_has_the_changed_fields(self):
        first = self.stored(todotxt.read(TODO_TXT))
        first[0]["done"], first[1]["done"] = True, False
        first[3]["title"] = "Buy bread"
        lines = todotxt.write(first).splitlines()
        self.assertEqual(lines[0], "x (A) 2026-01-02 Thank Mom for the meatballs @phone")
        self.assertEqual(lines[1], "2026-01-02 Pay the rent +home due:2026-01-31")
        self.assertEqual(lines[3], f"Buy bread id:{first[3]['id']}")

    def test_titles_that_a_todo_cannot_have(self):
        for text in ("  two  spaces ", "x" * 2000, " "):
            for module, wrap in ((markdown, "- [ ] {}\n"),):
                todos = self.stored(module.read(wrap.format(text)))
                self.assertLessEqual(len(todos[0]["title"]), 1024)
                self.assertEqual(todos[0]["title"], todos[0]["title"].strip())
                self.assertEqual(module.write(todos), wrap.format(text))

    def test_a_note_that_only_looks_like_ours(self):
        for note in ("a\n--- markdown ---\nno colon", "--- markdown ---", "--- other ---\na: 1", ""):
            self.assertEqual(split_extras(note, "markdown"), (note, {}))
        for note in ("", "one", "one\n", "one\n\n"):
            self.assertEqual(split_extras(with_extras(note, "markdown", {"a": 1}), "markdown"), (note, {"a": 1}))


class FieldTests(unittest.TestCase):
    def setUp(self):
        self.reports = []

    def report(self, line, message):
        self.reports.append((line, message))

    def todo(self, title="Plan", note="", **fields):
        time = "2026-03-04T05:06:07.000Z"
        return {"id": "8f3k1m9p2q7r5s4t", "title": title, "note": note, "done": False,
                "createdAt": time, "updatedAt": time, **fields}  # fmt: skip

    def assert_comes_back(self, module, todo):
        text = module.write([todo], self.report)
        (back,) = module.read(text)
        for member in ("title", "due", "labels", "priority"):
            self.assertEqual(back.get(member), todo.get(member), text)
        stored = {**todo, **back, "createdAt": todo["createdAt"], "updatedAt": todo["updatedAt"]}
        self.assertEqual(module.write([stored]), text)

    def test_fields_are_words_and_members(self):
        todo = self.todo(due="2026-12-01", labels=["+big", "home"])
        self.assertIn("Plan @home due:2026-12-01", todotxt.write([{**todo, "labels": ["home"]}]))
        self.assertIn("Plan +big @home due:2026-12-01", todotxt.write([todo]))
        self.assertIn("- [ ] Plan #home 📅 2026-12-01 ^8f3", markdown.write([{**todo, "labels": ["home"]}]))
        task = json.loads(taskwarrior.write([{**todo, "labels": ["home"]}]))[0]
        self.assertEqual((task["tags"], task["description"]), (["home"], "Plan"))

    def test_unheld_values_are_reported_and_come_back(self):
        todo = self.todo(note="By Friday", due="2026-12-01T17:30", labels=["bug", "two words"], priority="low")
        for module in (todotxt, markdown, taskwarrior):
            self.reports.clear()
            self.assert_comes_back(module, todo)
            said = " ".join(message for _, message in self.reports)
            self.assertIn("“two words”", said)
            self.assertEqual("2026-12-01T17:30" in said, module is not taskwarrior)
        self.reports.clear()
        self.assert_comes_back(taskwarrior, self.todo(due="2026-12-01T00:00"))
        self.assertEqual([line for line, _ in self.reports], [2])
        self.reports.clear()
        markdown.write([self.todo(note="a"), self.todo(labels=["two words"])], self.report)
        self.assertEqual([line for line, _ in self.reports], [3])

    def test_changes_by_another_program_count(self):
        todo = self.todo(due="2026-12-01T17:30", labels=["two words"])
        (back,) = todotxt.read(todotxt.write([todo]).replace("due:2026-12-01", "due:2026-12-02"))
        self.assertEqual((back["due"], back["labels"]), ("2026-12-02", ["two words"]))

    def test_other_words_are_text(self):
        for line in ("Plan due:2026-02-30", "Plan due:diligence", "@home", "Plan @", "a @b c"):
            (todo,) = todotxt.read(line + "\n")
            self.assertEqual((todo["title"], "due" in todo or "labels" in todo), (line, False))
        for line in ("Plan #12", "Plan C#", "#home", "Plan 📅 2026-02-30", "📅 2026-12-01", "Plan #a,b"):
            (todo,) = markdown.read(f"- [ ] {line}\n")
            self.assertEqual((todo["title"], "due" in todo or "labels" in todo), (line, False))

    def test_other_orders_of_words_are_exported_unchanged(self):
        for module, text in (
            (todotxt, "Plan due:2026-12-01 @b  @a\n"), (markdown, "- [ ] Plan 📅 2026-12-01 #b #a\n"),
            (markdown, "- [ ] Plan 📅2026-12-01\n"), (markdown, "- [ ] Plan #B #b\n"), (markdown, "- [ ] Plan 🔺\n"),
            (todotxt, "(D) Plan @a\n"), (todotxt, "(B) Plan\n"),
        ):  # fmt: skip
            (todo,) = module.read(text)
            self.assertEqual(module.write([{**self.todo(), **todo}]), text)

    def test_tasks(self):
        task = {"uuid": "b0c79d5f-2621-574b-97dd-f4651f289c5e", "description": "Plan", "status": "pending",
                "entry": "20260304T050607Z", "due": "20261201T173015Z", "tags": ["next", "bug"]}  # fmt: skip
        (todo,) = taskwarrior.read(json.dumps([task]), self.report)
        self.assertEqual(todo["labels"], ["bug", "next"])
        self.assertIn("no seconds", self.reports[0][1])
        (low,) = taskwarrior.read(json.dumps([{**task, "priority": "L"}]))
        self.assertEqual(low["priority"], "low")
        self.assertEqual(json.loads(taskwarrior.write([{**self.todo(), **low}]))[0]["priority"], "L")
        (back,) = json.loads(taskwarrior.write([{**self.todo(), **todo}]))
        self.assertEqual((back["due"], back["tags"]), (task["due"], task["tags"]))
        moved = {**self.todo(), **todo, "due": "2026-12-02"}
        self.assertNotEqual(json.loads(taskwarrior.write([moved]))[0]["due"], task["due"])
        removed = {key: value for key, value in {**self.todo(), **todo}.items() if key != "due"}
        self.assertNotIn("due", json.loads(taskwarrior.write([removed]))[0])


class ProgramTests(RealCase):
    def todo(self, *arguments, stdin="", code=0):
        run = [sys.executable, PROGRAM, *arguments, *([] if "--name" in arguments else ["--name", "ann"])]
        result = subprocess.run(run, input=stdin, capture_output=True, text=True)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        return result.stdout if code == 0 else result.stderr

    def task(self, *arguments, stdin="", data="task"):
        home = os.path.join(self.data, data)
        os.makedirs(home, exist_ok=True)
        environment = {"HOME": home, "PATH": os.environ["PATH"], "TASKDATA": home, "TASKRC": "/dev/null"}
        run = ["task", "rc.confirmation=off", "rc.verbose=nothing", *arguments]
        result = subprocess.run(run, input=stdin, capture_output=True, text=True, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def tasks(self, data="task"):
        listed = json.loads(self.task("export", data=data))
        for task in listed:
            for computed in ("id", "urgency", "modified"):
                task.pop(computed, None)
        return sorted(listed, key=lambda task: task["uuid"])

    def test_taskwarrior(self):
        self.task("add", "Buy milk é ☕", "project:home", "priority:H", "+shop", "due:2026-12-01")
        self.task("1", "annotate", "two litres")
        self.task("add", "Pay the rent")
        self.task("2", "done")
        self.task("add", "Gone")
        self.task("3", "delete")
        exported = self.task("export")
        self.assertEqual(
            self.todo("import", "-", "--from", "taskwarrior", stdin=exported), "2 imported, 0 unchanged, 0 skipped\n"
        )
        self.assertEqual(
            self.todo("import", "-", "--from", "taskwarrior", stdin=exported), "0 imported, 2 unchanged, 0 skipped\n"
        )
        listed = json.loads(self.todo("list", "--json"))
        self.assertEqual(
            {todo["title"]: todo["done"] for todo in listed}, {"Buy milk é ☕": False, "Pay the rent": True}
        )
        milk = next(todo for todo in listed if not todo["done"])
        self.assertEqual(milk["note"], "two litres")
        # Into an empty Taskwarrior it comes back as it was.
        self.task("import", stdin=self.todo("export", "--to", "taskwarrior"), data="other")
        before = [task for task in self.tasks() if task["status"] != "deleted"]
        self.assertEqual(self.tasks("other"), before)
        # A todo that was changed since is reported, and not imported.
        self.todo("edit", milk["id"][:6], "--title", "Buy bread")
        self.todo("rm", next(todo["id"] for todo in listed if todo["done"]))
        again = self.todo("import", "-", "--from", "taskwarrior", stdin=exported)
        self.assertIn(f"skipped (changed): {milk['id']}  Buy milk é ☕\n", again)
        self.assertIn("skipped (removed here): ", again)
        self.assertTrue(again.endswith("0 imported, 0 unchanged, 2 skipped\n"), again)

    def test_data_of_another_program_is_beside_the_note(self):
        self.task("add", "Buy milk", "project:home", "priority:H")
        self.todo("import", "-", "--from", "taskwarrior", stdin=self.task("export"))
        line = "(D) 2026-01-02 Thank Mom @phone\n"
        self.todo("import", "-", "--from", "todotxt", stdin=line)
        for todo in json.loads(self.todo("list", "--json")):
            self.assertEqual(todo["note"], "")
            self.todo("edit", todo["id"], "--note", "replaced")
        milk = next(task for task in json.loads(self.todo("export", "--to", "taskwarrior")) if "project" in task)
        self.assertEqual((milk["project"], milk["priority"]), ("home", "H"))
        self.assertEqual(milk["annotations"][0]["description"], "replaced")
        self.assertIn("(D) 2026-01-02 Thank Mom @phone note:replaced\n", self.todo("export", "--to", "todotxt"))
        self.assertEqual(os.stat(os.path.join(self.data, "todo-server", "todos.beside.ndjson")).st_mode & 0o777, 0o600)
        # Another profile has its own, and a later import has the newest.
        own = self.todo("import", "-", "--from", "todotxt", "--name", "bob", stdin=line.replace("(D)", "(E)"))
        self.assertEqual(own, "1 imported, 0 unchanged, 0 skipped\n")
        self.assertIn("(D)", self.todo("export", "--to", "todotxt"))
        self.todo("import", "-", "--from", "todotxt", stdin="(F) 2026-01-02 Buy oats\n")
        again = self.todo("import", "-", "--from", "todotxt", stdin="2026-01-02 Buy oats\n")
        self.assertEqual(again, "0 imported, 1 unchanged, 0 skipped\n")
        self.assertIn("\n2026-01-02 Buy oats\n", "\n" + self.todo("export", "--to", "todotxt"))

    def test_data_below_a_note_of_an_earlier_version_is_exported(self):
        note = with_extras("two litres", "todo.txt", {"priority": "A"})
        self.todo("add", "Buy milk", "--note", note)
        self.assertIn("(A) Buy milk note:two%20litres", self.todo("export", "--to", "todotxt"))

    def test_line_that_cannot_be_read_completely_becomes_text(self):
        text = "one\n\n2026-02-30 typo\nx 2026-01-02 2026-13-01 two\nthree id:" + "i" * 2000 + "\nfour\n"
        run = [sys.executable, PROGRAM, "import", "-", "--from", "todotxt", "--name", "ann"]
        done = subprocess.run(run, input=text, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "5 imported, 0 unchanged, 0 skipped\n"), done.stderr)
        self.assertEqual([line[: len("todo: line 3:")] for line in done.stderr.splitlines()],
                         ["todo: line 3:", "todo: line 4:", "todo: line 5:"])  # fmt: skip
        self.assertIn("2026-02-30 does not exist", done.stderr)
        listed = {todo["title"]: todo["done"] for todo in json.loads(self.todo("list", "--json"))}
        self.assertEqual(listed.pop("2026-02-30 typo"), False)
        self.assertEqual(listed.pop("x 2026-01-02 2026-13-01 two"), False)
        self.assertEqual(sorted(listed)[:2], ["four", "one"])
        self.assertEqual(self.todo("export", "--to", "todotxt").splitlines()[1], "2026-02-30 typo")

    def test_task_that_cannot_be_read_becomes_text(self):
        good = '{"uuid":"6f1c0d3e-54f5-4d1b-9f0e-7f6a1f0f5a53","description":"good","status":"pending"}'
        bad = '{"uuid":7,"description":"number","status":"pending"}'
        for text, line in ((f"[\n{good},\n{bad}\n]\n", 3), (f"{good}\n{{half\n", 2)):
            run = [sys.executable, PROGRAM, "import", "-", "--from", "taskwarrior", "--name", f"line{line}"]
            done = subprocess.run(run, input=text, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, "2 imported, 0 unchanged, 0 skipped\n"), done.stderr)
            self.assertTrue(done.stderr.startswith(f"todo: line {line}: "), done.stderr)

    def test_todos_of_ours_in_taskwarrior(self):
        self.todo("add", "Buy milk", "--note", "Two litres\n\nof oats")
        number = json.loads(self.todo("add", "Pay the rent", "--json"))["id"]
        self.todo("done", number)
        self.task("import", stdin=self.todo("export", "--to", "taskwarrior"))
        tasks = {task["description"]: task for task in self.tasks()}
        self.assertEqual(tasks["Pay the rent"]["status"], "completed")
        self.assertEqual(tasks["Buy milk"]["annotations"][0]["description"], "Two litres\n\nof oats")

    def test_todo_txt(self):
        folder = os.path.join(self.folder, "todotxt")
        os.mkdir(folder)
        config, file = os.path.join(folder, "config"), os.path.join(folder, "todo.txt")
        with open(config, "w") as out:
            out.write(f'export TODO_DIR="{folder}"\nexport TODO_FILE="{file}"\nexport DONE_FILE="{folder}/done.txt"\n'
                      f'export REPORT_FILE="{folder}/report.txt"\n')  # fmt: skip

        def program(*arguments):
            run = ["todo-txt", "-d", config, "-f", "-a", "-p", *arguments]
            return subprocess.run(run, capture_output=True, text=True, check=True).stdout

        program("add", "Buy milk @shop")
        program("add", "Pay the rent +home due:2026-01-31")
        program("pri", "1", "A")
        program("do", "2")
        with open(file) as made:
            before = made.read()
        self.assertEqual(self.todo("import", file, "--from", "todotxt"), "2 imported, 0 unchanged, 0 skipped\n")
        self.assertEqual(self.todo("export", "--to", "todotxt"), before)
        self.todo("add", "Third", "--note", "with a note")
        with open(file, "w") as out:
            out.write(self.todo("export", "--to", "todotxt"))
        self.assertIn("(A) Buy milk @shop", program("ls"))
        program("do", "1")
        said = self.todo("import", file, "--from", "todotxt").splitlines()
        self.assertEqual((len(said), said[-1]), (2, "0 imported, 2 unchanged, 1 skipped"))
        self.assertTrue(said[0].startswith("skipped (changed): ") and said[0].endswith("Third"), said)

    def test_markdown_files(self):
        path = os.path.join(self.folder, "todo.md")
        with open(path, "w") as file:
            file.write(MARKDOWN)
        self.assertEqual(self.todo("import", path, "--from", "markdown"), "5 imported, 0 unchanged, 0 skipped\n")
        self.assertEqual(self.todo("import", path, "--from", "markdown"), "0 imported, 5 unchanged, 0 skipped\n")
        self.assertEqual(self.todo("export", "--to", "markdown"), MARKDOWN)

    def test_the_servers_own_format(self):
        self.todo("add", "Buy milk")
        lines = self.todo("export")
        kinds = [next(iter(json.loads(line))) for line in lines.splitlines()]
        self.assertEqual(kinds, ["format", "list", "id", "change", "end"])
        self.assertEqual(self.todo("import", "-", stdin=lines), "imported\n")

    def test_a_delivered_text_with_a_zero_character(self):
        lines = [
            {"format": "todo-server", "version": 2},
            {"list": {"name": "ann", "source": "github:octo/tasks"}},
            {"title": ["a", "b"], "note": "x", "source": {"url": "https://u/1", "number": 1}},
            {"end": {"lines": 3}},
        ]
        self.todo("import", "-", stdin="\n".join(map(json.dumps, lines)))
        for kind in ("todotxt", "markdown", "taskwarrior"):
            self.assertIn("a", self.todo("export", "--source", "github:octo/tasks", "--to", kind))

    def test_taskwarrior_date_that_cannot_be_read_is_reported_in_plain_words(self):
        good = {"uuid": "6f1c0d3e-54f5-4d1b-9f0e-7f6a1f0f5a53", "description": "good", "status": "pending"}
        run = [sys.executable, PROGRAM, "import", "-", "--from", "taskwarrior"]
        done = subprocess.run(run, input=json.dumps([good, {**good, "due": "soon"}]), capture_output=True, text=True)
        self.assertIn("imported as text, because it cannot be read completely: soon is not a time", done.stderr)

    def test_input_in_another_format_is_refused(self):
        for text in ("{}", "[1]", "nonsense", '[{"uuid": "a"}]', '[{"status":"pending","uuid":"a"}]'):
            self.assertIn(
                "This is not what taskwarrior writes",
                self.todo("import", "-", "--from", "taskwarrior", stdin=text, code=1),
            )
        self.assertIn("No such file", self.todo("import", "/no/such", "--from", "markdown", code=1))


if __name__ == "__main__":
    unittest.main()
