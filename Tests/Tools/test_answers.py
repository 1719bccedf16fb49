"""Results, including errors, conform to the schemas of their tools and are small."""

import json
import sys
import tempfile
import unittest

import jsonschema

from assistant import PROJECT, STATELESS, Assistant, Editor

sys.path.insert(0, str(PROJECT / "Tests/RandomClient"))
from hub import Hub  # noqa: E402

LONG = "n" * 100_000
TOKENS_MAX = 2_200
PAGE_BYTES_MAX = 9_000
BUDGET = 64 << 10


def size(value):
    """The size of a message in bytes."""
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def assistant(self, revision=STATELESS, *arguments, **others):
        assistant = Assistant(revision, *arguments, folder=self.folder, **others)
        self.addCleanup(assistant.end)
        return assistant

    def online(self, revision=STATELESS, **others):
        """An assistant on a list with one issue, and its GitHub server."""
        hub = Hub(1)
        self.addCleanup(hub.close)
        assistant = self.assistant(
            revision, "--source", "github:octo/tasks", "--github-url", hub.url, "--sync", "manual",
            environment={"GITHUB_TOKEN": "a-token"}, **others)
        return assistant, hub


class Schemas(Case):
    def test_every_error_of_every_tool_conforms_to_its_schema_and_has_the_advice(self):
        editor = Editor(self.folder)
        self.addCleanup(editor.end)
        assistant, hub = self.online()
        tools = {tool["name"]: tool for tool in assistant.call("tools/list")["tools"]}
        todo = assistant.value("add_todo", title="a", note="n")["todo"]
        assistant.value("edit_todo", id=todo["id"], version=1, title="b")
        gone = assistant.value("add_todo", title="gone")["todo"]
        assistant.value("remove_todo", id=gone["id"], version=1)
        nope, stale = {"id": "nope", "version": 1}, {"id": todo["id"], "version": 1}
        calls = [
            ("list_todos", {"limt": 1}, "validation"), ("list_todos", {"fields": []}, "validation"),
            ("get_todo", {}, "validation"), ("get_todo", {"id": "nope"}, "notFound"),
            ("add_todo", {}, "validation"), ("add_todo", {"title": " "}, "validation"),
            ("add_todo", {"title": "a", "todos": [{"title": "b"}]}, "validation"),
            ("edit_todo", {"id": 1}, "validation"), ("edit_todo", {**nope, "title": "x"}, "notFound"),
            ("edit_todo", {**stale, "title": "c"}, "conflict"),
            ("edit_todo", {**stale, "title": "x" * 2_000}, "validation"),
            ("remove_todo", nope, "notFound"), ("remove_todo", stale, "conflict"),
            ("restore_todo", {"id": "nope"}, "notFound"), ("restore_todo", {"id": todo["id"]}, "validation"),
            ("undo", nope, "nothingToUndo"), ("undo", stale, "conflict"),
            ("sync", {"dryRun": 1}, "validation"),
            ("list_conflicts", {"limit": -1}, "validation"), ("settle_conflict", stale, "validation"),
        ]
        hub.close()
        hub.close = lambda: None
        calls.append(("sync", {}, "offline"))
        for name, arguments, kind in calls:
            with self.subTest(name, arguments=arguments):
                result = assistant.call("tools/call", {"name": name, "arguments": arguments})
                self.assertTrue(result["isError"])
                content, text = result["structuredContent"], result["content"][0]["text"]
                jsonschema.validate(content, tools[name]["outputSchema"])
                self.assertEqual(content["error"]["kind"], kind)
                self.assertTrue(text.startswith(content["error"]["message"]))
                self.assertIn(content["error"].get("advice", ""), text)
                self.assertEqual("advice" in content["error"], kind in ("notFound", "conflict"))
        self.assertEqual({name for name, _, _ in calls}, set(tools))

    def test_refused_logins_conform_too(self):
        editor = Editor(self.folder, name="bob")
        editor.ask("logout")
        editor.ask("register", username="annabell", password="correct horse")
        editor.end()
        closed = self.assistant(name="annabell")
        for tool in closed.call("tools/list")["tools"]:
            arguments = {"id": "x", "version": 1, "title": "t"}
            arguments = {name: arguments[name] for name in tool["inputSchema"].get("required", [])}
            content = closed.call("tools/call", {"name": tool["name"], "arguments": arguments})["structuredContent"]
            jsonschema.validate(content, tool["outputSchema"])
            self.assertEqual(content["error"]["kind"], "invalidCredentials")
            self.assertIn("--password-command", content["error"]["advice"])

    def test_each_argument_is_described_and_bounded_and_may_be_null_if_it_may_be_absent(self):
        assistant, _ = self.online()
        for tool in assistant.call("tools/list")["tools"]:
            schema = tool["inputSchema"]
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.Draft202012Validator.check_schema(tool["outputSchema"])
            for name, argument in schema["properties"].items():
                with self.subTest(tool["name"], argument=name):
                    self.assertTrue(argument["description"])
                    types = argument["type"] if isinstance(argument["type"], list) else [argument["type"]]
                    if "string" in types and "enum" not in argument:
                        self.assertLessEqual(argument["maxLength"], 1 << 20)
                    self.assertEqual("null" in types, name not in schema.get("required", []))

    def test_null_is_absent(self):
        assistant = self.assistant()
        nothing = dict.fromkeys(["query", "done", "fields", "limit", "offset", "sort", "maxBytes"])
        self.assertEqual(assistant.value("list_todos", **nothing), {"todos": [], "total": 0})
        todo = assistant.value("add_todo", title="a", note=None, todos=None)["todo"]
        edited = assistant.value(
            "edit_todo", id=todo["id"], version=1, title=None, note=None, done=True, appendNote=None)["todo"]
        self.assertEqual((edited["title"], edited["done"]), ("a", True))

    def test_hints_are_true(self):
        local = {tool["name"]: tool["annotations"] for tool in self.assistant().call("tools/list")["tools"]}
        self.assertNotIn("sync", local)
        self.assertFalse(local["edit_todo"]["openWorldHint"])
        assistant, _ = self.online()
        online = {tool["name"]: tool["annotations"] for tool in assistant.call("tools/list")["tools"]}
        self.assertEqual(online["sync"], {
            "readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": True})
        self.assertTrue(online["edit_todo"]["openWorldHint"])
        self.assertFalse(online["list_todos"]["openWorldHint"])


