# SPDX-License-Identifier: GPL-2.0
"""A small kernel tree, for tests to break: the parts that the series touches."""

import subprocess

from . import probes
from .common import CACHE, output

PRISTINE = CACHE / "6.12/pristine"
PARTS = [
    "Makefile",
    "Kbuild",
    "MAINTAINERS",
    "kernel/sched",
    "include/linux/sched",
    "include/trace/events",
    "lib/Kconfig.debug",
    "Documentation/scheduler",
    "scripts",
    "tools/testing/selftests/Makefile",
]
USER = ["-c", "user.name=A Tester", "-c", "user.email=tester@localhost"]


def git(tree, *args):
    return output("git", "-C", tree, *USER, *args)


def make_model(directory):
    """Such a tree, under git, from the release that `make kunit` has fetched."""
    directory.mkdir()
    archive = ["git", "-C", PRISTINE, "archive", "schedtp-base", *PARTS, *probes.files()]
    with subprocess.Popen(archive, stdout=subprocess.PIPE) as source:
        subprocess.run(["tar", "-x", "-C", directory], stdin=source.stdout, check=True)
    if source.returncode:
        raise RuntimeError("git archive of the pristine tree failed: run make kunit first")
    git(directory, "init", "-q")
    git(directory, "add", "-A", "-f")
    git(directory, "commit", "-q", "-m", "model")
