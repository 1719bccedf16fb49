"""Tests of `.ci/steps`, which runs the steps of CI side by side."""

import os
import subprocess
import tempfile
import textwrap
import time
import unittest

PROJECT = os.path.abspath(f"{os.path.dirname(__file__)}/../..")


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_steps(self, script):
        script = f". '{PROJECT}/.ci/steps'\n{textwrap.dedent(script)}\nrun_steps"
        return subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def assert_ended(self, file):
        with open(f"{self.folder}/{file}", encoding="ascii") as opened:
            process = opened.read().strip()
        deadline = time.monotonic() + 60
        while self.arguments(process):
            self.assertLess(time.monotonic(), deadline, "the process still runs")
            time.sleep(0.01)

    def arguments(self, process):
        """The arguments of a process; empty after its end."""
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                return file.read()
        except (FileNotFoundError, ProcessLookupError):
            return b""

    def test_a_failed_step_ends_the_processes_in_sessions_of_their_own(self):
        result = self.run_steps("""
            leave() { setsid sh -c 'echo $$ >'"$1"'; exec sleep 600' & }
            wait_for() { until [ -s "$1" ]; do sleep 0.01; done; }
            fail() { leave failed; wait_for failed; wait_for running; false; }
            running() { leave running; sleep 600; }
            step running '' running
            step failed '' fail
        """)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("== failed failed", result.stdout)
        for file in ["failed", "running"]:
            self.assert_ended(file)

    def test_processes_left_by_a_passed_step_are_ended(self):
        result = self.run_steps("""
            leave() {
              setsid sh -c 'echo $$ >left; exec sleep 600' &
              until [ -s left ]; do sleep 0.01; done
            }
            step passed '' leave
        """)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"\| passed \| .* \| passed \|")
        self.assert_ended("left")


if __name__ == "__main__":
    unittest.main()
