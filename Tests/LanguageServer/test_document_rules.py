"""Tests the rules of the document with a language client."""

import re
import time
import unittest

from client import CAPABILITIES, PATIENCE_SECONDS, Document, applied
from test_lsp import HEADING, LanguageServerCase, is_taken


class DocumentRuleTests(LanguageServerCase):
    def ids(self):
        return {todo["title"]: todo["id"] for todo in self.todos()}

    def test_rule_3_a_line_without_a_box_keeps_its_todo(self):
        _, document = self.open_with("- [ ] Milk", "- [ ] Bread")
        shown = document.wait(is_taken("Bread"))
        ids = self.ids()
        for start in ("", "1. [-] ", "    - [ ] "):
            document.sub("- [ ] Bread", f"{start}Bread")
            document.save()
            text = document.wait(lambda text: "\n- [ ] Bread ^" in text)
            self.assertEqual(self.ids(), ids)
            self.assertEqual(text.split("\n")[1:], shown.split("\n")[1:])

    def test_rule_3_the_bullet_and_the_tick_stay_unchanged(self):
        _, document = self.open_with("* [ ] Milk", "+ [X] Bread")
        text = document.wait(is_taken("Bread"))
        self.assertIn("\n* [ ] Milk ^", text)
        self.assertIn("\n+ [X] Bread ^", text)
        self.call(("editTodo", {
            "id": self.ids()["Milk"], "version": 1, "title": "Oat milk", "done": True}))
        self.assertIn("\n* [x] Oat milk ^", document.wait(is_taken("Oat milk")))

    def test_rule_7_the_first_line_comes_after_front_matter(self):
        client = self.start()
        document = self.open(client, f"---\ntitle: List\n---\n{HEADING}- [ ] Milk\n")
        document.save()
        text = document.wait(is_taken("Milk"))
        self.assertTrue(text.startswith("---\ntitle: List\n---\n<!-- todo-server ann"), text)

    def test_rule_7_a_todo_added_elsewhere_is_inserted_below_the_first_line(self):
        client = self.start()
        document = self.open(client, f"---\ntitle: List\n---\n{HEADING}- [ ] Milk\n")
        document.save()
        document.wait(is_taken("Milk"))
        self.call(("addTodo", {"title": "Bread"}))
        text = document.wait("Bread")
        self.assertRegex(
            text, r"\A---\ntitle: List\n---\n<!-- .*\n- \[ \] Bread \^.*\n- \[ \] Milk \^.*\n<!-- end")

    def test_rule_1_a_todo_added_above_an_indented_line_does_not_take_it_as_note(self):
        _, document = self.open_with("    An example", "", "    Its end", "- [ ] Milk")
        document.wait(is_taken("Milk"))
        self.call(("addTodo", {"title": "Bread"}))
        document.wait("Bread")
        document.sub("Milk", "Oat milk")
        document.save()
        self.wait_for_titles(["Bread", "Oat milk"])
        self.assertEqual([todo["note"] for todo in self.todos()], ["", ""])
        self.assertRegex(document.text, r"\n    An example\n\n    Its end\n- \[ \] Bread \^")

    def test_rule_10_lines_cut_before_a_reopening_are_put_back_after_it(self):
        client, document = self.open_with("- [ ] Milk", "- [ ] Bread", "A line", "- [ ] Salt")
        shown = document.wait(is_taken("Salt"))
        ids = self.ids()
        cut = re.search(r"- \[ \] Bread.*\nA line\n", shown).group()
        for restarts in (False, True):
            document.sub(cut, "")
            document.save()
            self.wait_for_titles(["Milk", "Salt"])
            document.close()
            if restarts:
                client.end()
                client = self.start()
            document = Document(client, self.path)
            document.sub("<!-- end", cut + "<!-- end")
            document.save()
            self.wait_for_titles(["Bread", "Milk", "Salt"])
            self.assertEqual(self.ids(), ids)
            document.wait(lambda text: text.split("\n")[1:] == (
                shown.replace(cut, "").replace("<!-- end", cut + "<!-- end")).split("\n")[1:])

    def test_rule_10_a_line_cut_and_replaced_in_one_change_is_put_back(self):
        _, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        document.type("- [ ] Bread")
        document.save()
        cut = re.search(r"- \[ \] Bread.*\n", document.wait(is_taken("Bread"))).group()
        bread = self.ids()["Bread"]
        document.sub(cut, "- [ ] Salt\n")
        document.save()
        document.wait(is_taken("Salt"))
        document.sub("<!-- end", cut + "<!-- end")
        document.save()
        self.wait_for_titles(["Bread", "Milk", "Salt"])
        self.assertEqual(self.ids()["Bread"], bread)

    def test_rule_10_an_edit_of_a_removed_todo_restores_it(self):
        client, document = self.open_with("- [ ] Milk", "- [ ] Bread")
        document.wait(is_taken("Bread"))
        ids = self.ids()
        client.applies = "no"
        milk = next(todo for todo in self.todos() if todo["title"] == "Milk")
        self.call(("removeTodo", {"id": milk["id"], "version": milk["version"]}))
        for title in ("Milk, two", "Milk, two litres"):
            document.set(re.sub(r"(?<=\] )Milk.*?(?= \^)", title, document.text))
            document.save()
            self.wait_for_titles(["Bread", title])
            self.assertEqual(self.ids(), {title: ids["Milk"], "Bread": ids["Bread"]})

    def has_diagnostic(self, code):
        return lambda message: message.get("method") == "textDocument/publishDiagnostics" and [
            found["code"] for found in message["params"]["diagnostics"]] == code

    def test_rule_14_a_client_that_checks_no_versions_gets_edits_on_request(self):
        client = self.start(clientInfo={"name": "vim-lsp"}, initializationOptions={})
        document = self.open(client, HEADING + "- [ ] Milk\n<!-- end -->\n")
        document.save()
        self.wait_for_titles(["Milk"])
        self.call(("addTodo", {"title": "Bread"}))
        client.wait(self.has_diagnostic(["changes"]))
        # Never while the user has unsaved edits.
        document.sub("Milk", "Oat milk")
        self.assertNotIn("Show what is new", document.actions())
        document.save()
        self.wait_for_titles(["Bread", "Oat milk"])
        end = time.monotonic() + PATIENCE_SECONDS
        while not document.show_news() and time.monotonic() < end:
            time.sleep(0.01)
        self.assertTrue(is_taken("Oat milk")(document.text) and is_taken("Bread")(document.text))
        client.wait(self.has_diagnostic([]))
        self.assertNotIn("Show what is new", document.actions())
        self.assertNotIn("workspace/applyEdit", [m.get("method") for m in client.said])

    def test_rule_14_a_bare_command_requests_the_edit(self):
        client = self.start(
            capabilities={**CAPABILITIES, "textDocument": {}}, initializationOptions={})
        document = self.open(client)
        self.call(("addTodo", {"title": "Milk"}))
        client.wait(self.has_diagnostic(["changes", "noEnd"]))
        end = time.monotonic() + PATIENCE_SECONDS
        while not (command := document.actions().get("Show what is new")):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        client.ask("workspace/executeCommand", command=command["command"])
        document.wait(is_taken("Milk"))

    def test_rule_14_neovim_gets_versioned_edits_after_its_first_change(self):
        """Neovim does not declare that it applies versioned edits, and takes version 0 for any."""
        self.call(("addTodo", {"title": "Milk"}))
        client = self.start(
            clientInfo={"name": "Neovim"}, initializationOptions={},
            capabilities={**CAPABILITIES, "workspace": {"applyEdit": True}})
        document = self.open(client, version=0)
        client.wait(self.has_diagnostic(["changes", "noEnd"]))
        document.set(document.text + "- [ ] Bread\n")
        document.save()
        request = client.wait(lambda m: m.get("method") == "workspace/applyEdit")
        [change] = request["params"]["edit"]["documentChanges"]
        self.assertEqual(change["textDocument"], {"uri": document.uri, "version": 1})
        self.assertTrue(is_taken("Milk")(document.text) and is_taken("Bread")(document.text))

    def test_rule_15_a_line_edited_after_its_save_is_one_todo(self):
        client = self.start()
        client.applies = "refused"
        document = self.open(client, HEADING + "- [ ] Mi\n- [ ] Bread\n<!-- end -->\n")
        document.save()
        self.wait_for_titles(["Bread", "Mi"])
        ids = self.ids()
        # Another word, another place, and a line that begins in the same way.
        document.sub("- [ ] Mi\n", "- [ ] Cheese\n")
        document.sub("- [ ] Bread\n", "- [ ] Brea\n- [ ] Bread\n")
        document.save()
        self.wait_for_titles(["Brea", "Bread", "Cheese"])
        self.assertEqual(self.ids()["Cheese"], ids["Mi"])
        self.assertEqual(self.ids()["Bread"], ids["Bread"])

    def test_rule_15_a_buffer_reopened_after_its_save_continues_its_line(self):
        client = self.start()
        document = self.open(client)
        document.wait("<!-- end -->")
        client.applies = "refused"
        document.type("- [ ] Milk")
        document.save()
        document.close()
        document = Document(client, self.path)
        document.sub("Milk", "Milk and bread")
        document.save()
        self.wait_for_titles(["Milk and bread"])

    def test_rule_15_a_buffer_reopened_after_an_unchanged_save_is_saved(self):
        client, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        for _ in range(3):
            document.save()
            document.close()
            document = Document(client, self.path)
        document.sub("Milk", "Oat milk")
        document.save()
        self.wait_for_titles(["Oat milk"])

    def test_rule_15_a_line_typed_again_after_its_todo_was_renamed_is_new(self):
        client, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        client.applies = "no"
        document.type("- [ ] Apples")
        document.save()
        self.wait_for_titles(["Apples", "Milk"])
        apples = self.ids()["Apples"]
        for name in ("Apples and pears", "Bread"):
            document.set(re.sub(r"\[ \] Apples.*", f"[ ] {name}", document.text))
            document.save()
            self.wait_for_titles([name, "Milk"])
            self.assertEqual(self.ids()[name], apples)
            document.type("- [ ] Apples")
            document.save()
            self.wait_for_titles(["Apples", *sorted([name, "Milk"])])
            document.sub("- [ ] Apples\n<!-- end", "<!-- end")
            document.save()
            self.wait_for_titles(sorted([name, "Milk"]))

    def test_a_new_document_of_a_killed_server_is_stored_once(self):
        text = HEADING + "# Home\n\n- [ ] Milk\nA line\n<!-- end -->\n"
        client = self.start()
        client.applies = "no"
        self.open(client, text).save()
        self.wait_for_titles(["Milk"])
        client.ask("workspace/symbol", query="Milk")
        client.end()
        document = self.open(self.start(), text)
        shown = document.wait(is_taken("Milk"))
        self.assertEqual(
            [line.split(" ^")[0] for line in shown.split("\n")[1:]],
            [line for line in text.split("\n")[1:]])
        document.save()
        self.wait_for_titles(["Milk"])

    def test_save_of_a_buffer_that_is_reopened_before_the_login_is_stored(self):
        client = self.start()
        document = self.open(client, HEADING + "- [ ] Milk\n<!-- end -->\n")
        document.save()
        document.close()
        Document(client, self.path)
        self.wait_for_titles(["Milk"])

    def test_rule_16_a_buffer_is_unmodified_after_its_save(self):
        client, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        document.type("- [ ] Bread 🍞")
        document.sub("Milk", "Oat milk")
        document.save_marked()
        saved = document.text
        self.assertRegex(saved, r"\n- \[ \] Bread 🍞 \^[0-9a-z]{6}\n")
        self.wait_for_titles(["Bread 🍞", "Oat milk"])
        self.assertIn(f"^{self.ids()['Bread 🍞'][:6]}\n", saved)
        # An autosave does not mark the line in which the user types.
        document.type("- [ ] Chee")
        document.save_marked(reason=2)
        self.wait_for_titles(["Bread 🍞", "Chee", "Oat milk"])
        client.ask("workspace/symbol", query="Chee")
        self.assertEqual(
            document.text, saved.replace("<!-- end", "- [ ] Chee\n<!-- end").replace(
                f"{self.ids()['Oat milk']}.1", f"{self.ids()['Oat milk']}.2"))
        document.sub("Chee\n", "Cheese\n")
        document.save_marked()
        self.wait_for_titles(["Bread 🍞", "Cheese", "Oat milk"])
        self.assertIn(f"- [ ] Cheese ^{self.ids()['Cheese'][:6]}", document.text)

    def test_rule_16_a_line_marked_for_a_save_that_never_came_is_added_later(self):
        client, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        document.type("- [ ] Bread")
        edits = client.ask(
            "textDocument/willSaveWaitUntil", textDocument=document.identifier, reason=1)
        text = applied(document.text, edits)
        self.assertEqual(self.titles(), ["Milk"])
        client.end()
        # The editor has written the file, and its server ended before the save.
        document = self.open(self.start(), text)
        document.save()
        self.wait_for_titles(["Bread", "Milk"])
        self.assertIn(f"- [ ] Bread ^{self.ids()['Bread'][:6]}\n", text)

    def test_rule_16_only_clients_that_send_their_changes_first_get_marks(self):
        for name, gets in (("Neovim", True), ("Eglot", False), ("Unknown", False)):
            client = self.start(clientInfo={"name": name}, initializationOptions={})
            sync = client.initialize_result["capabilities"]["textDocumentSync"]
            self.assertEqual(sync["willSaveWaitUntil"], gets)
            document = self.open(client, HEADING + "- [ ] Milk\n<!-- end -->\n")
            document.save()
            document.type("- [ ] Bread")
            if not gets:
                self.assertEqual(client.ask(
                    "textDocument/willSaveWaitUntil", textDocument=document.identifier,
                    reason=1), [])
            client.end()

    def test_rule_16_a_document_of_another_list_is_not_marked(self):
        client = self.start()
        document = self.open(client, "# Notes\n- [ ] Milk\n")
        self.assertEqual(client.ask(
            "textDocument/willSaveWaitUntil", textDocument=document.identifier, reason=1), [])

    def test_rule_17_a_line_that_looks_like_a_todo_has_a_diagnostic(self):
        client, document = self.open_with("- [ ] Milk", "1. [ ] One", "```", "- [-] Code", "```")
        document.wait(is_taken("Milk"))

        def is_found(message):
            return message.get("method") == "textDocument/publishDiagnostics" and [
                (found["code"], found["range"]["start"]["line"])
                for found in message["params"]["diagnostics"]] == [("notATodo", 2)]

        client.wait(is_found)


if __name__ == "__main__":
    unittest.main()
