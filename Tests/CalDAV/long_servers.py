"""The tests of test_servers.py with servers that are large to install, for `.ci/long`: `run long_servers`."""

import unittest

from servers import Cyrus, DAViCal
from test_servers import Cases


class CyrusTests(Cases, unittest.TestCase):
    kind = Cyrus
    # It stores a label with a comma as two (libical 3.0).
    comma = "-"


class DAViCalTests(Cases, unittest.TestCase):
    kind = DAViCal
    # It answers an unknown token with all objects and without deletions (1.1.12). Restored from a backup, it issues
    # tokens again that it has issued before for other states.
    refuses_tokens = False
