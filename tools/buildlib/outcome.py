# SPDX-License-Identifier: GPL-2.0
"""What came of the KUnit suites, from the JSON that kunit.py writes."""

import re

from .common import REPO, Stop, say
from .getters import getters

GETTERS_SUITE = "sched_tp_getters"


def cases(group):
    """Every case of a result, those of its subgroups too."""
    yield from group["test_cases"]
    for inner in group["sub_groups"]:
        yield from cases(inner)


def count_red(results):
    """How many cases are neither green nor skipped."""
    return sum(case["status"] not in ("PASS", "SKIP") for case in cases(results))


def count_getters(results, may_skip=frozenset()):
    """
    Whether every getter of the list was tested, or is absent, and no case was skipped
    but for that, or for being one of `may_skip`.
    """
    state, absences = {}, set()
    for suite in results["sub_groups"]:
        for group in suite["sub_groups"] if suite["name"] == GETTERS_SUITE else ():
            name = group["name"].strip().removesuffix("_test")
            state[name] = {case["status"] for case in group["test_cases"]}
            # Old releases report a skipped parameter as passed: its name tells.
            if {case["name"].strip() for case in group["test_cases"]} == {"absent"}:
                absences.add(name)
    names = [getter.name for getter in getters()]
    absent = [name for name in names if name in absences and state[name] <= {"PASS", "SKIP"}]
    tested = [name for name in names if name not in absences and state.get(name) == {"PASS"}]
    skipped = sum(case["status"] == "SKIP" for case in cases(results))
    say(
        f"getters: {len(names)} in the list, {len(tested)} tested, {len(absent)} absent, "
        f"{skipped} cases skipped"
    )
    for name in names:
        if name not in tested and name not in absent:
            say(f"schedtp: the getter {name} was {'red' if name in state else 'not tested'}")
    explained = sum(
        case["status"] == "SKIP"
        for suite in results["sub_groups"]
        for group in suite["sub_groups"]
        if group["name"].strip().removesuffix("_test") in absent
        for case in group["test_cases"]
    )
    explained += sum(
        case["status"] == "SKIP" and case["name"] in may_skip for case in cases(results)
    )
    if skipped > explained:
        say(
            f"schedtp: {skipped - explained} cases were skipped, and neither because a slot is "
            "empty nor because this machine lacks what they need"
        )
    return len(tested) + len(absent) == len(names) and skipped == explained


def module_suites():
    """Names of the suites that are there as a module too: kunit/Makefile says which files."""
    always = (REPO / "kunit/Makefile").read_text().partition("\nifeq ")[0]
    names = []
    for stem in re.findall(r"^sched_tp_kunit-y \+?:?= (\w+)\.o$", always, re.M):
        source = (REPO / f"kunit/{stem}.c").read_text()
        names += re.findall(r"struct kunit_suite \w+ = \{\s*\.name = \"(\w+)\"", source)
    if GETTERS_SUITE not in names:
        raise Stop(f"kunit/Makefile builds no suite {GETTERS_SUITE} as a module")
    return names
