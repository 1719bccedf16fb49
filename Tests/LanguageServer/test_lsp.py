"""Tests `todo-server lsp` as an editor uses it."""

import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from client import CAPABILITIES, PATIENCE_SECONDS, SERVER, Client, Document, Failed

HEADING = "<!-- todo-server ann local 0 -->\n"


def is_taken(title):
    """Returns a predicate: whether a text contains a todo with its mark."""
    return lambda text: f"] {title} ^" in text


class LanguageServerCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="todo-lsp-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "todos.md")
        self.store = ["--store", f"sqlite:{self.folder}/store/todos.sqlite"]

    def start(self, *options, name="ann", **params):
        client = Client(*self.store, "--name", name, *options, **params)
        self.addCleanup(client.end)
        return client

    def open(self, client, text=HEADING, **options):
        with open(self.path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return Document(client, self.path, **options)

    def open_with(self, *lines, **options):
        """Opens a document with todos that the server has stored."""
        client = self.start()
        document = self.open(client, HEADING + "".join(f"{line}\n" for line in lines), **options)
        document.save()
        document.wait("<!-- end -->")
        return client, document

    def call(self, *calls):
        """Returns the response of another server on the same store to the last of some requests."""
        calls = [("initialize", {"processId": None}), ("login", {"name": "ann"}), *calls]
        lines = [
            json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            for number, (method, params) in enumerate(calls)]
        done = subprocess.run(
            SERVER + self.store, input="\n".join(lines) + "\n", capture_output=True, text=True,
            timeout=PATIENCE_SECONDS)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        for answer in answers:
            self.assertNotIn("error", answer)
        return {answer["id"]: answer for answer in answers if "id" in answer}[len(calls) - 1]

    def todos(self):
        return self.call(("listTodos", {}))["result"]["todos"]

    def titles(self):
        return [todo["title"] for todo in self.todos()]

    def wait_for_titles(self, titles):
        self.wait_for(lambda: sorted(self.titles()), titles)

    def wait_for(self, value, expected):
        end = time.monotonic() + PATIENCE_SECONDS
        while value() != expected and time.monotonic() < end:
            pass
        self.assertEqual(value(), expected)


class StorageTests(LanguageServerCase):
    def test_a_save_that_cannot_be_stored_is_shown_and_stored_later(self):
        client, document = self.open_with("- [ ] Milk")
        other = sqlite3.connect(f"{self.folder}/store/todos.sqlite", isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        document.sub("Milk", "Oat milk")
        document.save()

        def shown(message):
            return message.get("method") == "window/showMessage" and message["params"]["message"]

        self.assertIn("The save is not in the list yet", client.wait(shown)["params"]["message"])
        other.execute("ROLLBACK")
        self.assertEqual(client.wait(shown)["params"]["message"], "The save is in the list now.")
        self.assertEqual(self.titles(), ["Oat milk"])


class LifecycleTests(LanguageServerCase):
    def test_requests_before_initialize_are_refused(self):
        client = self.start(initialize=False)
        with self.assertRaises(Failed) as failed:
            client.ask("textDocument/hover")
        self.assertEqual(failed.exception.code, -32002)
        client.notify("textDocument/didOpen", textDocument={"uri": "file:///x", "text": HEADING})
        client.notify("exit")
        self.assertEqual(client.process.wait(PATIENCE_SECONDS), 1)

    def test_shutdown_and_exit(self):
        client = self.start()
        with self.assertRaises(Failed) as failed:
            client.ask("initialize", processId=None, capabilities={})
        self.assertEqual(failed.exception.code, -32600)
        with self.assertRaises(Failed) as failed:
            client.ask("textDocument/implementation")
        self.assertEqual(failed.exception.code, -32601)
        client.notify("$/whatever")
        client.notify("workspace/didChangeConfiguration", settings=None)
        self.assertIsNone(client.ask("shutdown"))
        with self.assertRaises(Failed) as failed:
            client.ask("workspace/symbol", query="")
        self.assertEqual(failed.exception.code, -32600)
        client.notify("exit")
        self.assertEqual(client.process.wait(PATIENCE_SECONDS), 0)

    def test_server_ends_with_the_process_of_its_editor(self):
        editor = subprocess.Popen(["sleep", "1000"])
        client = self.start(initialize=False)
        client.ask("initialize", processId=editor.pid, capabilities={})
        editor.kill()
        editor.wait()
        self.assertEqual(client.process.wait(PATIENCE_SECONDS), 1)

    def test_server_ends_if_its_editor_does_not_exist(self):
        editor = subprocess.Popen(["true"])
        editor.wait()
        client = self.start(initialize=False)
        client.ask("initialize", processId=editor.pid, capabilities={})
        self.assertEqual(client.process.wait(PATIENCE_SECONDS), 1)

    def test_last_save_is_stored_before_the_server_ends(self):
        client = self.start()
        document = self.open(client, HEADING + "- [ ] Buy milk\n")
        document.save()
        client.notify("exit")
        self.assertEqual(client.process.wait(PATIENCE_SECONDS), 1)
        self.assertEqual(self.titles(), ["Buy milk"])

    def test_account_needs_its_password(self):
        account = {"username": "annabella", "password": "correct horse"}
        lines = [("initialize", {}), ("register", account)]
        subprocess.run(
            SERVER + self.store, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
            input="".join(
                json.dumps({"jsonrpc": "2.0", "id": n, "method": m, "params": p}) + "\n"
                for n, (m, p) in enumerate(lines)))
        for command, is_right in (("echo wrong horse", False), ("echo correct horse", True)):
            client = self.start("--password-command", command, name="annabella")
            document = self.open(client, HEADING.replace("ann", "annabella"))
            if is_right:
                document.wait("<!-- end -->")
            else:
                said = client.wait(lambda m: m.get("method") == "window/showMessage")
                self.assertNotIn("horse", json.dumps(said))
                with self.assertRaises(Failed):
                    client.ask("workspace/executeCommand", command="todo-server.undo")

    def test_invalid_command_lines_are_refused(self):
        for words in (["lsp", "file"], ["lsp", "--once"], ["lsp", "--read-only"]):
            done = subprocess.run(SERVER + words, capture_output=True, text=True)
            self.assertEqual(done.returncode, 64, words)


class BufferTests(LanguageServerCase):
    def test_saved_line_becomes_a_todo_with_a_mark(self):
        client, document = self.open_with("- [ ] Buy milk")
        document.type("- [ ] Pay the rent\n  By Friday")
        self.assertEqual(self.titles(), ["Buy milk"])
        document.save()
        document.wait(is_taken("Pay the rent"))
        document.sub("[ ] Buy", "[x] Buy oat")
        document.save()
        document.wait(is_taken("Buy oat milk"))
        self.wait_for_titles(["Buy oat milk", "Pay the rent"])
        document.set("\n".join(
            line for line in document.text.split("\n") if "rent" not in line and "Fri" not in line))
        document.save()
        self.wait_for_titles(["Buy oat milk"])

    def test_full_text_and_both_encodings(self):
        for encoding in ("utf-8", "utf-16"):
            for sync in ("full", "incremental"):
                client = self.start(
                    capabilities={**CAPABILITIES, "general": {"positionEncodings": [encoding]}})
                self.assertEqual(client.initialize_result["capabilities"]["positionEncoding"], encoding)
                document = self.open(client, sync=sync)
                document.wait("<!-- end -->")
                document.type(f"- [ ] Käse 😀 {encoding} {sync}")
                document.sub(f"😀 {encoding} {sync}", f"😀😀 {encoding} {sync}")
                document.save()
                document.wait(is_taken(f"Käse 😀😀 {encoding} {sync}"))
                document.close()
                client.end()
        self.assertEqual(len(self.titles()), 4)

    def test_lone_carriage_return_becomes_a_character_reference(self):
        for number, (name, returns) in enumerate(((None, False), ("Neovim", False), ("Theia", True))):
            with self.subTest(name):
                client = self.start(**({"clientInfo": {"name": name}} if name else {}))
                document = self.open(
                    client, HEADING + f"- [ ] One {number}\n  a\rb\n- [ ] Two {number}\n",
                    returns=returns)
                document.sub(f"Two {number}", f"Two {number} and more")
                document.save()
                document.wait(is_taken(f"Two {number} and more"))
                self.call(("addTodo", {"title": f"Three {number}"}))
                document.wait(is_taken(f"Three {number}"))
                self.assertIn(f"] One {number} ^", document.text)
                self.assertIn(" !escaped\n  a&#13;b\n", document.text)
                client.end()
                self.assertEqual([t["note"] for t in self.todos() if t["note"]], ["a\rb"] * (number + 1))

    def test_crlf_line_endings_are_kept(self):
        client = self.start()
        document = self.open(client, HEADING.replace("\n", "\r\n") + "- [ ] One\r\n  Note\r\n")
        document.save()
        document.wait(is_taken("One"))
        self.call(("addTodo", {"title": "Two", "note": "a\nb"}))
        text = document.wait(is_taken("Two"))
        self.assertEqual(text.count("\n"), text.count("\r\n"))
        document.save()
        self.wait_for_titles(["One", "Two"])
        self.assertEqual([todo["version"] for todo in self.todos()], [1, 1])

    def test_changes_by_other_clients_are_sent_as_edits(self):
        client, document = self.open_with("- [ ] Buy milk", "- [ ] Pay the rent")
        ids = {todo["title"]: todo["id"] for todo in self.todos()}
        self.call(("addTodo", {"title": "Call Bob"}))
        document.wait(is_taken("Call Bob"))
        self.call(("editTodo", {"id": ids["Buy milk"], "done": True}))
        document.wait("- [x] Buy milk ^")
        self.call(("removeTodo", {"id": ids["Pay the rent"]}))
        document.wait(lambda text: "rent" not in text)

    def wait_for_other_buffer(self, what):
        """Waits until the buffer of another client, which its user does not change, has a text."""
        other = self.start()
        Document(other, "untitled:Other", HEADING).wait(what)
        other.end()

    def test_line_being_edited_is_not_replaced(self):
        client, document = self.open_with("- [ ] Buy milk", "- [ ] Pay the rent")
        ids = {todo["title"]: todo["id"] for todo in self.todos()}
        document.sub("Buy milk", "Buy oat milk")
        document.type("- [ ] Half a li")
        self.call(("editTodo", {"id": ids["Buy milk"], "done": True}), ("addTodo", {"title": "Call Bob"}))
        self.wait_for_other_buffer(is_taken("Call Bob"))
        client.drain()
        self.assertNotIn("Call Bob", document.text)
        self.assertIn("- [ ] Buy oat milk ^", document.text)
        document.sub("Half a li", "Half a line")
        document.save()
        document.wait("- [x] Buy oat milk ^")
        document.wait(is_taken("Half a line"))
        document.wait(is_taken("Call Bob"))
        self.assertEqual(
            sorted(self.titles()), ["Buy oat milk", "Call Bob", "Half a line", "Pay the rent"])

    def test_unsaved_deletion_of_a_line_is_kept(self):
        client, document = self.open_with("- [ ] Buy milk", "- [ ] Pay the rent")
        document.set("".join(
            line + "\n" for line in document.text.split("\n")[:-1] if "milk" not in line))
        self.call(("addTodo", {"title": "Call Bob"}))
        self.wait_for_other_buffer(is_taken("Call Bob"))
        client.drain()
        self.assertNotIn("milk", document.text)
        self.assertEqual(len(self.titles()), 3)
        document.save()
        document.wait(is_taken("Call Bob"))
        self.assertNotIn("milk", document.text)
        self.wait_for_titles(["Call Bob", "Pay the rent"])

    def test_deleted_line_leaves_a_todo_changed_by_another_client(self):
        client, document = self.open_with("- [ ] Buy milk", "- [ ] Pay the rent")
        ids = {todo["title"]: todo["id"] for todo in self.todos()}
        document.set("".join(
            line + "\n" for line in document.text.split("\n")[:-1] if "milk" not in line))
        self.call(
            ("editTodo", {"id": ids["Buy milk"], "done": True}), ("editTodo", {"id": ids["Pay the rent"], "done": True}))
        document.save()
        document.wait("- [x] Buy milk ^")
        document.wait("- [x] Pay the rent ^")
        self.assertEqual(len(self.titles()), 2)

    def test_client_that_never_applies_edits_loses_nothing(self):
        client = self.start()
        client.applies = "no"
        client.answers_edits = False
        document = self.open(client, HEADING + "- [ ] Buy mi\n- [ ] Pay\n<!-- end -->\n")
        document.save()
        self.wait_for_titles(["Buy mi", "Pay"])
        # The line continues the same todo.
        document.sub("Buy mi", "Buy milk")
        document.type("- [ ] Call Bob")
        document.save()
        self.wait_for_titles(["Buy milk", "Call Bob", "Pay"])
        document.sub("Buy milk", "Buy oat milk")
        document.save()
        document.save()
        self.wait_for_titles(["Buy oat milk", "Call Bob", "Pay"])
        document.sub("- [ ] Pay\n", "")
        document.save()
        self.call(("addTodo", {"title": "From another client"}))
        document.save()
        self.assertEqual(len([title for title in self.titles() if title == "Call Bob"]), 1)

    def test_edits_applied_one_by_one_are_not_typing(self):
        """The edits so far do not count as typing, for clients such as lsp-mode."""
        client, document = self.open_with("- [ ] Buy milk", "- [ ] Pay the rent", "- [ ] Call Bob")
        document.says_each = True
        ids = {todo["title"]: todo["id"] for todo in self.todos()}
        self.call(
            ("removeTodo", {"id": ids["Call Bob"]}), ("removeTodo", {"id": ids["Pay the rent"]}),
            ("editTodo", {"id": ids["Buy milk"], "done": True}))
        document.wait("- [x] Buy milk ^")
        document.wait(lambda text: "Bob" not in text and "rent" not in text)
        document.save()
        document.type("- [ ] Fix the door")
        document.save()
        document.wait(is_taken("Fix the door"))
        self.wait_for_titles(["Buy milk", "Fix the door"])

    def test_command_is_answered_after_its_edits(self):
        """lsp-mode loses messages that arrive together with the response to a command."""
        client = self.start(clientInfo={"name": "emacs"})
        document = self.open(client, HEADING + "- [ ] Buy milk\n")
        document.save()
        document.wait(is_taken("Buy milk"))
        place = {"line": 1, "character": 0}
        actions = client.ask(
            "textDocument/codeAction", textDocument=document.identifier,
            range={"start": place, "end": place}, context={"diagnostics": []})
        command = [a["command"] for a in actions if a["title"] == "Mark as done at once"][0]
        client.ask("workspace/executeCommand", **command)
        self.assertIn("- [x] Buy milk", document.text)

    def test_undone_edit_is_not_sent_again(self):
        client, document = self.open_with("- [ ] Buy milk")
        before = document.text
        self.call(("addTodo", {"title": "Call Bob"}))
        document.wait(is_taken("Call Bob"))
        document.set(before)
        self.assertIsNone(client.ask("textDocument/hover", textDocument=document.identifier,
                                     position={"line": 0, "character": 0}))
        client.drain()
        self.assertEqual(document.text, before)
        document.save()
        document.wait(is_taken("Call Bob"))
        self.wait_for_titles(["Buy milk", "Call Bob"])

    def test_other_documents_are_not_changed(self):
        client = self.start()
        for text in ("", "# Mine\n- [ ] Buy milk\n", "- [ ] Buy milk\n" + HEADING):
            document = self.open(client, text, language="plaintext")
            document.save()
            for method in ("hover", "codeAction"):
                self.assertIsNone(client.ask(
                    f"textDocument/{method}", textDocument=document.identifier,
                    position={"line": 0, "character": 0}, context={"diagnostics": []},
                    range={"start": {"line": 0, "character": 0},
                           "end": {"line": 0, "character": 0}}))
            for method in ("documentSymbol", "documentLink", "foldingRange", "semanticTokens/full"):
                self.assertIsNone(
                    client.ask(f"textDocument/{method}", textDocument=document.identifier))
            document.close()
        self.assertEqual([m for m in client.said if "method" in m], [])
        self.assertEqual(self.titles(), [])

    def test_document_of_another_list_has_a_diagnostic(self):
        client = self.start()
        document = self.open(client, HEADING.replace("ann", "bob") + "- [ ] Buy milk\n")
        said = client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
        self.assertIn("the list of bob", said["params"]["diagnostics"][0]["message"])
        document.save()
        self.assertEqual(self.titles(), [])

    def test_buffer_without_a_file_is_saved(self):
        client = self.start()
        document = Document(client, "untitled:One", HEADING + "- [ ] Buy milk\n")
        document.save()
        document.wait(is_taken("Buy milk"))

    def test_deleted_first_line_can_be_restored(self):
        client, document = self.open_with("- [ ] Buy milk")
        first = document.text.split("\n")[0] + "\n"
        client.said.clear()
        document.sub(first, "")
        document.type("- [ ] Pay the rent")
        document.save()
        said = client.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["diagnostics"])
        self.assertEqual(said["params"]["diagnostics"][0]["code"], "noFirstLine")
        self.assertEqual(self.titles(), ["Buy milk"])
        document.replace(0, 0, first)
        document.save()
        document.wait(is_taken("Pay the rent"))


class FeatureTests(LanguageServerCase):
    def ask(self, client, document, method, **params):
        return client.ask(
            f"textDocument/{method}", textDocument=document.identifier, **params)

    def actions(self, client, document, line):
        place = {"line": line, "character": 0}
        return {action["title"]: action for action in self.ask(
            client, document, "codeAction", context={"diagnostics": []},
            range={"start": place, "end": place})}

    def conflict(self):
        """Returns a todo to which two clients have given different titles."""
        client, document = self.open_with("- [ ] Fix the door")
        document.sub("Fix the door", "Fix my door")
        self.call(("editTodo", {"id": self.todos()[0]["id"], "title": "Fix the front door"}))
        document.save()
        document.wait("!conflict")
        said = client.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and any(d["code"] == "conflict" for d in m["params"]["diagnostics"]))
        message = said["params"]["diagnostics"][0]["message"]
        self.assertIn("Mine:\n[ ] Fix my door\nTheirs:\n[ ] Fix the front door", message)
        return client, document

    def test_conflict_is_resolved_by_a_command(self):
        for title, kept in (("Keep mine", "Fix my door"), ("Take theirs", "Fix the front door")):
            with self.subTest(title):
                self.setUp()
                client, document = self.conflict()
                command = self.actions(client, document, 1)[f"{title} at once"]["command"]
                client.ask("workspace/executeCommand", **command)
                document.wait(lambda text: "!conflict" not in text)
                self.assertEqual(self.titles(), [kept])

    def test_conflict_is_resolved_by_an_edit(self):
        client, document = self.conflict()
        edit = self.actions(client, document, 1)["Keep mine"]["edit"]
        client.apply(edit)
        document.save()
        document.wait(lambda text: "!conflict" not in text and is_taken("Fix my door")(text))
        self.wait_for_titles(["Fix my door"])

    def test_todo_is_ticked_by_an_edit_and_by_a_command(self):
        client, document = self.open_with("- [ ] Buy milk")
        client.apply(self.actions(client, document, 1)["Mark as done"]["edit"])
        self.assertIn("- [x] Buy milk", document.text)
        document.save()
        self.wait_for(lambda: [todo["done"] for todo in self.todos()], [True])
        command = self.actions(client, document, 1)["Mark as not done at once"]["command"]
        client.ask("workspace/executeCommand", **command)
        document.wait("- [ ] Buy milk")
        client.ask("workspace/executeCommand", command="todo-server.undo")
        document.wait("- [x] Buy milk")
        client.ask("workspace/executeCommand", command="todo-server.redo")
        document.wait("- [ ] Buy milk")
        for command in ("todo-server.nothing", "todo-server.toggle"):
            with self.assertRaises(Failed) as failed:
                client.ask("workspace/executeCommand", command=command, arguments=[])
            self.assertEqual(failed.exception.code, -32602)

    def test_symbols_links_folds_and_hovers_describe_todos(self):
        client, document = self.open_with(
            "- [x] See https://example.org/a(b)?", "  A note of *two*", "  lines", "- [ ] Open")
        symbols = self.ask(client, document, "documentSymbol")
        self.assertEqual(
            [symbol["name"] for symbol in symbols], ["See https://example.org/a(b)?", "Open"])
        self.assertEqual(
            [link["target"] for link in self.ask(client, document, "documentLink")],
            ["https://example.org/a(b"])
        self.assertEqual(
            self.ask(client, document, "foldingRange"), [{"startLine": 1, "endLine": 3}])
        data = self.ask(client, document, "semanticTokens/full")["data"]
        self.assertEqual(data[0::5], [1, 1, 1])
        hover = self.ask(
            client, document, "hover", position={"line": 2, "character": 3})["contents"]
        self.assertEqual(hover["kind"], "plaintext")
        self.assertIn("Done, kept here only", hover["value"])
        found = client.ask("workspace/symbol", query="note two")
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["location"]["range"]["start"]["line"], 1)

    def test_symbol_names_escape_control_characters(self):
        client, document = self.open_with("- [ ] Red \x1b[31m alert")
        names = [symbol["name"] for symbol in self.ask(client, document, "documentSymbol")]
        names += [symbol["name"] for symbol in client.ask("workspace/symbol", query="alert")]
        self.assertEqual(names, ["Red \\u{1b}[31m alert"] * 2)

    def test_deleted_todo_is_restored_by_its_line(self):
        _, document = self.open_with("- [ ] Buy milk")
        before = document.wait(is_taken("Buy milk"))
        milk = self.todos()[0]["id"]
        document.sub(before.splitlines()[1] + "\n", "")
        document.save()
        self.wait_for_titles([])
        # As an editor's undo does.
        document.set(before)
        document.save()
        self.wait_for_titles(["Buy milk"])
        self.assertEqual(self.todos()[0]["id"], milk)
        document.wait(is_taken("Buy milk"))

    def test_deleted_plain_line_is_restored(self):
        _, document = self.open_with("- [ ] Buy milk")
        document.wait(is_taken("Buy milk"))
        document.type("For Sunday")
        document.save()
        for _ in range(2):
            document.sub("For Sunday\n", "")
            document.save()
            document.type("For Sunday")
            document.save()
        document.type("- [ ] Pay")
        document.save()
        self.assertIn("\nFor Sunday\n", document.wait(is_taken("Pay")))
        # Later edits keep it, too.
        document.type("- [ ] Sleep")
        document.save()
        self.assertIn("\nFor Sunday\n", document.wait(is_taken("Sleep")))

    def test_line_typed_again_is_a_new_todo_for_a_client_without_edits(self):
        subprocess.run(
            SERVER + ["mirror", self.path, "--once", "--name", "ann", *self.store],
            check=True, capture_output=True)
        document = Document(self.start(capabilities={}), self.path)
        document.type("- [ ] Buy milk")
        document.save()
        self.wait_for_titles(["Buy milk"])
        document.sub("- [ ] Buy milk\n", "")
        document.save()
        self.wait_for_titles([])
        document.type("- [ ] Buy milk")
        document.save()
        self.wait_for_titles(["Buy milk"])

    def test_client_without_capabilities_is_served(self):
        client = self.start(capabilities={})
        document = self.open(client, HEADING + "- [ ] Buy milk\n<!-- end -->\n")
        document.save()
        self.wait_for_titles(["Buy milk"])
        self.assertEqual(
            {action["command"] for action in self.actions(client, document, 1).values()},
            {"todo-server.toggle", "todo-server.undo", "todo-server.redo"})
        self.assertNotIn("workspace/applyEdit", [m.get("method") for m in client.said])
        self.assertIn("location", self.ask(client, document, "documentSymbol")[0])


