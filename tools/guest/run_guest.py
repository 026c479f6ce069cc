#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Boot a kernel in a throw-away guest and judge what happened in it.

    run_guest.py selftests --kernel VMLINUX --work DIR --tree TREE
                           --kselftest INSTALLED --getters FILE --module KO...
    run_guest.py inject    --kernel VMLINUX --work DIR --module schedtp_inject.ko
    run_guest.py refuse    --kernel VMLINUX --work DIR --module KO...
    run_guest.py kunit     --kernel VMLINUX --work DIR --tree TREE
                           --module sched_tp_kunit.ko --suite NAME...

selftests   loads the modules and runs the installed kselftests. Passed is: the guest
            came to its end, every program reported, every case passed (a skipped
            one has not), and the kernel complained of nothing.
inject      has the kernel log a real fault of each kind. Passed is: the log scan
            finds each, and knows it for what it is.
refuse      loads modules built for another kernel. Passed is: the loader refuses
            them for the symbol that this kernel lacks, and keeps nothing.
kunit       loads a module of KUnit suites, twice. Passed is: each time these suites
            ran, no others, and no case failed; and the module left nothing.

DIR then holds console.log, all that the kernel said, and results.tap.

The guest is QEMU without acceleration, whatever this machine offers: the tests are
the same everywhere. It is killed on every way out of here, and dies with this
process should that be killed itself.
"""

import argparse
import contextlib
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Iterable, Iterator

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import log_scan  # pylint: disable=wrong-import-position

QEMU = "qemu-system-x86_64"
MACHINE = ("-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "4",
           "-m", "1024", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot")

# panic=-1 and -no-reboot: a panic ends QEMU. The scan must see every line that the
# guest's /init writes to the kernel log, too.
CMDLINE = "console=ttyS0 panic=-1 printk.devkmsg=on"

# A kernel that is configured from nothing has KUnit off until somebody says.
SWITCHES = {"kunit": ["kunit.enable=1"]}

SAY = "schedtp-guest: "
SYMBOL = "sched_tp_get_callbacks"
TAIL = 40
REPORT = 100


class GuestError(Exception):
    """Why a run did not pass, in words for who started it."""


def require_programs() -> dict[str, str]:
    """Paths of the programs this needs, by name."""
    paths = {name: shutil.which(name) for name in (QEMU, "busybox", "cpio", "gzip")}
    missing = sorted(name for name, path in paths.items() if not path)
    if missing:
        raise GuestError(f"not installed: {', '.join(missing)}")
    return {name: path for name, path in paths.items() if path}


def build_initramfs(out: pathlib.Path, contents: dict[str, pathlib.Path]) -> None:
    """Pack busybox, /init and contents (guest path: file or directory) into out."""
    programs = require_programs()
    with tempfile.TemporaryDirectory(prefix="schedtp-guest-") as tmp:
        root = pathlib.Path(tmp)
        for name, source in {"bin/busybox": pathlib.Path(programs["busybox"]),
                             "usr/bin/timeout": HERE / "timeout",
                             "init": HERE / "init", **contents}.items():
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)
        names = sorted(str(path.relative_to(root)) for path in root.rglob("*"))
        archive = subprocess.run(
            [programs["cpio"], "--null", "-o", "-H", "newc", "--quiet", "--owner=0:0"],
            cwd=root, input="\0".join(names).encode(), stdout=subprocess.PIPE, check=True)
        with open(out, "wb") as packed:
            subprocess.run([programs["gzip"], "-1"], input=archive.stdout, stdout=packed,
                           check=True)


def die_with_parent() -> None:
    """In the child, before QEMU: no parent, no guest."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def boot(kernel: pathlib.Path, initramfs: pathlib.Path, what: str, work: pathlib.Path,
         timeout: int) -> list[str]:
    """Run a guest to its end. Returns the lines of its console."""
    console, results = work / "console.log", work / "results.tap"
    results.unlink(missing_ok=True)
    words = [CMDLINE, *SWITCHES.get(what, ()), f"schedtp_run={what}"]
    command = [require_programs()[QEMU], *MACHINE, "-kernel", str(kernel),
               "-initrd", str(initramfs), "-append", " ".join(words),
               "-serial", "stdio", "-serial", f"file:{results}"]
    with open(console, "wb") as log:
        # pylint: disable-next=subprocess-popen-preexec-fn
        qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log,
                                stderr=subprocess.STDOUT, start_new_session=True,
                                preexec_fn=die_with_parent)
        try:
            status = qemu.wait(timeout)
        except subprocess.TimeoutExpired:
            raise GuestError(f"the guest did not finish within {timeout} s") from None
        finally:
            if qemu.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(qemu.pid, signal.SIGKILL)
                qemu.wait()
    lines = log_scan.read_log(str(console))
    if status:
        raise GuestError(f"{QEMU} exited with {status}: {lines[-1] if lines else 'silently'}")
    if not any(f"{SAY}finished" in line for line in lines):
        raise GuestError("the guest died before it finished")
    return lines