class Sizes(Case):
    def test_descriptions_of_all_tools_cost_few_tokens(self):
        assistant, _ = self.online()
        tools = assistant.call("tools/list")["tools"]
        self.assertEqual(len(tools), 10)
        self.assertLess(size(tools) / 4, TOKENS_MAX)

    def test_a_page_of_fifty_is_small(self):
        assistant = self.assistant()
        for number in range(50):
            assistant.value("add_todo", title=f"A todo of forty bytes, number {number:02}".ljust(40, "."))
        result = assistant.tool("list_todos")
        self.assertLess(size([result["content"], result["structuredContent"]]), PAGE_BYTES_MAX)

    def test_a_list_has_a_budget_of_bytes_and_says_how_to_continue(self):
        assistant = self.assistant()
        for first in range(0, 200, 100):
            assistant.value("add_todo", todos=[
                {"title": f"todo {number}", "note": "ü\"" * 700} for number in range(first, first + 100)])
        fields = ["id", "note", "version"]
        seen, offset = [], 0
        while offset is not None:
            result = assistant.tool("list_todos", limit=1_000, offset=offset, fields=fields)
            self.assertLess(size(result), BUDGET)
            page = result["structuredContent"]
            seen += [todo["id"] for todo in page["todos"]]
            offset = page.get("nextOffset")
            if offset:
                self.assertIn(f"continue with offset {offset}", result["content"][0]["text"])
                self.assertIn("maxBytes", result["content"][0]["text"])
        self.assertEqual(len(set(seen)), 200)
        more = assistant.value("list_todos", limit=1_000, fields=fields, maxBytes=4 << 20)
        self.assertEqual([todo["id"] for todo in more["todos"]], seen)
        self.assertEqual(len(assistant.value("list_todos", fields=fields, maxBytes=1)["todos"]), 1)

    def test_a_whole_note_is_in_a_response_once(self):
        for revision in ["2025-03-26", "2025-06-18", STATELESS]:
            assistant = self.assistant(revision)
            todo = assistant.tool("add_todo", title=f"a {revision}", note=LONG)
            id = todo["content"][0]["text"].split()[1]
            for place in [{}, {"inText": True}]:
                with self.subTest(revision, place=place):
                    result = assistant.tool("get_todo", id=id, wholeNote=True, **place)
                    text = result["content"][0]["text"]
                    self.assertEqual(json.dumps(result).count(LONG), 1)
                    isInText = bool(place) or revision < "2025-06-18"
                    self.assertEqual(LONG in text, isInText)
                    if not isInText:
                        self.assertIn("inText", text)
                        self.assertEqual(result["structuredContent"]["todo"]["note"], LONG)
                    elif revision >= "2025-06-18":
                        self.assertEqual(result["structuredContent"]["todo"]["noteCut"]["bytes"], len(LONG))


