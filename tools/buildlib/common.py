# SPDX-License-Identifier: GPL-2.0
"""Running commands, saying what is done, stopping with one clear line."""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "schedtp"

# A step that takes longer than this says so, and again after as long.
HEARTBEAT_SECONDS = 30
TAIL_LINES = 40


class Stop(Exception):
    """What is wrong and what to do, in one line, for whoever typed the command."""


class Interrupted(Exception):
    """SIGINT or SIGTERM, as an exception, so that everything is cleaned up."""


def say(text):
    print(text, flush=True)


def main(entry):
    """Run a command's entry point: its Stop is one line on stderr and exit status 1."""

    def interrupt(signum, _frame):
        raise Interrupted(signal.Signals(signum).name)

    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, interrupt)
    try:
        sys.exit(entry())
    except Stop as stop:
        print(f"schedtp: {stop}", file=sys.stderr, flush=True)
        sys.exit(1)
    except Interrupted as stop:
        print(f"schedtp: stopped by {stop}", file=sys.stderr, flush=True)
        sys.exit(130)


def kill_group(process):
    """End a process that was started in a session of its own, with its children."""
    for signum in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signum)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            continue
        # The leader is gone; what it left behind in its group goes too.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return


def output(*args, cwd=None, env=None, check=True, stdin=None):
    """The standard output of a short command, or Stop with what it said."""
    done = subprocess.run(
        [str(arg) for arg in args],
        cwd=cwd,
        env=env,
        input=stdin,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if check and done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()
        raise Stop(f"'{' '.join(map(str, args[:4]))} ...' failed: {said[-1]}")
    return done.stdout if check else done


def tail(path, lines=TAIL_LINES):
    with open(path, errors="replace") as log:
        return "".join(log.readlines()[-lines:])


class Log:
    """Runs the long commands of one task, each with its output in a file."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)

    def run(
        self, what, args, cwd=None, env=None, progress=None, allow_failure=False, no_warnings=False
    ):
        """
        Run a command, quietly. Says how long it took; while it runs, says every
        HEARTBEAT_SECONDS what progress() returns. On failure, or a warning where there
        must be none, prints the end of its output and raises Stop. Returns (exit status,
        path of the output).
        """
        name = "".join(c if c.isalnum() or c in "._-" else "_" for c in what)[:80]
        path = self.directory / f"{name}.log"
        started = time.monotonic()
        with open(path, "w") as log:
            process = subprocess.Popen(
                [str(arg) for arg in args],
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                while True:
                    try:
                        status = process.wait(timeout=HEARTBEAT_SECONDS)
                        break
                    except subprocess.TimeoutExpired:
                        took = time.monotonic() - started
                        how_far = f", {progress()}" if progress else ""
                        say(f"  ... {what}: {took:.0f} s{how_far}")
            except BaseException:
                kill_group(process)
                raise
        took = time.monotonic() - started
        if status and not allow_failure:
            print(tail(path), file=sys.stderr)
            text = path.read_text(errors="replace")
            if "No space left on device" in text:
                raise Stop(f"{what}: the disk is full: free some space near {self.directory} and repeat")
            raise Stop(f"{what} failed after {took:.0f} s; the whole output is in {path}")
        if no_warnings:
            warned = [line for line in open(path, errors="replace") if "warning:" in line.lower()]
            if warned:
                print("".join(warned[:TAIL_LINES]), file=sys.stderr)
                raise Stop(f"{what} warned, {len(warned)} times; the whole output is in {path}")
        say(f"  {what}: {took:.1f} s")
        return status, path


def need_space(directory, gibibytes, what):
    """Stop before a step that would fill the disk."""
    stat = os.statvfs(directory)
    free = stat.f_bavail * stat.f_frsize / 2**30
    if free < gibibytes:
        raise Stop(
            f"{what} needs {gibibytes} GiB in {directory}, {free:.1f} are free: "
            "free some, or set XDG_CACHE_HOME to a larger disk"
        )


@contextlib.contextmanager
def lock(directory):
    """One command at a time in a cache directory; a second one waits and says so."""
    directory.mkdir(parents=True, exist_ok=True)
    with open(directory / ".lock", "w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"  waiting for another schedtp command that uses {directory}")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
