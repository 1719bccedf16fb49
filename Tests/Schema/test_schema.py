"""Wrong schemas and wrong messages must be found."""

import copy
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import unittest

import check_traffic
import recordings
from wire_schema import Traffic, WireSchema

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER = shlex.split(
    os.environ.get("TODO_SERVER", check_traffic.PROJECT + "/.build/debug/todo-server"))
DOCUMENT = json.loads(subprocess.check_output([*SERVER, "schema"]))


def properties(name):
    return lambda document: document["$defs"][name]["properties"]


# Each one is wrong in one aspect that transcripts or examples contain.
WRONG_SCHEMAS = {
    "a member that is written is not declared":
        lambda d: properties("item")(d).pop("title"),
    "a member has another type":
        lambda d: properties("message")(d).update(id={"type": "string"}),
    "a member that may be absent is required":
        lambda d: d["$defs"]["screen"]["required"].append("subject"),
    "a role is missing":
        lambda d: properties("action")(d)["role"]["enum"].remove("toggle"),
    "a reason is missing":
        lambda d: properties("refusal")(d)["reason"]["enum"].remove("notInFront"),
    "an error kind is missing":
        lambda d: properties("failure")(d)["kind"]["enum"].remove("validation"),
    "a body is missing":
        lambda d: properties("screen")(d)["body"]["anyOf"].pop(),
    "a result is another one":
        lambda d: d["$defs"].update({"screenActResult": d["$defs"]["getTodoResult"]}),
    "a param has another type":
        lambda d: properties("addTodoParams")(d).update(title={"type": "integer"}),
    "a param that may be absent is required":
        lambda d: d["$defs"]["listTodosParams"].update(required=["query"]),
    "a param may be anything":
        lambda d: properties("listTodosParams")(d).update(limit={}),
    "a param that is needed may be absent":
        lambda d: d["$defs"]["loginParams"].pop("required"),
    "a notification is missing":
        lambda d: d["$defs"].pop("progressNotification"),
}


class WrongSchemas(unittest.TestCase):
    def test_the_right_one_fits(self):
        schema = WireSchema(DOCUMENT)
        problems = [p for _, traffic in check_traffic.written(schema) for p in traffic.problems]
        self.assertEqual(problems, [])

    def test_each_wrong_one_is_found(self):
        for what, spoil in WRONG_SCHEMAS.items():
            with self.subTest(what):
                document = copy.deepcopy(DOCUMENT)
                spoil(document)
                schema = WireSchema(document)
                self.assertTrue(any(t.problems for _, t in check_traffic.written(schema)))


RENDER = {
    "jsonrpc": "2.0", "method": "workflow/render",
    "params": {"revision": 1, "rendering": {"items": [{"screen": {
        "id": "a", "name": "a", "title": "A", "bar": {"visible": False},
        "body": {"kind": "progress", "text": "…"}, "actions": []}}]}}}


def patch(path, value):
    return {"jsonrpc": "2.0", "method": "workflow/render", "params": {
        "revision": 2, "base": 1, "patch": [{"op": "add", "path": path, "value": value}]}}


class WrongTraffic(unittest.TestCase):
    def problems(self, *messages):
        """The problems in messages; renderings and responses are the server's."""
        traffic = Traffic(WireSchema(DOCUMENT))
        for message in messages:
            is_asked = "method" in message and message["method"] != "workflow/render"
            (traffic.front_end if is_asked else traffic.server)(message)
        return traffic.problems

    def test_right_messages_have_no_problems(self):
        self.assertEqual(self.problems(RENDER, patch("/items/0/screen/subject", "s")), [])

    def test_an_undeclared_member(self):
        render = copy.deepcopy(RENDER)
        render["params"]["rendering"]["items"][0]["screen"]["colour"] = "red"
        self.assertTrue(self.problems(render))

    def test_a_patch_that_makes_an_invalid_rendering(self):
        # A step can have a string value, but the title of the bar must not be one.
        self.assertTrue(self.problems(RENDER, patch("/items/0/screen/bar/title", "s")))
        self.assertTrue(self.problems(RENDER, patch("/items/0/screen/title", 7)))
        self.assertTrue(self.problems(RENDER, patch("/items/4/screen/title", "s")))

    def test_an_answer_of_another_method(self):
        ask = {"jsonrpc": "2.0", "id": 1, "method": "undo"}
        answer = {"jsonrpc": "2.0", "id": 1, "result": {"revision": 1}}
        self.assertTrue(self.problems(ask, answer))
        self.assertEqual(self.problems({**ask, "method": "logout"}, answer), [])

    def test_a_wrong_request_has_to_be_refused(self):
        ask = {"jsonrpc": "2.0", "id": 1, "method": "logout", "params": "now"}
        answer = {"jsonrpc": "2.0", "id": 1, "result": {"revision": 1}}
        refusal = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "params: …"}}
        self.assertTrue(self.problems(ask, answer))
        self.assertEqual(self.problems(ask, refusal), [])

    def test_a_right_request_must_not_be_refused(self):
        ask = {"jsonrpc": "2.0", "id": 1, "method": "getTodo", "params": {"id": "t1"}}
        refusal = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "params: …"}}
        self.assertTrue(self.problems(ask, refusal))

    def test_a_failure_without_its_kind(self):
        error = {"code": -32803, "message": "No.", "data": {"why": "no"}}
        self.assertTrue(self.problems({"jsonrpc": "2.0", "id": 1, "error": error}))


