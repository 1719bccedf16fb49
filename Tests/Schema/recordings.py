"""Reads the messages of both sides that `recorder.c` has recorded."""

import json
import os
import re


def frames(data):
    """The bodies of the frames in some bytes, without an incomplete one at the end."""
    if data.lstrip()[:1] in (b"{", b"["):
        yield from (line for line in data.split(b"\n")[:-1] if line.strip())
        return
    place = 0
    while True:
        head = re.compile(rb"(?:[^\r\n]+\r?\n)+\r?\n").match(data, place)
        length = head and re.search(rb"(?i)content-length:\s*(\d+)", head.group(0))
        if not length or head.end() + int(length.group(1)) > len(data):
            return
        yield data[head.end():head.end() + int(length.group(1))]
        place = head.end() + int(length.group(1))


def messages(path):
    with open(path, "rb") as file:
        data = file.read()
    for body in frames(data):
        try:
            yield json.loads(body)
        except ValueError:
            # A test that sends invalid JSON.
            yield None


def conversations(folder):
    """`(name, from the front-end, from the server)` of each recorded conversation."""
    for name in sorted(os.listdir(folder)):
        stem, extension = os.path.splitext(os.path.join(folder, name))
        if extension == ".in":
            yield name, messages(stem + ".in"), messages(stem + ".out")