class Adding(Case):
    def test_several_todos_have_a_result_each_and_keep_their_order(self):
        assistant = self.assistant()
        result = assistant.tool("add_todo", todos=[
            {"title": "one", "note": "n"}, {"title": " "}, {"title": "three"}])
        self.assertNotIn("isError", result)
        first, second, third = result["structuredContent"]["results"]
        self.assertEqual((first["version"], third["version"]), (1, 1))
        self.assertEqual(second["error"]["kind"], "validation")
        text = result["content"][0]["text"]
        self.assertTrue(text.startswith("Added 2 of 3"))
        self.assertIn("not added: A title must not be blank.", text)
        todos = assistant.value("list_todos")["todos"]
        self.assertEqual([(todo["id"], todo["title"]) for todo in todos], [
            (first["id"], "one"), (third["id"], "three")])
        # Each version is known, and each todo can be undone alone.
        assistant.value("edit_todo", id=first["id"], version=1, note="changed")
        assistant.value("undo", id=third["id"], version=1)
        self.assertEqual(assistant.value("list_todos")["total"], 1)

    def test_if_nothing_was_added_it_is_an_error(self):
        assistant = self.assistant()
        result = assistant.tool("add_todo", todos=[{"title": " "}, {"title": ""}])
        self.assertTrue(result["isError"])
        for todos in [[], [{"title": "x"}] * 101, [{"titel": "x"}], [{}], "x", [1]]:
            with self.subTest(todos=str(todos)[:40]):
                failure, text = assistant.failure("add_todo", todos=todos)
                self.assertEqual(failure["kind"], "validation")
                self.assertIn("todos", text)
        self.assertEqual(assistant.value("list_todos")["total"], 0)

    def test_sort_orders_the_list(self):
        assistant = self.assistant()
        assistant.value("add_todo", todos=[{"title": title} for title in ["b", "c", "a"]])
        for sort, titles in [("title", "abc"), ("-title", "cba"), ("order", "bca")]:
            listed = assistant.value("list_todos", sort=sort)["todos"]
            self.assertEqual("".join(todo["title"] for todo in listed), titles)


class Conflicts(Case):
    def conflict(self, revision=STATELESS, mine="mine", theirs="theirs", **others):
        """An assistant with a todo in conflict, its id and version, and the GitHub server."""
        assistant, hub = self.online(revision, **others)
        assistant.value("sync")
        todo = assistant.value("list_todos")["todos"][0]
        assistant.value("edit_todo", id=todo["id"], version=todo["version"], title=mine)
        with hub.lock:
            hub.answer("PATCH", "/issues/1", {"title": theirs})
        self.assertEqual(assistant.value("sync")["conflicts"], 1)
        conflict = assistant.value("list_conflicts")["conflicts"][0]
        return assistant, conflict, hub

    def settle(self, assistant, conflict):
        return assistant.value("settle_conflict", id=conflict["id"], version=conflict["version"])

    def test_the_user_settles_a_conflict(self):
        for revision in ["2025-11-25", STATELESS]:
            for side in ["mine", "theirs"]:
                with self.subTest(revision, side=side):
                    self.setUp()
                    assistant, conflict, hub = self.conflict(revision, asks="accept", chooses=side)
                    settled = self.settle(assistant, conflict)
                    self.assertEqual((settled["settled"], settled["todo"]["title"]), (True, side))
                    self.assertIn('mine: [ ] "mine"', assistant.question)
                    self.assertIn('theirs: [ ] "theirs"', assistant.question)
                    assistant.value("sync")
                    self.assertEqual(hub.contents()[0][1], side)

    def test_a_merge_is_offered_if_no_field_conflicts(self):
        assistant, conflict, _ = self.conflict(
            mine="Issue 1, mine", theirs="theirs, Issue 1", asks="accept", chooses="merged")
        settled = self.settle(assistant, conflict)
        offers = "merged:" in assistant.question
        self.assertEqual(settled["settled"], offers)

    def test_without_a_choice_nothing_is_settled(self):
        for asks, chooses in [("decline", "mine"), ("cancel", "mine"), ("accept", None), ("accept", "both")]:
            with self.subTest(asks=asks, chooses=chooses):
                self.setUp()
                assistant, conflict, _ = self.conflict(asks=asks, chooses=chooses)
                self.assertEqual(self.settle(assistant, conflict), {"settled": False})
                self.assertEqual(assistant.value("list_conflicts")["total"], 1)

    def test_a_question_that_cannot_be_asked_is_refused(self):
        assistant, conflict, _ = self.conflict()
        named = {"id": conflict["id"], "version": conflict["version"]}
        self.assertIn("cannot ask", assistant.failure("settle_conflict", **named)[1])
        self.assertEqual(assistant.value("list_conflicts")["total"], 1)
        self.setUp()
        assistant, conflict, _ = self.conflict(asks="accept", chooses="mine")
        named = {"id": conflict["id"], "version": conflict["version"]}
        self.assertIn("changed", assistant.failure("settle_conflict", **{**named, "version": 1})[1])
        plain = assistant.value("add_todo", title="no conflict")["todo"]
        failure, text = assistant.failure("settle_conflict", id=plain["id"], version=1)
        self.assertIn("no conflict", text)
        # The user cannot choose between texts that are not shown completely.
        assistant.value("edit_todo", id=named["id"], version=named["version"], appendNote=LONG)
        version = assistant.value("list_conflicts")["conflicts"][0]["version"]
        self.assertIn("too long", assistant.failure("settle_conflict", id=named["id"], version=version)[1])


