"""Validates messages against the schema that `todo-server schema` prints.

The validator is PyPI's `jsonschema`, which is independent of the program.
"""

import collections
import json
import os
import re
import sys

import jsonschema

sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../RandomClient"))
from json_patch import PatchError, apply_patch  # noqa: E402

# The placeholder for an omitted value in transcripts and on the protocol page.
ANY = "<any>"
INVALID_PARAMS = -32602
# A value of the right type can still name something that does not exist. These are rules that the
# schema does not state: those of values, of options, and the number of `items`.
BEYOND_TYPES = ("params.values.", "params.initializationOptions.", "params.items: expected", "params.items[")


def part_name(method, part):
    """The definition of a part of a method, such as `screenActParams`."""
    first, *others = [word for word in re.split("[/$]", method) if word] + [part]
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def forgiving(rule):
    """The rule of a keyword, except that an omitted value is valid."""
    def check(validator, value, instance, schema):
        return () if instance == ANY else rule(validator, value, instance, schema)
    return check


Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    {name: forgiving(rule) for name, rule in jsonschema.Draft202012Validator.VALIDATORS.items()})


class WireSchema:
    def __init__(self, document):
        jsonschema.Draft202012Validator.check_schema(document)
        self.definitions = document["$defs"]
        self._validators = {}

    def __contains__(self, name):
        return name in self.definitions

    def problem(self, name, value):
        """The problem of a value, or None."""
        if name not in self._validators:
            self._validators[name] = Validator({"$ref": f"#/$defs/{name}", "$defs": self.definitions})
        errors = list(self._validators[name].iter_errors(value))
        if not errors:
            return None
        error = jsonschema.exceptions.best_match(errors)
        place = "".join(f"/{step}" for step in error.absolute_path)
        return f"{name}{place}: {error.message[:300]}"


class Traffic:
    """The messages of both sides in one session, and their problems."""

    def __init__(self, schema):
        self.schema = schema
        self.problems = []
        # Invalid requests of the front-end, which must be refused.
        self.wrong_calls = []
        self.counts = collections.Counter()
        # The requests by id: the method, and the problem of the request.
        self._asked = collections.defaultdict(list)
        self._shown = None

    # MARK: The front-end

    def front_end(self, message):
        for one in message if isinstance(message, list) else [message]:
            method = one.get("method") if isinstance(one, dict) else None
            if not isinstance(method, str):
                continue
            self.counts["fromFrontEnd"] += 1
            name = next(
                (name for name in (part_name(method, "request"), part_name(method, "notification"))
                 if name in self.schema), None)
            problem = self.schema.problem(name, one) if name else None
            if problem:
                self.wrong_calls.append(problem)
            if "id" in one:
                self._asked[self._key(one["id"])].append((method, problem))

    # MARK: The server

    def server(self, message):
        self.counts["fromServer"] += 1
        if not isinstance(message, list):
            return self._single(message)
        if not message:
            self.problems.append("an empty batch")
        for answer in message:
            self._single(answer)

    def _single(self, message):
        if not isinstance(message, dict):
            self._check("fromServer", message)
        elif "method" in message:
            self._notification(message)
        elif "error" in message:
            if self._check("errorResponse", message):
                self._refused(message)
        elif self._check("response", {**message, "result": ANY}):
            self._answered(message)

    def _notification(self, message):
        name = part_name(message["method"], "notification")
        if name not in self.schema:
            self.problems.append(f"{message['method']}: no such notification")
            return
        if not self._check(name, message):
            return
        params = message["params"]
        if message["method"] != "workflow/render" or not isinstance(params, dict):
            return
        if "rendering" in params:
            self._shown = params["rendering"]
        elif self._shown not in (None, ANY):
            try:
                self._shown = apply_patch(self._shown, params["patch"])
                self._check("rendering", self._shown)
            except PatchError as error:
                self.problems.append(f"the patch of revision {params['revision']}: {error}")

    def _answered(self, message):
        asked = self._asked.get(self._key(message["id"]), [])
        methods = [method for method, problem in asked if not problem]
        if not methods and asked:
            self.problems.append(f"answered, and not in the schema: {asked[0][1]}")
        problems = [
            self.schema.problem(part_name(method, "result"), message["result"]) for method in methods
            if part_name(method, "result") in self.schema]
        if problems and all(problems):
            self.problems.append(problems[0])

    def _refused(self, message):
        error = message["error"]
        asked = self._asked.get(self._key(message["id"]), [])
        if not asked or not isinstance(error, dict) or error["code"] != INVALID_PARAMS:
            return
        if not any(problem for _, problem in asked) and not str(error["message"]).startswith(
                BEYOND_TYPES):
            self.problems.append(f"{asked[0][0]}: refused, and right by the schema: {error}")

    def _check(self, name, value):
        problem = self.schema.problem(name, value)
        if problem:
            self.problems.append(problem)
        return problem is None

    @staticmethod
    def _key(id):
        return json.dumps(id)
