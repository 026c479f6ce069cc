#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Break what getters ask the kernel, and see the suites on live objects notice.

    tools/mutate_kernel.py [--seam NAME]...

Vectors replace the seams, and so cannot know a wrong one. Here every seam is wrong in
each way that its line offers, all in one kernel; the parameter sched_tp.mutant= says
which at boot. There is one boot for each, of KVER= or KDIR=, on ARCH=.
"""

import argparse
import json
import re
import time

from buildlib import arch, csource, kernel, mutants, series, suites, trees
from buildlib.common import Stop, lock, main, say
from buildlib.outcome import count_red
from buildlib.rules import Rules

# Those of an expression. All must compile: it is one kernel.
RULES = {
    "always 0", "always 1", "always NULL", "always true", "always false", "off by one", "wrong CPU",
    "branch dropped", "branch always taken", "condition dropped", "operator swapped",
    "negation dropped", "cast dropped", "the other one",
}  # fmt: skip

PARAMETER = """
/* Which seam is broken, or 0 for none. */
unsigned int sched_tp_mutant;
#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "sched_tp."
module_param_named(mutant, sched_tp_mutant, uint, 0444);
"""


def seams(text):
    """[(returns, name, params, authority, where it begins, where it ends)] of seams.def."""
    found = []
    for seam in re.finditer(r"^SCHED_TP_SEAM\(", text, re.M):
        code = csource.Code(text[seam.start() :])
        arguments = [code.slice(*argument) for argument in code.arguments(1)]
        returns, name, params, _args = arguments[:4]
        authority = code.tokens[code.arguments(1)[4][0]].start
        end = code.tokens[code.pair[1]].start
        params = params.removeprefix("SCHED_TP_PARAMS(").removesuffix(")")
        start = seam.start()
        found.append(
            (returns, name, params, code.source[authority:end].strip(), start + authority, start + end)
        )
    return found


def break_seams(text):
    """seams.def with every mutant in it, and [mutant]."""
    found, out, at = [], [], 0
    for returns, name, params, authority, start, end in seams(text):
        source = f"static {returns} sched_tp_seam_{name}({params})\n{{\n\treturn {authority};\n}}\n"
        (function,) = csource.functions("seams.def", source)
        expression = ""
        for change in Rules([], {}).of(function):
            if change.rule not in RULES:
                continue
            mutant = mutants.Mutant(len(found) + 1, f"seam {name}", function, change)
            found.append(mutant)
            broken = source[: change.start] + change.text + source[change.end :]
            broken = " ".join(re.search(r"return (.*);\n\}", broken, re.S)[1].split())
            expression += f"sched_tp_mutant == {mutant.number} ? ({broken}) : "
        out += [text[at:start], f"({expression}({authority}))"]
        at = end
    return "".join([*out, text[at:]]), found


def broken_tree(found):
    """A tree of its own with the series, its seams broken; returns (tree, mutants)."""
    tree = found.directory / "mutated"
    with lock(found.directory):
        trees.check_out(found, tree, series.commit(found, sign=False))
    tp = tree / "kernel/sched/tp"
    text, broken = break_seams((tp / "seams.def").read_text())
    files = {
        "seams.def": text,
        "seams.h": (tp / "seams.h").read_text().replace(
            "struct sched_tp_seams {", "extern unsigned int sched_tp_mutant;\n\nstruct sched_tp_seams {"
        ),
        "table.c": "#include <linux/moduleparam.h>\n"
        + (tp / "table.c").read_text().replace('#include "getters.c"', PARAMETER + '#include "getters.c"'),
    }  # fmt: skip
    for name, text in files.items():
        (tp / name).write_text(text)
    return tree, broken


def boot(found, tree, build, architecture, number):
    """Run the suites with one seam broken: how many cases fail, or None if not all ran."""
    status, _, results = suites.run(
        found, tree, build, architecture, f"boot mutant {number}", [f"sched_tp.mutant={number}"]
    )
    scan = suites.scan_log(build)
    if not results.exists():
        return None
    failed = count_red(json.loads(results.read_text()))
    return failed or (None if status or scan.returncode else 0)


def entry():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seam", action="append", default=[], help="only this one")
    arguments = parser.parse_args()
    architecture = arch.chosen()
    found = arch.chosen_release(architecture)
    arch.check(architecture, found)
    with lock(found.directory / "mutated-lock"):
        return mutate(found, architecture, arguments.seam)


def mutate(found, architecture, wanted):
    started = time.monotonic()
    allowed = mutants.accepted(mutants.ACCEPTED)
    tree, broken = broken_tree(found)
    names = {mutant.getter.removeprefix("seam ") for mutant in broken}
    if set(wanted) - names:
        raise Stop(f"{min(set(wanted) - names)} is no seam: kernel/sched/tp/seams.def lists them")
    build = kernel.patched(found, tree, architecture)
    if boot(found, tree, build, architecture, 0) != 0:
        raise Stop("the suites are red with no seam broken: make kunit")
    passed = failed = 0
    for mutant in broken:
        if wanted and mutant.getter.removeprefix("seam ") not in wanted:
            continue
        row = (f"{mutant.getter} on {architecture.name}", mutants.what(mutant))
        line = f"{': '.join(row)}: {mutant.mutation.rule}"
        red = boot(found, tree, build, architecture, mutant.number)
        if red != 0:
            how = f"{red} cases red" if red else "the kernel did not end well"
            say(f"  killed: {line}: {how}")
        if (red == 0) == (row in allowed):
            passed += 1
        else:
            failed += 1
            say(f"survived: {line}" if red == 0 else f"schedtp: accepted, and does not survive: {line}")
    say(f"schedtp: mutate-kernel took {time.monotonic() - started:.0f} s")
    say(f"mutate kernel: {passed} passed, {failed} failed")
    return int(failed > 0 or not passed)


if __name__ == "__main__":
    main(entry)
