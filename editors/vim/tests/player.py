"""A server that plays the renderings of a transcript: `player.py TRANSCRIPT`.

The first comes as from any server, and then one for each request `test/next`, whose result has the lines of its picture.
"""

import json
import sys

steps, text, is_said = [], "", False
with open(sys.argv[1], encoding="utf-8") as file:
    for line in [*file, "# end"]:
        if is_said and (line[:2] == "  " or line[0] in "]}"):
            text += line
            continue
        if is_said and '"workflow/render"' in text[:40]:
            steps.append((json.loads(text), []))
        is_said = line.startswith("<-- ")
        text = line[4:]
        if line.startswith("==") and steps:
            steps[-1][1].append(line[3:].rstrip())


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


count = 0
while header := sys.stdin.buffer.readline():
    length = int(header.split(b":")[1])
    while sys.stdin.buffer.readline().strip():
        pass
    request = json.loads(sys.stdin.buffer.read(length))
    result = {"revision": 0}
    if request["method"] == "initialized" and steps:
        send(steps[0][0])
    elif request["method"] == "test/next":
        result = {"picture": steps[count][1], "left": len(steps) - count - 1}
        send(steps[count][0])
        count += 1
    if "id" in request:
        send({"id": request["id"], "result": result})
