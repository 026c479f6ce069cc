#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Build the modules and the kselftests for a kernel, and run them in a guest.

    selftests.py --tree TREE --build BUILD --pristine-build BUILD
                 --module-tests-build BUILD --getters FILE --work DIR

TREE has the series applied and is built in BUILD; the pristine build is of the same
release without it, and the one of the module tests has the KUnit suites as a module.
All have what tools/kernel/config asks for. All that comes of it
goes to DIR; the trees and this repository are left as they are.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import traceback
from typing import Callable

HERE = pathlib.Path(__file__).resolve().parent
REPO = HERE.parent
sys.path.insert(0, str(HERE / "guest"))
from buildlib import outcome  # pylint: disable=wrong-import-position
from buildlib.common import Stop  # pylint: disable=wrong-import-position
import run_guest  # pylint: disable=wrong-import-position
from run_guest import GuestError  # pylint: disable=wrong-import-position

KSFT_SKIP = 4

# A probe as it was before there was a table.
OLD_PROBE = """\
// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <schedtp/tracepoints.h>

static void probe(void *data, struct sched_entity *se)
{
}

static int __init old_probe_init(void)
{
	return sched_tp_register(sched_util_est_se, probe, NULL);
}
module_init(old_probe_init);
MODULE_DESCRIPTION("must not compile");
MODULE_LICENSE("GPL");
"""

OLD_PROBE_MAKEFILE = """\
obj-m := old_probe.o
ccflags-y += -I$(realpath $(src)/../../include)
"""


def command(argv: list, log: pathlib.Path) -> tuple[int, str]:
    """Run a program and all it starts to the end, or kill it. Output goes to log."""
    with open(log, "wb") as out:
        # pylint: disable-next=subprocess-popen-preexec-fn
        process = subprocess.Popen([str(arg) for arg in argv], stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=run_guest.die_with_parent)
        try:
            status = process.wait()
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    return status, log.read_text(encoding="utf-8", errors="replace")


def require(argv: list, log: pathlib.Path) -> str:
    """command(), which must succeed."""
    status, output = command(argv, log)
    if status:
        last = "\n".join(output.splitlines()[-run_guest.TAIL:])
        raise GuestError(f"{argv[0]} exited with {status}:\n{last}\n(the whole log: {log})")
    return output


