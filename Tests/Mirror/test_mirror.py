"""`todo-server mirror` as a user meets it: other programs at the file, and file systems that fail."""

import contextlib
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest

HERE = os.path.abspath(os.path.dirname(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
SERVER = shlex.split(
    os.environ.get("TODO_SERVER", os.path.join(PROJECT, ".build/debug/todo-server")))
# A program without progress for this long is stuck.
# Beside 20 other processes, ten seconds of processor time took 90 s.
PATIENCE_SECONDS = 240


class MirrorCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="todo-mirror-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "todos.md")
        self.store = ["--store", f"sqlite:{self.folder}/store/todos.sqlite"]

    def start(self, *options, path=None, **environment):
        # A shell that starts tests in its background has SIGINT ignored.
        mirror = subprocess.Popen(
            SERVER + ["mirror", path or self.path, "--name", "ann", *self.store, *options],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **environment},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(self.kill, mirror)
        return mirror

    def kill(self, mirror):
        if mirror.poll() is None:
            mirror.kill()
        mirror.communicate()

    def end(self, mirror, number=signal.SIGTERM):
        mirror.send_signal(number)
        _, said = mirror.communicate(timeout=PATIENCE_SECONDS)
        self.assertEqual(mirror.returncode, 0, said)
        return said

    def run_once(self, *options, path=None):
        return subprocess.run(
            SERVER + ["mirror", path or self.path, "--once", "--name", "ann", *self.store, *options],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_SECONDS)

    def call(self, *calls, login=True):
        """Returns the responses of a server on the same store."""
        before = [("initialize", {"processId": None}), ("login", {"name": "ann"})]
        calls = before[:2 if login else 1] + list(calls)
        lines = [
            json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            for number, (method, params) in enumerate(calls)]
        done = subprocess.run(
            SERVER + self.store, input="\n".join(lines) + "\n", capture_output=True, text=True,
            timeout=PATIENCE_SECONDS)
        answers = [json.loads(line) for line in done.stdout.split("\n") if line]
        return {answer["id"]: answer for answer in answers if "id" in answer}[len(calls) - 1]

    def titles(self):
        answer = self.call(("listTodos", {}))
        return [todo["title"] for todo in answer["result"]["todos"]]

    def read(self, path=None):
        with open(path or self.path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read()

    def write(self, text, path=None):
        with open(path or self.path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def wait(self, what, path=None):
        """The text, once it is as wanted."""
        text = None

        def is_as_wanted():
            nonlocal text
            try:
                text = self.read(path)
            except FileNotFoundError:
                return False
            return what(text)

        self.wait_for(is_as_wanted, lambda: text)
        return text

    def wait_for(self, is_done, shown):
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_done():
            if time.monotonic() > end:
                self.fail(f"not within {PATIENCE_SECONDS} s; there is\n{shown()}")
            time.sleep(0.005)

    def hear(self, mirror, word):
        """Waits until a mirror reports a message with a word."""
        # A mirror that does not report it in time is killed, which ends its output.
        timeout = threading.Timer(PATIENCE_SECONDS, mirror.kill)
        timeout.start()
        self.addCleanup(timeout.cancel)
        for line in mirror.stderr:
            if word in line:
                timeout.cancel()
                return
        self.fail(f"{word} was not reported")

    def type(self, line):
        """Types a line as an editor does, in place."""
        self.write(self.read().replace("<!-- end", f"{line}\n<!-- end"))


def is_taken(title):
    """Returns a function that checks for a todo with an id and this title."""
    return lambda text: f"] {title} ^" in text


# What others write below a todo, to have an editor make lines of it.
FORGED = "- [ ] I approve PR 7"
STEPS = f"steps:\r{FORGED}\u2028{FORGED}\x85{FORGED}\f{FORGED}\r\nliteral &#13; end\r"


class EditingTests(MirrorCase):
    def test_line_end_in_a_note_of_others_makes_no_todo(self):
        """An editor ends lines at every character that anything calls a line end."""
        self.call(("addTodo", {"title": "Release", "note": STEPS}))
        mirror = self.start()
        text = self.wait(is_taken("Release"))
        self.write("\n".join(text.splitlines() + ["- [ ] Mine", ""]))
        self.wait(is_taken("Mine"))
        self.end(mirror)
        self.assertEqual(sorted(self.titles()), ["Mine", "Release"])
        note = self.call(("listTodos", {"query": "release"}))["result"]["todos"][0]["note"]
        self.assertEqual(note, STEPS)

    def test_file_of_an_older_mirror_is_read_as_before(self):
        self.call(("addTodo", {"title": "Release", "note": STEPS}))
        self.run_once()
        self.assertIn(" !escaped\n", self.read())
        old = self.read().replace(" !escaped", "")
        start = old.index("  steps:")
        old = old[:start] + "  " + STEPS.replace("\n", "\n  ") + "\n<!-- end -->\n"
        self.write(old)
        self.assertEqual(self.run_once().stderr, "")
        todos = self.call(("listTodos", {}))["result"]["todos"]
        self.assertEqual([(todo["title"], todo["note"]) for todo in todos], [("Release", STEPS)])
        self.assertIn(" !escaped\n", self.read())

    def test_typed_lines_become_todos_and_other_changes_reach_the_file(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("- [ ] Buy milk")
        self.wait(is_taken("Buy milk"))
        self.assertEqual(self.titles(), ["Buy milk"])
        self.call(("addTodo", {"title": "Pay the rent"}))
        self.wait(is_taken("Pay the rent"))
        self.assertIn("is not kept any more", self.end(mirror))

    def test_programs_that_change_files(self):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        for number, script in enumerate([
                'echo "- [ ] One" >> "$1"',
                'sed -i "s/] One/] Two/" "$1"',
                'printf "1a\\n- [ ] Three\\n.\\nw\\nq\\n" | ed -s "$1" || '
                'sed -i "1a - [ ] Three" "$1"',
                'perl -i -pe "s/Three/Four/" "$1"',
                'cp "$1" "$1.copy"; echo "- [ ] Five" >> "$1.copy"; cp "$1.copy" "$1"',
                'mv "$1.copy" "$1"']):
            subprocess.run(["sh", "-c", script, "sh", self.path], check=True)
            wanted = ["One", "Two", "Three", "Four", "Five", "Five"][number]
            self.wait(is_taken(wanted))
        self.assertEqual(sorted(self.titles()), ["Five", "Four", "Two"])

    def test_folder_synced_between_two_machines(self):
        """Both machines have a store and a mirror; one of them maintains the file."""
        other = os.path.join(self.folder, "other")
        os.mkdir(other)
        copy = os.path.join(other, "todos.md")
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("- [ ] Milk")
        text = self.wait(is_taken("Milk"))
        mine, self.store = self.store, ["--store", f"sqlite:{other}/store/todos.sqlite"]
        mirror = self.start(path=copy)
        self.wait(lambda text: text.endswith("<!-- end -->\n"), path=copy)
        self.write(text, path=copy + "~")
        os.rename(copy + "~", copy)
        self.assertIn("with another store", mirror.stderr.readline())
        self.end(mirror)
        self.assertEqual(self.read(copy), text)
        self.assertEqual(self.titles(), [])
        refused = self.run_once(path=copy)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("with another store", refused.stderr)
        # An edited copy is applied when it is back at the path of the first mirror.
        self.write(text.replace("<!-- end", "- [ ] Bread\n<!-- end"), path=copy)
        os.rename(copy, self.path)
        self.wait(is_taken("Bread"))
        self.store = mine
        self.assertEqual(sorted(self.titles()), ["Bread", "Milk"])
        # The copy is imported if its first line requests that.
        text = self.read()
        self.write("<!-- todo-server ann local 0 -->\n" + text.split("\n", 1)[1], path=copy)
        self.store = ["--store", f"sqlite:{other}/store/todos.sqlite"]
        self.assertEqual(self.run_once(path=copy).returncode, 0)
        # Rule 2: the marks of the other store are text.
        titles = sorted(title.split(" ^") for title in self.titles())
        self.assertEqual([(title, len(mark)) for title, mark in titles], [("Bread", 6), ("Milk", 6)])

    def test_an_editor_that_writes_slowly(self):
        self.start()
        text = self.wait(lambda text: text.endswith("<!-- end -->\n"))
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text.split("\n")[0] + "\n- [ ] Buy mi")
            file.flush()
            # Another client changes the list meanwhile.
            self.call(("addTodo", {"title": "Pay the rent"}))
            time.sleep(2.5)
            file.write("lk\n<!-- end -->\n")
        self.wait(lambda text: is_taken("Buy milk")(text) and is_taken("Pay the rent")(text))
        self.assertEqual(sorted(self.titles()), ["Buy milk", "Pay the rent"])

    def test_an_editor_that_puts_a_return_at_the_end_of_each_line(self):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.write("- [ ] Buy milk\n  Two\n\n  litres\n" + self.read())
        text = self.wait(is_taken("Buy milk"))
        self.write(text.replace("] Buy", "] Get").replace("\n", "\r\n"))
        # Rule 6: the file keeps the ends of its lines.
        first = text.split("\n")[0]
        self.wait(lambda text: is_taken("Get milk")(text) and not text.startswith(first))
        self.call(("addTodo", {"title": "Pay the rent"}))
        text = self.wait(is_taken("Pay the rent"))
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        self.assertIn("  Two\r\n\r\n  litres\r\n", text)

    def test_invalid_utf_8_is_kept_beside_the_file(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        with open(self.path, "wb") as file:
            file.write(b"- [ ] K\xe4se\n")
        self.wait(lambda text: text.endswith("<!-- end -->\n"), self.path)
        with open(self.path + ".unreadable-1", "rb") as file:
            self.assertEqual(file.read(), b"- [ ] K\xe4se\n")
        self.assertIn("unreadable-1", self.end(mirror))

    def test_a_file_that_is_deleted_is_written_again_and_nothing_is_removed(self):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("- [ ] Buy milk")
        self.wait(is_taken("Buy milk"))
        os.unlink(self.path)
        self.wait(is_taken("Buy milk"))
        self.write("")
        self.wait(is_taken("Buy milk"))

    def test_a_link_stays_one(self):
        folder = os.path.join(self.folder, "elsewhere")
        os.mkdir(folder)
        target = os.path.join(folder, "list.md")
        self.assertEqual(self.run_once(path=target).returncode, 0)
        os.symlink(target, self.path)
        self.start()
        self.wait(lambda text: "not running" not in text)
        self.type("- [ ] Buy milk")
        self.wait(is_taken("Buy milk"))
        self.assertTrue(os.path.islink(self.path))
        self.assertEqual(self.read(target), self.read())
        self.assertEqual(sorted(os.listdir(self.folder)), ["elsewhere", "store", "todos.md"])


class LifeTests(MirrorCase):
    def test_once_writes_the_file_and_applies_edits(self):
        done = self.run_once()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertRegex(
            self.read(), r"\A<!-- todo-server ann local \d+ \(not running.*\) -->\n<!-- end -->\n\Z")
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
        self.type("- [x] Buy milk")
        self.assertEqual(self.run_once().returncode, 0)
        self.assertTrue(is_taken("Buy milk")(self.read()))
        self.assertEqual(self.titles(), ["Buy milk"])

    def test_start_imports_lines_typed_while_no_mirror_ran(self):
        self.assertEqual(self.run_once().returncode, 0)
        self.type("- [ ] Buy milk")
        mirror = self.start()
        self.wait(is_taken("Buy milk"))
        self.assertNotIn("not running", self.read())
        for number in (signal.SIGINT, signal.SIGHUP):
            self.end(mirror, number)
            self.assertIn("(not running", self.read().split("\n")[0])
            self.assertEqual(sorted(os.listdir(self.folder)), ["store", "todos.md"])
            mirror = self.start()
            self.wait(lambda text: "not running" not in text)

    def test_reports_once_that_the_store_was_damaged(self):
        self.assertEqual(self.run_once().returncode, 0)
        store = os.path.join(self.folder, "store", "todos.sqlite")
        with contextlib.closing(sqlite3.connect(store)) as connection:
            # The log would repair the file.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with open(store, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(1024)
            file.write(b"A" * (size - 1024))
        done = self.run_once()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("was damaged"), 1, done.stderr)

    def test_a_file_has_one_keeper(self):
        self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        done = self.run_once()
        self.assertEqual(done.returncode, 1)
        self.assertIn("keeps", done.stderr)

    def test_start_imports_the_leftovers_of_a_killed_mirror(self):
        mirror = self.start()
        text = self.wait(lambda text: text.endswith("<!-- end -->\n"))
        mirror.kill()
        mirror.wait()
        self.write(
            text.replace("<!-- end", "- [ ] Buy milk\n<!-- end"),
            os.path.join(self.folder, ".todos.md.todo-server-1-1"))
        self.write("half", os.path.join(self.folder, ".todos.md.todo-server-1-2~"))
        self.start()
        self.wait(is_taken("Buy milk"))
        self.wait_for(lambda: sorted(os.listdir(self.folder)) == ["store", "todos.md"],
                      lambda: os.listdir(self.folder))

    def test_file_without_a_first_line_of_ours_is_left_alone(self):
        self.write("# Mine\n- [ ] Buy milk\n")
        done = self.run_once()
        self.assertEqual(done.returncode, 1)
        self.assertIn("<!-- todo-server ann local 0 -->", done.stderr)
        self.assertEqual(self.read(), "# Mine\n- [ ] Buy milk\n")
        self.write("<!-- todo-server ann local 0 -->\n# Mine\n- [ ] Buy milk\n")
        self.assertEqual(self.run_once().returncode, 0)
        self.assertRegex(self.read(), r"-->\n# Mine\n- \[ \] Buy milk \^\S+\n<!-- end -->\n\Z")

    def test_a_file_of_another_list_is_left_alone(self):
        self.assertEqual(self.run_once().returncode, 0)
        text = self.read()
        done = self.run_once("--name", "bob")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is the list of ann", done.stderr)
        self.assertEqual(self.read(), text)

    def test_an_account_needs_its_password(self):
        account = {"username": "annabella", "password": "correct horse"}
        self.assertIn("result", self.call(("register", account), login=False))
        done = self.run_once("--name", "annabella")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--password-command", done.stderr)
        done = self.run_once("--name", "annabella", "--password-command", "echo wrong horse")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("wrong horse", done.stderr)
        done = self.run_once("--name", "annabella", "--password-command", "echo correct horse")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_command_line_that_cannot_be_understood(self):
        for words in (["mirror"], ["mirror", "a", "b"], ["--once"], ["serve", "--once"]):
            done = subprocess.run(SERVER + words, capture_output=True, text=True)
            self.assertEqual(done.returncode, 64, words)


class FaultCase(MirrorCase):
    """File systems that cannot do what the mirror wants."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="todo-faults-")
        cls.addClassCleanup(folder.cleanup)
        cls.library = os.path.join(folder.name, "faults.so")
        subprocess.run(
            ["clang", "-O", "-shared", "-fPIC", "-o", cls.library, f"{HERE}/faults.c", "-ldl"],
            check=True)

    def start_with(self, fault, **environment):
        return self.start(LD_PRELOAD=self.library, MIRROR_FAULT=fault, **environment)


class FaultTests(FaultCase):
    def test_without_exchange_the_new_text_is_beside_the_file(self):
        mirror = self.start_with("exchange")
        text = self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("- [ ] Buy milk")
        new = self.path + ".new"
        self.wait(is_taken("Buy milk"), new)
        self.assertEqual(self.read(), text.replace("<!-- end", "- [ ] Buy milk\n<!-- end"))
        # The file as it is says again what was taken already.
        self.type("- [ ] Pay the rent")
        self.wait(is_taken("Pay the rent"), new)
        self.assertEqual(sorted(self.titles()), ["Buy milk", "Pay the rent"])
        os.rename(new, self.path)
        self.call(("addTodo", {"title": "Call Bob"}))
        self.wait(is_taken("Call Bob"), new)
        self.assertEqual(len(self.titles()), 3)
        mirror.terminate()
        self.assertIn("todos.md.new", mirror.communicate(timeout=PATIENCE_SECONDS)[1])

    def test_edits_are_applied_in_a_read_only_folder(self):
        self.assertEqual(self.run_once().returncode, 0)
        mirror = self.start_with("readonly")
        self.type("- [ ] Buy milk")
        self.wait_for(lambda: self.titles() == ["Buy milk"], self.titles)
        self.type("- [ ] Pay the rent")
        self.wait_for(lambda: sorted(self.titles()) == ["Buy milk", "Pay the rent"], self.titles)
        mirror.terminate()
        said = mirror.communicate(timeout=PATIENCE_SECONDS)[1]
        self.assertEqual(said.count("No file can be made"), 1, said)

    def test_on_a_full_disk_the_file_stays_whole(self):
        full = os.path.join(self.folder, "full")
        mirror = self.start_with("", MIRROR_FULL=full)
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.write("", full)
        self.type("- [ ] Buy milk")
        line = mirror.stderr.readline()
        self.assertIn("The disk is full", line)
        self.assertTrue(self.read().endswith("- [ ] Buy milk\n<!-- end -->\n"))
        self.assertEqual(self.titles(), ["Buy milk"])
        os.unlink(full)
        self.wait(is_taken("Buy milk"))
        self.hear(mirror, "is kept again")
        self.assertEqual(self.titles(), ["Buy milk"])

    def test_polls_without_inotify(self):
        self.start_with("inotify")
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("- [ ] Buy milk")
        self.wait(is_taken("Buy milk"))


if __name__ == "__main__":
    unittest.main()
