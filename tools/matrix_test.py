#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The combinations that the table is compiled in, chosen for Kconfigs made up here."""

import itertools
import pathlib
import subprocess
import sys
import tempfile
import unittest

from buildlib import matrix, offers, patches, probes, suite
from buildlib.common import Stop
from buildlib.getters import getters

FACTORS = {
    "arch": ("big", "small"),
    "compiler": ("gcc", "clang"),
    "SMP": ("y", "n"),
    "GROUPS": ("y", "n"),
    "BANDWIDTH": ("y", "n"),
    "NEWEST": ("y", "n"),
}


class Kconfig:
    """Grants all but what its rules take away; without a wish, an option is n."""

    def __init__(self, *rules):
        self.rules = rules
        self.asked = 0

    def __call__(self, part):
        self.asked += 1
        answer = {factor: part.get(factor, values[-1]) for factor, values in FACTORS.items()}
        for rule in self.rules:
            rule(answer, part)
        return answer


def no_newest(answer, _part):
    answer["NEWEST"] = "n"


def small_has_no_smp(answer, _part):
    if answer["arch"] == "small":
        answer["SMP"] = "n"


def bandwidth_needs_groups(answer, part):
    if part.get("GROUPS") == "n":
        answer["BANDWIDTH"] = "n"
    elif answer["BANDWIDTH"] == "y":
        answer["GROUPS"] = "y"


def grantable_pairs(kconfig):
    """By asking for everything there is."""
    found = set()
    for values in itertools.product(*FACTORS.values()):
        whole = dict(zip(FACTORS, values))
        if kconfig(whole) == whole:
            found |= matrix.pairs(whole)
    return found


class Pairwise(unittest.TestCase):
    def check(self, *rules):
        combinations, refused = matrix.pairwise(Kconfig(*rules), FACTORS)
        kconfig, covered = Kconfig(*rules), set()
        for one in combinations:
            self.assertEqual(kconfig(one), one)
            covered |= matrix.pairs(one)
        self.assertEqual(covered, grantable_pairs(kconfig))
        self.assertEqual(refused, matrix.pairs_of(FACTORS) - covered)
        return combinations

    def test_everything_is_granted(self):
        # Two architectures by two compilers are the least that is possible.
        self.assertIn(len(self.check()), range(4, 9))

    def test_an_option_that_no_architecture_has(self):
        self.check(no_newest)

    def test_an_option_that_one_architecture_has(self):
        self.check(small_has_no_smp)

    def test_an_option_that_needs_another(self):
        self.check(bandwidth_needs_groups)

    def test_all_of_it(self):
        self.check(no_newest, small_has_no_smp, bandwidth_needs_groups)

    def test_always_the_same(self):
        first, second = (matrix.pairwise(Kconfig(small_has_no_smp), FACTORS) for _ in range(2))
        self.assertEqual(first, second)

    def test_what_takes_three_stops(self):
        def three(answer, part):
            if part.get("SMP") == part.get("GROUPS") == part.get("BANDWIDTH") == "y":
                answer["SMP"] = "n"

        with self.assertRaisesRegex(Stop, "in pairs, and not together"):
            matrix.pairwise(Kconfig(three), FACTORS)


class Slots(unittest.TestCase):
    def setUp(self):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        self.object = pathlib.Path(work.name) / "table.o"
        self.names = [getter.name for getter in getters()]

    def slots(self, filled, *options, count=None):
        """present_slots() of a table with functions in these slots, and NULL elsewhere."""
        count = len(self.names) if count is None else count
        lines = "".join(f".slot[{slot}] = f,\n" for slot in filled)
        source = (
            "void f(void);\nvoid (*const before[3])(void) = { f, f, f };\n"
            "const struct { unsigned int size, version; void (*slot["
            f"{count}])(void); }} sched_tp_callbacks = {{\n.size = 1,\n{lines}}};\n"
        )
        subprocess.run(
            ["gcc", "-x", "c", "-c", "-O2", "-w", *options, "-o", self.object, "-"],
            input=source.encode(),
            check=True,
        )
        return matrix.present_slots(self.object)

    def test_some(self):
        last = len(self.names) - 1
        for options in ([], ["-fdata-sections"], ["-fPIE"], ["-m32", "-fno-pie"]):
            with self.subTest(options=options):
                self.assertEqual(
                    self.slots({0, last}, *options), {self.names[0], self.names[last]}
                )

    def test_none(self):
        self.assertEqual(self.slots(set()), set())

    def test_all(self):
        self.assertEqual(self.slots(range(len(self.names))), set(self.names))

    def test_table_of_another_list(self):
        with self.assertRaisesRegex(Stop, "slots"):
            self.slots({0}, count=len(self.names) + 1)

    def test_no_table(self):
        subprocess.run(
            ["gcc", "-x", "c", "-c", "-o", self.object, "-"], input=b"int a;", check=True
        )
        with self.assertRaisesRegex(Stop, "has no sched_tp_callbacks"):
            matrix.present_slots(self.object)


