"""Reads the messages of transcripts, and of the examples on the pages."""

import json
import os
import re

ARROWS = ("-->", "<--")


def entries(text):
    """Each arrow with the text after it, including continuation lines."""
    found = []
    for line in text.split("\n"):
        start = re.match(r"(-->|<--|~~>|<~~|==|#)( |$)", line)
        if start:
            found.append([start.group(1), line[len(start.group(0)):]])
        elif re.match(r"  |\}|\]", line) and found and found[-1][0] in ARROWS:
            found[-1][1] += "\n" + line
        elif found:
            found.append(["", line])
    return found


def messages(text):
    """`(arrow, message)` of each line that is a message; `<-- render N` is a picture."""
    for arrow, body in entries(text):
        if arrow in ARROWS and not re.match(r"render \d+: ", body):
            yield arrow, with_version(json.loads(body))


def with_version(message):
    """Adds the member that transcripts omit from every message."""
    if isinstance(message, list):
        return [with_version(one) for one in message]
    return {"jsonrpc": "2.0", **message} if isinstance(message, dict) else message


def files(folder):
    for parent, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".txt"):
                yield os.path.join(parent, name)


def examples(page):
    """The text of each fenced block with messages on a page."""
    for block in re.findall(r"^```text\n(.*?)^```", page, re.M | re.S):
        if re.search(r"^(-->|<--) ", block, re.M):
            yield block
