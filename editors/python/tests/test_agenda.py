"""The agenda: of the package and of the command, over several lists, in the user's time zone."""

import json
import os
import re
import subprocess
import sys
import unittest
from datetime import date, timedelta

from real import SECONDS, RealCase, issue, noon_of_another_day
from support import PROGRAM, Terminal, fake_server
from todo_server import TodoError, TodoServer
from todo_server.agenda import section

LISTS = [{"source": name, "total": 1, "pending": 0, "conflicts": 0, "open": name == "b"} for name in ("a", "b")]


class SectionTests(unittest.TestCase):
    def test_sections_of_days(self):
        today = date(2026, 11, 28)
        for due, name in [
            ("0001-01-01", "overdue"), ("2026-11-27T23:59", "overdue"), ("2026-11-28", "today"),
            ("2026-11-28T00:00", "today"), ("2026-11-29T23:59", "tomorrow"), ("2026-11-30", "week"),
            ("2026-12-04T12:00", "week"), ("2026-12-05", "later"), ("9999-12-31", "later"),
        ]:  # fmt: skip
            with self.subTest(due):
                self.assertEqual(section(due, today), name)


class LibraryTests(RealCase):
    def test_requests_of_several_lists_are_sent_together(self):
        """The server reads all of them before it answers the first, and the open list is open again."""
        page = {"todos": [], "total": 0, "offset": 0}
        script = [["expect", "initialize"], ["answer", {}], ["expect", "login"], ["answer", {}],
                  ["expect", "listLists"], ["answer", {"lists": LISTS}]]  # fmt: skip
        for method in ("openList", "listTodos", "openList", "listTodos", "openList"):
            script.append(["expect", method])
        results = [{"source": "a"}, page, {"source": "b"}, page, {"source": "b"}]
        script += [["send", {"id": number, "result": result}] for number, result in enumerate(results, 4)]
        with TodoServer(name="ann", command=fake_server(*script)) as todos:
            self.assertEqual(todos.agenda(), [])

    def test_list_that_cannot_be_opened_is_an_error(self):
        """Its todos would be those of another list."""
        script = [["expect", "initialize"], ["answer", {}], ["expect", "login"], ["answer", {}],
                  ["expect", "listLists"], ["answer", {"lists": LISTS}],
                  ["expect", "openList"], ["fail", {"code": -32803, "message": "gone", "data": {"kind": "notFound"}}]]  # fmt: skip
        for method in ("listTodos", "openList", "listTodos", "openList"):
            script += [["expect", method], ["answer", {"todos": [], "total": 0, "offset": 0}]]
        with TodoServer(name="ann", command=fake_server(*script)) as todos:
            with self.assertRaisesRegex(TodoError, "gone"):
                todos.agenda()

    def test_more_todos_than_a_response_has(self):
        todo = {"title": "A", "note": "", "done": False, "version": 1, "sync": "local", "due": "2020-01-01",
                "createdAt": "2026-01-31T08:15:00.123Z", "updatedAt": "2026-01-31T08:15:00.123Z"}  # fmt: skip
        script = [["expect", "initialize"], ["answer", {}], ["expect", "login"], ["answer", {}],
                  ["expect", "listLists"], ["answer", {"lists": LISTS[1:]}],
                  ["expect", "listTodos"], ["answer", {"todos": [{**todo, "id": "x"}], "total": 2, "truncated": True}],
                  ["expect", "listTodos"], ["answer", {"todos": [{**todo, "id": "y"}], "total": 2}]]  # fmt: skip
        with TodoServer(name="ann", command=fake_server(*script)) as todos:
            self.assertEqual([(row.section, row.list, row.todo.id) for row in todos.agenda()], [
                ("overdue", "b", "x"), ("overdue", "b", "y")])  # fmt: skip

    def test_agenda_of_the_real_server(self):
        with TodoServer(name="ann") as todos:
            todos.add("Never")
            later, early = todos.add("Later", due="9998-01-01"), todos.add("Early", due="2020-01-01T10:00")
            todos.edit(todos.add("Done", due="2020-01-01"), done=True)
            self.assertEqual([(row.section, row.list, row.todo) for row in todos.agenda()], [
                ("overdue", "local", early), ("later", "local", later)])  # fmt: skip

    def test_open_list_stays_open(self):
        sources = {"sources": ["local", "github:o/r"], "githubURL": self.issues((200, []))}
        with TodoServer(name="ann", options=sources) as todos:
            todos.open("local")
            todos.add("Rent", due="2020-01-01")
            self.assertEqual([row.list for row in todos.agenda()], ["local"])
            self.assertEqual([todo.title for todo in todos.list()], ["Rent"])


