#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Break each getter, in the ways that matter, and see the vectors go red.

The mock is built from a copy of kernel/sched/tp in which one thing is wrong. The
vectors are those that KUnit runs in the kernel.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from buildlib import suite
from buildlib.common import REPO, Log
from buildlib.getters import getters
from buildlib.userspace import BUILDS

# (getter, file, what is wrong, text, what it becomes)
BREAKAGES = [
    ("cfs_rq_util_est", "cfs_rq.c", "mask dropped", " & ~UTIL_AVG_UNCHANGED", ""),
    ("cfs_rq_util_est", "cfs_rq.c", "wrong field", "avg.util_est", "avg.util_avg"),
    ("cfs_rq_util_est", "cfs_rq.c", "no NULL test", "if (!cfs_rq)", "if (0)"),
    ("cfs_rq_util_est", "cfs_rq.c", "writes",
     "	return READ_ONCE", "	((struct cfs_rq *)cfs_rq)->avg.util_avg++;\n	return READ_ONCE"),
    ("cfs_rq_util_est", "cfs_rq.c", "always 0", "return READ_ONCE", "return 0 & READ_ONCE"),
    ("se_util_est", "se.c", "mask dropped", " & ~UTIL_AVG_UNCHANGED", ""),
    ("se_util_est", "se.c", "wrong field", "avg.util_est", "avg.util_avg"),
    ("se_util_est", "se.c", "no NULL test", "if (!se)", "if (0)"),
    ("se_util_est", "se.c", "writes",
     "	return READ_ONCE", "	((struct sched_entity *)se)->avg.util_est &= ~UTIL_AVG_UNCHANGED;\n	return READ_ONCE"),
    ("se_util_est", "se.c", "always 0", "return READ_ONCE", "return 0 & READ_ONCE"),
    ("rq_cpu_current_capacity", "rq.c", "frequency ignored",
     "freq = sched_tp_seam_scale_freq_capacity(cpu);", "freq = 1024;"),
    ("rq_cpu_current_capacity", "rq.c", "capacity ignored",
     "capacity = sched_tp_seam_scale_cpu_capacity(cpu);", "capacity = 1024;"),
    ("rq_cpu_current_capacity", "rq.c", "no NULL test", "if (!rq)", "if (0)"),
    ("rq_cpu_current_capacity", "rq.c", "always 0", "return cap_scale", "return 0 & cap_scale"),
    ("rq_cpu_current_capacity", "rq.c", "wrong CPU", "cpu = sched_tp_cpu_of(rq);", "cpu = 0;"),
    ("rq_cpu_current_capacity", "rq.c", "wrong CPU but for two",
     "cpu = sched_tp_cpu_of(rq);", "cpu = sched_tp_cpu_of(rq) ? 2 : 0;"),
    ("errata", "errata.c", "a bit that nobody set", "return 0;", "return 1;"),
]  # fmt: skip


class BrokenGetters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="schedtp-broken-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)
        cls.log = Log(BUILDS / "logs")
        cls.sources = cls.top / "tp"
        shutil.copytree(REPO / "kernel/sched/tp", cls.sources)
        cls.build = cls.top / "build"
        configure = ["cmake", "--preset", "gcc", "-S", REPO, "-B", cls.build]
        configure += [f"-DSCHEDTP_GETTER_DIR={cls.sources}", "-DCMAKE_BUILD_TYPE=Debug"]
        # What a breakage leaves unused is no reason for the compiler to notice it first.
        configure += ["-DCMAKE_C_FLAGS=-w"]
        cls.log.run("configure", configure, cwd=REPO)

    def vectors(self, getter):
        """Build, and run a getter's vectors; returns (exit status, output)."""
        jobs = str(min(2, os.cpu_count() or 1))
        make = ["cmake", "--build", self.build, "-j", jobs, "--target", "schedtp_tests"]
        self.log.run("build", make)
        (program,) = self.build.rglob("schedtp_tests")
        done = subprocess.run(
            [program, f"--gtest_filter=*vectors.holds/*_{getter}_*"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def test_every_getter_is_broken_here(self):
        self.assertEqual({row[0] for row in BREAKAGES}, {getter.name for getter in getters()})

    def test_whole_getters_pass(self):
        for getter in getters():
            status, said = self.vectors(getter.name)
            self.assertEqual(status, 0, said)
            self.assertNotIn("Running 0 tests", said)

    def test_broken_getters_fail(self):
        for getter, file, what, text, wrong in BREAKAGES:
            with self.subTest(getter=getter, broken=what):
                whole = (self.sources / file).read_text()
                self.assertEqual(whole.count(text), 1, f"'{text}' in {file}")
                (self.sources / file).write_text(whole.replace(text, wrong))
                try:
                    status, said = self.vectors(getter)
                finally:
                    (self.sources / file).write_text(whole)
                self.assertNotEqual(status, 0, f"{getter}, {what}: no vector noticed")
                print(f"  {getter}, {what}: red", flush=True)


if __name__ == "__main__":
    sys.exit(suite.run("broken getters"))