class Explained(unittest.TestCase):
    """What a table has and lacks, against what the list says of a configuration."""

    def setUp(self):
        self.have = list(offers.releases().values())[0]
        self.needs = {
            getter.name: probes.resolve_needs(getter.needs, self.have) for getter in getters()
        }
        self.always = {name for name, resolved in self.needs.items() if not resolved}

    def test_every_absence_has_its_reason(self):
        reasons = matrix.explain("a table", self.always, {}, self.have)
        named = [name for names in reasons.values() for name in names]
        self.assertEqual(sorted(named), sorted(set(self.needs) - self.always))
        self.assertIn(offers.ABSENT, reasons)
        self.assertIn("off: needs CONFIG_SMP and CONFIG_64BIT", reasons)

    def test_an_option_fills_the_slots_that_need_it(self):
        filled = {name for name, resolved in self.needs.items() if ["SMP"] in offers.alternatives(resolved)}
        self.assertTrue(filled)
        reasons = matrix.explain("a table", self.always | filled, {"SMP": "y"}, self.have)
        self.assertFalse(filled & {name for names in reasons.values() for name in names})

    def test_an_empty_slot_without_a_reason_stops(self):
        lost = min(self.always)
        with self.assertRaisesRegex(Stop, f"the slot of {lost} is empty"):
            matrix.explain("a table", self.always - {lost}, {}, self.have)

    def test_a_function_where_the_list_says_none_stops(self):
        extra = min(set(self.needs) - self.always)
        with self.assertRaisesRegex(Stop, f"the slot of {extra} has a function.* says: "):
            matrix.explain("a table", self.always | {extra}, {}, self.have)


class Objects(unittest.TestCase):
    """Of the files that see the tracepoints, those that a configuration compiles."""

    def objects(self, makefile, **files):
        with tempfile.TemporaryDirectory() as work:
            tree = pathlib.Path(work)
            (tree / "kernel/part").mkdir(parents=True)
            (tree / ".config").write_text("CONFIG_ON=y\n")
            (tree / "kernel/Makefile").write_text(makefile)
            for name, text in files.items():
                header = "#include <trace/events/sched.h>\n"
                (tree / f"kernel/{name.replace('__', '/')}.c").write_text(header + text)
            for command in ("init -q", "add -A"):
                subprocess.run(["git", "-C", tree, *command.split()], check=True)
            return patches.objects_of(tree, tree)

    def test_what_the_configuration_has(self):
        makefile = "obj-y += a.o\nobj-$(CONFIG_ON) += b.o\nobj-$(CONFIG_OFF) += c.o\n"
        self.assertEqual(self.objects(makefile, a="", b="", c=""), ["kernel/a.o", "kernel/b.o"])

    def test_a_part_of_another_file_is_no_object(self):
        makefile = "obj-y += a.o\n"
        found = self.objects(makefile, a='#include "part/a_kunit.c"\n', part__a_kunit="")
        self.assertEqual(found, ["kernel/a.o"])

    def test_a_file_that_nothing_builds_stops(self):
        with self.assertRaisesRegex(Stop, "cannot tell from its Makefile whether kernel/b.o"):
            self.objects("obj-y += a.o\n", a="", b="")


if __name__ == "__main__":
    sys.exit(suite.run("matrix"))