class Selftests:
    """The steps, in order; each raises GuestError, or returns what there is to say."""

    def __init__(self, args: argparse.Namespace):
        self.args = args
        self.work = args.work.absolute()
        self.tree = args.tree.absolute()
        self.build = args.build.absolute()
        self.pristine = args.pristine_build.absolute()
        self.module_tests = args.module_tests_build.absolute()
        self.logs = self.work / "logs"
        self.kselftest = self.work / "kselftest/install"

    # Modules are built from a copy, since kbuild leaves its output beside them.

    def copy_sources(self, name: str) -> pathlib.Path:
        """A copy of headers and modules. Returns its directory of modules."""
        top = self.work / name
        shutil.rmtree(top, ignore_errors=True)
        shutil.copytree(REPO / "include", top / "include")
        modules = top / "kernel/modules"
        modules.mkdir(parents=True)
        for source in ("Makefile", "schedtp_probe.c", "schedtp_inject.c"):
            shutil.copy(REPO / "kernel/modules" / source, modules)
        return modules

    def make_modules(self, build: pathlib.Path, modules: pathlib.Path) -> list:
        return ["make", "-s", "-C", build, f"M={modules}", f"-j{self.args.jobs}",
                *self.args.make_arg, "modules"]

    def module(self, name: str) -> pathlib.Path:
        return self.work / "modules/kernel/modules" / f"{name}.ko"

    def must_not_compile(self, build: pathlib.Path, modules: pathlib.Path, log: str,
                         text: str) -> str:
        """The compiler stops, and the first error that it prints has the text."""
        status, output = command(self.make_modules(build, modules), self.logs / log)
        errors = [line for line in output.splitlines() if ": error: " in line]
        if not status:
            raise GuestError("it compiled")
        if not errors or text not in errors[0]:
            raise GuestError(f"it failed for another reason than: {text}\n{output}")
        return errors[0].partition(": error: ")[2]

    # The steps.

    def unit_test(self, name: str) -> str:
        output = require(["env", f"SCHEDTP_TREE={self.tree}", sys.executable,
                          HERE / "guest" / name], self.logs / f"{name}.log")
        if "skipped=" in output:
            raise GuestError(f"not all of it ran:\n{output}")
        return next(line for line in output.splitlines() if line.startswith("Ran "))

    def log_scan(self) -> str:
        return self.unit_test("log_scan_test.py")

    def run_guest(self) -> str:
        return self.unit_test("run_guest_test.py")

    def modules(self) -> str:
        output = require(self.make_modules(self.build, self.copy_sources("modules")),
                         self.logs / "modules.log")
        if "warning" in output.lower():
            raise GuestError(f"the build warned:\n{output}")
        namespaces = require(["modinfo", "-F", "import_ns", self.module("schedtp_probe")],
                             self.logs / "modinfo.log")
        if namespaces.strip():
            raise GuestError(f"schedtp_probe imports namespaces: {namespaces}")
        return "schedtp_probe, schedtp_inject"

    def no_series(self) -> str:
        return self.must_not_compile(self.pristine, self.copy_sources("no_series"),
                                     "no_series.log",
                                     '#error "schedtp: this kernel tree is without the series')

    def old_prototype(self) -> str:
        modules = self.copy_sources("old_prototype")
        (modules / "Makefile").write_text(OLD_PROBE_MAKEFILE, encoding="utf-8")
        (modules / "old_probe.c").write_text(OLD_PROBE, encoding="utf-8")
        return self.must_not_compile(self.build, modules, "old_prototype.log",
                                     "schedtp: probe() is no probe of sched_util_est_se")

    def kselftests(self) -> str:
        source = self.tree / "tools/testing/selftests/sched_tp"
        if not source.is_dir():
            raise GuestError(f"{source}: missing: has the tree the series?")
        shutil.rmtree(self.work / "kselftest", ignore_errors=True)
        # Static, since the guest has no libraries.
        output = require(["make", "-s", "-C", self.tree / "tools/testing/selftests",
                          "TARGETS=sched_tp", f"O={self.work / 'kselftest'}",
                          f"INSTALL_PATH={self.kselftest}", "USERLDFLAGS=-static",
                          "USERCFLAGS=-Werror", *self.args.make_arg, "install"],
                         self.logs / "kselftests.log")
        programs = run_guest.expected_programs(self.kselftest)
        if not programs:
            raise GuestError(f"nothing was installed:\n{output}")
        return f"{len(programs)} programs"

    def skip(self) -> str:
        """Where there is neither the module nor the series, the tests say so and skip."""
        if any(pathlib.Path("/sys/kernel/debug", name).exists()
               for name in ("schedtp_probe", "sched_tp")):
            return "not tried: this machine has the module loaded, or the series"
        for name in ("se_test", "rq_test", "module_test.sh", "getters_test.sh"):
            status, output = command(["env", "SCHED_TP_MODULE=/nonexistent/module.ko",
                                      self.kselftest / "sched_tp" / name],
                                     self.logs / f"skip-{name}.log")
            if status != KSFT_SKIP or "1..0 # SKIP " not in output:
                raise GuestError(f"{name} exited with {status}, not as skipped:\n{output}")
        return "4 programs"

    def guest(self, what: str, build: pathlib.Path, modules: list[pathlib.Path],
              timeout: int, suites: tuple[str, ...] = ()) -> str:
        return run_guest.run(argparse.Namespace(
            what=what, kernel=build / "vmlinux", work=self.work / what, tree=self.tree,
            kselftest=self.kselftest, getters=self.args.getters, module=modules,
            timeout=timeout, suite=suites))

    def selftests(self) -> str:
        return self.guest("selftests", self.build, [self.module("schedtp_probe")], 600)

    def kunit_module(self) -> str:
        module = self.module_tests / "kernel/sched/tp/tests/sched_tp_kunit.ko"
        try:
            suites = tuple(outcome.module_suites())
            said = self.guest("kunit", self.module_tests, [module], 300, suites)
        except Stop as stop:
            raise GuestError(str(stop)) from stop
        results = self.work / "kunit/kunit-1.json"
        if not outcome.count_getters(json.loads(results.read_text(encoding="utf-8"))):
            raise GuestError(f"not every getter was tested: see above and {results}")
        return said

    def inject(self) -> str:
        return self.guest("inject", self.build, [self.module("schedtp_inject")], 180)

    def refuse(self) -> str:
        # Of another release a module is refused for that, and its symbols are not reached.
        releases = {(build / "include/config/kernel.release").read_text(encoding="utf-8").strip()
                    for build in (self.build, self.pristine)}
        if len(releases) != 1:
            raise GuestError(f"the two builds are of different releases: {', '.join(releases)}")
        return self.guest("refuse", self.pristine, [self.module("schedtp_probe")], 120)


