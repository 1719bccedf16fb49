"""Malicious and meaningless input: each gets an error message, and the next message works."""

import json
import unittest

from assistant import REVISIONS, STATELESS, Assistant, Process

DEEP = "[" * 100_000
CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}'
HOSTILE = [
    "hello", "Content-Length: 5", "{", "[]", "null", "1", '"x"', "{}", '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":[],"method":"ping"}', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}', '{"jsonrpc":"2.0","id":1,"method":"ping","params":7}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","id":2}', DEEP, '{"a":' * 50_000,
    b"\xff\xfe\n", b"\x00\n", b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}\n',
    '{"jsonrpc":"2.0","id":1,"method":"' + "x" * 100_000 + '"}',
    CALL % "null", CALL % "[]", CALL % "[1]", CALL % '{"name":null}', CALL % '{"name":["undo"]}',
    CALL % '{"name":"undo","arguments":[]}', CALL % '{"name":"undo","arguments":"x"}',
    CALL % '{"name":"undo","arguments":{"id":"\\u0000","version":99999999999999999999}}',
    CALL % '{"name":"undo","arguments":{"id":"x","version":-9223372036854775808}}',
    CALL % '{"name":"undo","arguments":{"id":"x","version":1e400}}',
    CALL % '{"name":"list_todos","arguments":{"limit":9223372036854775807,"offset":9223372036854775807}}',
    CALL % '{"name":"list_todos","arguments":{"query":"\\" OR * NEAR( AND"}}',
    CALL % ('{"name":"list_todos","arguments":{"' + "x" * 100_000 + '":1}}'),
    CALL % '{"name":"undo","_meta":7}', CALL % '{"name":"undo","_meta":{"progressToken":{}}}',
    CALL % '{"name":"remove_todo","arguments":{"id":"x","version":1},"inputResponses":7}',
    CALL % '{"name":"remove_todo","arguments":{"id":"x","version":1},"inputResponses":{"confirm":[]}}',
    '{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}', '{"jsonrpc":"2.0","id":null,"error":{}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"todo://todo/%ff%00"}}',
    '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"todo://todo/../../etc"}}',
    '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":[]}}',
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}',
    CALL % '{"name":"add_todo","arguments":{"todos":[[]]}}', CALL % '{"name":"add_todo","arguments":{"todos":{}}}',
    CALL % '{"name":"add_todo","arguments":{"todos":[{"title":7}]}}',
    CALL % '{"name":"edit_todo","arguments":{"id":"x","version":1,"appendNote":[]}}',
    CALL % '{"name":"edit_todo","arguments":{"id":"x","version":1,"appendNote":"\\u0000"}}',
    CALL % '{"name":"list_todos","arguments":{"maxBytes":-1}}',
    CALL % '{"name":"list_todos","arguments":{"maxBytes":9223372036854775807}}',
    '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"prompts/get"}',
    '{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":7}}',
    '{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource"},"argument":[]}}',
]


