"""A server that holds its answers: `holding_server.py FILE COMMAND...` runs COMMAND, and writes nothing while FILE exists.

FILE.written exists once something was written.
"""

import os
import subprocess
import sys
import threading
import time

server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def answer():
    while said := os.read(server.stdout.fileno(), 65536):
        while os.path.exists(sys.argv[1]):
            time.sleep(0.02)
        sys.stdout.buffer.write(said)
        sys.stdout.buffer.flush()
        open(sys.argv[1] + ".written", "w").close()
    os._exit(0)


threading.Thread(target=answer, daemon=True).start()
while asked := os.read(0, 65536):
    server.stdin.write(asked)
    server.stdin.flush()
server.stdin.close()
server.wait()