# name: what it shows, and the steps it needs
STEPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "log_scan": ("the log scan knows every kind of fault", ()),
    "run_guest": ("results that are not all good are judged so", ()),
    "modules": ("the modules build from the headers alone", ()),
    "no_series": ("a tree without the series is refused by the compiler", ()),
    "old_prototype": ("a probe without the table is refused by the compiler", ()),
    "kselftests": ("the kselftests build", ()),
    "skip": ("without the module the kselftests skip", ("kselftests",)),
    "selftests": ("the kselftests pass in a guest", ("modules", "kselftests")),
    "kunit_module": ("the KUnit suites pass as a module", ()),
    "inject": ("a real fault of each kind turns a run red", ("modules",)),
    "refuse": ("a kernel without the series refuses the module", ("modules",)),
}


def with_needs(names: list[str]) -> list[str]:
    wanted = set(names)
    for name in names:
        wanted.update(STEPS[name][1])
    return [name for name in STEPS if name in wanted]


def run_steps(tests: Selftests, names: list[str]) -> int:
    """Run the steps; returns how many did not pass."""
    failed: set[str] = set()
    for name in names:
        what, needs = STEPS[name]
        step: Callable[[], str] = getattr(tests, name)
        started = time.monotonic()
        print(f"{name}: {what}", flush=True)
        try:
            missing = [need for need in needs if need in failed]
            if missing:
                raise GuestError(f"not run, for want of: {', '.join(missing)}")
            result, verdict = step(), "ok"
        except GuestError as err:
            result, verdict = str(err), "FAILED"
        except OSError:
            result, verdict = traceback.format_exc(), "FAILED"
        if verdict != "ok":
            failed.add(name)
        print(f"  {verdict}: {result} [{time.monotonic() - started:.1f} s]", flush=True)
    print(f"selftests: {len(names) - len(failed)} passed, {len(failed)} failed")
    return len(failed)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="steps:\n" + "\n".join(f"  {n:14} {what}" for n, (what, _) in STEPS.items()))
    path = pathlib.Path
    parser.add_argument("--tree", type=path, required=True, help="kernel tree with the series")
    parser.add_argument("--build", type=path, required=True, help="where it is built")
    parser.add_argument("--pristine-build", type=path, required=True,
                        help="build of the same kernel without the series")
    parser.add_argument("--getters", type=path, required=True,
                        help="what debugfs must say of the getters in that build")
    parser.add_argument("--module-tests-build", type=path, required=True,
                        help="build of the kernel with the KUnit suites as a module")
    parser.add_argument("--work", type=path, required=True, help="where everything goes")
    parser.add_argument("--only", nargs="+", choices=STEPS, default=list(STEPS), metavar="STEP",
                        help="these steps, and those they need")
    parser.add_argument("--jobs", type=int, default=2, help="of make (default %(default)s)")
    parser.add_argument("--make-arg", action="append", default=[], metavar="ARG",
                        help='for every make, as "CC=ccache gcc"')
    args = parser.parse_args(argv)
    run_guest.exit_on_signals()
    tests = Selftests(args)
    for build in (tests.build, tests.pristine, tests.module_tests):
        for needed in ("vmlinux", "Module.symvers"):
            if not (build / needed).exists():
                print(f"selftests: {build / needed}: missing: build the kernel first",
                      file=sys.stderr)
                return 2
    tests.logs.mkdir(parents=True, exist_ok=True)
    return 1 if run_steps(tests, with_needs(args.only)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
