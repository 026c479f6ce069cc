#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""log_scan on lines written by hand. That real faults look so is run_guest --inject's."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import log_scan

# One line of each sort, as a kernel of some version prints it, and its kind.
RED = (
    ("warn", "WARNING: CPU: 2 PID: 71 at kernel/x.c:12 f+0x1/0x2 [m]"),
    ("warn", "WARNING: kernel/x.c:12 at f+0x1/0x2, CPU#1: insmod/71"),
    ("warn", "WARNING: something nobody listed"),
    ("bug", "kernel BUG at kernel/x.c:12!"),
    ("bug", "Kernel BUG at f+0x1/0x2 [m] [verbose debug info unavailable]"),
    ("bug", "BUG: something nobody listed"),
    ("oops", "Oops: invalid opcode: 0000 [#1] PREEMPT SMP NOPTI"),
    ("oops", "Oops: general protection fault, probably for non-canonical address 0x1: 0000 [#1]"),
    ("oops", "BUG: kernel NULL pointer dereference, address: 0000000000000040"),
    ("oops", "BUG: unable to handle page fault for address: ffffc90000000000"),
    ("oops", "Unable to handle kernel paging request at virtual address dead000000000100"),
    ("oops", "Internal error: Oops - BUG: 00000000f2000800 [#1] PREEMPT SMP"),
    ("oops", "traps: x[12] general protection fault ip:401000 sp:7ffe0 error:0 in x[401000+1]"),
    ("lockdep", "WARNING: possible circular locking dependency detected"),
    ("lockdep", "WARNING: possible recursive locking detected"),
    ("lockdep", "WARNING: possible irq lock inversion dependency detected"),
    ("lockdep", "WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected"),
    ("lockdep", "WARNING: inconsistent lock state"),
    ("lockdep", "WARNING: bad unlock balance detected!"),
    ("lockdep", "WARNING: held lock freed!"),
    ("lockdep", "WARNING: lock held when returning to user space!"),
    ("lockdep", "WARNING: x/12 still has locks held!"),
    ("lockdep", "WARNING: suspicious RCU usage"),
    ("lockdep", "[ BUG: Invalid wait context ]"),
    ("lockdep", "DEBUG_LOCKS_WARN_ON(lock->magic != lock)"),
    ("lockdep", "INFO: trying to register non-static key."),
    ("lockdep", "turning off the locking correctness validator."),
    ("rcu_stall", "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:"),
    ("rcu_stall", "rcu: INFO: rcu_preempt self-detected stall on CPU"),
    ("rcu_stall", "rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 1-... }"),
    ("rcu_stall", "rcu: rcu_preempt kthread starved for 5250 jiffies! g1 f0x0"),
    ("hung_task", "INFO: task x:12 blocked for more than 1 seconds."),
    ("hung_task", "INFO: task x:12 blocked in I/O wait for more than 120 seconds."),
    ("lockup", "watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [x:12]"),
    ("lockup", "BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!"),
    ("atomic", "BUG: scheduling while atomic: x/12/0x00000002"),
    ("atomic", "BUG: sleeping function called from invalid context at kernel/x.c:12"),
    ("atomic", "BUG: using smp_processor_id() in preemptible [00000000] code: x/12"),
    ("sanitizer", "BUG: KASAN: slab-use-after-free in f+0x1/0x2"),
    ("sanitizer", "BUG: KCSAN: data-race in f / g"),
    ("sanitizer", "BUG: KFENCE: out-of-bounds read in f+0x1/0x2"),
    ("sanitizer", "UBSAN: array-index-out-of-bounds in kernel/x.c:12:3"),
    ("sanitizer", "kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)"),
    ("panic", "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000100"),
    ("trace", "------------[ cut here ]------------"),
    ("trace", "Call Trace:"),
    ("trace", "Call trace:"),
    ("trace", "---[ end trace 0000000000000000 ]---"),
    ("lost", "** 17 printk messages dropped **"),
)

# What a healthy boot and these tests print.
CLEAN = (
    "Linux version 6.12.117+ (builder@host) (gcc) #1 SMP PREEMPT",
    "Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar",
    "... MAX_LOCKDEP_SUBCLASSES:  8",
    "rcu: Preemptible hierarchical RCU implementation.",
    "rcu: RCU calculated value of scheduler-enlistment delay is 100 jiffies.",
    "schedtp_probe: loading out-of-tree module taints kernel.",
    "debug: unmapping init memory",
    "Freeing unused kernel image (initmem) memory: 1024K",
    "schedtp-guest: # selftests: sched_tp: se_test",
    "schedtp-guest: not ok 2 selftests: sched_tp: se_test # exit=1",
    "schedtp-guest: inject warn",
    "traps: debugging off",
    "",
)


class Classify(unittest.TestCase):
    def test_every_fault_is_of_its_kind(self):
        for kind, text in RED:
            with self.subTest(text):
                self.assertEqual(log_scan.classify(f"[   12.345678] {text}"), kind)

    def test_every_kind_has_a_line_here(self):
        self.assertEqual({kind for kind, _ in log_scan.KINDS}, {kind for kind, _ in RED})

    def test_clean_lines_are_clean(self):
        for text in CLEAN:
            with self.subTest(text):
                self.assertIsNone(log_scan.classify(f"[   12.345678] {text}"))


class Scan(unittest.TestCase):
    def test_one_fault_among_many_lines(self):
        for kind, text in RED:
            with self.subTest(text):
                lines = [*CLEAN, text, *CLEAN]
                self.assertEqual(log_scan.scan(lines), [(len(CLEAN) + 1, kind, text)])

    def test_counts_from_where_it_is_told(self):
        self.assertEqual(log_scan.scan(["", "BUG: x"], 40), [(41, "bug", "BUG: x")])


class CommandLine(unittest.TestCase):
    def run_on(self, content: bytes):
        with tempfile.NamedTemporaryFile() as log, \
                contextlib.redirect_stdout(io.StringIO()) as out, \
                contextlib.redirect_stderr(io.StringIO()) as err:
            log.write(content)
            log.flush()
            status = log_scan.main([log.name])
            return status, out.getvalue().replace(log.name, "LOG"), err.getvalue()

    def test_green(self):
        self.assertEqual(self.run_on(b"all is well\r\n"), (0, "", ""))

    def test_red_names_line_and_kind(self):
        self.assertEqual(self.run_on(b"well\r\n\xff\r\n[ 1.0] kernel BUG at x.c:1!\r\n"),
                         (1, "LOG:3: bug: [ 1.0] kernel BUG at x.c:1!\n", ""))

    def test_empty_log_is_no_proof(self):
        self.assertEqual(self.run_on(b"\r\n")[0], 2)

    def test_missing_log_is_no_proof(self):
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(log_scan.main(["/nonexistent/log"]), 2)


if __name__ == "__main__":
    unittest.main()
