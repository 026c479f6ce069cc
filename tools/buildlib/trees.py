# SPDX-License-Identifier: GPL-2.0
"""
Kernel trees in the cache.

A kernel release has a directory there. In it `pristine` is a git tree of the source
as it came, with one branch of ours on top where a series is built; `patched` is a
worktree of it at the series' last commit. Builds go into `.build-*` right below a
tree: Kbuild then calls the source `..` whatever the tree, and ccache recognises
what two trees have in common.

A tree of the user's (KDIR) is only ever read, but by `apply`.
"""

import hashlib
import json
import os
import re
import shutil

from . import debian
from .common import CACHE, Log, Stop, lock, need_space, output, say

# The identity of commits in our own trees. What goes out of them carries the
# identity of whoever exports it.
GIT = [
    "git",
    # A command that only reads takes no lock: whoever interrupts it in a tree of the
    # user's would now and then leave index.lock behind.
    "--no-optional-locks",
    "-c",
    "user.name=schedtp",
    "-c",
    "user.email=schedtp@localhost",
    "-c",
    "core.autocrlf=false",
    "-c",
    "gc.auto=0",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "core.hooksPath=/dev/null",
    # What somebody likes to see in a terminal is not what we read or write.
    "-c",
    "color.ui=false",
    "-c",
    "core.quotePath=false",
    "-c",
    "diff.noprefix=false",
    "-c",
    "diff.mnemonicPrefix=false",
    "-c",
    "format.attach=false",
    "-c",
    "format.subjectPrefix=PATCH",
    "-c",
    "advice.detachedHead=false",
]

TABLE_ARGUMENT = "include/linux/sched/tp_accessor.h"


def git(tree, *args, **kwargs):
    return output(*GIT, "-C", tree, *args, **kwargs)


def is_kernel_tree(path):
    return all(
        (path / part).is_file()
        for part in ("Makefile", "Kbuild", "MAINTAINERS", "kernel/sched/core.c")
    )


def release(path):
    """The version that a tree says it is: 6.12.117."""
    found = dict(
        re.findall(
            r"^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION) *= *(.*)$",
            (path / "Makefile").read_text(),
            re.M,
        )
    )
    return "{VERSION}.{PATCHLEVEL}.{SUBLEVEL}{EXTRAVERSION}".format(**found)


def is_git_top(path):
    done = output(*GIT, "-C", path, "rev-parse", "--show-toplevel", check=False)
    if "dubious ownership" in done.stderr:
        raise Stop(
            f"KDIR={path} belongs to another user, and git does not trust it: run this as that "
            f"user, or git config --global --add safe.directory {path}"
        )
    return done.returncode == 0 and os.path.realpath(done.stdout.strip()) == str(path)


def check_user_tree(path):
    """Stop, and say why, for a KDIR that no series can be built for."""
    if not path.is_dir():
        raise Stop(f"KDIR={path} does not exist: give the top directory of a kernel source tree")
    if not is_kernel_tree(path):
        raise Stop(
            f"KDIR={path} is not a kernel source tree: it has no Makefile, Kbuild, "
            "MAINTAINERS or kernel/sched/core.c"
        )
    if (path / "kernel/sched/tp").exists() or (path / TABLE_ARGUMENT).exists():
        raise Stop(
            f"KDIR={path} has the series already: take it back first, or give a tree without it"
        )
    if is_git_top(path):
        busy = [
            state
            for state in ("rebase-apply", "rebase-merge", "MERGE_HEAD", "CHERRY_PICK_HEAD")
            if os.path.exists(os.path.join(path, git(path, "rev-parse", "--git-path", state).strip()))
        ]
        if busy:
            raise Stop(
                f"KDIR={path} is in the middle of a merge, rebase or git am ({busy[0]}): finish or abort it first"
            )
        dirty = git(path, "status", "--porcelain", "--untracked-files=no").splitlines()
        if dirty:
            raise Stop(
                f"KDIR={path} is dirty, {len(dirty)} changed files, first {dirty[0][3:]}: commit or stash them first"
            )


class Release:
    """The cached trees of one kernel release, or of one KDIR."""

    def __init__(self, directory, name):
        self.directory = directory
        self.name = name
        self.pristine = directory / "pristine"
        self.patched = directory / "patched"
        self.log = Log(directory / "logs")

    @property
    def base(self):
        return git(self.pristine, "rev-parse", "refs/tags/schedtp-base^{commit}").strip()


def of_version(kver):
    """The release of KVER, fetched from Debian's packages if it is not here yet."""
    if kver == "latest":
        kver = newest()
    if not re.fullmatch(r"[0-9]+\.[0-9]+", kver):
        raise Stop(
            f"KVER={kver} is no kernel series: give one as 6.12, or latest, or a tree with KDIR="
        )
    found = Release(CACHE / kver, kver)
    with lock(found.directory):
        if not (found.directory / "source.json").exists():
            fetch(found, kver)
    return found


def newest():
    """The newest series that Debian packages; without the network, the newest that is here."""
    private = debian.backports(Log(debian.PRIVATE / "logs"))
    if private:
        return max(debian.offered([]) | debian.offered(private), key=debian.by_number)
    here = [
        path.parent.name
        for path in CACHE.glob("*/source.json")
        if re.fullmatch(r"[0-9]+\.[0-9]+", path.parent.name)
    ]
    if not here:
        raise Stop(
            f"cannot learn which Linux is the newest from {debian.SUITE}: check the network, "
            "or give a series (KVER=6.12) or a kernel tree with KDIR="
        )
    chosen = max(here, key=debian.by_number)
    say(f"schedtp: {debian.SUITE} cannot be reached: latest is the newest that is here, {chosen}")
    return chosen


