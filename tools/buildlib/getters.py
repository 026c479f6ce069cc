# SPDX-License-Identifier: GPL-2.0
"""The list of getters, as the tools read it, and the files they are built from."""

import collections
import hashlib
import re

from .common import REPO, Stop, output, say
from .userspace import BUILDS

Getter = collections.namedtuple("Getter", "name since needs contract")

# Files of kernel/sched/tp that hold no getter but put them together.
FRAME = {"getters.c", "table.c"}


def getters():
    """The getters in the order of the list."""
    text = (REPO / "include/schedtp/getters.def").read_text()
    found = []
    pattern = re.compile(
        r"/\*\n((?: \*[^\n]*\n)+?) \*/\n"
        r"SCHED_TP_GETTER(?:_VOID)?\((\d+), [^,]+,\s*(\w+)([^\"]*)\"([^\"]*)\"\)\n"
    )
    for contract, since, name, _, needs in pattern.findall(text):
        found.append(Getter(name, int(since), needs, contract))
    if len(found) != len(re.findall(r"^SCHED_TP_GETTER(?:_VOID)?\(", text, re.M)):
        raise Stop("include/schedtp/getters.def has a getter without a comment above it")
    return found


def digests(paths):
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.name not in FRAME
    }


def kernel_files(build):
    """
    {name: sha256} of the getter files that the kernel's table was compiled from, as
    the compiler itself listed them beside the object.
    """
    command = build / "kernel/sched/tp/.table.o.cmd"
    if not command.exists():
        return {}
    listed = re.findall(r"^\s+(\S*kernel/sched/tp/\w+\.c)\b", command.read_text(), re.M)
    return digests((build / path).resolve() for path in listed)


def mock_files(build):
    """The same of the mock's shapes, from Ninja's record of what each was compiled from."""
    if not (build / ".ninja_deps").exists():
        return {}
    records = output("ninja", "-C", build, "-t", "deps")
    found = {}
    for record in records.split("\n\n"):
        if "shape.c.o:" not in record:
            continue
        listed = re.findall(r"^\s+(\S*kernel/sched/tp/\w+\.c)$", record, re.M)
        for name, digest in digests((build / path).resolve() for path in listed).items():
            if found.setdefault(name, digest) != digest:
                raise Stop(f"two shapes of the mock were built from different files {name}")
    return found


def compare_builds(build=None):
    """
    Print the hash of each getter file as the mock was built from it, and compare
    with a kernel's. False if they differ.
    """
    mock = mock_files(BUILDS / "gcc")
    if not mock:
        raise Stop("the mock is not built: make test")
    say("getter files, sha256 of what the mock was built from:")
    for name, digest in sorted(mock.items()):
        say(f"  {name:<12}{digest}")
    if not build:
        return True
    files = kernel_files(build)
    for name in sorted(mock.keys() | files.keys()):
        if mock.get(name) != files.get(name):
            say(f"schedtp: the kernel was built from another {name}: {files.get(name, 'none')}")
    if mock == files:
        say(f"  the kernel in {build} was built from the same: equal")
    return mock == files
