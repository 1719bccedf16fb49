"""Tests sections, dates, labels and priorities of a document with a language client."""

import datetime
import time
import unittest

from client import CAPABILITIES, PATIENCE_SECONDS, Document, applied
from test_lsp import HEADING, LanguageServerCase, is_taken


class PlanningTests(LanguageServerCase):
    def ask(self, client, document, method, **params):
        return client.ask(
            f"textDocument/{method}", textDocument=document.identifier, **params)

    def actions(self, client, document, line):
        place = {"line": line, "character": 0}
        return {action["title"]: action for action in self.ask(
            client, document, "codeAction", context={"diagnostics": []},
            range={"start": place, "end": place})}

    def test_symbols_have_the_sections_of_the_document(self):
        client, document = self.open_with(
            "- [ ] First", "# Home", "- [ ] Milk", "  A note", "## Garden", "- [ ] Plants",
            "#not a heading", "# Work", "- [ ] Report")
        document.wait(is_taken("Report"))

        def tree(symbols):
            return [(s["name"], tree(s.get("children", []))) for s in symbols]

        symbols = self.ask(client, document, "documentSymbol")
        self.assertEqual(tree(symbols), [
            ("First", []), ("Home", [("Milk", []), ("Garden", [("Plants", [])])]),
            ("Work", [("Report", [])])])
        lines = [(s["range"]["start"]["line"], s["range"]["end"]["line"]) for s in symbols]
        self.assertEqual(lines, [(1, 1), (2, 7), (8, 9)])
        other = self.start(capabilities={})
        flat = self.ask(other, Document(other, self.path, document.text), "documentSymbol")
        self.assertEqual(
            [(s["name"], s.get("containerName")) for s in flat],
            [("First", None), ("Home", None), ("Milk", "Home"), ("Garden", None),
             ("Plants", "Garden"), ("Work", None), ("Report", "Work")])

    def test_workspace_symbols_are_found_by_qualifiers(self):
        client, document = self.open_with(
            "- [ ] Milk #shop", "- [x] Bread #shop", "- [ ] Rent due:2020-01-01")
        document.wait(is_taken("Rent due:2020-01-01"))
        for query, names in (
                ("label:shop -is:done", ["Milk"]), ("is:overdue", ["Rent"]),
                ("label:shop bread", ["Bread"])):
            found = client.ask("workspace/symbol", query=query)
            self.assertEqual([symbol["name"] for symbol in found], names)
        # An unfinished qualifier is not reported as an error.
        self.assertIsNone(client.ask("workspace/symbol", query="due:nev"))

    def complete(self, client, document, line):
        """Types a line in which `|` is the cursor, and returns the completions there."""
        document.type(line.replace("|", ""))
        start = document.text.index(line.replace("|", ""))
        return self.ask(
            client, document, "completion",
            position=document.position(start + line.index("|")))

    def test_words_are_completed_at_the_end_of_a_title(self):
        lines = ("- [ ] Milk #shop", "- [ ] Bread #shop #\"two words\"", "- [x] Rent #Bank #shop")
        for encodings in (["utf-16"], ["utf-8"]):
            with self.subTest(encodings):
                self.setUp()
                client = self.start(capabilities={**CAPABILITIES, "general": {
                    "positionEncodings": encodings}})
                self.assertEqual(
                    client.initialize_result["capabilities"]["completionProvider"],
                    {"triggerCharacters": [":", "#", "!"]})
                document = self.open(client, HEADING + "\n".join(lines) + "\n<!-- end -->\n")
                document.save()
                document.wait(is_taken("Rent #Bank #shop"))
                items = self.complete(client, document, "- [ ] é😀 New #| !low")
                self.assertEqual(
                    [(item["label"], item["detail"]) for item in items],
                    [("#shop", "3 todos"), ("#Bank", "1 todo"), ("#\"two words\"", "1 todo")])
                self.assertEqual(
                    sorted(items, key=lambda item: item["sortText"]), items)
                document.set(applied(document.text, [items[2]["textEdit"]], encodings[0]))
                self.assertIn("- [ ] é😀 New #\"two words\" !low\n", document.text)
                items = self.complete(client, document, "- [ ] Other #shop #|")
                self.assertNotIn("#shop", [item["label"] for item in items])
                for typed, label in (
                        ("#SH", "#shop"), ("#tw", '#"two words"'), ('#"two w', '#"two words"')):
                    items = self.complete(client, document, f"- [ ] Typed {typed}|")
                    self.assertEqual([item["label"] for item in items], [label])
                items = self.complete(client, document, "- [ ] Third !|")
                self.assertEqual(
                    [item["label"] for item in items], ["!high", "!medium", "!low"])
                for text in ("- [ ] In the #| middle", "- [ ] #|", "  A note #|", "Text #|"):
                    self.assertIsNone(self.complete(client, document, text))

    def test_dates_are_completed(self):
        client, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        # Both dates are of the same day unless the test runs over midnight.
        today = datetime.date.today()
        items = self.complete(client, document, "- [ ] é😀 Rent due:|")
        days = {item["label"]: item["detail"] for item in items}
        self.assertEqual(days["due:today"], today.isoformat())
        self.assertEqual(days["due:tomorrow"], (today + datetime.timedelta(1)).isoformat())
        friday = today + datetime.timedelta((4 - today.weekday() + 6) % 7 + 1)
        self.assertEqual(days["due:friday"], friday.isoformat())
        self.assertEqual(days[f"due:{today.isoformat()}"], today.strftime("%A").lower())
        item = next(item for item in items if item["label"] == "due:friday")
        document.set(applied(document.text, [item["textEdit"]]))
        self.assertIn("- [ ] é😀 Rent due:friday\n", document.text)
        document.save()
        document.wait(is_taken(f"é😀 Rent due:{friday.isoformat()}"))

    def test_relative_date_is_replaced_when_it_is_saved(self):
        client, document = self.open_with("- [ ] Milk")
        document.wait(is_taken("Milk"))
        document.sub("Milk ^", "Milk due:+0d ^")
        document.type("- [ ] Read due:diligence")
        document.save()
        today = datetime.date.today().isoformat()
        document.wait(f"- [ ] Milk due:{today} ^")
        document.wait(is_taken("Read due:diligence"))
        self.assertEqual(
            sorted((todo["title"], todo.get("due")) for todo in self.todos()),
            [("Milk", today), ("Read due:diligence", None)])

    def test_overdue_todos_have_a_diagnostic(self):
        client, document = self.open_with(
            "- [ ] Rent due:2020-01-01", "- [x] Milk due:2020-01-01", "- [ ] Tax due:2999-01-01")
        document.wait(is_taken("Tax due:2999-01-01"))
        said = client.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and any(d["code"] == "overdue" for d in m["params"]["diagnostics"]))
        overdue = [d for d in said["params"]["diagnostics"] if d["code"] == "overdue"]
        self.assertEqual(
            [(d["range"]["start"]["line"], d["message"]) for d in overdue],
            [(1, "This was due on 2020-01-01.")])

    def test_date_and_labels_are_changed_by_edits(self):
        client, document = self.open_with(
            "- [ ] Milk due:2020-01-01 #shop", "- [ ] Rent #bank", "  Note")
        document.wait(is_taken("Rent #bank"))
        today = datetime.date.today().isoformat()
        for line, title, new in (
                (1, "Remove the due date", "- [ ] Milk #shop ^"),
                (1, "Due today", f"- [ ] Milk due:{today} #shop ^"),
                (1, "Add the label bank", f"- [ ] Milk due:{today} #bank #shop ^"),
                (1, "Remove the label shop", f"- [ ] Milk due:{today} #bank ^"),
                (3, "Add the label shop", None),
                (2, "Due tomorrow", "- [ ] Rent due:")):
            actions = self.actions(client, document, line)
            if new is None:
                self.assertNotIn("Remove the due date", actions)
                continue
            client.apply(actions[title]["edit"])
            self.assertIn(new, document.text)
        document.save()
        end, labels = time.monotonic() + PATIENCE_SECONDS, None
        while labels != {"Milk": ["bank"], "Rent": ["bank"]}:
            self.assertLess(time.monotonic(), end, labels)
            labels = {todo["title"]: todo.get("labels") for todo in self.todos()}

    def test_reverted_edit_is_made_again_for_a_client_without_edits(self):
        client, document = self.open_with("- [ ] Buy milk")
        document.wait(is_taken("Buy milk"))
        document.close()
        document = Document(self.start(capabilities={}), self.path, document.text)
        for is_done in (True, False, True, False):
            old, new = ("[ ]", "[x]") if is_done else ("[x]", "[ ]")
            document.sub(old, new)
            document.save()
            end = time.monotonic() + PATIENCE_SECONDS
            while self.todos()[0]["done"] != is_done and time.monotonic() < end:
                pass
            self.assertEqual(self.todos()[0]["done"], is_done)


if __name__ == "__main__":
    unittest.main()