def fetch(found, kver):
    package = f"linux-source-{kver}"
    if not shutil.which("apt-get"):
        raise Stop(f"there is no apt-get here to fetch {package} with: give a kernel tree with KDIR=")
    need_space(found.directory, 8, f"{package}, unpacked and built,")
    say(f"schedtp: fetching the source of Linux {kver}")
    download = found.directory / "download"
    shutil.rmtree(download, ignore_errors=True)
    shutil.rmtree(found.pristine, ignore_errors=True)
    download.mkdir()
    suite = debian.download(found.log, package, download)
    (deb,) = download.glob("*.deb")
    found.log.run(f"unpack {deb.name}", ["dpkg-deb", "-x", deb, download])
    (archive,) = download.glob(f"usr/src/{package}.tar.*")
    found.pristine.mkdir()
    found.log.run(
        f"unpack {archive.name}",
        ["tar", "-C", found.pristine, "--strip-components=1", "-xf", archive],
    )
    make_git_tree(found, f"Linux {release(found.pristine)}, as Debian's {deb.name} has it")
    # Exactly which: a point release is replaced by the next, under the same name.
    digest = hashlib.sha256(deb.read_bytes()).hexdigest()
    shutil.rmtree(download)
    record(
        found,
        {"package": deb.name, "sha256": digest, "suite": suite, "release": release(found.pristine)},
    )


def make_git_tree(found, message, add="git add -A -f ."):
    found.log.run(
        "put the source under git",
        [
            "sh",
            "-ec",
            f'git init -q "$1"; cd "$1"; shift; {add}; "$@" commit -q -m "$MESSAGE"; '
            "git tag schedtp-base",
            "sh",
            found.pristine,
            *GIT,
        ],
        env={**os.environ, "MESSAGE": message},
    )


def record(found, what):
    """The last step of making a tree: without this file it is made anew."""
    (found.directory / "source.json").write_text(json.dumps(what, indent=1) + "\n")


def of_directory(kdir):
    """The release that a user's tree is: a copy of it in the cache, up to date."""
    kdir = os.path.realpath(kdir)
    found = Release(
        CACHE / f"kdir-{hashlib.sha256(kdir.encode()).hexdigest()[:12]}", f"KDIR={kdir}"
    )
    kdir = type(found.directory)(kdir)
    check_user_tree(kdir)
    with lock(found.directory):
        if is_git_top(kdir):
            state = git(kdir, "rev-parse", "HEAD").strip()
        else:
            # No history to compare with: names, sizes and times of the sources.
            listing = output(
                "find", kdir, "-type", "f", "-name", "*.[chS]", "-printf", "%P %s %T@\n"
            )
            state = hashlib.sha256("".join(sorted(listing.splitlines(True))).encode()).hexdigest()
        source = found.directory / "source.json"
        if source.exists() and json.loads(source.read_text())["state"] == state:
            return found
        say(f"schedtp: copying {kdir} (Linux {release(kdir)}) to the cache")
        need_space(found.directory, 8, "a copy of the tree and its build")
        source.unlink(missing_ok=True)
        if is_git_top(kdir):
            take_commit(found, kdir, state)
        else:
            shutil.rmtree(found.pristine, ignore_errors=True)
            shutil.rmtree(found.patched, ignore_errors=True)
            found.log.run("copy the tree", ["cp", "-a", "--reflink=auto", kdir, found.pristine])
            # What was built in it, the kernel's own .gitignore knows.
            make_git_tree(found, f"Linux {release(kdir)}, as in {kdir}", "git add -A .")
            git(found.pristine, "clean", "-q", "-f", "-d", "-x")
        record(found, {"state": state, "release": release(kdir)})
    return found


def check_out(found, tree, commit):
    """
    Have a tree of ours at a commit, whatever an interrupted command has left there.
    Files that are right already are not touched, so that Make sees what changed.
    """
    if not (tree / ".git").exists():
        shutil.rmtree(tree, ignore_errors=True)
        git(found.pristine, "worktree", "prune")
        git(found.pristine, "worktree", "add", "-q", "--detach", "--no-checkout", tree, commit)
    # Under our lock, so whoever left it is gone.
    lockfile = tree / git(tree, "rev-parse", "--git-path", "index.lock").strip()
    lockfile.unlink(missing_ok=True)
    if (
        git(tree, "rev-parse", "HEAD").strip() == commit
        and not git(tree, "status", "--porcelain", "--untracked-files=no").strip()
    ):
        return
    found.log.run(
        f"check out {tree.name}", [*GIT, "-C", tree, "checkout", "-q", "-f", "--detach", commit]
    )


def take_commit(found, kdir, commit):
    if not (found.pristine / ".git").exists():
        clone = ["clone", "-q", "--shared", "--no-checkout", kdir, found.pristine]
        found.log.run("clone the tree", [*GIT, *clone])
    else:
        git(found.pristine, "fetch", "-q", kdir, commit)
    check_out(found, found.pristine, commit)
    git(found.pristine, "tag", "-f", "schedtp-base", commit)


def of(kver, kdir):
    return of_directory(kdir) if kdir else of_version(kver)
