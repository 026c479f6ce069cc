# SPDX-License-Identifier: GPL-2.0
"""
What a kernel offers: the words for it, which `make check-config`, the file in debugfs
(kernel/sched/tp/debugfs.c) and the documentation share.
"""

import re

from . import probes
from .common import REPO

AVAILABLE = "available"
ABSENT = "absent in this kernel"

SHAPES = REPO / "include/schedtp/mock/shapes"


def alternatives(resolved):
    """The column `needs`, resolved for a tree: lists of options, of which one must be on whole."""
    return [alternative.split(" && ") for alternative in resolved.split(" || ")]


def condition(resolved, prefix="CONFIG_"):
    return " or ".join(
        " and ".join(prefix + option for option in options) for options in alternatives(resolved)
    )


def words(resolved, on):
    """What is said of a getter, where on(option) says whether an option is."""
    if not resolved:
        return AVAILABLE
    if resolved == "!":
        return ABSENT
    if any(all(on(option) for option in options) for options in alternatives(resolved)):
        return AVAILABLE
    return f"off: needs {condition(resolved)}"


def releases():
    """{release: what it has}, of the releases that the mock has shapes of, oldest first."""
    found = {}
    names = probes.probes()
    for path in SHAPES.glob("release_*.h"):
        has = set(re.findall(r"^#define SCHED_TP_HAS_(\w+) 1$", path.read_text(), re.M))
        release = path.stem.removeprefix("release_").replace("_", ".")
        found[release] = {name: name in has for name in names}
    return dict(sorted(found.items(), key=lambda item: [int(n) for n in item[0].split(".")]))
