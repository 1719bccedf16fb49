"""A scripted server: does the steps of a JSON list given as its argument, then waits to be shut down.

["expect", method]     reads a message and ends with code 9 if it is something else
["answer", result]     answers the request read last; ["echo"] answers with its params
["fail", error]        answers it with an error
["send", message]      sends a message
["raw", text]          writes the text, as it is
["dribble", messages]  sends messages, one byte at a time
["stderr", text, n]    writes to stderr, n times
["exit", code]         ends; ["kill", number] ends by a signal
["hush"]               closes its output and stays
["deaf"]               reads nothing more and stays
"""

import json
import os
import signal
import sys
import time

last = {}
pipe_in, pipe_out = sys.stdin.buffer, sys.stdout.buffer


def read():
    line = pipe_in.readline()
    if not line:
        sys.exit(1)
    return json.loads(line)


def frame(message):
    return json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"


def write(data):
    pipe_out.write(data)
    pipe_out.flush()


for verb, *rest in json.loads(sys.argv[1]):
    if verb == "expect":
        last = read()
        if last.get("method") != rest[0]:
            print(f"expected {rest[0]}, got {json.dumps(last)}", file=sys.stderr)
            sys.exit(9)
    elif verb == "answer":
        write(frame({"id": last["id"], "result": rest[0]}))
    elif verb == "echo":
        write(frame({"id": last["id"], "result": last.get("params")}))
    elif verb == "fail":
        write(frame({"id": last["id"], "error": rest[0]}))
    elif verb == "send":
        write(frame(rest[0]))
    elif verb == "raw":
        write(rest[0].encode())
    elif verb == "dribble":
        for byte in b"".join(map(frame, rest[0])):
            write(bytes([byte]))
            time.sleep(0)
    elif verb == "stderr":
        sys.stderr.write(rest[0] * (rest[1] if len(rest) > 1 else 1))
        sys.stderr.flush()
    elif verb == "exit":
        sys.stdout.flush()
        os._exit(rest[0])
    elif verb == "kill":
        os.kill(os.getpid(), rest[0])
        signal.pause()
    elif verb == "hush":
        os.close(1)
    elif verb == "deaf":
        signal.pause()
while True:
    last = read()
    if last.get("method") == "shutdown":
        write(frame({"id": last["id"], "result": None}))
    elif last.get("method") == "exit":
        sys.exit(0)