class CommandTests(RealCase):
    def setUp(self):
        super().setUp()
        self.zone, self.today = noon_of_another_day()

    def todo(self, *arguments, code=0):
        """The stdout of a command; of one that fails also its stderr."""
        result = subprocess.run(
            [sys.executable, PROGRAM, *arguments, "--name", "ann"], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=SECONDS, env={**os.environ, "TZ": self.zone},
        )  # fmt: skip
        self.assertEqual(result.returncode, code, f"{arguments}\n{result.stdout}\n{result.stderr}")
        return result.stdout if code == 0 else (result.stdout, result.stderr)

    def day(self, days):
        return (self.today + timedelta(days=days)).isoformat()

    def add(self, title, due, *more):
        return self.todo("add", title, "--due", due, *more).split()[0]

    def test_a_list_with_a_filter(self):
        bug = {**issue(1, "Issue"), "labels": [{"name": "two words"}, {"name": "bug"}]}
        url = self.issues((200, [bug]))
        source = "github:o/r?milestone=none&labels=bug,two%20words"
        options = ["--source", source, "--github-url", url]
        self.assertRegex(self.todo("list", *options), "Issue")
        self.assertIn("/repos/o/r/issues?per_page=100&state=open&labels=bug,two%20words&milestone=none", self.asked)
        lists = json.loads(self.todo("lists", "--json", *options))
        self.assertEqual([(one["source"], one["filter"], one["total"]) for one in lists], [
            ("github:o/r", "labels=bug,two%20words&milestone=none", 1)])  # fmt: skip
        self.assertIn("github:o/r?labels=bug,two%20words&milestone=none", self.todo("lists", *options))
        refused = self.todo("list", "--source", "github:o/r?label=bug", code=1)[1]
        self.assertEqual(
            refused,
            "todo: --source cannot be used: expected only the parameters assignee, creator, labels, milestone.\n")  # fmt: skip

    def test_the_list_of_assigned_issues(self):
        mine = {
            **issue(7, "Issue"), "assignees": [{"login": "me"}], "repository": {"full_name": "Ann/home"},
        }  # fmt: skip
        url = self.issues((200, {"login": "me"}), (200, [mine]))
        options = ["--source", "github:@me", "--github-url", url]
        todo = json.loads(self.todo("list", "--json", *options))[0]
        self.assertEqual((todo["source"]["number"], todo["source"]["repository"]), (7, "Ann/home"))
        self.assertEqual(self.asked[:2], ["/user", "/issues?per_page=100&state=open&filter=assigned"])
        self.assertIn("cannot be added", self.todo("add", "New", *options, code=1)[1])

    def test_sections_in_the_users_time_zone(self):
        titles = {"Overdue": -1, "Today": 0, "Tomorrow": 1, "This week": 6, "Later": 7}
        ids = {title: self.add(title, self.day(days)) for title, days in reversed(titles.items())}
        self.todo("add", "Never")
        blocks = [f"{title}\n{ids[title]}  {self.day(days)}  {title}\n" for title, days in titles.items()]
        self.assertEqual(self.todo("agenda"), "\n".join(blocks))
        rows = json.loads(self.todo("agenda", "--json"))
        self.assertEqual([(row["section"], row["list"], row["todo"]["title"]) for row in rows], [
            ("overdue", "local", "Overdue"), ("today", "local", "Today"), ("tomorrow", "local", "Tomorrow"),
            ("week", "local", "This week"), ("later", "local", "Later")])  # fmt: skip
        # The server has the same day.
        for query, title in [("is:overdue", "Overdue"), ("due:today", "Today"), ("due:tomorrow", "Tomorrow")]:
            self.assertEqual(self.todo("list", query, "--fields", "title"), f"{title}\n")

    def test_empty_agenda(self):
        self.todo("add", "Never")
        self.assertEqual(self.todo("agenda"), "")
        self.assertEqual(json.loads(self.todo("agenda", "--json")), [])

    def test_issue_in_two_lists_is_one_row(self):
        """GitHub answers for the old name of a repository, too."""
        url = self.issues((200, [issue(1, "Shared"), issue(2, "Other")]))
        sources = ["github:o/old", "github:o/r"]
        for source in sources:
            options = ["--source", source, "--github-url", url]
            self.todo("list", *options)
            self.todo("edit", "1", "--due", "2020-01-01", *options)
        self.todo("edit", "2", "--due", "2020-01-02 17:30", *options)
        local = self.add("Mine", "2020-01-01", "--label", "two words", "--priority", "high")
        options = ["--source", "local", *(word for source in sources for word in ("--source", source))]
        lines = self.todo("agenda", *options, "--github-url", url).splitlines()
        self.assertEqual([re.sub(r"^\S+  ", "", line) for line in lines], [
            "Overdue",
            '2020-01-01        local         Mine  #"two words"  !high',
            "2020-01-01        github:o/old  Shared",
            "2020-01-02 17:30  github:o/r    Other",
        ])  # fmt: skip
        self.assertTrue(lines[1].startswith(f"{local}  "))

    def test_offline_it_lists_what_is_stored(self):
        url = self.issues((200, [issue(1, "Issue")]), (500, {}))
        github = ["--source", "github:o/r", "--github-url", url]
        self.todo("list", *github)
        os.environ["TODO_SERVER_SYNC"] = "manual"
        self.addCleanup(os.environ.pop, "TODO_SERVER_SYNC")
        self.todo("edit", "1", "--due", "2020-01-01", *github)
        self.add("Mine", "2020-01-02")
        out, err = self.todo("agenda", "--source", "local", *github, code=1)
        self.assertRegex(out, r"^Overdue\n\S+  2020-01-01  github:o/r  Issue\n\S+  2020-01-02  local       Mine\n$")
        self.assertRegex(err, r"^todo: github:o/r: .+ \(Listed is what is stored here.\)\n$")

    def test_lines_fit_the_terminal(self):
        id = self.add("x" * 100, "2020-01-01")
        terminal = Terminal(self.environment, "agenda", "--name", "ann", columns=40)
        self.addCleanup(terminal.close)
        terminal.wait("ended with 0")
        heading, row, *_ = terminal.text("-e").split("\n")
        self.assertEqual(re.sub(r"\x1b\[[\d;]*m|\x0f", "", heading), "Overdue")
        self.assertIn("\x1b[1m", heading)
        self.assertIn("\x1b[31m", row)
        self.assertRegex(re.sub(r"\x1b\[[\d;]*m|\x0f", "", row), rf"^{id[:4]}  2020-01-01  x{{21}}…$")
