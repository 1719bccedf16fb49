"""JSON Patch (RFC 6902): the operations that the server uses, which are add, remove and replace."""

from __future__ import annotations

import re
from typing import Any


class PatchError(ValueError):
    """A patch that cannot be applied to the document."""


def apply_patch(document: Any, operations: list[dict]) -> Any:
    """Returns the patched document; the given one is not modified.

    >>> apply_patch({"a": [1, 3]}, [{"op": "add", "path": "/a/1", "value": 2}])
    {'a': [1, 2, 3]}

    Raises PatchError, in which case nothing was applied.
    """
    try:
        for operation in operations:
            first, *tokens = operation["path"].split("/")
            if first or operation["op"] not in ("add", "remove", "replace"):
                raise PatchError(f"this is not understood: {operation}")
            tokens = [token.replace("~1", "/").replace("~0", "~") for token in tokens]
            document = _patched(document, tokens, operation)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise PatchError(f"a patch does not fit: {error!r}") from None
    return document


def _patched(part: Any, tokens: list[str], operation: dict) -> Any:
    """Returns a copy of the path that the tokens name; all other values are shared with the original."""
    if not tokens:
        return operation["value"]
    copy, token, is_last = part.copy(), tokens[0], len(tokens) == 1
    is_insertion = is_last and operation["op"] == "add"
    if not isinstance(copy, list):
        key, old = token, None if is_insertion else copy[token]
    elif is_insertion:
        copy.insert(len(copy) if token == "-" else _index(token, len(copy) + 1), operation["value"])
        return copy
    else:
        key = _index(token, len(copy))
        old = copy[key]
    if is_last and operation["op"] == "remove":
        del copy[key]
    else:
        copy[key] = _patched(old, tokens[1:], operation)
    return copy


def _index(token: str, count: int) -> int:
    if not re.fullmatch("0|[1-9][0-9]*", token) or int(token) >= count:
        raise PatchError(f"there is no place {token!r}")
    return int(token)
