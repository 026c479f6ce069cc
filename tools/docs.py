#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Write the pages that are made from the list of getters, docs/getters.md and docs/porting.md.

    tools/docs.py [--check]

With --check, write nothing: say what is stale, or what a getter of the list lacks.
"""

import argparse

from buildlib import docs
from buildlib.common import Stop, main, say
from buildlib.getters import missing_places


def entry():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, say what is stale")
    arguments = parser.parse_args()
    if not arguments.check:
        docs.DOCS.mkdir(exist_ok=True)
        for name, page in docs.PAGES.items():
            (docs.DOCS / name).write_text(page())
            say(f"  docs/{name}")
    lines = [*missing_places(), *docs.faults()] if arguments.check else docs.faults()
    for line in lines:
        say(line)
    if lines:
        raise Stop(f"the documentation, or what it is made of, has {len(lines)} faults: see above")
    return 0


if __name__ == "__main__":
    main(entry)
