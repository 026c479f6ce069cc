#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Break every getter by rule, in each way that its source offers, and see its vectors notice.

    tools/mutate.py [--getter NAME]... [--sources DIR] [--vectors DIR] [--accepted FILE]

The vectors are those that KUnit runs in the kernel, over every shape of the mock. What
no vector notices is named, and fails, unless tools/mutate_accepted.txt says why none can.
"""

import argparse
import collections
import pathlib
import shutil
import time

from buildlib import mutants
from buildlib.common import REPO, Log, Stop, lock, main, say
from buildlib.getters import getters
from buildlib.userspace import BUILDS, build

# So many, at least, that differ from each other and from the getter.
FEWEST = 3
COLUMNS = ("killed", "identical", "survived", "accepted", "same", "no C", "unreached")
COLUMN = "  {:<14}{:>8}{:>9}{:>8}{:>11}{:>10}{:>10}{:>6}{:>6}{:>11}{:>9}"


def place(mutant):
    change = mutant.mutation
    line = mutant.of.line + mutant.of.text.count("\n", 0, change.start)
    return f"{mutant.of.file}:{line}"


def run_file(file, chosen, of_shape, shapes, sources, arguments):
    """The results of a getter file's mutants."""
    names = sorted({mutant.getter.removeprefix("sched_tp_") for mutant in chosen})
    shapes_of = {
        mutant.number: [
            shape.name for shape in shapes if mutant.number in of_shape[shape.name]
        ]
        for mutant in chosen
    }

    def run(shape):
        own = [mutant for mutant in chosen if shape.name in shapes_of[mutant.number]]
        top = BUILDS / "mutate" / f"{file}-{shape.name}"
        generated = mutants.Generated(top, sources, arguments.vectors, names)
        return mutants.compile_and_run(shape, generated, own, sources)

    by_shape = dict(zip([shape.name for shape in shapes], mutants.each(run, shapes)))
    return mutants.judge(chosen, shapes_of, by_shape)


def with_reason(result, allowed):
    """A survivor that may is accepted."""
    name = result.mutant.getter.removeprefix("sched_tp_")
    if result.state == "survived" and (name, mutants.what(result.mutant)) in allowed:
        return result._replace(state="accepted")
    return result


def report(results, wanted, allowed):
    """Print what is wrong; returns how much that is."""
    wrong = 0
    unused = set(allowed)
    for result in results:
        mutant = result.mutant
        name = mutant.getter.removeprefix("sched_tp_")
        line = f"{name}: {place(mutant)}: {mutant.mutation.rule}: {mutants.what(mutant)}"
        if result.state in ("no C", "unreached"):
            why = "does not compile" if result.state == "no C" else "in no shape of the mock"
            say(f"  {why}: {line}")
        elif result.state == "accepted":
            unused.discard((name, mutants.what(mutant)))
        elif result.state == "survived":
            wrong += 1
            say(f"survived: {line} ({', '.join(result.shapes)})")
    count = collections.Counter(
        result.mutant.getter.removeprefix("sched_tp_")
        for result in results
        if result.state in ("killed", "survived", "accepted")
    )
    for name in wanted:
        if count[name] < FEWEST:
            wrong += 1
            say(f"schedtp: {name} has {count[name]} mutants, and {FEWEST} are the fewest: add a rule")
    for name, change in sorted(unused):
        if name in wanted:
            wrong += 1
            say(f"schedtp: accepted, and does not survive: {name}: {change}")
    return wrong


def entry():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--getter", action="append", default=[], help="only this one")
    parser.add_argument("--sources", type=pathlib.Path, default=REPO / "kernel/sched/tp")
    parser.add_argument("--vectors", type=pathlib.Path, default=REPO / "kunit")
    parser.add_argument("--accepted", type=pathlib.Path, default=mutants.ACCEPTED)
    arguments = parser.parse_args()
    names = [getter.name for getter in getters()]
    unknown = [name for name in arguments.getter if name not in names]
    if unknown:
        raise Stop(f"{unknown[0]} is no getter: include/schedtp/getters.def lists them")
    with lock(BUILDS):
        return mutate(names, arguments.getter or names, arguments)


def mutate(names, wanted, arguments):
    started = time.monotonic()
    allowed = mutants.accepted(arguments.accepted)
    log = Log(BUILDS / "logs")
    # How the shapes are compiled, and not the shapes.
    shapes = mutants.shapes(build("gcc", log, target="build.ninja"))
    sources = mutants.Sources(arguments.sources, names)
    chosen = [
        mutant
        for mutant in mutants.make(sources, shapes)
        if mutant.getter.removeprefix("sched_tp_") in wanted
    ]
    top = BUILDS / "mutate"
    shutil.rmtree(top, ignore_errors=True)
    reached = mutants.each(
        lambda shape: mutants.reached(
            shape, chosen, sources, arguments.vectors, top / f"reached-{shape.name}"
        ),
        shapes,
    )
    of_shape = dict(zip([shape.name for shape in shapes], reached))
    say(f"  {len(chosen)} mutants of {len(wanted)} getters: {time.monotonic() - started:.1f} s")

    table, results = [], []
    by_file = collections.defaultdict(list)
    for mutant in chosen:
        by_file[sources.functions[mutant.getter][0].file].append(mutant)
    for file, own in sorted(by_file.items()):
        began = time.monotonic()
        done = [
            with_reason(result, allowed)
            for result in run_file(file, own, of_shape, shapes, sources, arguments)
        ]
        results += done
        took = time.monotonic() - began
        states = collections.Counter(result.state for result in done)
        total = sum(states[name] for name in COLUMNS[:4])
        row = [file, len({mutant.getter for mutant in own}), total]
        table.append([*row, *(states[name] for name in COLUMNS), f"{took:.1f}"])
        say(f"  {file}: {total} mutants, {states['survived']} survived: {took:.1f} s")

    wrong = report(results, wanted, allowed)
    say(COLUMN.format("file", "getters", "mutants", *COLUMNS, "seconds"))
    for row in table:
        say(COLUMN.format(*row))
    sums = [sum(column) for column in zip(*(row[1:-1] for row in table))] or [0] * 9
    say(COLUMN.format("all", *sums, f"{time.monotonic() - started:.1f}"))
    passed = sum(result.state in ("killed", "identical", "accepted") for result in results)
    say(f"mutate: {passed} passed, {wrong} failed")
    return int(wrong > 0 or not passed)


if __name__ == "__main__":
    main(entry)
