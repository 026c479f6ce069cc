#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Build and run the tests in userspace: with gcc, and with clang and its sanitizers.

    tools/userspace.py [-h]
"""

import argparse
import json
import os
import re
import time

from buildlib.common import Log, lock, main, say
from buildlib.getters import compare_mock
from buildlib.userspace import BUILDS, build

JOBS = str(min(2, os.cpu_count() or 1))


def test(preset, log):
    """Run one build's tests; returns (passed, failed) and prints what failed."""
    (BUILDS / preset / "userspace-tests/schedtp_tests.json").unlink(missing_ok=True)
    _, path = log.run(
        f"test, {preset}",
        ["ctest", "--test-dir", BUILDS / preset, "-j", JOBS, "--output-on-failure", "--timeout", "600"],
        allow_failure=True,
    )
    text = path.read_text()
    counts = re.search(r"(\d+)% tests passed, (\d+) tests? failed out of (\d+)", text)
    if not counts:
        print(text)
        return 0, 1
    failed, total = int(counts[2]), int(counts[3])
    # To ctest, all that GoogleTest runs is one test.
    said = BUILDS / preset / "userspace-tests/schedtp_tests.json"
    if said.exists():
        tests = json.loads(said.read_text())
        bad = tests["failures"] + tests["errors"]
        total += tests["tests"] - 1
        failed += max(bad - 1, 0)
    if failed or not total:
        # What passed is of no interest now.
        print(re.sub(r"^( +Start +\d+:.*| *\d+/\d+ Test +#.* Passed .*)\n", "", text, flags=re.M))
        return total - failed, failed or 1
    return total, 0


def entry():
    argparse.ArgumentParser(description=__doc__.split("\n\n")[0]).parse_args()
    started = time.monotonic()
    passed = failed = 0
    say("schedtp: userspace tests")
    with lock(BUILDS):
        log = Log(BUILDS / "logs")
        for preset in ("gcc", "asan"):
            build(preset, log)
            good, bad = test(preset, log)
            passed += good
            failed += bad
    failed += not compare_mock()
    say(f"schedtp: userspace tests took {time.monotonic() - started:.0f} s")
    say(f"userspace: {passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    main(entry)
