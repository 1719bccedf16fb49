"""A server whose words can be held back: held_server.py LOG HOLD COMMAND...

What it says is appended to LOG as soon as it is said, and passed on when there is no file HOLD.
"""

import os
import subprocess
import sys
import time

log, hold, *command = sys.argv[1:]
server = subprocess.Popen(command, stdout=subprocess.PIPE)
for line in server.stdout:
    with open(log, "ab") as file:
        file.write(line)
    while os.path.exists(hold):
        time.sleep(0.02)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
sys.exit(server.wait())
