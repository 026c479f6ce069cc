#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Check the style of everything: clang-format and clang-tidy for C++, checkpatch for the
kernel's C, shellcheck for shell, and that the two-way lists are complete.

    tools/lint.py [-h]
"""

import argparse
import ast
import os
import re

from buildlib import docs, trees
from buildlib.common import REPO, Log, lock, main, output, say
from buildlib.getters import missing_places
from buildlib.patches import CHECKPATCH_IGNORED
from buildlib.userspace import BUILDS, build

# A file alone is judged by other rules than a patch is.
FILE_IGNORED = CHECKPATCH_IGNORED | {
    # The headers of include/schedtp are for C++ and userspace too: no kernel types,
    # no kernel macros.
    "PREFER_DEFINED_ATTRIBUTE_MACRO",
    # A module whose purpose is a BUG() in the log.
    "AVOID_BUG",
    # C11 has no other spelling of it without a header.
    "CAMELCASE",
}


def tracked(*endings):
    names = output("git", "-C", REPO, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [name for name in names.split("\0") if name.endswith(endings) and (REPO / name).is_file()]


def clang_format(_log):
    files = tracked(".hpp", ".cc")
    return output("clang-format", "--dry-run", "-Werror", *files, cwd=REPO, check=False)


def clang_tidy(log):
    build("asan", log)
    files = [name for name in tracked(".cc") if "must_not_compile" not in name]
    return output("clang-tidy", "--quiet", "-p", BUILDS / "asan", *files, cwd=REPO, check=False)


def shellcheck(_log):
    scripts = [
        name
        for name in output("git", "-C", REPO, "ls-files", "--cached", "--others",
                           "--exclude-standard").split()
        if (REPO / name).is_file() and re.match(rb"#!.*\b(ba|da|)sh\b", (REPO / name).read_bytes())
    ]  # fmt: skip
    return output("shellcheck", "-x", *scripts, cwd=REPO, check=False)


def checkpatch(_log):
    """The kernel's own style, by the kernel's own tool, on what goes into a kernel."""
    found = trees.of(os.environ.get("KVER") or "6.12", os.environ.get("KDIR"))
    files = [
        name
        for name in tracked(".c", ".h", ".def")
        if name.startswith(("kernel/", "kunit/", "selftests/", "include/schedtp/"))
        and not name.startswith("include/schedtp/mock/")
    ]
    return output(
        "perl", found.pristine / "scripts/checkpatch.pl", "--strict", "--no-tree", "--quiet",
        "--no-summary", "--show-types", "--terse", f"--root={found.pristine}",
        "--ignore", ",".join(sorted(FILE_IGNORED)), "-f", *files,
        cwd=REPO, check=False,
    )  # fmt: skip


class Findings:
    """What a check of our own found, in the shape of a command's result."""

    def __init__(self, lines):
        self.returncode = int(bool(lines))
        self.stdout = "\n".join(lines)
        self.stderr = ""


def python_syntax(_log):
    lines = []
    for name in tracked(".py"):
        try:
            ast.parse((REPO / name).read_text(), name)
        except SyntaxError as error:
            lines.append(f"{name}:{error.lineno}: {error.msg}")
    return Findings(lines)


def complete_getters(_log):
    return Findings(missing_places())


def documentation(_log):
    """The pages that are made from the list, and what they are made of."""
    return Findings(docs.faults())


CHECKS = (
    python_syntax, complete_getters, documentation, shellcheck, clang_format, clang_tidy, checkpatch,
)  # fmt: skip


def entry():
    argparse.ArgumentParser(description=__doc__.split("\n\n")[0]).parse_args()
    failed = 0
    with lock(BUILDS):
        log = Log(BUILDS / "logs")
        for check in CHECKS:
            done = check(log)
            bad = done.returncode or done.stdout.strip()
            failed += bool(bad)
            say(f"  {check.__name__}: {'failed' if bad else 'clean'}")
            if bad:
                print(done.stdout, done.stderr, flush=True)
    say(f"lint: {len(CHECKS) - failed} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    main(entry)
