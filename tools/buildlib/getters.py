# SPDX-License-Identifier: GPL-2.0
"""The list of getters, as the tools read it, and the files they are built from."""

import collections
import hashlib
import re

from . import probes, series
from .common import REPO, Stop, output, say
from .userspace import BUILDS

Getter = collections.namedtuple("Getter", "name since needs contract returns parameters")

# What a getter's comment must say, each at the start of a line.
CONTRACT = ("Unit:", "Range:", "NULL:", "Context:", "Authority:")

# Files of kernel/sched/tp that hold no getter but put them together.
FRAME = {"getters.c", "table.c"}


def getters():
    """The getters in the order of the list."""
    text = (REPO / "include/schedtp/getters.def").read_text()
    found = []
    pattern = re.compile(
        r"/\*\n((?: \*[^\n]*\n)+?) \*/\n"
        r"SCHED_TP_GETTER(?:_VOID)?\((\d+), ([^,]+),\s*(\w+),\s*"
        r"(?:SCHED_TP_PARAMS\(([^()]*)\),\s*SCHED_TP_ARGS\([^()]*\),\s*)?\"([^\"]*)\"\)\n"
    )
    for contract, since, returns, name, parameters, needs in pattern.findall(text):
        parameters = " ".join(parameters.split()) or "void"
        returns = returns.replace("SCHED_TP_BOOL", "bool")
        found.append(Getter(name, int(since), needs, contract, returns, parameters))
    if len(found) != len(re.findall(r"^SCHED_TP_GETTER(?:_VOID)?\(", text, re.M)):
        raise Stop("include/schedtp/getters.def has a getter without a comment above it")
    return found


# Vectors as the preprocessor leaves them, since a file may have macros of its own for
# what several getters have in common.
VECTORS_C = """
#if defined(CONFIG_SMP) || defined(SCHED_TP_HAS_UNIFIED_SMP)
#define SCHED_TP_SMP 1
#endif
#define SCHED_TP_VECTOR(getter, ...) @getter@
#define SCHED_TP_VECTOR_PTR(getter, ...) @getter@
#define SCHED_TP_VECTOR_OUT(getter, ...) @getter@
#define SCHED_TP_VECTOR_VOID(getter, ...) @getter@
#include "vectors.def"
"""


def with_vectors():
    """Names of the getters that have a vector in one of the 64-bit kernels that the mock can be."""
    names = set()
    for shape in sorted((REPO / "include/schedtp/mock/shapes").glob("v*.h")):
        command = ["gcc", "-E", "-P", "-DCONFIG_64BIT", "-include", shape, "-I", REPO / "kunit", "-x", "c", "-"]
        names.update(re.findall(r"@(\w+)@", output(*command, stdin=VECTORS_C)))
    return names


def missing_places():
    """A line in the list is one place of four: what the others lack, a line for each."""
    lines = []
    sources = "".join(path.read_text() for path in sorted((REPO / "kernel/sched/tp").glob("*.c")))
    vectors = with_vectors()
    oracles = (REPO / "selftests/sched_tp/oracles.txt").read_text()
    for getter in getters():
        if not re.match(rf" \* {getter.name} - \S", getter.contract):
            lines.append(f"getters.def: the comment above {getter.name} does not begin with '{getter.name} - '")
        for line in CONTRACT:
            if not re.search(rf"^ \* {line} +\S", getter.contract, re.M):
                lines.append(f"getters.def: the contract of {getter.name} does not say '{line}'")
        if not re.search(rf"\bsched_tp_{getter.name}\(", sources):
            lines.append(f"kernel/sched/tp: no function sched_tp_{getter.name}()")
        if getter.name not in vectors:
            lines.append(f"kunit: no vector of {getter.name}")
        if not re.search(rf"^{getter.name}\s+\S", oracles, re.M):
            lines.append(f"selftests/sched_tp/oracles.txt: no row of {getter.name}")
    return lines


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
    listed = re.findall(r"^\s+(\S*kernel/sched/tp/(?:\w+\.c|handles\.h))\b", command.read_text(), re.M)
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
        listed = re.findall(r"^\s+(\S*kernel/sched/tp/(?:\w+\.c|handles\.h))$", record, re.M)
        for name, digest in digests((build / path).resolve() for path in listed).items():
            if found.setdefault(name, digest) != digest:
                raise Stop(f"two shapes of the mock were built from different files {name}")
    return found


# What has meaning of getters, of this repository.
def own_files():
    tp = REPO / "kernel/sched/tp"
    return [path for path in [*tp.glob("*.c"), tp / "handles.h"] if path.name not in FRAME]


def made_of(have):
    """{name: sha256} of what the series makes of them for a tree."""
    texts = {
        path.name: series.kernel_text(str(path.relative_to(REPO)), have) for path in own_files()
    }
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}


def compare_mock():
    """
    Print the hash of each getter file as the mock was built from it; False if that is
    not how it is here.
    """
    mock = mock_files(BUILDS / "gcc")
    if not mock:
        raise Stop("the mock is not built: make test")
    say("getter files, sha256 of what the mock was built from:")
    for name, digest in sorted(mock.items()):
        say(f"  {name:<16}{digest}")
    own = digests(own_files())
    for name, digest in sorted(mock.items()):
        if own.get(name) != digest:
            say(f"schedtp: the mock was built from another {name} than is here")
    return mock == {name: own.get(name) for name in mock}


def compare_builds(build, pristine):
    """
    compare_mock(), and that a kernel was built from what the series makes of the same
    files for its tree; False if not.
    """
    same = compare_mock()
    kernel, expected = kernel_files(build), made_of(probes.of(pristine))
    for name in sorted(mock_files(BUILDS / "gcc")):
        if kernel.get(name) != expected[name]:
            say(f"schedtp: the kernel was built from another {name}: {kernel.get(name, 'none')}")
            same = False
    if same:
        say(f"  the kernel in {build} was built from the same, resolved for its tree: equal")
    return same
