"""Tests the rules of the document with a language client."""

import re
import unittest

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

    def test_rule_7_the_first_line_comes_after_front_matter(self):
        client = self.start()
        document = self.open(client, f"---\ntitle: List\n---\n{HEADING}- [ ] Milk\n")
        document.save()
        text = document.wait(is_taken("Milk"))
        self.assertTrue(text.startswith("---\ntitle: List\n---\n<!-- todo-server ann"), text)

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
