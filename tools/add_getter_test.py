#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Add an imaginary getter to a copy of this repository, in the four places that
CONTRIBUTING.md names, and see the checks pass. Leave out each place, and see what is
missing named.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from buildlib import suite
from buildlib.common import CACHE, REPO, output
from buildlib.getters import getters

NAME = "rq_imaginary"

LINE = f"""
/*
 * {NAME} - a number that only a test asks for
 *
 * Unit:      CPU number, and one more
 * Range:     1 to the number of possible CPUs
 * NULL:      0
 * Context:   any
 * Authority: tools/add_getter_test.py
 */
SCHED_TP_GETTER(SINCE, int, {NAME},
		SCHED_TP_PARAMS(const struct rq *rq),
		SCHED_TP_ARGS(rq), "")
"""

FUNCTION = f"""
static notrace int sched_tp_{NAME}(const struct rq *rq)
{{
	return rq ? sched_tp_cpu_of(rq) + 1 : 0;
}}
"""

VECTOR = f"""
SCHED_TP_VECTOR({NAME}, null, SCHED_TP_ARGS(NULL), 0, {{}})
"""

ORACLE = f"{NAME} none made up\n"


class AddGetter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="schedtp-add-getter-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)
        cls.repo = cls.top / "repo"
        tracked = output("git", "-C", REPO, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        for name in filter(None, tracked.split("\0")):
            if (REPO / name).is_file():
                (cls.repo / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPO / name, cls.repo / name)
        cls.env = {**os.environ, "CCACHE_DIR": str(CACHE / "ccache")}
        cls.build = cls.top / "build"
        configure = ["cmake", "--preset", "gcc", "-S", cls.repo, "-B", cls.build]
        if shutil.which("ccache"):
            configure += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        subprocess.run(configure, cwd=cls.repo, env=cls.env, check=True, stdout=subprocess.DEVNULL)
        # What this getter adds to the faults of the list is asked, and not what is there.
        for command in (["tools/abi/golden.py", "--update"], ["tools/docs.py"]):
            subprocess.run([sys.executable, cls.repo / command[0], *command[1:]], check=True,
                           stdout=subprocess.DEVNULL)  # fmt: skip
        cls.faults = set()
        _, said = cls.documentation()
        cls.faults = set(said.splitlines())

    def setUp(self):
        """Each test changes files of the copy, and puts them back."""
        self.before = {}
        self.addCleanup(self.restore)
        header = (self.repo / "include/schedtp/callbacks.h").read_text()
        self.minor = int(re.search(r"SCHED_TP_VERSION_MINOR\s+(\d+)u", header)[1]) + 1

    def restore(self):
        for name, text in self.before.items():
            (self.repo / name).write_text(text)

    def rewrite(self, name, change):
        path = self.repo / name
        self.before.setdefault(name, path.read_text())
        path.write_text(change(path.read_text()))

    # The places. The first has four parts, of which each can be forgotten.

    def add_line(self, line=LINE):
        end = "\n#undef SCHED_TP_GETTER\n"
        line = line.replace("SINCE", str(self.minor))
        self.rewrite("include/schedtp/getters.def", lambda text: text.replace(end, line + end))

    def raise_minor(self):
        self.rewrite(
            "include/schedtp/callbacks.h",
            lambda text: re.sub(r"(SCHED_TP_VERSION_MINOR\s+)\d+u", rf"\g<1>{self.minor}u", text),
        )

    def publish_size(self):
        self.rewrite(
            "include/schedtp/callbacks.h",
            lambda text: re.sub(
                rf"(#define SCHED_TP_SIZE_VER{self.minor - 1}\s.*\n)",
                rf"\1#define SCHED_TP_SIZE_VER{self.minor}	SCHED_TP_SIZE_WITH({NAME})\n",
                text,
            ),
        )

    def update_golden(self):
        self.before.setdefault("abi/v1.golden", (self.repo / "abi/v1.golden").read_text())
        status, said = self.run_tool("tools/abi/golden.py", "--update")
        self.assertEqual(status, 0, said)

    def add_function(self):
        self.rewrite("kernel/sched/tp/rq.c", lambda text: text + FUNCTION)

    def add_vector(self):
        self.rewrite("kunit/rq_vectors.def", lambda text: text + VECTOR)

    def add_oracle(self):
        self.rewrite("selftests/sched_tp/oracles.txt", lambda text: text + ORACLE)

    def make_docs(self):
        for name in ("docs/getters.md", "docs/porting.md"):
            self.before.setdefault(name, (self.repo / name).read_text())
        status, said = self.run_tool("tools/docs.py")
        self.assertEqual(status, 0, said)

    PLACES = (
        "add_line", "raise_minor", "publish_size", "add_function", "add_vector", "add_oracle",
        "update_golden", "make_docs",
    )  # fmt: skip

    def add(self, *without):
        for place in self.PLACES:
            if place not in without:
                getattr(self, place)()

    # The checks.

    @classmethod
    def run_tool(cls, *command):
        done = subprocess.run(
            [sys.executable, cls.repo / command[0], *command[1:]],
            env=cls.env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def golden(self):
        return self.run_tool("tools/abi/golden.py")

    @classmethod
    def documentation(cls):
        status, said = cls.run_tool("tools/docs.py", "--check")
        lines = [line for line in said.splitlines() if line not in cls.faults | {""} and line[:8] != "schedtp:"]
        return status and len(lines), "\n".join(lines)

    def mock(self):
        jobs = str(min(2, os.cpu_count() or 1))
        done = subprocess.run(
            ["cmake", "--build", self.build, "-j", jobs, "--target", "schedtp_mock"],
            env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def passes(self, *checks):
        for check in checks:
            status, said = check()
            self.assertEqual(status, 0, said)

    def fails(self, check, text):
        status, said = check()
        self.assertNotEqual(status, 0, said)
        self.assertIn(text, said)

    def test_all_places(self):
        count = len(getters())
        self.add()
        self.passes(self.golden, self.documentation, self.mock)
        self.assertIn(f"golden: {count + 1} slots as published", self.golden()[1])
        self.assertIn(f"### {NAME}\n", (self.repo / "docs/getters.md").read_text())

    def test_without_line(self):
        self.add("add_line", "raise_minor", "publish_size", "update_golden", "make_docs")
        self.fails(self.mock, f"sched_tp_{NAME}")

    def test_without_contract(self):
        for line in ("Unit:", "Range:", "NULL:", "Context:", "Authority:"):
            with self.subTest(without=line):
                self.add_line(re.sub(rf" \* {line}.*\n", "", LINE))
                self.fails(self.documentation, f"the contract of {NAME} does not say '{line}'")
                self.restore()

    def test_without_minor_version(self):
        self.add("raise_minor", "publish_size", "update_golden", "make_docs")
        self.fails(self.mock, f"{NAME}: a getter of a minor version yet to come: raise it")
        self.fails(self.golden, f"raise SCHED_TP_VERSION_MINOR to {self.minor}")

    def test_without_published_size(self):
        self.add("publish_size", "update_golden", "make_docs")
        self.fails(self.golden, f"callbacks.h lacks SCHED_TP_SIZE_VER{self.minor}")

    def test_without_golden_layout(self):
        self.add("update_golden")
        self.fails(self.golden, f"{NAME} was appended and is not in v1.golden: run golden.py --update")

    def test_without_function(self):
        self.add("add_function")
        self.fails(self.mock, f"sched_tp_{NAME}")
        self.fails(self.documentation, f"no function sched_tp_{NAME}()")

    def test_without_vector(self):
        self.add("add_vector")
        self.fails(self.documentation, f"kunit: no vector of {NAME}")

    def test_without_oracle(self):
        self.add("add_oracle")
        self.fails(self.documentation, f"selftests/sched_tp/oracles.txt: no row of {NAME}")

    def test_without_documentation(self):
        self.add("make_docs")
        self.fails(self.documentation, "docs/getters.md is not what the list says now: run make docs")


if __name__ == "__main__":
    sys.exit(suite.run("add getter"))
