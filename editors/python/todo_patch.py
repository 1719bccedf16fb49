"""JSON Patch (RFC 6902): apply a list of operations to a JSON document."""

from __future__ import annotations

import re
from typing import Any, Callable


class PatchError(ValueError):
    """A patch that is malformed or does not fit the document."""


def apply_patch(document: Any, operations: list[dict]) -> Any:
    """The patched document; the one given, and every part of it, stays as it is.

    >>> apply_patch({"a": [1, 3]}, [{"op": "add", "path": "/a/1", "value": 2}])
    {'a': [1, 2, 3]}

    Raises PatchError, in which case nothing was applied.
    """
    for operation in operations:
        document = _apply(document, operation)
    return document


def _apply(document: Any, operation: dict) -> Any:
    op, path = _member(operation, "op"), _tokens(_member(operation, "path"))
    if op == "add":
        return _add(document, path, _member(operation, "value"))
    if op == "remove":
        return _edit(document, path, _remove)
    if op == "replace":
        value = _member(operation, "value")
        return _edit(document, path, lambda holder, token: _put(holder, token, value)) if path else value
    if op == "test":
        if not _equal(_get(document, path), _member(operation, "value")):
            raise PatchError(f"the test of {operation['path']!r} failed")
        return document
    if op not in ("move", "copy"):
        raise PatchError(f"unknown operation {op!r}")
    source = _tokens(_member(operation, "from"))
    value = _get(document, source)
    if op == "copy" or path == source:
        return _add(document, path, value)
    if path[: len(source)] == source:
        raise PatchError("a value cannot move into itself")
    return _add(_edit(document, source, _remove), path, value)


def _member(operation: Any, name: str) -> Any:
    if not isinstance(operation, dict) or name not in operation:
        raise PatchError(f"an operation has no {name!r}")
    return operation[name]


def _tokens(pointer: Any) -> list[str]:
    if not isinstance(pointer, str) or pointer[:1] not in ("", "/") or re.search("~(?![01])", pointer):
        raise PatchError(f"{pointer!r} is no JSON Pointer")
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _key(holder: Any, token: str) -> Any:
    """The key of an existing member of an object or array."""
    if isinstance(holder, dict) and token in holder:
        return token
    if isinstance(holder, list) and re.fullmatch("0|[1-9][0-9]*", token) and int(token) < len(holder):
        return int(token)
    raise PatchError(f"there is no {token!r}")


def _get(document: Any, path: list[str]) -> Any:
    for token in path:
        document = document[_key(document, token)]
    return document


def _edit(document: Any, path: list[str], change: Callable[[Any, str], Any]) -> Any:
    """A copy in which `change` was applied to the holder of the last token: what is off the path is shared."""
    if not path:
        raise PatchError("the whole document cannot be removed")
    if not isinstance(document, (dict, list)):
        raise PatchError(f"there is no {path[0]!r}")
    copy = document.copy()
    if len(path) == 1:
        change(copy, path[0])
    else:
        key = _key(copy, path[0])
        copy[key] = _edit(copy[key], path[1:], change)
    return copy


def _put(holder: Any, token: str, value: Any) -> None:
    holder[_key(holder, token)] = value


def _remove(holder: Any, token: str) -> None:
    del holder[_key(holder, token)]


def _add(document: Any, path: list[str], value: Any) -> Any:
    def insert(holder: Any, token: str) -> None:
        if isinstance(holder, dict):
            holder[token] = value
        else:
            at_end = token in ("-", str(len(holder)))
            holder.insert(len(holder) if at_end else _key(holder, token), value)

    return _edit(document, path, insert) if path else value


def _equal(one: Any, other: Any) -> bool:
    """Equality as JSON knows it: 1 equals 1.0, and true does not equal 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other
