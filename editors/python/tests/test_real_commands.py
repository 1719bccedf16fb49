"""The one-shot commands and the real server."""

import contextlib
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import unittest

from real import NOTE, PASSWORD, SECONDS, TEXT, RealCase, issue
from support import HERE, PROGRAM, Terminal, is_running, until
from todo_server import __version__


class CommandTests(RealCase):
    def todo(self, *arguments, stdin=b"", code=0, **environment):
        """The output of a command to stdout and stderr."""
        result = subprocess.run(
            [sys.executable, PROGRAM, *arguments], input=stdin, capture_output=True, timeout=SECONDS,
            env={**os.environ, "USER": "someone", **environment},
        )  # fmt: skip
        out, err = result.stdout.decode(), result.stderr.decode()
        self.assertEqual(result.returncode, code, f"{arguments}\n{out}\n{err}")
        self.assertNotIn("Traceback", err)
        self.secret_is_nowhere(out, err)
        return out, err

    def add(self, *arguments, **more):
        line = self.todo("add", *arguments, **more)[0]
        return line.split()[0]

    def show(self, number, *arguments):
        return json.loads(self.todo("show", number, "--json", *arguments)[0])

    def test_a_todo_from_add_to_rm(self):
        out, err = self.todo("add", TEXT, "--note", "n")
        self.assertRegex(out, r"^\S+  \[ \] " + re.escape(TEXT) + "\n$")
        number = out.split()[0]
        self.assertEqual(self.todo("list"), (out, ""))
        self.assertEqual(self.todo()[0], out)
        self.assertEqual(self.todo("show", number)[0], f"{TEXT}\n\nn\n")
        self.assertEqual(self.todo("edit", number, "--title", "New", "--done")[0], f"{number}  [x] New\n")
        self.assertEqual(self.todo("list", "--open")[0], "")
        self.assertEqual(self.todo("list", "--done")[0], f"{number}  [x] New\n")
        self.assertEqual(self.todo("edit", number, "--undone")[0], f"{number}  [ ] New\n")
        self.assertEqual(self.todo("done", number)[0], f"{number}  [x] New\n")
        self.assertEqual(self.todo("edit", number, "--note", "")[0], f"{number}  [x] New\n")
        self.assertEqual(self.todo("show", number)[0], "New\n")
        self.assertEqual(self.todo("rm", number)[0], f"removed {number}\n")
        self.assertEqual(self.todo("list")[0], "")
        self.assertEqual(self.todo("rm", number, code=1), ("", "todo: " + self.todo("show", number, code=1)[1][6:]))

    def test_undone_undo_and_redo(self):
        number = self.add("A")
        self.todo("done", number)
        self.assertEqual(self.todo("undone", number)[0], f"{number}  [ ] A\n")
        self.assertEqual(self.todo("undo")[0], "undone: done “A”\n")
        self.assertTrue(self.show(number)["done"])
        self.assertEqual(self.todo("redo")[0], "redone: done “A”\n")
        self.assertEqual(json.loads(self.todo("undo", "--json")[0])["todo"]["id"], number)
        self.todo("undo"), self.todo("undo")
        self.assertIn("nothing", self.todo("undo", code=1)[1].lower())

    def test_short_beginnings_of_ids(self):
        number, other = self.add("Ä"), self.add("Ö")  # letters of no id
        length = next(length for length in range(1, 17) if number[:length] != other[:length])
        self.assertEqual(self.todo("done", number[:length])[0], f"{number}  [x] Ä\n")
        self.assertEqual(self.todo("rm", other[:length])[0], f"removed {other}\n")
        terminal = Terminal(self.environment | {"USER": "someone"}, "list")
        self.addCleanup(terminal.close)
        terminal.wait(f"{number[:4]}  [x] Ä")

    def test_editing_in_the_users_editor(self):
        number = self.add("Title", "--note", "a\nvim: set ft=sh:")
        editor = os.path.join(self.folder, "editor")
        with open(editor, "w") as file:
            file.write("#!/bin/sh\nsed -i -e 's/^Title$/New title/' -e 's/^a$/b/' $1\n")
        os.chmod(editor, 0o700)
        terminal = Terminal(self.environment | {"USER": "someone", "EDITOR": editor}, "edit", number[:8])
        self.addCleanup(terminal.close)
        terminal.wait(f"{number}  [ ] New title", "ended with 0")
        todo = self.show(number)
        self.assertEqual((todo["title"], todo["note"]), ("New title", "b\nvim: set ft=sh:"))

    def test_a_text_that_was_changed_elsewhere_meanwhile_is_kept(self):
        number = self.add("Title")
        editor = os.path.join(self.folder, "editor")
        change = f"{sys.executable} {PROGRAM} edit {number} --title Theirs --name someone"
        with open(editor, "w") as file:
            file.write(f"#!/bin/sh\necho Mine > $1\n{change} </dev/null >/dev/null\n")
        os.chmod(editor, 0o700)
        terminal = Terminal(self.environment | {"USER": "someone", "EDITOR": editor}, "edit", number, columns=200)
        self.addCleanup(terminal.close)
        said = terminal.wait("was changed elsewhere", "What you wrote is kept in ", "ended with 3")
        with open(re.search(r"kept in (\S+)\.", said)[1]) as file:
            self.assertEqual(file.read(), "Mine\n")
        self.assertEqual(self.show(number)["title"], "Theirs")

    def test_a_text_that_is_left_by_ctrl_c_is_kept(self):
        number = self.add("Title")
        editor = os.path.join(self.folder, "editor")
        with open(editor, "w") as file:
            file.write("#!/bin/sh\necho Mine > $1\necho written\nexec sleep 1000\n")
        os.chmod(editor, 0o700)
        terminal = Terminal(self.environment | {"USER": "someone", "EDITOR": editor}, "edit", number, columns=200)
        self.addCleanup(terminal.close)
        terminal.wait("written")
        terminal.keys("<C-c>")
        said = terminal.wait("What you wrote is kept in ", "ended with 130")
        with open(re.search(r"kept in (\S+)\.", said)[1]) as file:
            self.assertEqual(file.read(), "Mine\n")
        self.assertEqual(self.show(number)["title"], "Title")

    def test_watching(self):
        command = [sys.executable, PROGRAM, "watch", "--json"]
        environment = {**os.environ, "USER": "someone"}
        process = self.start(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.set_blocking(process.stdout.fileno(), False)
        titles = iter(range(1000))

        def change():
            self.todo("add", f"t{next(titles)}")
            return process.stdout.readline()

        seen = json.loads(until(change, lambda: "watch said nothing"))
        self.assertEqual((seen["what"], seen["todo"]["done"]), ("added", False))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)

    def test_the_version(self):
        self.assertEqual(self.todo("--version")[0], f"todo {__version__}\n")

    def test_control_characters_in_ids_are_shown_as_signs(self):
        line = json.dumps({"title": "A", "id": "x\u001b[31m"})
        text = '{"format":"todo-server","version":1}\n' + line + "\n"
        refused = self.todo("import", "-", "--name", "someone", stdin=text.encode(), code=1)[1]
        self.assertIn("no control characters", refused)
        self.todo("import", "-", "--name", "someone", stdin=text.replace("\\u001b[31m", "y").encode())
        with contextlib.closing(sqlite3.connect(self.data + "/todo-server/todos.sqlite")) as store, store:  # as an earlier version took it
            store.execute("UPDATE todo SET name = 'x' || char(27) || '[31m'")
        self.assertEqual(self.todo("list")[0], "x␛[31m  [ ] A\n")
        self.assertEqual(self.todo("rm", "x")[0], "removed x␛[31m\n")

    def test_json_has_nothing_that_a_terminal_obeys(self):
        title = "a\x1b]0;x\x07\x7f\x80\x9b2J\u061c\u200e\u202e\u2066 é 中"
        said = self.todo("add", title, "--json")[0]
        said += self.todo("list", "--json")[0] + self.todo("export")[0] + self.todo("export", "--to", "taskwarrior")[0]
        self.assertNotRegex(said, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u202e\u2066]")
        self.assertEqual(json.loads(self.todo("list", "--json")[0])[0]["title"], title)

    def test_sentences_for_people(self):
        said = self.todo("list", "--source", "gitlab:x", code=1)[1]
        self.assertEqual(said, "todo: --source cannot be used: expected local or github:OWNER/REPO.\n")

    def test_a_server_that_never_answers_is_reported(self):
        server = shlex.join([sys.executable, os.path.join(HERE, "fake_server.py"), '[["deaf"]]'])
        command = [sys.executable, PROGRAM, "list"]
        process = self.start(command, env={**os.environ, "TODO_SERVER": server}, stderr=subprocess.PIPE)
        self.assertEqual(process.stderr.readline(), "todo: waiting for the server… Ctrl-C ends.\n".encode())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)

    def test_progress_is_shown_on_a_terminal(self):
        url = self.issues((200, [issue(number, f"Issue {number}") for number in range(1, 31)]), held=True)
        arguments = ["list", "--source", "github:o/r", "--github-url", url]
        terminal = Terminal(self.environment | {"USER": "someone"}, *arguments)
        self.addCleanup(terminal.close)
        terminal.wait("Loading todos")
        self.release.set()
        terminal.wait("Issue 1\n", "ended with 0", without=["Loading todos"])

    def test_completion(self):
        def complete(shell, *words):
            script = (
                self.todo("completion", shell)[0]
                + f"""
todo() {{ {shlex.quote(sys.executable)} {shlex.quote(PROGRAM)} "$@"; }}
COMP_WORDS=({shlex.join(words) if words[-1] else shlex.join(words[:-1]) + " ''"}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_todo; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
            )
            result = subprocess.run(
                [shell, "-c", script], capture_output=True, text=True, env={**os.environ, "USER": "someone"}
            )
            self.assertEqual(result.stderr, "")
            return result.stdout.split()

        number = self.add("A")
        self.assertEqual(complete("bash", "todo", "un"), ["undone", "undo"])
        self.assertEqual(complete("bash", "todo", "ag"), ["agenda"])
        self.assertEqual(complete("bash", "todo", "list", "--co"), ["--count"])
        self.assertEqual(complete("bash", "todo", "done", number[:3]), [number])
        self.assertEqual(complete("bash", "todo", "rm", ""), [number])
        self.assertEqual(complete("bash", "todo", "resolve", number, "--m"), ["--mine", "--merged"])
        self.assertEqual(complete("bash", "todo", "export", "--to", "t"), ["taskwarrior", "todotxt"])
        self.assertEqual(complete("bash", "todo", "completion", ""), ["bash", "zsh"])
        subprocess.run(["bash", "-n", "-c", self.todo("completion", "bash")[0]], check=True)
        script = self.todo("completion", "zsh")[0] + "\necho ${_comps[todo]:-none}\n"
        said = subprocess.run(
            ["zsh", "-f", "-c", script], capture_output=True, text=True, env={**os.environ, "HOME": self.folder}
        )
        self.assertEqual((said.stderr, said.stdout), ("", "_bash_complete -F _todo\n"))

    def test_notes_byte_for_byte(self):
        number = self.add("A", "--note-file", "-", stdin=NOTE.encode())
        self.assertEqual(self.show(number)["note"], NOTE)
        path = os.path.join(self.folder, "note")
        with open(path, "wb") as file:
            file.write(NOTE.encode() + b"\r\n")
        self.todo("edit", number, "--note-file", path)
        self.assertEqual(self.show(number)["note"], NOTE + "\r\n")
        result = subprocess.run(
            [sys.executable, PROGRAM, "show", number], capture_output=True, env={**os.environ, "USER": "someone"}
        )
        self.assertEqual(result.stdout, b"A\n\n" + NOTE.encode() + b"\r\n")
        self.assertIn("not UTF-8", self.todo("edit", number, "--note-file", "-", stdin=b"\xff", code=1)[1])
        self.assertIn("U+0000", self.todo("edit", number, "--note-file", "-", stdin=b"a\0b", code=1)[1])
        self.todo("edit", number, "--note-file", "-", stdin=b"x" * 2_000_000, code=1)
        self.assertEqual(self.show(number)["note"], NOTE + "\r\n")
        self.assertIn("No such file", self.todo("edit", number, "--note-file", "/no/such", code=1)[1])

    def test_queries_and_json(self):
        for title in ("Buy milk", "Buy bread", "Crème brûlée"):
            self.todo("add", title)
        titles = [todo["title"] for todo in json.loads(self.todo("--json", "list")[0])]
        self.assertEqual(titles, ["Crème brûlée", "Buy bread", "Buy milk"])
        self.assertEqual(self.todo("list", "--query", "BU mi")[0].split("] ")[1:], ["Buy milk\n"])
        self.assertIn("Crème brûlée", self.todo("list", "--query", "creme")[0])
        self.assertEqual(json.loads(self.todo("list", "--query", "nothing", "--json")[0]), [])
        added = json.loads(self.todo("add", "x", "--json")[0])
        self.assertEqual(added["title"], "x")
        self.assertEqual(json.loads(self.todo("rm", added["id"], "--json")[0]), {"id": added["id"]})

    def test_more_than_one_page(self):
        rows = ['{"format":"todo-server","version":1}', *(f'{{"title":"t{number}"}}' for number in range(1001))]
        self.todo("import", "-", stdin="\n".join(rows).encode())
        self.assertEqual(len(self.todo("list")[0].splitlines()), 1001)

    def test_whose_todos(self):
        self.todo("add", "mine", "--name", "ann")
        self.assertEqual(self.todo("list")[0], "")
        self.assertIn("mine", self.todo("list", USER="ann")[0])
        self.assertIn("mine", self.todo("list", TODO_NAME="ann")[0])
        self.assertEqual(self.todo("login", "ann")[0], "logged in as ann\n")
        self.assertIn("mine", self.todo("list")[0])
        self.assertEqual(self.todo("list", "--name", "bob")[0], "")
        self.assertEqual(self.todo("list", TODO_NAME="bob")[0], "")
        self.assertEqual(json.loads(self.todo("login", "bob", "--json")[0]), {"name": "bob"})
        self.assertEqual(self.todo("list")[0], "")

    def test_an_account(self):
        out, err = self.todo("register", "ann", "--password-stdin", stdin=PASSWORD.encode() + b"\n", code=1)
        self.assertEqual(err, "todo: Invalid username or password\nusername: At least 8 characters.\n")
        err = self.todo("register", "annabella", "--password-stdin", stdin=b"short\n", code=1)[1]
        self.assertEqual(err, "todo: Invalid username or password\npassword: At least 8 characters.\n")
        out, err = self.todo("register", "annabella", "--password-stdin", stdin=PASSWORD.encode() + b"\r\n")
        self.assertEqual((out, err), ("registered annabella\n", ""))
        self.assertIn("--password-stdin", self.todo("list", code=1)[1])
        self.todo("list", "--password-stdin", stdin=b"something else\n", code=1)
        self.todo("add", "secret thing", "--password-stdin", stdin=PASSWORD.encode())
        self.assertIn("secret thing", self.todo("list", "--password-stdin", stdin=PASSWORD.encode())[0])
        self.assertEqual(
            self.todo("login", "annabella", "--password-stdin", stdin=PASSWORD.encode())[0], "logged in as annabella\n"
        )
        self.todo("login", "annabella", "--password-stdin", stdin=b"wrong wrong\n", code=1)

    def test_a_password_on_a_terminal(self):
        terminal = Terminal(self.environment, "register", "annabella")
        self.addCleanup(terminal.close)
        terminal.wait("Password:")
        terminal.keys(PASSWORD, "<Enter>")
        terminal.wait("Again:")
        terminal.keys(PASSWORD, "<Enter>")
        terminal.wait("registered annabella", "ended with 0")
        for password, ending in ((PASSWORD, "ended with 0"), ("not this one", "ended with 1")):
            other = Terminal(self.environment, "list")
            self.addCleanup(other.close)
            other.wait("Password for annabella:")
            other.keys(password, "<Enter>")
            other.wait(ending)
            self.secret_is_nowhere(terminal.everything, other.everything)
            self.assertNotIn("not this one", other.everything)

    def test_a_name_that_is_refused_is_reported_before_the_password(self):
        terminal = Terminal(self.environment, "register", "ann")
        self.addCleanup(terminal.close)
        text = terminal.wait("todo: User name: At least 8 characters.", "ended with 1")
        self.assertNotIn("Password", text)

    def test_failures_are_the_servers_sentence(self):
        self.assertIn("todo", self.todo("show", "nothing", code=1)[1])
        self.todo("add", " ", code=1)
        self.todo("list", "--store", "cloud", code=1)
        self.assertRegex(self.todo("login", " ", code=1)[1], r"^todo: .+\n$")

    def test_arguments_that_make_no_sense(self):
        for arguments in (
            ["nonsense"], ["add"], ["edit", "1"], ["edit", "1", "--done", "--undone"], ["list", "--done", "--open"],
            ["add", "x", "--note", "a", "--note-file", "-"], ["add", "x", "--note-file", "-", "--password-stdin"],
            ["register", "annabella"], ["list", b"--query=\xff"],
        ):  # fmt: skip
            with self.subTest(arguments):
                out, err = self.todo(*arguments, code=2)
                self.assertEqual(out, "")
                self.assertIn("error: ", err)

    def test_a_source(self):
        url = self.issues((200, [issue(1, "One\nline"), issue(2, "Two")]))
        options = ["--source", "github:o/r", "--github-url", url]
        out = self.todo("list", *options)[0]
        self.assertEqual([line[line.index("[") :] for line in out.splitlines()], ["[ ] Two", "[ ] One␊line"])
        number = out.splitlines()[1].split()[0]
        self.todo("edit", number, "--title", "Edited", *options)
        self.assertEqual(self.todo("list", *options, "--query", "edited")[0], f"{number}  [ ] Edited\n")

    def test_list_in_a_query(self):
        options = ["--source", "local", "--source", "github:o/r", "--github-url", self.issues((200, [issue(1, "One")]))]
        self.todo("add", "Milk")
        for query, title in (("list:local", "Milk"), ("one LIST:github:o/r", "One"), ('list:"local" milk', "Milk")):
            with self.subTest(query):
                self.assertRegex(self.todo("list", query, *options)[0], rf"^\S+  \[ \] {title}\n$")
        self.assertIn("todo: ", self.todo("list", "list:x", *options, code=1)[1])
        said = self.todo("list", "list:local", "list:github:o/r", *options, code=1)[1]
        self.assertEqual(said, "todo: list: takes one list here.\n")

    def test_details_of_issues(self):
        milestone = {"title": "In spring", "due_on": "2026-12-01T08:00:00Z"}
        described = {**issue(1, "One"), "assignees": [{"login": "ann"}], "milestone": milestone, "comments": 2}
        options = ["--source", "github:o/r", "--github-url", self.issues((200, [described, issue(2, "Two")]))]
        self.todo("list", *options)
        out = self.todo("list", "assignee:ann", 'milestone:"in spring"', "comments:>1", *options)[0]
        self.assertEqual(out[out.index("[") :], "[ ] One  due 2026-12-01\n")
        for to in ("taskwarrior", "todotxt", "markdown"):
            self.assertNotRegex(self.todo("export", "--to", to, *options)[0], "2026-?12-?01")

    def test_a_source_that_fails(self):
        url = self.issues((200, [issue(1, "One")]), (500, {}))
        options = ["--source", "github:o/r", "--github-url", url]
        stored = self.todo("list", *options)[0]
        out, err = self.todo("list", *options, code=1)
        self.assertEqual(out, stored)
        self.assertRegex(err, r"^todo: .+ \(Listed is what is stored here.\)\n$")

    def test_a_memory_store_forgets(self):
        self.todo("add", "x", "--store", "memory")
        self.assertEqual(self.todo("list", "--store", "memory")[0], "")

    def in_shell(self, command):
        """The exit code and stderr of a command of the shell, in which TODO stands for todo.py."""
        command = command.replace("TODO", f"{sys.executable} {PROGRAM}")
        environment = {**os.environ, "USER": "someone"}
        result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, timeout=SECONDS)
        return result.returncode, result.stderr

    def test_input_and_output_that_are_closed_or_full(self):
        self.todo("add", "x")
        self.assertEqual(self.in_shell("TODO list >/dev/full"), (1, "todo: No space left on device\n"))
        for closed in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
            self.assertEqual(self.in_shell(f"TODO list {closed}"), (0, ""), closed)
        code, error = self.in_shell("TODO register annabella <&-")
        self.assertEqual((code, error.splitlines()[-1][:11]), (2, "todo: error"))

    def test_ctrl_c_ends_a_command_at_once_and_the_server_with_it(self):
        url = self.issues((200, []), held=True)
        command = [sys.executable, PROGRAM, "list", "--source", "github:o/r", "--github-url", url]
        environment = {**os.environ, "USER": "someone"}
        process = self.start(command, env=environment, stderr=subprocess.PIPE)
        self.addCleanup(self.release.set)

        def server():
            return subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()

        pid = until(server, lambda: "the server was not started")[0]
        until(lambda: self.asked, lambda: "it never loaded")
        process.send_signal(signal.SIGINT)
        self.assertEqual((process.communicate(timeout=SECONDS)[1], process.returncode), (b"", 130))
        until(lambda: not is_running(pid), lambda: "the server stays")

    def test_ctrl_c_at_a_password(self):
        terminal = Terminal(self.environment, "register", "annabella")
        self.addCleanup(terminal.close)
        terminal.wait("Password:")
        terminal.keys("abc", "<C-c>")
        text = terminal.wait("ended with 130")
        self.assertNotIn("Traceback", text)

    def test_09_a_password_is_in_no_argument_and_no_file(self):
        self.todo("register", "annabella", "--password-stdin", stdin=PASSWORD.encode())
        terminal = Terminal(self.environment, "login", "annabella")
        self.addCleanup(terminal.close)
        terminal.wait("Password for annabella:")
        terminal.keys(PASSWORD)
        arguments = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        terminal.keys("<Enter>")
        terminal.wait("logged in as annabella")
        self.secret_is_nowhere(arguments, terminal.everything)

    def test_a_reader_that_has_seen_enough(self):
        self.todo("add", "x")
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, PROGRAM, "list", "--name", "someone"]
        result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=SECONDS)
        os.close(writer)
        self.assertEqual((result.returncode, result.stderr), (141, b""))

    def test_an_empty_name_is_not_another_name(self):
        self.todo("add", "x")
        for arguments in (("login", ""), ("list", "--name", ""), ("add", "y", "--name", "")):
            self.assertIn("name", self.todo(*arguments, code=1)[1], arguments)
        self.assertEqual(len(self.todo("list")[0].splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