def require_clean(console: pathlib.Path, lines: list[str]) -> None:
    """A complaint of the kernel turns a run red, whatever the tests say."""
    faults = log_scan.scan(lines)
    if faults:
        listed = "\n".join(f"{console}:{line}: {kind}: {text}" for line, kind, text in faults)
        raise GuestError(f"the kernel complained:\n{listed}")


def nested(lines: Iterable[str]) -> Iterator[str]:
    """The kselftest runner prefixes the output of a program with "# ", where KTAP
    indents it. Indented, the parser sees the cases of each program, too."""
    for line in lines:
        yield "    " + line[2:] if line.startswith("# ") else line


def leaves(group: dict, path: str = "") -> Iterator[tuple[str, str]]:
    """(name, status) of every case in the JSON of kunit.py."""
    for case in group["test_cases"]:
        yield (f"{path}{case['name']}", case["status"])
    for sub in group["sub_groups"]:
        yield from leaves(sub, f"{path}{sub['name']}: ")


def parse_results(tree: pathlib.Path, work: pathlib.Path) -> tuple[dict, list[str], str]:
    """Results as kunit.py of the tree reads them, what it complained of, all it said."""
    try:
        lines = log_scan.read_log(str(work / "results.tap"))
    except FileNotFoundError:
        lines = []
    return parse_ktap(tree, work / "results.ktap", nested(lines))