class PatchValues(unittest.TestCase):
    """A step of a patch may replace each member of a rendering."""

    # A changed field replaces its form's body or itself, a changed input its action.
    REPLACED_WITH_THEIR_OBJECT = [("form", "fields"), ("action", "input")]

    def allows(self, schema):
        allowed = DOCUMENT["$defs"]["patchStep"]["properties"]["value"]["anyOf"]
        if "enum" in schema:
            return {"type": "string"} in allowed
        bare = {key: value for key, value in schema.items() if key not in ("minimum", "format")}
        return "const" in schema or bare in allowed

    def test_each_member_is_a_value(self):
        for name in ["screen", "form", "field", "list", "item", "status", "progress", "action"]:
            for member, schema in properties(name)(DOCUMENT).items():
                if (name, member) not in self.REPLACED_WITH_THEIR_OBJECT:
                    with self.subTest(f"{name}.{member}"):
                        self.assertTrue(self.allows(schema), schema)


class Recorder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.home.cleanup)
        cls.recorder, cls.folder = cls.home.name + "/recorder", cls.home.name + "/traffic"
        subprocess.run(
            ["clang", "-Wall", "-Wextra", "-Werror", f'-DSERVER="{SERVER[0]}"',
             f'-DFOLDER="{cls.folder}"', "-o", cls.recorder, HERE + "/recorder.c"], check=True)

    def setUp(self):
        os.mkdir(self.folder)
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self):
        return subprocess.Popen(
            [self.recorder, *SERVER[1:], "--store", "memory"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def record(self, said, framed):
        with self.start() as server:
            server.communicate(framed)
        [(_, asked, answered)] = recordings.conversations(self.folder)
        self.assertEqual(list(asked), said)
        answers = [message.get("id") for message in answered]
        [(_, traffic)] = check_traffic.recorded(WireSchema(DOCUMENT), self.folder)
        self.assertEqual(traffic.problems, [])
        return server.returncode, answers

    SAID = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]

    def test_lines(self):
        lines = b"".join(json.dumps(message).encode() + b"\n" for message in self.SAID)
        self.assertEqual(self.record(self.SAID, lines), (0, [1, 2]))

    def test_headers(self):
        bodies = [json.dumps(message).encode() for message in self.SAID]
        framed = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(b), b) for b in bodies)
        self.assertEqual(self.record(self.SAID, framed), (0, [1, 2]))

    def test_the_exit_code_is_the_server_s(self):
        exit = self.SAID[2:]
        self.assertEqual(self.record(exit, json.dumps(exit[0]).encode() + b"\n"), (1, []))

    def test_the_process_is_the_server_s(self):
        with self.start() as server:
            server.stdin.write(json.dumps(self.SAID[0]).encode() + b"\n")
            server.stdin.flush()
            self.assertIn(b"schemaVersion", server.stdout.readline())
            server.kill()
            self.assertEqual(server.stdout.read(), b"")
        self.assertEqual(server.returncode, -signal.SIGKILL)

    def test_a_command_is_the_server_s_own(self):
        said = subprocess.check_output([self.recorder, "--version"])
        self.assertTrue(said.startswith(b"todo-server "))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
