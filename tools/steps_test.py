#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The gate and the nightly run: nothing that is red is lost among what is not."""

import subprocess
import sys
import unittest

from buildlib import suite
from buildlib.common import REPO


def run(*steps):
    """The exit status, and what was printed, of steps that are named and given in shell."""
    script = "set -uo pipefail\n. tools/steps.sh\n"
    script += "".join(f"step {name!r} bash -c {command!r}\n" for name, command in steps)
    done = subprocess.run(
        ["bash", "-c", script + "steps_end\n"], cwd=REPO, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.splitlines()


class Steps(unittest.TestCase):
    def test_counts_are_added_up(self):
        status, said = run(("one", "echo a: 3 passed, 0 failed"), ("two 6.1", "echo b 6.1: 4 passed, 0 failed"))
        self.assertEqual((status, said[-1]), (0, "7 passed, 0 failed"))

    def test_what_does_not_count_is_one(self):
        status, said = run(("one", "echo fine"), ("two", "true"))
        self.assertEqual((status, said[-1]), (0, "2 passed, 0 failed"))

    def test_a_red_step_is_named_and_the_next_runs(self):
        status, said = run(("one", "echo a: 3 passed, 2 failed; exit 1"), ("two", "echo b: 1 passed, 0 failed"))
        self.assertEqual((status, said[-1]), (1, "4 passed, 2 failed"))
        self.assertIn("RED: a: 3 passed, 2 failed", "\n".join(said))

    def test_a_status_counts_though_no_line_is_red(self):
        for command in ("false", "echo a: 3 passed, 0 failed; exit 3", "kill -9 $$"):
            with self.subTest(command=command):
                status, said = run(("one", command))
                self.assertEqual(status, 1)
                self.assertRegex(said[-1], r"^[03] passed, 1 failed$")
                self.assertIn("RED: one: 0 passed, 1 failed", "\n".join(said))

    def test_a_red_line_counts_though_the_status_is_good(self):
        status, said = run(("one", "echo a: 3 passed, 2 failed"))
        self.assertEqual((status, said[-1]), (1, "3 passed, 2 failed"))


if __name__ == "__main__":
    sys.exit(suite.run("steps"))