class Offers(Case):
    def test_prompts_read_and_name_the_tools(self):
        assistant, _ = self.online()
        names = [prompt["name"] for prompt in assistant.call("prompts/list")["prompts"]]
        self.assertEqual(names, ["plan_week", "triage_issues"])
        for name in names:
            result = assistant.call("prompts/get", {"name": name})
            text = result["messages"][0]["content"]["text"]
            self.assertIn("list_todos", text)
            self.assertIn("Change, add and remove nothing", text)
        self.assertEqual(assistant.error("prompts/get", {"name": "nope"})["code"], -32602)
        for revision in ["2024-11-05", "2025-11-25", STATELESS]:
            local = self.assistant(revision)
            self.assertEqual([one["name"] for one in local.call("prompts/list")["prompts"]], ["plan_week"])

    def test_ids_are_completed(self):
        for revision in ["2025-03-26", "2025-11-25", STATELESS]:
            assistant = self.assistant(revision)
            added = assistant.tool("add_todo", todos=[{"title": str(number)} for number in range(100)])
            ids = [line.split()[2].rstrip(",") for line in added["content"][0]["text"].split("\n")[1:]]
            reference = {"type": "ref/resource", "uri": "todo://todo/{id}"}

            def complete(value, reference=reference, name="id"):
                params = {"ref": reference, "argument": {"name": name, "value": value}}
                return assistant.call("completion/complete", params)["completion"]

            self.assertEqual(complete(ids[7]), {"values": [ids[7]], "total": 1, "hasMore": False})
            every = complete("")
            self.assertEqual((len(every["values"]), every["hasMore"]), (100, every["total"] > 100))
            self.assertEqual(complete("nope")["values"], [])
            self.assertEqual(complete("p", {"type": "ref/prompt", "name": "plan_week"}, "x")["values"], [])
            for wrong in [{"type": "x"}, {"type": "ref/resource", "uri": "file:///"}, {"type": "ref/prompt", "name": "y"}]:
                error = assistant.error("completion/complete", {"ref": wrong, "argument": {"name": "a", "value": ""}})
                self.assertEqual(error["code"], -32602)

    def test_the_list_resource_reports_a_change_anywhere_in_the_list(self):
        editor = Editor(self.folder)
        self.addCleanup(editor.end)
        ids = [editor.ask("addTodo", title=str(number))["todo"]["id"] for number in range(60)]
        for revision in ["2025-11-25", STATELESS]:
            assistant = self.assistant(revision)
            if revision == STATELESS:
                assistant.request("subscriptions/listen", {
                    "notifications": {"resourceSubscriptions": ["todo://list"]}})
                assistant.notification("notifications/subscriptions/acknowledged")
            else:
                assistant.call("resources/subscribe", {"uri": "todo://list"})
            assistant.value("list_todos")  # the list is read for the subscription before this
            version = editor.ask("getTodo", id=ids[0])["todo"]["version"]
            editor.ask("editTodo", id=ids[0], version=version, note=revision)  # the last of 60
            self.assertEqual(
                assistant.notification("notifications/resources/updated")["uri"], "todo://list")


if __name__ == "__main__":
    unittest.main()
