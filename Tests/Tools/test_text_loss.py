"""Twenty ways in which an assistant could lose a user's text, all of which are prevented."""

import json
import tempfile
import unittest

from assistant import STATELESS, Assistant, Editor

LONG = "The user's text. " * 500  # 8.5 kB, which a response does not have whole unless it is requested


class TextLoss(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.editor = Editor(self.folder)
        self.addCleanup(self.editor.end)
        self.assistant = self.start()

    def start(self, **options):
        assistant = Assistant(folder=self.folder, **options)
        self.addCleanup(assistant.end)
        return assistant

    def add(self, note=LONG, title="theirs"):
        return self.editor.ask("addTodo", title=title, note=note)["todo"]["id"]

    def stored_note(self, id):
        return self.editor.ask("getTodo", id=id)["todo"]["note"]

    def edit(self, id, version, **changes):
        """An edit by the user."""
        self.editor.ask("editTodo", id=id, version=version, **changes)

    def assert_refused(self, id, version, note="mine", assistant=None):
        before = self.stored_note(id)
        failure, text = (assistant or self.assistant).failure("edit_todo", id=id, version=version, note=note)
        self.assertEqual(failure["kind"], "validation")
        self.assertEqual(failure["fields"][0]["field"], "note")
        for advice in ["get_todo", "wholeNote", "appendNote"]:
            self.assertIn(advice, text)
            self.assertIn(advice, failure["message"])
        self.assertEqual(self.stored_note(id), before)

    # Notes that were not shown whole

    def test_01_replacing_a_note_known_only_from_a_list(self):
        id = self.add()
        version = self.assistant.value("list_todos")["todos"][0]["version"]
        self.assert_refused(id, version)

    def test_02_replacing_a_note_truncated_in_a_list(self):
        id = self.add()
        self.assistant.value("list_todos", fields=["id", "note", "version"])
        self.assert_refused(id, 1)

    def test_03_replacing_a_note_truncated_by_get_todo(self):
        id = self.add()
        self.assistant.value("get_todo", id=id)
        self.assert_refused(id, 1)
        whole = self.assistant.value("get_todo", id=id, wholeNote=True)["todo"]
        self.assistant.value("edit_todo", id=id, version=whole["version"], note="agreed")
        self.assertEqual(self.stored_note(id), "agreed")

    def test_04_following_the_advice_of_a_conflict_with_a_truncated_note(self):
        id = self.add("short")
        self.assistant.value("get_todo", id=id)
        self.edit(id, 1, note=LONG)
        failure, _ = self.assistant.failure("edit_todo", id=id, version=1, note="mine")
        self.assertTrue(failure["notesCut"])
        self.assertIn("wholeNote", failure["advice"])
        self.assert_refused(id, failure["theirs"]["version"])

    def test_05_a_conflict_that_has_the_whole_note_may_be_followed(self):
        id = self.add("one")
        self.assistant.value("get_todo", id=id)
        self.edit(id, 1, note="two")
        failure, _ = self.assistant.failure("edit_todo", id=id, version=1, note="one and mine")
        version = failure["theirs"]["version"]
        self.edit(id, version, note="three")  # and again it is too late
        failure, _ = self.assistant.failure("edit_todo", id=id, version=version, note="two and mine")
        self.assertEqual((failure["kind"], failure["theirs"]["note"]), ("conflict", "three"))
        self.assertEqual(self.stored_note(id), "three")

    def test_06_replacing_a_note_with_a_version_learned_later_from_a_list(self):
        id = self.add("read whole")
        self.assistant.value("get_todo", id=id)
        self.edit(id, 1, note="changed since")
        version = self.assistant.value("list_todos")["todos"][0]["version"]
        self.assert_refused(id, version)

    def test_07_replacing_a_note_with_the_version_of_a_merged_own_edit(self):
        id = self.add("read whole")
        self.assistant.value("get_todo", id=id)
        self.edit(id, 1, note="changed since")
        merged = self.assistant.value("edit_todo", id=id, version=1, done=True)["todo"]
        self.assert_refused(id, merged["version"])

    def test_08_an_own_edit_of_another_field_leaves_the_note_known(self):
        id = self.add("read whole")
        self.assistant.value("get_todo", id=id)
        done = self.assistant.value("edit_todo", id=id, version=1, done=True)["todo"]
        self.assistant.value("edit_todo", id=id, version=done["version"], note="agreed")
        self.assertEqual(self.stored_note(id), "agreed")

    def test_09_replacing_a_note_that_another_process_has_read(self):
        id = self.add()
        self.assistant.value("get_todo", id=id, wholeNote=True)
        self.assert_refused(id, 1, assistant=self.start())  # another client, or this one after a restart

    def test_10_replacing_a_note_truncated_in_a_resource(self):
        id = self.add()
        self.assistant.call("resources/read", {"uri": f"todo://todo/{id}"})
        self.assert_refused(id, 1)

    def test_11_replacing_a_note_that_the_byte_budget_left_out(self):
        ids = [self.add("n" * 1900, f"todo {number}") for number in range(40)]
        listed = self.assistant.value("list_todos", fields=["id", "note", "version"])
        shown = {todo["id"] for todo in listed["todos"]}
        left_out = [id for id in ids if id not in shown]
        self.assertTrue(left_out)
        self.assert_refused(left_out[0], 1)

    def test_12_emptying_a_note(self):
        id = self.add()
        self.assert_refused(id, 1, note="")
        self.assistant.value("edit_todo", id=id, version=1, note=None, done=True)  # null is absent
        self.assertEqual(self.stored_note(id), LONG)

    def test_13_replacing_a_note_that_was_empty(self):
        id = self.add("")
        self.edit(id, 1, note="written meanwhile")
        self.assert_refused(id, 1)
        self.assert_refused(id, 2)
        empty = self.add("")
        self.assistant.value("edit_todo", id=empty, version=1, note="nothing was lost")
        self.assertEqual(self.stored_note(empty), "nothing was lost")

    # Appending

    def test_14_appending_to_a_note_that_changed_meanwhile(self):
        id = self.add("first")
        self.edit(id, 1, note=LONG)
        added = self.assistant.value("edit_todo", id=id, version=1, appendNote="mine")["todo"]
        self.assertEqual(self.stored_note(id), LONG + "\nmine")
        other = self.start()
        for who, text in [(self.assistant, "one"), (other, "two\n"), (self.assistant, "three")]:
            who.value("edit_todo", id=id, version=added["version"], appendNote=text)
        self.assertEqual(self.stored_note(id), LONG + "\nmine\none\ntwo\nthree")
        failure, _ = self.assistant.failure(
            "edit_todo", id=id, version=1, note="all", appendNote="and more")
        self.assertEqual(failure["kind"], "validation")
        failure, _ = self.assistant.failure("edit_todo", id=id, version=1, appendNote="n" * (1 << 20))
        self.assertEqual(failure["fields"][0]["field"], "note")
        self.assertEqual(self.stored_note(id), LONG + "\nmine\none\ntwo\nthree")

    # Titles and removals

    def test_15_a_stale_edit_of_the_title(self):
        id = self.add("n")
        self.edit(id, 1, title="theirs, longer")
        self.assertEqual(
            self.assistant.failure("edit_todo", id=id, version=1, title="mine")[0]["kind"], "conflict")
        self.assertEqual(self.editor.ask("getTodo", id=id)["todo"]["title"], "theirs, longer")

    def test_16_removing_a_todo_that_changed_meanwhile(self):
        id = self.add("n")
        self.edit(id, 1, note=LONG)
        self.assertEqual(self.assistant.failure("remove_todo", id=id, version=1)[0]["kind"], "conflict")
        self.assertEqual(self.stored_note(id), LONG)

    def test_17_removing_without_the_users_consent(self):
        id = self.add()
        for asks in ["decline", "cancel"]:
            self.assertFalse(self.start(asks=asks).value("remove_todo", id=id, version=1)["removed"])
        other = self.add(title="another one")
        asking = self.start(asks="accept")
        asked = asking.call("tools/call", {"name": "remove_todo", "arguments": {"id": other, "version": 1}})
        again = asking.call("tools/call", {
            "name": "remove_todo", "arguments": {"id": id, "version": 1},
            "inputResponses": {"confirm": {"action": "accept"}}, "requestState": asked["requestState"]})
        self.assertEqual(again["resultType"], "input_required")
        self.assertEqual(self.stored_note(id), LONG)

    def test_18_removing_or_changing_many_at_once(self):
        ids = [self.add(title=title) for title in "abc"]
        for tool in ["edit_todo", "remove_todo", "undo"]:
            for arguments in [{"id": ""}, {"id": ids}, {"ids": ids}, {"query": ""}, {"id": "*"}]:
                result = self.assistant.call(
                    "tools/call", {"name": tool, "arguments": {"version": 1, "done": True, **arguments}})
                self.assertTrue(result["isError"], (tool, arguments))
        self.assertEqual([self.stored_note(id) for id in ids], [LONG] * 3)

    # Undo

    def test_19_undoing_what_the_user_did(self):
        id = self.add("one")
        self.assertEqual(self.assistant.failure("undo", id=id, version=1)[0]["kind"], "nothingToUndo")
        self.assistant.value("edit_todo", id=id, version=1, done=True)
        self.edit(id, 2, note=LONG)
        for version in [2, 3]:
            result = self.assistant.tool("undo", id=id, version=version)
            self.assertEqual(self.stored_note(id), LONG, json.dumps(result))

    def test_20_undoing_an_own_edit_over_a_later_one_of_the_user(self):
        id = self.add("one")
        self.assistant.value("get_todo", id=id)
        self.assistant.value("edit_todo", id=id, version=1, note="two")
        self.edit(id, 2, note=LONG)
        for version in [2, 3]:
            failure, _ = self.assistant.failure("undo", id=id, version=version)
            self.assertEqual((failure["kind"], self.stored_note(id)), ("conflict", LONG))


class Restarts(unittest.TestCase):
    def test_a_note_stays_replaceable_only_in_the_process_that_showed_it(self):
        with tempfile.TemporaryDirectory() as folder:
            with Assistant(STATELESS, folder=folder) as assistant:
                id = assistant.value("add_todo", title="a", note=LONG)["todo"]["id"]
                assistant.value("edit_todo", id=id, version=1, note=LONG + "more")  # it wrote the note
            with Assistant(STATELESS, folder=folder) as assistant:
                self.assertEqual(
                    assistant.failure("edit_todo", id=id, version=2, note="x")[0]["kind"], "validation")


if __name__ == "__main__":
    unittest.main()