class Hostile(unittest.TestCase):
    def test_each_is_answered_or_dropped_and_the_next_message_works(self):
        for revision in REVISIONS:
            with Assistant(revision) as assistant:
                for number, line in enumerate(HOSTILE):
                    with self.subTest(revision, line=line[:60]):
                        assistant.write(line)
                        self.assertIn("result", assistant.response(
                            "tools/call", {"name": "list_todos", "arguments": {}}))
                        for said in assistant.waiting:
                            self.assertLess(len(json.dumps(said)), 2_000)
                        assistant.waiting.clear()
                self.assertEqual(assistant.end(), 0)

    def test_a_call_that_waits_for_the_login_is_answered_whatever_follows_it(self):
        for line in ['{"jsonrpc":"2.0","method":"foo/bar"}',
                     '{"jsonrpc":"2.0","method":"tools/list"}']:
            for revision in REVISIONS:
                with self.subTest(revision, line=line), Assistant(revision) as assistant:
                    params = {"name": "list_todos", "arguments": {}}
                    if revision == STATELESS:
                        params["_meta"] = assistant.envelope
                    # In one write, so that both are queued before the user has logged in.
                    call = {"jsonrpc": "2.0", "id": "first", "method": "tools/call", "params": params}
                    assistant.write(json.dumps(call) + "\n" + line)
                    self.assertIn("result", assistant.receive(lambda m: m.get("id") == "first"))
                    self.assertEqual(assistant.end(), 0)

    def test_an_id_in_flight_is_not_used_twice(self):
        with Assistant("2025-11-25", asks="accept") as assistant:
            todo = assistant.value("add_todo", title="a")["todo"]
            params = {"name": "remove_todo", "arguments": {"id": todo["id"], "version": 1}}
            assistant.request("tools/call", params, id="same")
            question = assistant.receive(lambda m: m.get("method") == "elicitation/create")
            assistant.request("tools/call", params, id="same")
            self.assertEqual(assistant.answer("same")["error"]["code"], -32600)
            # An invalid answer is not a consent, and a second answer to one question is ignored.
            assistant.send({"id": question["id"], "result": {"action": ["accept"]}})
            assistant.send({"id": question["id"], "result": {"action": "accept"}})
            self.assertFalse(assistant.answer("same")["result"]["structuredContent"]["removed"])
            self.assertEqual(assistant.value("list_todos")["total"], 1)

    def test_a_question_that_is_cancelled_or_never_answered_removes_nothing(self):
        with Assistant("2025-11-25", asks="accept") as assistant:
            todo = assistant.value("add_todo", title="a")["todo"]
            params = {"name": "remove_todo", "arguments": {"id": todo["id"], "version": 1}}
            cancelled = assistant.request("tools/call", params)
            question = assistant.receive(lambda m: m.get("method") == "elicitation/create")
            assistant.send({"method": "notifications/cancelled", "params": {"requestId": cancelled}})
            assistant.send({"id": question["id"], "result": {"action": "accept"}})
            self.assertEqual(assistant.value("list_todos")["total"], 1)
            waiting = assistant.request("tools/call", params)
            assistant.receive(lambda m: m.get("method") == "elicitation/create")
            rest = assistant.rest()
            self.assertEqual([m["id"] for m in rest], [waiting])
            self.assertFalse(rest[0]["result"]["structuredContent"]["removed"])
            self.assertEqual(assistant.end(), 0)

    def test_a_client_that_cannot_ask_after_all_removes_nothing(self):
        with Assistant("2025-11-25", asks="accept") as assistant:
            todo = assistant.value("add_todo", title="a")["todo"]
            id = assistant.request("tools/call", {
                "name": "remove_todo", "arguments": {"id": todo["id"], "version": 1}})
            question = assistant.receive(lambda m: m.get("method") == "elicitation/create")
            assistant.send({"id": question["id"], "error": {"code": -32601, "message": "no"}})
            self.assertFalse(assistant.answer(id)["result"]["structuredContent"]["removed"])

    def test_everything_that_was_piped_in_is_answered(self):
        with Assistant(STATELESS) as assistant:
            ids = [assistant.request("tools/call", {
                "name": "add_todo", "arguments": {"title": f"t{n}"}}) for n in range(300)]
            self.assertEqual([m["id"] for m in assistant.rest()], ids)
            self.assertEqual(assistant.end(), 0)

    def test_a_batch_is_answered_by_a_batch(self):
        with Assistant("2025-03-26") as assistant:
            assistant.write(json.dumps([
                {"jsonrpc": "2.0", "id": "a", "method": "ping"},
                {"jsonrpc": "2.0", "id": "b", "method": "nope"},
                {"jsonrpc": "2.0", "method": "notifications/initialized"}]))
            answers = assistant.receive(lambda m: isinstance(m, list))
            self.assertEqual({a["id"] for a in answers}, {"a", "b"})

    def test_each_tool_reports_a_store_that_cannot_be_opened(self):
        with Assistant(STATELESS, "--store", "sqlite:/dev/null/x") as assistant:
            for _ in range(2):
                failure, text = assistant.failure("list_todos")
                self.assertEqual(failure["kind"], "storage")
                self.assertIn("/dev/null", text)
            self.assertIn("tools", assistant.call("tools/list"))

    def test_nothing_but_messages_is_written(self):
        with Process("mcp", "--log-level", "debug") as server:
            server.write("hello")
            self.assertEqual(server.rest()[0]["error"]["code"], -32700)


if __name__ == "__main__":
    unittest.main()
