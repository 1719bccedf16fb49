"""The handshake and the errors of each protocol revision."""

import unittest

from assistant import REVISIONS, SESSION_REVISIONS, STATELESS, Assistant, Process

META = "io.modelcontextprotocol/"


class Handshakes(unittest.TestCase):
    def test_each_session_revision_is_agreed_on(self):
        for revision in SESSION_REVISIONS:
            with self.subTest(revision), Assistant(revision) as assistant:
                self.assertEqual(assistant.handshake["protocolVersion"], revision)
                self.assertEqual(assistant.handshake["serverInfo"]["name"], "todo-server")
                self.assertEqual(assistant.call("ping"), {})

    def test_an_unknown_version_is_answered_with_the_newest_that_has_a_session(self):
        for asked in ["2023-01-01", STATELESS, "2099-01-01"]:
            with self.subTest(asked), Process("mcp") as server:
                id = server.request("initialize", {
                    "protocolVersion": asked, "capabilities": {}, "clientInfo": {}})
                self.assertEqual(server.answer(id)["result"]["protocolVersion"], "2025-11-25")

    def test_initialize_twice_is_an_error(self):
        with Assistant("2025-11-25") as assistant:
            error = assistant.error("initialize", {"protocolVersion": "2025-11-25"})
            self.assertEqual(error["code"], -32600)

    def test_initialize_without_a_version_says_what_is_missing(self):
        with Process("mcp") as server:
            error = server.answer(server.request("initialize", {}))["error"]
            self.assertEqual(error["code"], -32602)
            self.assertIn("protocolVersion", error["message"])

    def test_the_stateless_revision_needs_no_handshake(self):
        with Assistant() as assistant:
            found = assistant.call("server/discover")
            self.assertEqual(found["supportedVersions"], REVISIONS[::-1])
            self.assertEqual(assistant.value("list_todos"), {"todos": [], "total": 0})

    def test_an_unknown_stateless_version_names_those_that_are_known(self):
        with Process("mcp") as server:
            id = server.request("tools/list", {"_meta": {
                META + "protocolVersion": "2031-01-01", META + "clientCapabilities": {}}})
            error = server.answer(id)["error"]
            self.assertEqual(error["code"], -32022)
            self.assertEqual(error["data"]["requested"], "2031-01-01")
            self.assertIn(STATELESS, error["data"]["supported"])

    def test_half_an_envelope_and_none_say_what_is_missing(self):
        for meta in [{}, {META + "protocolVersion": STATELESS}, {META + "clientCapabilities": {}}]:
            with self.subTest(meta), Process("mcp") as server:
                error = server.answer(server.request("tools/list", {"_meta": meta}))["error"]
                self.assertEqual(error["code"], -32602)
                self.assertIn(META, error["message"])

    def test_methods_of_other_revisions_are_unknown(self):
        with Assistant() as assistant:
            for method in ["ping", "resources/subscribe", "logging/setLevel", "initialized"]:
                with self.subTest(method):
                    self.assertEqual(assistant.error(method, {"uri": "x"})["code"], -32601)
        with Assistant("2025-11-25") as assistant:
            for method in ["server/discover", "subscriptions/listen", "nope"]:
                with self.subTest(method):
                    self.assertEqual(assistant.error(method)["code"], -32601)

    def test_lists_have_what_the_revision_knows(self):
        for revision in REVISIONS:
            with self.subTest(revision), Assistant(revision) as assistant:
                tools = assistant.call("tools/list")["tools"]
                names = [tool["name"] for tool in tools]
                self.assertEqual(names, [
                    "list_todos", "get_todo", "add_todo", "edit_todo", "remove_todo",
                    "restore_todo", "undo"])
                self.assertEqual("annotations" in tools[0], revision >= "2025-03-26")
                self.assertEqual("outputSchema" in tools[0], revision >= "2025-06-18")
                self.assertEqual(len(assistant.call("resources/list")["resources"]), 1)
                templates = assistant.call("resources/templates/list")["resourceTemplates"]
                self.assertEqual(templates[0]["uriTemplate"], "todo://todo/{id}")
                self.assertEqual(assistant.error("tools/list", {"cursor": "x"})["code"], -32602)


class Errors(unittest.TestCase):
    def test_unknown_tools_are_errors_of_the_protocol(self):
        for revision in REVISIONS:
            with self.subTest(revision), Assistant(revision) as assistant:
                error = assistant.error("tools/call", {"name": "drop_all"})
                self.assertEqual(error["code"], -32602)
                self.assertIn("list_todos", error["message"])

    def test_wrong_arguments_are_reported_as_the_revision_requires(self):
        wrong = [
            ("edit_todo", {"id": "x", "done": True}, "version"),
            ("get_todo", {}, "id"),
            ("get_todo", {"id": 7}, "string"),
            ("list_todos", {"limt": 3}, "limt"),
            ("list_todos", {"limit": -1}, "at least 0"),
            ("list_todos", {"fields": ["password"]}, "title"),
            ("remove_todo", {"id": "x", "version": "1"}, "integer"),
            ("remove_todo", {"id": ["a", "b"], "version": 1}, "string"),
        ]
        for revision in REVISIONS:
            with Assistant(revision) as assistant:
                for tool, arguments, word in wrong:
                    with self.subTest(revision, tool=tool, arguments=arguments):
                        params = {"name": tool, "arguments": arguments}
                        if revision >= "2025-11-25":
                            result = assistant.call("tools/call", params)
                            self.assertTrue(result["isError"])
                            text = result["content"][0]["text"]
                        else:
                            error = assistant.error("tools/call", params)
                            self.assertEqual(error["code"], -32602)
                            text = error["message"]
                        self.assertIn(word, text)

    def test_missing_resources_have_the_code_of_the_revision(self):
        for revision in REVISIONS:
            code = -32602 if revision == STATELESS else -32002
            with Assistant(revision) as assistant:
                for uri in ["todo://todo/nope", "todo://todo/", "todo://todo/%zz", "file:///etc/passwd"]:
                    with self.subTest(revision, uri=uri):
                        error = assistant.error("resources/read", {"uri": uri})
                        self.assertEqual((error["code"], error["data"]["uri"]), (code, uri))

    def test_the_editors_server_names_the_right_command(self):
        with Process() as server:
            id = server.request("initialize", {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x"}})
            self.assertIn("todo-server mcp", server.answer(id)["error"]["message"])


if __name__ == "__main__":
    unittest.main()
