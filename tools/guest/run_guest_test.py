#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How run_guest judges a guest that came to its end, without booting one.

Results are read by kunit.py of the kernel tree that SCHEDTP_TREE names.
"""

import argparse
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run_guest

GOOD = """\
TAP version 13
1..2
# timeout set to 240
# selftests: sched_tp: a_test
# TAP version 13
# 1..2
# # a remark
# ok 1 a.one
# ok 2 a.two
# # Totals: pass:2 fail:0 xfail:0 xpass:0 skip:0 error:0
ok 1 selftests: sched_tp: a_test
# timeout set to 240
# selftests: sched_tp: b_test
# TAP version 13
# 1..1
# ok 1 b.one
ok 2 selftests: sched_tp: b_test
"""

CLEAN = ["[    1.000000] all is well"]


def guest_says(*texts):
    return [f"[    1.000000] {run_guest.SAY}{text}" for text in texts]


class Judged(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.work = pathlib.Path(work.name)

    def judge(self, what, lines, **more):
        """(passed, what was said, what was printed)"""
        args = argparse.Namespace(work=self.work, **more)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            try:
                return True, run_guest.JUDGES[what](args, lines), out.getvalue()
            except run_guest.GuestError as err:
                return False, str(err), out.getvalue()


@unittest.skipUnless("SCHEDTP_TREE" in os.environ, "SCHEDTP_TREE names no kernel tree")
class Selftests(Judged):
    def judge_results(self, results, lines=tuple(CLEAN)):
        (self.work / "results.tap").write_text(results, encoding="utf-8")
        (self.work / "kselftest-list.txt").write_text("sched_tp:a_test\nsched_tp:b_test\n",
                                                      encoding="utf-8")
        return self.judge("selftests", list(lines), kselftest=self.work,
                          tree=pathlib.Path(os.environ["SCHEDTP_TREE"]).absolute())

    def assert_red(self, text, results, lines=tuple(CLEAN)):
        passed, said, _ = self.judge_results(results, lines)
        self.assertFalse(passed)
        self.assertIn(text, said)

    def test_good(self):
        passed, said, printed = self.judge_results(GOOD)
        self.assertTrue(passed, said)
        self.assertEqual(said, "3 run, 3 passed, 0 failed, 0 skipped")
        self.assertEqual(printed, "  ok     sched_tp: a_test: a.one\n"
                                  "  ok     sched_tp: a_test: a.two\n"
                                  "  ok     sched_tp: b_test: b.one\n")

    def test_failed_case(self):
        self.assert_red("3 run, 2 passed, 1 failed, 0 skipped",
                        GOOD.replace("# ok 2 a.two", "# not ok 2 a.two")
                            .replace("ok 1 selftests", "not ok 1 selftests"))

    def test_skipped_case(self):
        self.assert_red("ok 2 a.two # SKIP no reason",
                        GOOD.replace("a.two", "a.two # SKIP no reason"))

    def test_skipped_program(self):
        self.assert_red("1 skipped",
                        GOOD.replace("# 1..1\n# ok 1 b.one\n", "# 1..0 # SKIP nothing\n")
                            .replace("ok 2 selftests: sched_tp: b_test",
                                     "ok 2 selftests: sched_tp: b_test # SKIP"))

    def test_program_that_died(self):
        self.assert_red("", GOOD.replace("# ok 2 a.two\n", "")
                                .replace("ok 1 selftests", "not ok 1 selftests"))

    def test_fewer_cases_than_planned(self):
        self.assert_red("", GOOD.replace("# ok 2 a.two\n", ""))

    def test_program_without_a_plan(self):
        self.assert_red("no plan, or no result, of selftests: sched_tp: b_test",
                        GOOD.replace("# TAP version 13\n# 1..1\n# ok 1 b.one\n", ""))

    def test_guest_that_stopped_in_between(self):
        self.assert_red("b_test", GOOD[:GOOD.index("# selftests: sched_tp: b_test")])

    def test_nothing(self):
        self.assert_red("", "")

    def test_passed_but_the_kernel_complained(self):
        self.assert_red("console.log:2: bug: kernel BUG at x.c:1!", GOOD,
                        [*CLEAN, "kernel BUG at x.c:1!"])


class Inject(Judged):
    SEEN = {
        "lockdep": ["WARNING: possible circular locking dependency detected", "Call Trace:"],
        "hung_task": ["INFO: task schedtp_hung:9 blocked for more than 1 seconds.", "Call Trace:"],
        "warn": ["WARNING: CPU: 0 PID: 9 at inject_warn+0x1/0x2", "Call Trace:"],
        "bug": ["kernel BUG at x.c:1!", "Oops: invalid opcode: 0000 [#1]"],
        "oops": ["BUG: kernel NULL pointer dereference, address: 0000000000000040"],
    }
    REFUSED = ["schedtp_inject: unknown kind 'no_such_kind': want another",
               *guest_says("inject: insmod exited with 22")]

    def judge_seen(self, seen, refused=tuple(REFUSED)):
        lines = list(CLEAN)
        for kind, faults in seen.items():
            lines += [*guest_says(f"inject {kind}"), *faults,
                      *guest_says("inject: insmod exited with 0")]
        lines += [*guest_says("inject no_such_kind"), *refused, *guest_says("inject end")]
        return self.judge("inject", lines)

    def test_all_seen(self):
        passed, said, _ = self.judge_seen(self.SEEN)
        self.assertTrue(passed, said)

    def test_one_not_seen(self):
        for kind in self.SEEN:
            with self.subTest(kind):
                passed, said, _ = self.judge_seen({**self.SEEN, kind: ["nothing of note"]})
                self.assertFalse(passed)
                self.assertIn(f"{kind}: seen as nothing", said)

    def test_one_taken_for_another(self):
        passed, said, _ = self.judge_seen({**self.SEEN, "warn": self.SEEN["lockdep"]})
        self.assertFalse(passed)
        self.assertIn("warn: seen as lockdep, trace", said)

    def test_one_not_injected(self):
        self.assertFalse(self.judge_seen({k: v for k, v in self.SEEN.items() if k != "oops"})[0])

    def test_unknown_kind_accepted(self):
        self.assertFalse(self.judge_seen(self.SEEN, guest_says("inject: insmod exited with 0"))[0])

    def test_nothing_at_all(self):
        self.assertFalse(self.judge("inject", CLEAN)[0])


class Refuse(Judged):
    UNKNOWN = f"x: Unknown symbol {run_guest.SYMBOL} (err -2)"
    FAILED = "refuse: insmod of x.ko exited with 2"
    EMPTY = "refuse: modules loaded: "

    def judge_lines(self, *lines):
        return self.judge("refuse", list(lines), module=[pathlib.Path("x.ko")])[0]

    def test_refused(self):
        self.assertTrue(self.judge_lines(self.UNKNOWN, *guest_says(self.FAILED, self.EMPTY)))

    def test_refused_for_another_reason(self):
        self.assertFalse(self.judge_lines("x: version magic 'a' should be 'b'",
                                          *guest_says(self.FAILED, self.EMPTY)))

    def test_loaded(self):
        self.assertFalse(self.judge_lines(self.UNKNOWN, *guest_says(
            "refuse: insmod of x.ko exited with 0", "refuse: modules loaded: x ")))

    def test_left_something(self):
        self.assertFalse(self.judge_lines(self.UNKNOWN, *guest_says(
            self.FAILED, self.EMPTY, "refuse: left behind: /sys/kernel/debug/schedtp_x")))

    def test_never_tried(self):
        self.assertFalse(self.judge_lines(self.UNKNOWN, *guest_says(self.EMPTY)))


@unittest.skipUnless("SCHEDTP_TREE" in os.environ, "SCHEDTP_TREE names no kernel tree")
class Kunit(Judged):
    SUITE = ("    KTAP version 1", "    # Subtest: a_suite", "    1..2", "    ok 1 one",
             "    ok 2 two", "ok 1 a_suite")
    LOADED = "kunit: insmod exited with 0"
    EMPTY = "kunit: left behind: "

    def judge_loads(self, first, second, left=EMPTY, loaded=LOADED, more=()):
        lines = []
        for number, spoken in (("1", first), ("2", second)):
            lines += guest_says(f"kunit begin {number}")
            lines += [f"[    1.000000] {line}" for line in spoken]
            lines += guest_says(loaded, f"kunit end {number}")
        return self.judge("kunit", [*lines, *more, *guest_says(left)], suite=["a_suite"],
                          tree=pathlib.Path(os.environ["SCHEDTP_TREE"]).absolute())

    def assert_red(self, text, *args, **more):
        passed, said, _ = self.judge_loads(*args, **more)
        self.assertFalse(passed)
        self.assertIn(text, said)

    def test_good(self):
        passed, said, _ = self.judge_loads(self.SUITE, self.SUITE)
        self.assertTrue(passed, said)
        self.assertEqual(said, "1 suites, loaded twice: 2 run, 2 run")

    def test_good_with_the_heading_of_later_kernels(self):
        heading = ("KTAP version 1", "1..1")
        passed, said, _ = self.judge_loads(heading + self.SUITE, heading + self.SUITE)
        self.assertTrue(passed, said)

    def test_failed_case(self):
        bad = tuple(line.replace("ok 2", "not ok 2") for line in self.SUITE)
        self.assert_red("two", self.SUITE, bad)

    def test_fewer_cases_than_planned(self):
        self.assert_red("ERROR", self.SUITE[:4] + self.SUITE[5:], self.SUITE)

    def test_no_suite(self):
        self.assert_red("ran the suites none", (), self.SUITE)

    def test_another_suite(self):
        other = tuple(line.replace("a_suite", "b_suite") for line in self.SUITE)
        self.assert_red("ran the suites b_suite", other, other)

    def test_refused(self):
        self.assert_red("refused", self.SUITE, self.SUITE, loaded="kunit: insmod exited with 1")

    def test_left_something(self):
        self.assert_red("stayed", self.SUITE, self.SUITE, left="kunit: left behind: a a_suite")

    def test_guest_that_stopped_in_between(self):
        self.assertFalse(self.judge("kunit", guest_says("kunit begin 1"), suite=["a_suite"],
                                    tree=pathlib.Path("."))[0])

    def test_passed_but_the_kernel_complained(self):
        self.assert_red("complained", self.SUITE, self.SUITE,
                        more=["[    1.000000] WARNING: CPU: 0 PID: 1 at a.c:1 f+0x1/0x2"])


if __name__ == "__main__":
    unittest.main()
