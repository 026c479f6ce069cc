#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Find the kernel's own complaints in a console log.

    log_scan.py LOG...

Prints each as FILE:LINE: KIND: TEXT and exits 1; exits 0 on a clean log and 2 on
one that cannot be judged. A test that passed while the kernel reported a fault did
not pass.
"""

import re
import sys
from typing import Iterable, NamedTuple

# A line is of the first kind that matches: the specific ones come first, and a
# WARNING: or BUG: that nothing above knows is still red.
KINDS = (
    ("atomic", r"BUG: scheduling while atomic"
               r"|BUG: sleeping function called from invalid context"
               r"|BUG: using \S+ in preemptible"),
    ("lockdep", r"WARNING: possible (circular locking|recursive locking|irq lock inversion)"
                r"|WARNING: \S+-safe -> \S+-unsafe lock order"
                r"|WARNING: inconsistent lock state"
                r"|WARNING: bad unlock balance"
                r"|WARNING: held lock freed"
                r"|WARNING: lock held when returning to user space"
                r"|WARNING: .* still has locks held"
                r"|WARNING: suspicious RCU usage"
                r"|WARNING: Nested lock was not taken"
                r"|BUG: Invalid wait context|BUG: MAX_LOCK"
                r"|DEBUG_LOCKS_WARN_ON"
                r"|INFO: trying to register non-static key"
                r"|turning off the locking correctness validator"),
    ("rcu_stall", r"rcu:? .*(self-)?detected (expedited )?stall"
                  r"|rcu\S* kthread (starved|timer wakeup)"),
    ("hung_task", r"INFO: task .* blocked( in I/O wait)? for more than"),
    ("lockup", r"BUG: (soft|hard) lockup|BUG: workqueue lockup|Watchdog detected hard LOCKUP"),
    ("sanitizer", r"BUG: K[A-Z]*SAN:|BUG: KFENCE:|\bUBSAN:|kmemleak: \d+ new"),
    ("bug", r"[Kk]ernel BUG at "),
    ("oops", r"\bOops:|Oops - |BUG: (unable to handle|kernel NULL pointer)"
             r"|Unable to handle kernel|Internal error:"
             r"|general protection fault|double fault:"),
    ("panic", r"Kernel panic - not syncing"),
    ("warn", r"\bWARNING:"),
    ("bug", r"\bBUG:"),
    ("trace", r"Call [Tt]race:|-\[ cut here \]-|-\[ end trace "),
    # What was not printed cannot be scanned.
    ("lost", r"\*\* \d+ printk messages dropped"),
)

PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in KINDS)


class Finding(NamedTuple):
    line: int
    kind: str
    text: str


def classify(text: str) -> str | None:
    """The kind of fault that a line reports, or None."""
    for kind, pattern in PATTERNS:
        if pattern.search(text):
            return kind
    return None


def scan(lines: Iterable[str], first: int = 1) -> list[Finding]:
    """The faults in lines, of which the first is number `first`."""
    found = []
    for number, line in enumerate(lines, first):
        kind = classify(line)
        if kind:
            found.append(Finding(number, kind, line.rstrip()))
    return found


def read_log(path: str) -> list[str]:
    """The lines of a console log: serial lines end in CR LF, some bytes are no UTF-8."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as log:
        return [line.rstrip("\r\n") for line in log]


def main(paths: list[str]) -> int:
    if not paths or paths[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for path in paths:
        try:
            lines = read_log(path)
        except OSError as err:
            print(f"log_scan: {path}: {err.strerror}", file=sys.stderr)
            return 2
        if not any(lines):
            print(f"log_scan: {path}: empty: proves nothing", file=sys.stderr)
            return 2
        for fault in scan(lines):
            print(f"{path}:{fault.line}: {fault.kind}: {fault.text}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
