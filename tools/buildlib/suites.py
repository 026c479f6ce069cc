# SPDX-License-Identifier: GPL-2.0
"""Running the KUnit suites on a kernel that is built, through its own kunit.py."""

from . import arch, kernel
from .common import REPO, output

TIMEOUT = 300


def run(found, tree, build, architecture, what="run KUnit on the booted kernel", kernel_args=()):
    """
    Boot, and run every suite. Returns (exit status, path of the output, path of the
    results, which are not there if the kernel did not get that far).
    """
    results = build / "kunit.json"
    env = kernel.environment()
    env["PATH"] = f"{REPO / 'tools/kernel/bin'}:{env['PATH']}"
    results.unlink(missing_ok=True)
    status, path = found.log.run(
        what,
        [
            tree / "tools/testing/kunit/kunit.py",
            "exec",
            *arch.boot_arguments(architecture, build),
            *(f"--kernel_args={argument}" for argument in kernel_args),
            f"--build_dir={build}",
            f"--kunitconfig={tree / 'kernel/sched/tp/tests'}",
            f"--timeout={TIMEOUT}",
            f"--json={results}",
            "sched_tp*",
        ],
        cwd=tree,
        env=env,
        allow_failure=True,
    )
    return status, path, results


def scan_log(build):
    """What is wrong in the log of the kernel that ran them, as log_scan.py ends."""
    return output(REPO / "tools/guest/log_scan.py", build / "test.log", check=False)
