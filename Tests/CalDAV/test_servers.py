"""A task list on real servers: todo-server on one side, another client on the other."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

from servers import PASSWORD, PATIENCE_SECONDS, ROOT, Radicale, Xandikos

sys.path.insert(0, os.path.join(ROOT, "editors", "python", "src"))
from todo_server import TodoError, TodoServer  # noqa: E402

PROGRAM = shlex.split(os.environ.get("TODO_SERVER") or os.path.join(ROOT, ".build", "debug", "todo-server"))
# Lines of other programs: they must come back as they were.
FOREIGN = """X-APPLE-SORT-ORDER:652871245
DTSTART;TZID=Europe/Berlin:20301201T090000
X-UNKNOWN;X-A="b;c:d":keep\\, me
ATTENDEE;CN="Bob, the builder";PARTSTAT=NEEDS-ACTION:mailto:bob@example.org
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Reminder
TRIGGER;RELATED=END:-PT15M
END:VALARM"""


def task(uid, *lines):
    lines = "\n".join(lines).split("\n")
    text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other//EN", "BEGIN:VTODO", f"UID:{uid}",
            "DTSTAMP:20260101T000000Z", "CREATED:20260101T000000Z", *lines, "END:VTODO", "END:VCALENDAR", ""]  # fmt: skip
    return "\r\n".join(text)


def lines(text):
    """The lines of an object without folds, in an order that does not depend on the server."""
    return sorted(text.replace("\r\n", "\n").replace("\n ", "").rstrip("\n").split("\n"))


class Cases:
    """The tests of every server."""

    # What a label of several words has between them.
    comma = ","
    # Whether it refuses a synchronization token that it does not know.
    refuses_tokens = True

    @classmethod
    def setUpClass(cls):
        cls.server = cls.kind()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def setUp(self):
        self.path = self.server.make_list(self.id().rpartition(".")[2].replace("_", "-"))
        # A server may allow a UID once for all lists of a user.
        self.addCleanup(self.server.send, "DELETE", self.path)
        self.source = self.server.source(self.path)
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="todo-"))
        password = os.path.join(self.folder, "password")
        with open(password, "w") as file:
            file.write(PASSWORD + "\n")
        self.password = ["--source-password-command", f"cat {shlex.quote(password)}"]
        self.command = [*PROGRAM, "--source", self.source, *self.password]

    def enterContext(self, context):  # of Python 3.11
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def session(self, store="a", sync="manual", command=None, source=None):
        path = os.path.join(self.folder, f"{store}.sqlite")
        options = {"store": f"sqlite:{path}", "source": source or self.source, "sync": sync}
        return TodoServer("ann", command=command or self.command, options=options)

    def add(self, name, *texts):
        self.server.put(f"{self.path}{name}.ics", task(name, *texts))

    def text(self, name):
        return self.server.get(f"{self.path}{name}.ics")[0]

    def open(self, **options):
        session = self.enterContext(self.session(**options))
        session.sync()
        return session

    def todos(self, session):
        return {todo.title: todo for todo in session.list()}

    def test_a_task_is_loaded_with_all_its_fields(self):
        self.add("one", "SUMMARY:Buy milk\\, bread", "DESCRIPTION:a\\nb\\;c", "PRIORITY:3", "DUE;VALUE=DATE:20301224",
                 f"CATEGORIES:home,shop{self.comma.replace(',', chr(92) + ',')} big", "STATUS:IN-PROCESS")  # fmt: skip
        self.add("two", "SUMMARY:Done", "STATUS:COMPLETED", "COMPLETED:20260101T000000Z")
        todos = self.todos(self.open())
        milk = todos["Buy milk, bread"]
        self.assertEqual((milk.note, milk.priority, str(milk.due)), ("a\nb;c", "high", "2030-12-24"))
        self.assertEqual(list(milk.labels), ["home", f"shop{self.comma} big"])
        self.assertEqual((milk.done, todos["Done"].done), (False, True))

    def test_an_added_todo_is_a_task(self):
        session = self.open()
        session.add("Über, alles; \\ ok", "two\nlines", due="2030-12-01 17:30", labels=[f"a{self.comma}b", "c"], priority="low")
        self.assertEqual(session.sync()["pushed"], 1)
        [name] = self.server.names(self.path)
        text = lines(self.server.get(self.path + name)[0])
        for line in ("SUMMARY:Über\\, alles\\; \\\\ ok", "DESCRIPTION:two\\nlines", "DUE:20301201T173000", "PRIORITY:9"):
            self.assertIn(line, text)
        self.assertIn("UID:" + name[: -len(".ics")], text)
        other = self.todos(self.open(store="b"))["Über, alles; \\ ok"]
        self.assertEqual((other.note, list(other.labels), other.priority), ("two\nlines", [f"a{self.comma}b", "c"], "low"))

    def test_an_edit_changes_the_lines_of_its_field_only(self):
        self.add("one", "SUMMARY;LANGUAGE=en:Old", "STATUS:NEEDS-ACTION", "DUE;TZID=Europe/Berlin:20301201T100000", FOREIGN)
        before = lines(self.text("one"))
        session = self.open()
        session.edit(self.todos(session)["Old"], title="New")
        session.sync()
        after = lines(self.text("one"))
        changed = ("DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "SUMMARY")
        rest = [[line for line in text if not line.startswith(changed)] for text in (before, after)]
        self.assertEqual(rest[0], rest[1])
        self.assertIn("SUMMARY;LANGUAGE=en:New", after)
        self.assertIn("SEQUENCE:1", after)

    def test_a_tick_is_sent_and_taken_back(self):
        self.add("one", "SUMMARY:One", "STATUS:NEEDS-ACTION")
        session = self.open()
        session.edit(self.todos(session)["One"], done=True)
        session.sync()
        self.assertRegex(self.text("one"), r"STATUS:COMPLETED(?s:.)*|COMPLETED:\d{8}T\d{6}Z")
        self.assertIn("PERCENT-COMPLETE:100", self.text("one"))
        session.edit(self.todos(session)["One"], done=False)
        session.sync()
        text = self.text("one")
        self.assertIn("STATUS:NEEDS-ACTION", text)
        self.assertNotIn("\nCOMPLETED:", text)
        self.assertNotIn("PERCENT-COMPLETE", text)

    def test_labels_due_and_priority_are_sent(self):
        self.add("one", "SUMMARY:One", "CATEGORIES:a,b", "PRIORITY:2", "DUE:20301201T173000Z")
        session = self.open()
        one = self.todos(session)["One"]
        # What is high already is not written again.
        session.edit(one, labels=["b", "c"], priority="high")
        session.sync()
        self.assertIn("PRIORITY:2", self.text("one"))
        session.edit(self.todos(session)["One"], due="2031-01-02", priority="medium")
        session.sync()
        text = self.text("one")
        self.assertIn("DUE;VALUE=DATE:20310102", text)
        self.assertIn("PRIORITY:5", text)
        again = self.todos(self.open(store="b"))["One"]
        self.assertEqual((list(again.labels), str(again.due)), (["b", "c"], "2031-01-02"))
        session.edit(self.todos(session)["One"], due="none", priority="none", labels=[])
        session.sync()
        for name in ("DUE", "PRIORITY", "CATEGORIES"):
            self.assertNotIn(name, self.text("one"))

    def test_changes_of_another_client_come(self):
        self.add("one", "SUMMARY:One")
        session = self.open()
        self.add("two", "SUMMARY:Two")
        self.server.edit(f"{self.path}one.ics", "SUMMARY:One", "SUMMARY:First")
        session.sync()
        self.assertEqual(sorted(self.todos(session)), ["First", "Two"])

    def test_different_fields_are_merged(self):
        self.add("one", "SUMMARY:One", "DESCRIPTION:old")
        session = self.open()
        session.edit(self.todos(session)["One"], title="Mine")
        self.server.edit(f"{self.path}one.ics", "DESCRIPTION:old", "DESCRIPTION:theirs")
        result = session.sync()
        self.assertEqual((result["pushed"], result["conflicts"]), (1, 0))
        self.assertIn("SUMMARY:Mine", self.text("one"))
        self.assertIn("DESCRIPTION:theirs", self.text("one"))

    def test_the_same_field_is_a_conflict(self):
        self.add("one", "SUMMARY:One")
        session = self.open()
        session.edit(self.todos(session)["One"], title="Mine")
        self.server.edit(f"{self.path}one.ics", "SUMMARY:One", "SUMMARY:Theirs")
        self.assertEqual(session.sync()["conflicts"], 1)
        self.assertIn("SUMMARY:Theirs", self.text("one"))
        [conflict] = session.conflicts()
        session.resolve(conflict, "mine")
        session.sync()
        self.assertIn("SUMMARY:Mine", self.text("one"))

    def test_a_removal_is_sent(self):
        self.add("one", "SUMMARY:One")
        self.add("two", "SUMMARY:Two")
        session = self.open()
        session.remove(self.todos(session)["One"])
        session.sync()
        self.assertEqual(self.server.names(self.path), ["two.ics"])

    def test_a_removal_by_another_client_comes(self):
        self.add("one", "SUMMARY:One")
        self.add("two", "SUMMARY:Two")
        session = self.open()
        self.server.send("DELETE", f"{self.path}one.ics")
        session.sync()
        self.assertEqual(list(self.todos(session)), ["Two"])
        self.assertEqual([one.title for one in session.removed()], ["One"])

    def test_a_removal_while_todo_server_was_away_comes(self):
        self.add("one", "SUMMARY:One")
        self.add("two", "SUMMARY:Two")
        with self.session() as session:
            session.sync()
        self.server.send("DELETE", f"{self.path}one.ics")
        self.assertEqual(list(self.todos(self.open())), ["Two"])

    def test_a_repeating_task_keeps_its_lines_and_is_not_ticked(self):
        self.add("one", "SUMMARY:Weekly", "DTSTART:20300101T090000Z", "DUE:20300101T100000Z", "RRULE:FREQ=WEEKLY")
        session = self.open()
        session.edit(self.todos(session)["Weekly"], done=True)
        [failed] = session.sync()["failed"]
        self.assertIn("repeats", failed["message"])
        self.assertNotIn("COMPLETED", self.text("one"))
        session.edit(self.todos(session)["Weekly"], done=False, title="Each week")
        session.sync(all=True)
        self.assertIn("SUMMARY:Each week", self.text("one"))
        self.assertIn("RRULE:FREQ=WEEKLY", self.text("one"))

    def test_a_killed_server_loses_and_doubles_nothing(self):
        self.add("one", "SUMMARY:One")
        session = self.session()
        session.start()
        session.sync()
        session.edit(self.todos(session)["One"], title="Changed")
        session.add("Added")
        pid = session._pipe._process.pid
        os.kill(pid, 9)
        try:
            session.close()
        except TodoError:
            pass
        self.assertEqual(self.server.names(self.path), ["one.ics"])
        session = self.open()
        session.sync()
        self.assertEqual(sorted(self.todos(session)), ["Added", "Changed"])
        self.assertEqual(len(self.server.names(self.path)), 2)
        self.assertIn("SUMMARY:Changed", self.text("one"))

    def test_a_server_that_is_restored_from_a_backup_loses_no_edit(self):
        server = self.kind()
        self.addCleanup(server.close)
        path = server.make_list("restored")
        for name in ("one", "two", "three"):
            server.put(f"{path}{name}.ics", task(name, f"SUMMARY:{name}", "DESCRIPTION:old"))
        source = server.source(path)
        command = [*PROGRAM, "--source", source, *self.password]
        sessions = [self.open(store=store, command=command, source=source) for store in "ab"]
        session, other = sessions
        backup = self.enterContext(tempfile.TemporaryDirectory(prefix="backup-"))
        server.back_up(backup)
        # The backup has none of these.
        server.edit(f"{path}one.ics", "DESCRIPTION:old", "DESCRIPTION:later")
        server.send("DELETE", f"{path}two.ics")
        server.put(f"{path}five.ics", task("five", "SUMMARY:five"))
        session.edit(self.todos(session)["three"], title="third")
        session.add("four")
        for one in sessions:
            one.sync()
        self.assertEqual(sorted(self.todos(other)), ["five", "four", "one", "third"])
        # These are sent after it.
        session.edit(self.todos(session)["one"], title="first")
        session.edit(self.todos(session)["third"], note="new")
        session.edit(self.todos(session)["four"], note="edited")
        session.add("six")
        server.restore(backup)
        for one in sessions * 2:
            one.sync(all=True)
            if not self.refuses_tokens:
                # Otherwise the listing at the next start, or after a day, finds what the server has lost.
                one.load(refresh=True)
        expected = [("first", "old"), ("six", ""), ("three", "new"), ("two", "old")]
        self.assertEqual(sorted((todo.title, todo.note) for todo in other.list()), expected)
        # An edit of a todo that the server has lost is kept, and the user decides.
        [failed] = [todo for todo in session.list() if todo.sync == "failed"]
        self.assertEqual((failed.title, failed.note), ("four", "edited"))
        self.assertEqual(sorted((todo.title, todo.note) for todo in session.list() if todo != failed), expected)
        self.assertIn("five", [todo.title for todo in session.removed()])
        self.assertLessEqual({"five", "four"}, {todo.title for todo in other.removed()})
        texts = [server.get(path + name)[0] for name in server.names(path)]
        self.assertEqual(sorted(re.findall(r"(?m)^SUMMARY:(\w+)", "".join(texts))), [title for title, _ in expected])

    def test_each_list_of_a_host_is_a_list(self):
        server = self.kind()
        self.addCleanup(server.close)
        for name in ("home", "work"):
            server.put(f"{server.make_list(name, f'At {name}')}one.ics", task(f"one-{name}", f"SUMMARY:One at {name}"))
        host = f"caldav:ann@127.0.0.1:{server.port}"
        command = [*PROGRAM, "--source", host, *self.password]
        with self.session(command=command, source=host) as session:
            lists = {one["title"]: one for one in session.lists() if one.get("title", "").startswith("At ")}
            self.assertEqual(sorted(lists), ["At home", "At work"])
            session.open(lists["At work"]["source"])
            session.sync()
            self.assertEqual(list(self.todos(session)), ["One at work"])
            session.edit(self.todos(session)["One at work"], title="Changed")
        server.stop()
        # Without the server, the lists and the edit are known.
        with self.session(command=command, source=host) as session:
            self.assertEqual({one.get("title") for one in session.lists()} & set(lists), set(lists))
            session.open(lists["At work"]["source"])
            self.assertEqual(self.todos(session)["Changed"].sync, "pending")
        server.start()
        with self.session(command=command, source=host) as session:
            session.open(lists["At work"]["source"])
            session.sync()
        self.assertIn("SUMMARY:Changed", server.get(f"{server.home}work/one.ics")[0])

    def test_a_list_that_is_made_during_the_session_appears(self):
        host = f"caldav:ann@127.0.0.1:{self.server.port}"
        command = [*PROGRAM, "--source", host, *self.password]
        session = self.enterContext(self.session(command=command, source=host))
        known = [one["source"] for one in session.lists()]
        path = self.server.make_list("made-later", "Made later")
        self.addCleanup(self.server.send, "DELETE", path)
        session.sync(all=True)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "Made later" not in (lists := {one.get("title"): one["source"] for one in session.lists()}):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.assertLessEqual(set(known), set(lists.values()))
        session.open(lists["Made later"])
        session.add("In the new list")
        session.sync()
        self.assertEqual(len(self.server.names(path)), 1)

    def test_a_host_that_does_not_answer_is_a_list_with_an_error(self):
        host = "caldav:ann@127.0.0.1:1"
        session = self.enterContext(self.session(command=[*PROGRAM, "--source", host], source=host))
        self.assertEqual([one["source"] for one in session.lists()], [host])
        with self.assertRaises(TodoError) as caught:
            session.sync()
        self.assertEqual(caught.exception.kind, "offline")
        with self.assertRaises(TodoError):
            session.add("Where to?")

    def test_edits_are_sent_by_themselves(self):
        self.add("one", "SUMMARY:One")
        session = self.enterContext(self.session(sync="auto"))
        session.load()
        session.edit(self.todos(session)["One"], title="Sent")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "SUMMARY:Sent" not in self.text("one"):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)


class RadicaleTests(Cases, unittest.TestCase):
    kind = Radicale

    def test_a_wrong_password_is_an_error_that_names_its_origin(self):
        session = self.enterContext(self.session(command=[*PROGRAM, "--source", self.source, "--source-password-command", "echo wrong-one"]))
        with self.assertRaises(TodoError) as caught:
            session.load()
        self.assertEqual(caught.exception.kind, "unauthorized")
        self.assertIn("--source-password-command", str(caught.exception))
        self.assertNotIn("wrong-one", str(caught.exception))

    def test_the_password_comes_from_netrc(self):
        with open(os.path.join(self.folder, ".netrc"), "w") as file:
            file.write(f'machine 127.0.0.1\n  login ann password "{PASSWORD}"\n')
        self.add("one", "SUMMARY:One")
        session = self.open(command=["env", f"HOME={self.folder}", *PROGRAM])
        self.assertEqual(list(self.todos(session)), ["One"])


    def test_an_edit_waits_while_the_list_can_only_be_read(self):
        self.add("one", "SUMMARY:One")
        session = self.open()
        session.edit(self.todos(session)["One"], title="Mine")
        self.server.allow("Rr")
        self.addCleanup(self.server.allow, "RrWw")
        with self.assertRaises(TodoError) as caught:
            session.sync()
        self.assertEqual(caught.exception.kind, "forbidden")
        self.assertEqual(self.todos(session)["Mine"].sync, "pending")
        doctor = subprocess.run([*self.command, "doctor", "--source", self.source], capture_output=True, text=True)
        self.assertIn("it can be read only", doctor.stdout)
        self.server.allow("RrWw")
        session.sync()
        self.assertIn("SUMMARY:Mine", self.text("one"))

    def test_a_list_that_can_only_be_read_refuses_edits(self):
        self.add("one", "SUMMARY:One")
        self.server.allow("Rr")
        self.addCleanup(self.server.allow, "RrWw")
        session = self.open()
        self.assertTrue(session.lists()[0]["readOnly"])
        one = self.todos(session)["One"]
        for change in (lambda: session.edit(one, title="Mine"), lambda: session.remove(one), lambda: session.add("New")):
            with self.assertRaises(TodoError) as caught:
                change()
            self.assertEqual(caught.exception.kind, "forbidden")
        self.server.allow("RrWw")
        session.sync()
        self.assertNotIn("readOnly", session.lists()[0])
        session.edit(one, title="Mine")
        session.sync()
        self.assertIn("SUMMARY:Mine", self.text("one"))

    def test_the_password_goes_to_no_host_that_a_front_end_names(self):
        other = self.source.replace("127.0.0.1", "localhost")
        session = self.enterContext(self.session(source=other))
        with self.assertRaises(TodoError) as caught:
            session.sync()
        self.assertEqual(caught.exception.kind, "unauthorized")
        self.assertIn("--source-password-command beside --source", str(caught.exception))

    def test_doctor_checks_the_list_and_the_password(self):
        doctor = subprocess.run([*self.command, "doctor", "--source", self.source], capture_output=True, text=True)
        for text in ("it can be read and changed", "sync-collection", "from --source-password-command"):
            self.assertIn(text, doctor.stdout)
        self.assertNotIn(PASSWORD, doctor.stdout)
        other = self.source.replace("test-doctor", "no-such")
        doctor = subprocess.run([*self.command, "doctor", "--source", other], capture_output=True, text=True)
        self.assertEqual(doctor.returncode, 1, doctor.stdout)


class XandikosTests(Cases, unittest.TestCase):
    kind = Xandikos


if __name__ == "__main__":
    unittest.main()
