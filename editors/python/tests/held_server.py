"""A server whose words can be held back: held_server.py LOG HOLD COMMAND...

Its output is appended to LOG immediately, and passed on when there is no file HOLD.
"""

import os
import queue
import subprocess
import sys
import threading
import time

log, hold, *command = sys.argv[1:]
lines = queue.SimpleQueue()


def pass_on():
    for line in iter(lines.get, None):
        while os.path.exists(hold):
            time.sleep(0.02)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


passing = threading.Thread(target=pass_on, daemon=True)
passing.start()
server = subprocess.Popen(command, stdout=subprocess.PIPE)
for line in server.stdout:
    with open(log, "ab") as file:
        file.write(line)
    lines.put(line)
lines.put(None)
passing.join()
sys.exit(server.wait())