def parse_ktap(tree: pathlib.Path, ktap: pathlib.Path,
               lines: Iterable[str]) -> tuple[dict, list[str], str]:
    """The same of any lines, which go to the file ktap. The JSON is put beside it."""
    parsed = ktap.with_suffix(".json")
    ktap.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    parsed.unlink(missing_ok=True)
    run = subprocess.run([sys.executable, str(tree / "tools/testing/kunit/kunit.py"), "parse",
                          f"--json={parsed}", str(ktap)],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    complaints = [line for line in run.stdout.splitlines() if "[ERROR]" in line]
    if not parsed.exists():
        # It stumbles over some results. Its last line says how, the rest is traceback.
        before, _, after = run.stdout.partition("Traceback (most recent call last):")
        raise GuestError(f"kunit.py cannot read the results:\n{before}"
                         f"{''.join(after.splitlines()[-1:])}")
    if run.returncode and not complaints:
        complaints.append(f"kunit.py parse exited with {run.returncode}")
    return json.loads(parsed.read_text(encoding="utf-8")), complaints, run.stdout


def expected_programs(kselftest: pathlib.Path) -> list[str]:
    """The programs of an installed kselftest, as its runner names them."""
    try:
        text = (kselftest / "kselftest-list.txt").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise GuestError(f"{kselftest}: no installed kselftests") from None
    return [f"selftests: {line.replace(':', ': ', 1)}" for line in text.split()]


def judge_selftests(args: argparse.Namespace, lines: list[str]) -> str:
    group, complaints, report = parse_results(args.tree, args.work)
    cases = list(leaves(group))
    for name, status in cases:
        word = {"PASS": "ok", "SKIP": "skip"}.get(status, "not ok")
        print(f"  {word:6} {name.removeprefix('selftests: ')}")
    # The table of what was compared with what, a line here and there in the results.
    for line in log_scan.read_log(str(args.work / "results.tap")):
        if re.match(r"(# )+\| ", line):
            print(f"  {line.lstrip('# ')}")
    # Programs without a plan are no groups, whatever they exited with.
    reported = [program["name"] for program in group["sub_groups"]]
    for name in expected_programs(args.kselftest):
        if name not in reported:
            complaints.append(f"no plan, or no result, of {name}")
    count = {status: sum(s == status for _, s in cases) for status in ("PASS", "SKIP")}
    failed = len(cases) - count["PASS"] - count["SKIP"]
    totals = (f"{len(cases)} run, {count['PASS']} passed, {failed} failed, "
              f"{count['SKIP']} skipped")
    if failed or count["SKIP"] or complaints or not cases:
        # Only now has the report more to say than the lines above; but not why a
        # case was skipped.
        skips = [line for line in log_scan.read_log(str(args.work / "results.tap"))
                 if "# SKIP" in line]
        raise GuestError("\n".join([*report.splitlines()[-REPORT:], *skips, totals, *complaints]))
    require_clean(args.work / "console.log", lines)
    return totals


def said(line: str) -> str | None:
    """What the guest's /init said in a line of the console, if it did."""
    return line.partition(SAY)[2] if SAY in line else None


# The kinds of schedtp_inject, what of each the scan must see, and what comes along
# with it: a BUG() is reported as the oops it is made of, and a kthread that dies of
# one may be told off for its state, too.
INJECTED = {
    "lockdep": {"lockdep", "trace"},
    "hung_task": {"hung_task", "trace"},
    "warn": {"warn", "trace"},
    "bug": {"bug", "oops", "trace"},
    "oops": {"oops", "trace"},
}


def judge_inject(_args: argparse.Namespace, lines: list[str]) -> str:
    starts = {word[1]: number for number, line in enumerate(lines)
              if (word := (said(line) or "").split()) and word[0] == "inject" and len(word) == 2}
    order = list(starts)
    if order != [*INJECTED, "no_such_kind", "end"]:
        raise GuestError(f"injected was: {', '.join(order) or 'nothing'}")
    wrong = []

    def kinds(begin: int, end: int) -> set[str]:
        return {fault.kind for fault in log_scan.scan(lines[begin:end])}

    before = kinds(0, starts[order[0]])
    if before:
        wrong.append(f"red before the first injection: {', '.join(before)}")
    for kind, following in zip(order, order[1:]):
        found = kinds(starts[kind], starts[following])
        print(f"  {kind:12} seen as: {', '.join(sorted(found)) or 'nothing'}")
        if kind in INJECTED and (kind not in found or found - INJECTED[kind]):
            wrong.append(f"{kind}: seen as {', '.join(sorted(found)) or 'nothing'}")
    refused = lines[starts["no_such_kind"]:starts["end"]]
    if (kinds(starts["no_such_kind"], starts["end"])
            or not any("schedtp_inject: unknown kind 'no_such_kind'" in line for line in refused)
            or any(said(line) == "inject: insmod exited with 0" for line in refused)):
        wrong.append("an unknown kind was not refused with one clear line")
    if wrong:
        raise GuestError("\n".join(wrong))
    return f"{len(INJECTED)} faults injected, {len(INJECTED)} seen"


def judge_refuse(args: argparse.Namespace, lines: list[str]) -> str:
    wrong = []
    for module in args.module:
        name = module.stem
        if not any(re.search(rf"\b{name}: Unknown symbol {SYMBOL} \(err -2\)", line)
                   for line in lines):
            wrong.append(f"{name}: not refused with: Unknown symbol {SYMBOL}")
        ends = [said(line) for line in lines
                if (said(line) or "").startswith(f"refuse: insmod of {name}.ko exited with ")]
        if len(ends) != 1 or ends[0].endswith(" 0"):
            wrong.append(f"{name}: insmod did not fail: {ends}")
    left = [text for line in lines if (text := said(line) or "").startswith("refuse: left behind")]
    loaded = [text for line in lines if (text := said(line) or "").startswith("refuse: modules")]
    if left or len(loaded) != 1 or loaded[0].strip() != "refuse: modules loaded:":
        wrong.append(f"something stayed: {left + loaded}")
    if wrong:
        raise GuestError("\n".join(wrong))
    require_clean(args.work / "console.log", lines)
    print(f"  refused: Unknown symbol {SYMBOL}: {', '.join(m.name for m in args.module)}")
    return f"{len(args.module)} refused"


def kernel_says(lines: list[str], begin: str, end: str) -> list[str]:
    """What the kernel printed between two words of /init, without the times."""
    marks = [number for word in (begin, end)
             for number, line in enumerate(lines) if said(line) == word]
    if len(marks) != 2:
        raise GuestError(f"/init did not say once each: {begin}, {end}")
    return [re.sub(r"^\[ *[0-9.]+\] ", "", line) for line in lines[marks[0] + 1:marks[1]]]


def judge_kunit(args: argparse.Namespace, lines: list[str]) -> str:
    totals = []
    for number in ("1", "2"):
        spoken = kernel_says(lines, f"kunit begin {number}", f"kunit end {number}")
        if f"{SAY}kunit: insmod exited with 0" not in spoken:
            raise GuestError(f"load {number}: the module was refused")
        # Before 6.8 a module's suites come without the heading that the parser begins at.
        first = next((line for line in spoken if "KTAP version" in line), "")
        heading = [] if first.startswith("KTAP") else ["KTAP version 1", f"1..{len(args.suite)}"]
        group, complaints, report = parse_ktap(args.tree, args.work / f"kunit-{number}.ktap",
                                               heading + spoken)
        cases = list(leaves(group))
        failed = [name for name, status in cases if status not in ("PASS", "SKIP")]
        suites = sorted(suite["name"] for suite in group["sub_groups"])
        if suites != sorted(args.suite):
            complaints.append(f"ran the suites {', '.join(suites) or 'none'}, "
                              f"and not {', '.join(sorted(args.suite))}")
        if failed or complaints:
            raise GuestError("\n".join([*report.splitlines()[-REPORT:], *failed, *complaints]))
        totals.append(f"{len(cases)} run")
    left = [text for line in lines if (text := said(line) or "").startswith("kunit: left behind:")]
    if [text.strip() for text in left] != ["kunit: left behind:"]:
        raise GuestError(f"something stayed: {left}")
    require_clean(args.work / "console.log", lines)
    return f"{len(args.suite)} suites, loaded twice: {', '.join(totals)}"


JUDGES = {"selftests": judge_selftests, "inject": judge_inject, "refuse": judge_refuse,
          "kunit": judge_kunit}


def run(args: argparse.Namespace) -> str:
    """Boot a guest that does args.what, judge it, and say in a line how it went."""
    args.work = args.work.absolute()
    args.work.mkdir(parents=True, exist_ok=True)
    console = args.work / "console.log"
    console.unlink(missing_ok=True)
    contents = {f"modules/{module.name}": module for module in args.module}
    if args.tree:
        args.tree = args.tree.absolute()
    if args.what == "selftests":
        expected_programs(args.kselftest)
        contents["kselftest"] = args.kselftest
        contents["getters"] = args.getters
    started = time.monotonic()
    try:
        initramfs = args.work / "initramfs.cpio.gz"
        build_initramfs(initramfs, contents)
        lines = boot(args.kernel, initramfs, args.what, args.work, args.timeout)
        verdict = JUDGES[args.what](args, lines)
    except GuestError as err:
        show_tail(console)
        raise GuestError(f"{err}\n(the whole log: {console})") from err
    return f"{verdict} ({time.monotonic() - started:.1f} s)"


def show_tail(console: pathlib.Path) -> None:
    if console.exists():
        lines = log_scan.read_log(str(console))
        print(f"--- last {min(TAIL, len(lines))} lines of {console}", file=sys.stderr)
        for line in lines[-TAIL:]:
            print(line, file=sys.stderr)
        print("---", file=sys.stderr)


def parse_args(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=JUDGES)
    path = pathlib.Path
    parser.add_argument("--kernel", type=path, required=True, help="vmlinux with a PVH entry")
    parser.add_argument("--work", type=path, required=True, help="where logs and results go")
    parser.add_argument("--module", type=path, nargs="*", default=[], help="modules to load")
    parser.add_argument("--tree", type=path, help="kernel tree whose kunit.py reads the results")
    parser.add_argument("--kselftest", type=path, help="what `make install` of kselftest made")
    parser.add_argument("--getters", type=path, help="what debugfs must say of the getters")
    parser.add_argument("--suite", nargs="*", default=[], help="KUnit suites of the module")
    parser.add_argument("--timeout", type=int, default=300, help="seconds (default %(default)s)")
    args = parser.parse_args(argv)
    if args.what == "selftests" and not (args.tree and args.kselftest and args.getters):
        parser.error("selftests needs --tree, --kselftest and --getters")
    if args.what == "kunit" and not (args.tree and args.suite):
        parser.error("kunit needs --tree and --suite")
    return args


def exit_on_signals() -> None:
    """Signals that end a process end it by way of every `finally`."""
    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, leave)


def main(argv: list[str]) -> int:
    args = parse_args(argv)
    exit_on_signals()
    try:
        print(f"{args.what}: {run(args)}")
    except GuestError as err:
        print(f"{args.what}: FAILED: {err}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
