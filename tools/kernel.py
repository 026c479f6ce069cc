#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The commands of schedtp that take a kernel tree; `make help` says what each is for.

    tools/kernel.py series | apply | kunit | modules | selftests | clean

The tree is KVER= (a kernel series, fetched as Debian's source package; 6.12 if
nothing is said) or KDIR= (the top directory of a tree); ARCH= is x86_64.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from buildlib import kernel, patches, series, trees
from buildlib.common import CACHE, REPO, Stop, kill_group, lock, main, output, say
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
    outcome = json.loads(results.read_text())
    complete = count_getters(outcome)
    build_userspace("gcc", found.log, target="schedtp_mock")
    same = compare_builds(build)
    red = sum(case["status"] not in ("PASS", "SKIP") for case in cases(outcome))
    passed = sum(case["status"] == "PASS" for case in cases(outcome))
    # What no case is to blame for is one failure too.
    red = red or int(bool(status or scan.returncode or not complete or not same))
    say(f"kunit: {passed} passed, {red} failed")
    return int(red > 0)


def cases(group):
    """Every case of a result of kunit.py, those of its subgroups too."""
    yield from group["test_cases"]
    for inner in group["sub_groups"]:
        yield from cases(inner)


def count_getters(results):
    """Whether every getter of the list was tested, or is absent, and no case was skipped for less."""
    state = {}
    for suite in results["sub_groups"]:
        for group in suite["sub_groups"] if suite["name"] == "sched_tp_getters" else ():
            seen = {case["status"] for case in group["test_cases"]}
            state[group["name"].strip().removesuffix("_test")] = seen
    names = [getter.name for getter in getters()]
    tested = [name for name in names if state.get(name) == {"PASS"}]
    absent = [name for name in names if state.get(name) == {"SKIP"}]
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
    if skipped > explained:
        say(f"schedtp: {skipped - explained} cases were skipped, and not because a slot is empty")
    return len(tested) + len(absent) == len(names) and skipped == explained


def run_modules(_arguments):
    """Build a directory of modules, or the consumers of this repository, for that kernel."""
    given = os.environ.get("M")
    directory = Path(os.path.realpath(given or REPO / "kernel/modules"))
    if not any((directory / name).exists() for name in ("Makefile", "Kbuild")):
        raise Stop(f"M={given} has no Makefile that says obj-m := ...: give a directory of a module")
    found = chosen_release()
    with lock(found.directory):
        tree, build = built_kernel(found)
        if not given:
            # Kbuild leaves its output beside the sources, and this repository is no place for it.
            copy = found.directory / "modules"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(REPO / "include", copy / "include")
            directory = copy / "kernel/modules"
            shutil.copytree(REPO / "kernel/modules", directory)
        found.log.run(
            f"build the modules in {directory.name}",
            [
                *kernel.make_args(tree, build),
                f"M={directory}",
                f"KCPPFLAGS=-I{REPO / 'include'}",
                "modules",
            ],
            env=kernel.environment(),
            no_warnings=True,
        )
    for module in sorted(directory.glob("*.ko")):
        say(f"  {module}")
    return 0


def run_selftests(_arguments):
    started = time.monotonic()
    found = chosen_release()
    with lock(found.directory):
        tree, build = built_kernel(found)
        pristine = kernel.pristine_x86_64(found)
        command = [sys.executable, REPO / "tools/selftests.py", "--tree", tree, "--build", build]
        command += ["--pristine-build", pristine, "--work", found.directory / "selftests"]
        process = subprocess.Popen(
            [str(part) for part in command], env=kernel.environment(), start_new_session=True
        )
        try:
            status = process.wait()
        except BaseException:
            kill_group(process)
            raise
    say(f"schedtp: selftests took {time.monotonic() - started:.0f} s")
    return status


def run_clean(_arguments):
    shutil.rmtree(CACHE, ignore_errors=True)


def entry():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = {
        "series": run_series,
        "apply": run_apply,
        "kunit": run_kunit,
        "clean": run_clean,
        "modules": run_modules,
        "selftests": run_selftests,
    }
    parser.add_argument("command", choices=commands)
    arguments = parser.parse_args()
    return commands[arguments.command](arguments) or 0


if __name__ == "__main__":
    main(entry)
