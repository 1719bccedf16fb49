#!/usr/bin/env python3
"""Stands between a front-end and its server, and keeps what both say.

Usage: TRAFFIC_FOLDER=FOLDER recorder.py SERVER [ARGUMENT...]

Everything passes through as it comes. Commands that are no conversation, such as `doctor`, are the
server's own.
"""

import os
import signal
import subprocess
import sys
import threading
import time

COMMANDS = {"replay", "schema", "doctor", "export", "import", "passwd", "--version", "--help", "-h"}


def pump(source, sink, kept):
    """Passes bytes on until one side ends, and then ends the other."""
    with open(kept, "wb", buffering=0) as file:
        while True:
            data = os.read(source, 65_536)
            if not data:
                break
            file.write(data)
            try:
                while data:
                    data = data[os.write(sink, data):]
            except BrokenPipeError:
                break
    for descriptor in (source, sink):
        try:
            os.close(descriptor)
        except OSError:
            pass


def main():
    command = sys.argv[1:]
    if COMMANDS.intersection(command[1:]):
        os.execvp(command[0], command)
    stem = os.path.join(os.environ["TRAFFIC_FOLDER"], f"{time.time_ns()}-{os.getpid()}")
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, lambda number, _: server.send_signal(number))
    stdin, stdout = os.dup(server.stdin.fileno()), os.dup(server.stdout.fileno())
    server.stdin.close()
    server.stdout.close()
    threading.Thread(target=pump, args=(0, stdin, stem + ".in"), daemon=True).start()
    output = threading.Thread(target=pump, args=(stdout, 1, stem + ".out"))
    output.start()
    code = server.wait()
    output.join()
    # As the server ended; Python's own end would wait for who still reads stdin.
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