class MirrorTests(LanguageServerCase):
    def start_mirror(self):
        mirror = subprocess.Popen(
            SERVER + ["mirror", self.path, "--name", "ann", *self.store],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(lambda: (mirror.poll() is None and mirror.kill(), mirror.communicate()))
        return mirror

    def read(self):
        with open(self.path, encoding="utf-8", newline="") as file:
            return file.read()

    def wait_for_file(self, is_wanted):
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if os.path.exists(self.path) and is_wanted(self.read()):
                return self.read()
            time.sleep(0.01)
        return self.fail(f"not within {PATIENCE_SECONDS} s: {self.read()}")

    def test_open_file_is_not_written_by_the_mirror(self):
        mirror = self.start_mirror()
        self.wait_for_file(lambda text: text.endswith("<!-- end -->\n"))
        client = self.start()
        document = Document(client, self.path)
        self.assertIn("is open in an editor", mirror.stderr.readline())
        document.type("- [ ] Buy milk")
        document.save()
        document.wait(is_taken("Buy milk"))
        saved = self.read()
        # Other todos are in the buffer, and not in the file.
        self.call(("addTodo", {"title": "Call Bob"}))
        document.wait(is_taken("Call Bob"))
        self.assertEqual(self.read(), saved)
        document.sub("Buy milk", "Buy oat milk")
        document.save()
        self.wait_for_titles(["Buy oat milk", "Call Bob"])
        document.close()
        self.wait_for_file(
            lambda text: is_taken("Buy oat milk")(text) and is_taken("Call Bob")(text))
        self.assertEqual(sorted(self.titles()), ["Buy oat milk", "Call Bob"])

    def test_line_edited_after_its_save_is_one_todo_for_the_mirror(self):
        self.start_mirror()
        self.wait_for_file(lambda text: text.endswith("<!-- end -->\n"))
        client = self.start()
        client.applies = "no"
        document = Document(client, self.path)
        document.type("- [ ] Buy mi")
        document.save()
        self.wait_for_titles(["Buy mi"])
        document.sub("Buy mi", "Buy milk")
        document.save()
        self.wait_for_titles(["Buy milk"])
        document.close()
        self.wait_for_file(is_taken("Buy milk"))
        self.assertEqual(self.titles(), ["Buy milk"])

    def test_killed_server_releases_its_file(self):
        mirror = self.start_mirror()
        self.wait_for_file(lambda text: text.endswith("<!-- end -->\n"))
        client = self.start()
        document = Document(client, self.path)
        self.assertIn("is open in an editor", mirror.stderr.readline())
        client.process.kill()
        client.process.wait()
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(document.text.replace("<!-- end", "- [ ] Buy milk\n<!-- end"))
        self.wait_for_file(is_taken("Buy milk"))

    def test_two_buffers_of_one_file_are_merged(self):
        first, second = self.start(), self.start()
        one = self.open(first)
        one.wait("<!-- end -->")
        one.save()
        two = Document(second, self.path)
        one.type("- [ ] From one")
        two.type("- [ ] From two")
        one.save()
        two.save()
        for document in (one, two):
            document.wait(is_taken("From one"))
            document.wait(is_taken("From two"))
        self.assertEqual(sorted(self.titles()), ["From one", "From two"])


if __name__ == "__main__":
    unittest.main()
