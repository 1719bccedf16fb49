"""The operations of RFC 6902 that the server uses, their pointers, and their errors."""

import copy
import unittest

import wire_schema  # noqa: F401 (adds the folder of json_patch to the path)
from json_patch import PatchError, apply_patch

GOOD = [
    # name, document, operations, result
    ("add to an object", {"a": 1}, [{"op": "add", "path": "/b", "value": 2}], {"a": 1, "b": 2}),
    ("add over a member", {"a": 1}, [{"op": "add", "path": "/a", "value": None}], {"a": None}),
    ("add into an array", [1, 3], [{"op": "add", "path": "/1", "value": 2}], [1, 2, 3]),
    ("add at an array's end", [1], [{"op": "add", "path": "/-", "value": 2}], [1, 2]),
    ("add at the index of the end", [1], [{"op": "add", "path": "/1", "value": 2}], [1, 2]),
    ("add the document", {"a": 1}, [{"op": "add", "path": "", "value": [1]}], [1]),
    ("add below an array", [{"a": []}], [{"op": "add", "path": "/0/a/0", "value": 5}], [{"a": [5]}]),
    ("remove a member", {"a": 1, "b": 2}, [{"op": "remove", "path": "/a"}], {"b": 2}),
    ("remove an element", [1, 2, 3], [{"op": "remove", "path": "/1"}], [1, 3]),
    ("replace a member", {"a": {"b": 1}}, [{"op": "replace", "path": "/a/b", "value": [0]}], {"a": {"b": [0]}}),
    ("replace an element", [1, 2], [{"op": "replace", "path": "/0", "value": 9}], [9, 2]),
    ("replace the document", 1, [{"op": "replace", "path": "", "value": 2}], 2),
    ("~1 is a slash", {"a/b": 1}, [{"op": "replace", "path": "/a~1b", "value": 2}], {"a/b": 2}),
    ("~0 is a tilde", {"a~b": 1}, [{"op": "replace", "path": "/a~0b", "value": 2}], {"a~b": 2}),
    ("~01 is ~1, not a slash", {"~1": 1}, [{"op": "replace", "path": "/~01", "value": 2}], {"~1": 2}),
    ("an empty key", {"": {"": 1}}, [{"op": "replace", "path": "//", "value": 2}], {"": {"": 2}}),
    ("digits name an object's member", {"0": 1}, [{"op": "remove", "path": "/0"}], {}),
    ("a key that is not ASCII", {"é😀": 1}, [{"op": "remove", "path": "/é😀"}], {}),
    ("an unknown member is ignored", [], [{"op": "add", "path": "/-", "value": 1, "x": 2}], [1]),
    (
        "one after the other",
        {},
        [
            {"op": "add", "path": "/a", "value": []},
            {"op": "add", "path": "/a/-", "value": 1},
            {"op": "remove", "path": "/a/0"},
        ],
        {"a": []},
    ),
]

BAD = [
    ("no op", {}, {"path": "/a"}),
    ("no path", {}, {"op": "remove"}),
    ("no value", {}, {"op": "add", "path": "/a"}),
    ("an unknown op", {}, {"op": "spam", "path": "", "value": 1}),
    ("an operation that the server does not use", {"a": 1}, {"op": "move", "from": "/a", "path": "/b"}),
    ("no object", {}, 7),
    ("a pointer without a slash", {"a": 1}, {"op": "remove", "path": "a"}),
    ("a pointer that is not a string", {"a": 1}, {"op": "remove", "path": 1}),
    ("remove a missing member", {}, {"op": "remove", "path": "/a"}),
    ("remove the document", {}, {"op": "remove", "path": ""}),
    ("remove past the end", [1], {"op": "remove", "path": "/1"}),
    ("remove at -", [1], {"op": "remove", "path": "/-"}),
    ("replace a missing member", {}, {"op": "replace", "path": "/a", "value": 1}),
    ("replace past the end", [], {"op": "replace", "path": "/0", "value": 1}),
    ("add past the end", [], {"op": "add", "path": "/1", "value": 1}),
    ("add below a missing member", {}, {"op": "add", "path": "/a/b", "value": 1}),
    ("add below a text", {"a": "text"}, {"op": "add", "path": "/a/0", "value": 1}),
    ("a negative index", [1], {"op": "remove", "path": "/-1"}),
    ("a leading zero", [1, 2], {"op": "remove", "path": "/01"}),
    ("an index with a sign", [1, 2], {"op": "remove", "path": "/+1"}),
    ("an index with a digit that is not ASCII", [1, 2], {"op": "remove", "path": "/١"}),
    ("an index that is a name", [1, 2], {"op": "remove", "path": "/a"}),
]


class PatchTests(unittest.TestCase):
    def test_good_patches(self):
        for name, document, operations, result in GOOD:
            with self.subTest(name):
                before = copy.deepcopy(document)
                self.assertEqual(apply_patch(document, operations), result)
                self.assertEqual(document, before, "the document given was changed")

    def test_bad_patches_apply_nothing(self):
        for name, document, operation in BAD:
            with self.subTest(name):
                before = copy.deepcopy(document)
                with self.assertRaises(PatchError):
                    apply_patch(document, [{"op": "replace", "path": "", "value": document}, operation])
                self.assertEqual(document, before)

    def test_values_beside_the_path_are_shared(self):
        document = {"a": {"b": 1}, "big": list(range(100))}
        patched = apply_patch(document, [{"op": "replace", "path": "/a/b", "value": 2}])
        self.assertIs(patched["big"], document["big"])


if __name__ == "__main__":
    unittest.main()
