#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The commands of schedtp that take a kernel tree; `make help` says what each is for.

    tools/kernel.py series | apply | kunit | modules | selftests

The tree is KVER= (a kernel series, fetched as Debian's source package; 6.12 if
nothing is said) or KDIR= (the top directory of a tree); ARCH= is x86_64.
"""

import argparse
import json
import os
import time
from pathlib import Path

from buildlib import kernel, patches, series, trees
from buildlib.common import REPO, Stop, lock, main, output, say
from buildlib.getters import compare_builds, getters
from buildlib.userspace import build as build_userspace

ARCHITECTURES = ("x86_64",)


def chosen_release():
    arch = os.environ.get("ARCH") or "x86_64"
    if arch not in ARCHITECTURES:
        raise Stop(f"ARCH={arch} is not supported yet: {', '.join(ARCHITECTURES)}")
    kver, kdir = os.environ.get("KVER"), os.environ.get("KDIR")
    if kver and kdir:
        raise Stop("KVER= and KDIR= name two trees: give one of them")
    return trees.of(kver or "6.12", kdir)


def built_kernel(found):
    tree = series.update_patched(found)
    say(f"schedtp: Linux {trees.release(tree)} with the series, {tree}")
    return tree, kernel.patched_x86_64(found, tree)


def run_series(_arguments):
    found = chosen_release()
    with lock(found.directory):
        patches.make(found)


def run_apply(_arguments):
    kdir = os.environ.get("KDIR")
    if not kdir:
        raise Stop("apply needs a tree to apply to: make apply KDIR=...")
    found = chosen_release()
    with lock(found.directory):
        patches.apply(found, Path(os.path.realpath(kdir)))


def run_kunit(_arguments):
    started = time.monotonic()
    found = chosen_release()
    with lock(found.directory):
        tree, build = built_kernel(found)
        failed = kunit(found, tree, build)
    say(f"schedtp: kunit took {time.monotonic() - started:.0f} s")
    return failed


def kunit(found, tree, build):
    """Run the suites on the booted kernel, through kunit.py, and print what it says."""
    results = build / "kunit.json"
    results.unlink(missing_ok=True)
    status, path = found.log.run(
        "run KUnit on the booted kernel",
        [
            tree / "tools/testing/kunit/kunit.py",
            "exec",
            "--arch=x86_64",
            f"--qemu_config={REPO / 'tools/kernel/qemu_x86_64.py'}",
            f"--build_dir={build}",
            f"--kunitconfig={tree / 'kernel/sched/tp/tests'}",
            "--timeout=300",
            f"--json={results}",
            "sched_tp*",
        ],
        cwd=tree,
        env=kernel.environment(),
        allow_failure=True,
    )
    print(path.read_text(), flush=True)
    log_scan = [REPO / "tools/guest/log_scan.py", build / "test.log"]
    scan = output(*log_scan, check=False)
    if scan.returncode:
        print(scan.stdout + scan.stderr, flush=True)
        say("schedtp: the kernel's log has faults: see above")
    if not results.exists():
        say("schedtp: kunit.py gave no results")
        return 1
    complete = count_getters(json.loads(results.read_text()))
    build_userspace("gcc", found.log, target="schedtp_mock")
    same = compare_builds(build)
    return int(bool(status or scan.returncode or not complete or not same))


def count_getters(results):
    """Whether every getter of the list was tested, or is absent for its reason."""
    tested, absent, failed = set(), {}, []
    skipped = 0
    for suite in results["sub_groups"]:
        for group in suite["sub_groups"] if suite["name"] == "sched_tp_getters" else ():
            name = group["name"].removesuffix("_test")
            states = {case["status"] for case in group["test_cases"]}
            if states == {"PASS"}:
                tested.add(name)
            elif states == {"SKIP"}:
                absent[name] = "its slot is empty"
            else:
                failed.append(name)
    counts = results["misc"] if "tests" in results.get("misc", {}) else {}
    skipped = counts.get("skipped", 0)
    names = [getter.name for getter in getters()]
    missing = [name for name in names if name not in tested and name not in absent]
    say(
        f"getters: {len(names)} in the list, {len(tested)} tested, {len(absent)} absent, "
        f"{skipped} cases skipped"
    )
    for name in missing:
        say(f"schedtp: the getter {name} was {'red' if name in failed else 'not tested'}")
    return not missing


def run_modules(_arguments):
    raise Stop("not here yet")


def entry():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = {
        "series": run_series,
        "apply": run_apply,
        "kunit": run_kunit,
        "modules": run_modules,
    }
    parser.add_argument("command", choices=commands)
    arguments = parser.parse_args()
    return commands[arguments.command](arguments) or 0


if __name__ == "__main__":
    main(entry)
