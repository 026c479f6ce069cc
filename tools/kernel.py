#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
The commands of schedtp that take a kernel tree; `make help` says what each is for.

    tools/kernel.py series | apply | kunit | modules | selftests | check-config | clean
    tools/kernel.py randconfig

The tree is KVER= (a kernel series or latest, fetched as Debian's source package; 6.12 if
nothing is said, on ARCH=um latest) or KDIR= (the top directory of a tree). ARCH= is
x86_64, or for kunit arm64 or um.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import check_config
from buildlib import arch, kernel, matrix, patches, series, suites, trees
from buildlib.common import CACHE, REPO, Stop, kill_group, lock, main, output, say
from buildlib.getters import compare_builds
from buildlib.outcome import cases, count_getters, count_red
from buildlib.userspace import build as build_userspace


def x86_64_only(what):
    """Stop where ARCH= asks for what runs on x86_64 alone."""
    if arch.chosen() != kernel.X86_64:
        raise Stop(f"{what} runs on x86_64 only: leave out ARCH={os.environ['ARCH']}")


def built_kernel(found, architecture=kernel.X86_64):
    arch.check(architecture, found)
    tree = series.update_patched(found)
    say(f"schedtp: Linux {trees.release(tree)} with the series, {tree}")
    return tree, kernel.patched(found, tree, architecture)


def run_series(_arguments):
    x86_64_only("series")
    found = arch.chosen_release()
    with lock(found.directory):
        patches.make(found)
        # The finished tree: linked whole once, and the table in every two of the options.
        tree, _ = built_kernel(found)
        results = matrix.run(found, tree)
        say(f"matrix: {len(results) + 1} passed, 0 failed")


def run_apply(_arguments):
    kdir = os.environ.get("KDIR")
    if not kdir:
        raise Stop("apply needs a tree to apply to: make apply KDIR=...")
    x86_64_only("apply")
    found = arch.chosen_release()
    with lock(found.directory):
        patches.apply(found, Path(os.path.realpath(kdir)))


def run_kunit(_arguments):
    started = time.monotonic()
    architecture = arch.chosen()
    found = arch.chosen_release(architecture)
    with lock(found.directory):
        tree, build = built_kernel(found, architecture)
        failed = kunit(found, tree, build, architecture)
    say(f"schedtp: kunit took {time.monotonic() - started:.0f} s")
    return failed


def kunit(found, tree, build, architecture):
    """Run the suites on the booted kernel, through kunit.py, and print what it says."""
    status, path, results = suites.run(found, tree, build, architecture)
    print(path.read_text(), flush=True)
    scan = suites.scan_log(build)
    if scan.returncode:
        print(scan.stdout + scan.stderr, flush=True)
        say("schedtp: the kernel's log has faults: see above")
    if not results.exists():
        say("schedtp: kunit.py gave no results")
        return 1
    outcome = json.loads(results.read_text())
    complete = count_getters(outcome, architecture.skips)
    build_userspace("gcc", found.log, target="schedtp_mock")
    same = compare_builds(build, found.pristine)
    red = count_red(outcome)
    passed = sum(case["status"] == "PASS" for case in cases(outcome))
    # What no case is to blame for is one failure too.
    red = red or int(bool(status or scan.returncode or not complete or not same))
    say(f"kunit: {passed} passed, {red} failed")
    return int(red > 0)


def run_modules(_arguments):
    """Build a directory of modules, or the consumers of this repository, for that kernel."""
    x86_64_only("modules")
    given = os.environ.get("M")
    directory = Path(os.path.realpath(given or REPO / "kernel/modules"))
    if not any((directory / name).exists() for name in ("Makefile", "Kbuild")):
        raise Stop(f"M={given} has no Makefile that says obj-m := ...: give a directory of a module")
    found = arch.chosen_release()
    with lock(found.directory):
        tree, build = built_kernel(found)
        if not given:
            # Kbuild leaves its output beside the sources, and this repository is no place for it.
            copy = found.directory / "modules"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(REPO / "include", copy / "include")
            directory = copy / "kernel/modules"
            shutil.copytree(REPO / "kernel/modules", directory)
        _, log = found.log.run(
            f"build the modules in {directory.name}",
            [
                *kernel.make_args(tree, build),
                f"M={directory}",
                f"KCPPFLAGS=-I{REPO / 'include'}",
                "modules",
            ],
            env=kernel.environment(),
            no_warnings=not given,
        )
    # What the compiler thinks of a user's module is the user's to judge.
    for line in log.read_text(errors="replace").splitlines():
        if "warning:" in line.lower():
            print(line, file=sys.stderr)
    for module in sorted(directory.glob("*.ko")):
        say(f"  {module}")
    return 0


def run_selftests(_arguments):
    x86_64_only("selftests")
    started = time.monotonic()
    found = arch.chosen_release()
    with lock(found.directory):
        tree, build = built_kernel(found)
        pristine = kernel.pristine_x86_64(found)
        expected = found.directory / "getters"
        check_config.write(found, build / ".config", expected)
        module_tests = kernel.module_tests_x86_64(found, tree, build)
        command = [sys.executable, REPO / "tools/selftests.py", "--tree", tree, "--build", build]
        command += ["--getters", expected]
        command += ["--pristine-build", pristine, "--module-tests-build", module_tests]
        command += ["--work", found.directory / "selftests"]
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


def run_check_config(_arguments):
    architecture = arch.chosen()
    found = arch.chosen_release(architecture)
    with lock(found.directory):
        check_config.report(found, os.environ.get("CONFIG"), architecture)


# Random configurations that are tried. A fault is repeated by its seed.
SEEDS = range(1, 21)


def run_randconfig(_arguments):
    """Compile the table in configurations that are left to chance."""
    x86_64_only("randconfig")
    started = time.monotonic()
    found = arch.chosen_release()
    with lock(found.directory):
        results = matrix.randconfig(found, series.update_patched(found), SEEDS)
    say(f"schedtp: randconfig took {time.monotonic() - started:.0f} s")
    say(f"randconfig: {len(results)} passed, 0 failed")
    return 0


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
        "check-config": run_check_config,
        "randconfig": run_randconfig,
    }
    parser.add_argument("command", choices=commands)
    arguments = parser.parse_args()
    return commands[arguments.command](arguments) or 0


if __name__ == "__main__":
    main(entry)
