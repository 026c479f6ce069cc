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


def cache_directory():
    """Under XDG_CACHE_HOME, which does not count if it is relative."""
    top = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (top if top.is_absolute() else Path.home() / ".cache") / "schedtp"


CACHE = cache_directory()

# Signals that end a command, after it has cleaned up.
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

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
        # The first is enough: another must not disturb the cleaning up.
        for other in ENDING:
            signal.signal(other, signal.SIG_IGN)
        raise Interrupted(signal.Signals(signum).name)

    for signum in ENDING:
        signal.signal(signum, interrupt)
    # Which repository a command is about, it says itself.
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"):
        os.environ.pop(name, None)
    try:
        sys.exit(entry())
    except Stop as stop:
        print(f"schedtp: {stop}", file=sys.stderr, flush=True)
        sys.exit(1)
    except Interrupted as stop:
        print(f"schedtp: stopped by {stop}", file=sys.stderr, flush=True)
        sys.exit(130)


@contextlib.contextmanager
def uninterrupted():
    """A step of an instant that must not stop half-way, neither here nor in a child."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
        said = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()
        # The reason, and not the advice that comes after it.
        reason = [line for line in said if line.startswith(("error:", "fatal:"))] or said[-1:]
        options = ("-c", "--no-optional-locks")
        words = [str(arg) for arg in args if "=" not in str(arg) and arg not in options]
        raise Stop(f"'{' '.join(words[:4])} ...' failed: {' '.join(reason[0].split())}")
    return done.stdout if check else done


def tail(path, lines=TAIL_LINES):
    with open(path, errors="replace") as log:
        return "".join(log.readlines()[-lines:])


class Log:
    """Runs the long commands of one task, each with its output in a file."""

    def __init__(self, directory):
        self.directory = Path(directory)

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
        self.directory.mkdir(parents=True, exist_ok=True)
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
