#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Do what README.md says, all of it, in its order, in a copy of this repository.

    tools/readme_test.py [-h]

The C and C++ of it are compiled, the commands run. The tree `../linux` that it speaks
of is a small one here. Then the commands of CONTRIBUTING.md that were not among them.
"""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from buildlib.common import CACHE, REPO, Stop, main, output, say
from buildlib.model import make_model


def blocks(name):
    """(language, text) of each fenced block of a document."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", (REPO / name).read_text(), re.M | re.S)


def copy_repository(target):
    """The files git knows of, and those it does not yet, as a clone would have them."""
    names = output("git", "-C", REPO, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in names.split("\0"):
        if name and (REPO / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPO / name, target / name)
    subprocess.run(["git", "init", "-q", target], check=True)


def commands(name):
    for language, text in blocks(name):
        if language == "sh":
            for line in text.splitlines():
                yield re.sub(r"\s+#.*", "", line)


class Newcomer:
    """Somebody with a directory, who reads from top to bottom."""

    def __init__(self, top):
        self.top = top
        self.repository = top / "schedtp"
        self.probe = top / "my_probe"
        self.done = []
        self.passed = self.failed = 0

    def run(self, command):
        if command in self.done:
            return
        self.done.append(command)
        if "../linux" in command and not (self.top / "linux").exists():
            make_model(self.top / "linux")
        say(f"\n$ {command}")
        started = time.monotonic()
        status = subprocess.run(["sh", "-ec", command], cwd=self.repository, check=False).returncode
        say(f"readme: `{command}`: {time.monotonic() - started:.0f} s, status {status}")
        self.count(status == 0)

    def count(self, good):
        self.passed += good
        self.failed += not good

    def take(self, language, text):
        if language == "sh":
            for command in text.splitlines():
                self.run(re.sub(r"\s+#.*", "", command))
        elif language in ("c", "make"):
            self.probe.mkdir(exist_ok=True)
            (self.probe / ("Makefile" if language == "make" else "my_probe.c")).write_text(text)
        elif language == "cpp":
            (self.top / "my_test").mkdir(exist_ok=True)
            source = self.top / "my_test/my_test.cc"
            source.write_text(text)
            standard = "c++20" if "mock.hpp" in text else "c++17"
            compiler = ["g++", f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
            self.count(subprocess.run([*compiler, f"-I{self.repository}/include", source],
                                      check=False).returncode == 0)  # fmt: skip
        elif language == "cmake":
            test = self.top / "my_test"
            (test / "CMakeLists.txt").write_text(text)
            for step in (["cmake", "-S", test, "-B", test / "build"],
                         ["cmake", "--build", test / "build"],
                         [test / "build/my_test"]):  # fmt: skip
                self.count(subprocess.run(step, stdout=subprocess.DEVNULL, check=False).returncode == 0)
        else:
            raise Stop(f"README.md has a block of '{language}', which nothing here tests")


def entry():
    argparse.ArgumentParser(description=__doc__.split("\n\n")[0]).parse_args()
    top = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="schedtp-readme-")))
    newcomer = Newcomer(top)
    linux = hashlib.sha256(str(top / "linux").encode()).hexdigest()[:12]
    try:
        newcomer.repository.mkdir()
        copy_repository(newcomer.repository)
        for language, text in blocks("README.md"):
            newcomer.take(language, text)
        newcomer.count((newcomer.probe / "my_probe.ko").exists())
        newcomer.count((top / "linux/kernel/sched/tp").is_dir())
        for command in commands("CONTRIBUTING.md"):
            newcomer.run(command)
    finally:
        shutil.rmtree(top, ignore_errors=True)
        shutil.rmtree(CACHE / f"kdir-{linux}", ignore_errors=True)
    say(f"readme: {newcomer.passed} passed, {newcomer.failed} failed")
    return int(newcomer.failed > 0)


if __name__ == "__main__":
    main(entry)
