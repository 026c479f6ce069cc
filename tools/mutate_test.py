#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
What breaks the getters is tested here: the rules find what hands once broke, and a
breakage that the vectors do not notice, or that is accepted for nothing, fails.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import mutate_kernel
from buildlib import csource, suite
from buildlib.common import REPO
from buildlib.rules import Rules

SOURCES = REPO / "kernel/sched/tp"

TYPES = """\
struct sched_avg {
	unsigned long load_avg, util_avg;
	unsigned int util_sum;
	unsigned long runnable_avg;
};
struct cfs_rq {
	struct sched_avg avg;
};
struct rq {
	struct cfs_rq cfs;
};
"""

# A function in kernel style, and for each rule what it must make of a line of it.
SAMPLE = """\
static notrace unsigned long sched_tp_sample(const struct rq *rq, int of)
{
	unsigned long sum = 0;
	int cpu;

	if (!rq || of < 0)
		return 0;

	cpu = sched_tp_cpu_of(rq);
	for (int at = 0; at < of; at++)
		sum += max(rq->cfs.avg.util_avg, 7) - at;
	note(cpu, of);

	return cap_scale(sum & ~UTIL_AVG_UNCHANGED, sched_tp_seam_scale_freq_capacity(cpu));
}
"""
RESULT = "return cap_scale(sum & ~UTIL_AVG_UNCHANGED, sched_tp_seam_scale_freq_capacity(cpu));"
EXPECTED = {
    "branch dropped": ["if (0)"],
    "branch always taken": ["if (1)"],
    "condition dropped": ["if (!rq )", "if ( of < 0)"],
    "negation dropped": ["if (rq || of < 0)", RESULT.replace("~", "")],
    "operator swapped": [
        "if (!rq && of < 0)", "if (!rq || of <= 0)", "if (!rq || of > 0)",
        "sum -= max(rq->cfs.avg.util_avg, 7) - at;", "sum += max(rq->cfs.avg.util_avg, 7) + at;",
        RESULT.replace(" & ", " | "),
    ],
    "wrong result": ["return 1;", "return -1;"],
    "operand dropped": [RESULT.replace(" & ~UTIL_AVG_UNCHANGED", " "), RESULT.replace("sum &", "")],
    "value dropped": ["cpu = 0;", "sum += 0;"],
    "off by one": ["cpu = (sched_tp_cpu_of(rq)) + 1;", f"return ({RESULT[7:-1]}) + 1;"],
    "wrong CPU": [
        "cpu = (sched_tp_cpu_of(rq) ? 2 : 0);", RESULT.replace("(cpu)", "(0)"),
        RESULT.replace("(cpu)", "((cpu ? 2 : 0))"),
    ],
    "wrong field": [
        "sum += max(rq->cfs.avg.load_avg, 7) - at;", "sum += max(rq->cfs.avg.runnable_avg, 7) - at;",
    ],
    "wrong constant": ["sum += max(rq->cfs.avg.util_avg, (7 + 1)) - at;"],
    "the other one": ["sum += min(rq->cfs.avg.util_avg, 7) - at;"],
    "max() dropped": ["sum += (rq->cfs.avg.util_avg) - at;", "sum += (7) - at;"],
    "cap_scale() dropped": ["return (sum & ~UTIL_AVG_UNCHANGED);"],
    "machine ignored": [RESULT.replace("sched_tp_seam_scale_freq_capacity(cpu)", "1024")],
    "statement dropped": ["(void)0;"],
    "arguments swapped": ["note(of, cpu);"],
    "always 0": ["return 0;"],
    "always 1": ["return 1;"],
    "negated": [f"return -({RESULT[7:-1]});"],
    "writes": [
        f"{{ unsigned long was = {RESULT[7:-1]}; ++*(volatile unsigned char *)(rq); return was; }}"
    ],
}  # fmt: skip


def changes(text):
    """{rule: {changed line}} of the one function in a text."""
    (function,) = csource.functions("sample.c", text)
    rules = Rules([csource.structs(TYPES)], {"sched_tp_cpu_of": "int"})
    found = {}
    for change in rules.of(function):
        first = text.rfind("\n", 0, change.start) + 1
        last = text.find("\n", change.end)
        line = text[first : change.start] + change.text + text[change.end : last]
        found.setdefault(change.rule, set()).add(" ".join(line.split()))
    return found


class TheRules(unittest.TestCase):
    def test_each_finds_what_it_is_there_for(self):
        found = changes(SAMPLE)
        for rule, lines in EXPECTED.items():
            for line in lines:
                with self.subTest(rule=rule, line=line):
                    self.assertIn(" ".join(line.split()), found.get(rule, ()))

    def test_what_no_object_has_is_no_operator(self):
        """The star of a declaration, and the minus of a number, have nothing on their left."""
        found = changes(
            "static notrace int sched_tp_sample(const struct rq *rq)\n"
            "{\n\tconst struct cfs_rq *cfs_rq = &rq->cfs;\n\n\treturn cfs_rq ? 5 : -1;\n}\n"
        )
        self.assertEqual(found.get("operand dropped"), None)
        self.assertEqual(found["branch always taken"], {"return 1 ? 5 : -1;"})


class TheRun(unittest.TestCase):
    """With vectors, sources and lists of accepted mutants that are not as they should be."""

    def setUp(self):
        self.top = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.vectors = shutil.copytree(REPO / "kunit", self.top / "kunit")
        self.sources = shutil.copytree(SOURCES, self.top / "tp")
        self.accepted = self.top / "accepted.txt"
        self.accepted.write_text("")

    def run_on(self, getter):
        done = subprocess.run(
            [
                sys.executable, REPO / "tools/mutate.py", "--getter", getter, "--accepted", self.accepted,
                "--vectors", self.vectors, "--sources", self.sources,
            ],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def edit(self, path, pattern, replacement):
        text, count = re.subn(pattern, replacement, path.read_text(), flags=re.S | re.M)
        self.assertGreater(count, 0, f"{pattern} in {path}")
        path.write_text(text)

    def remove_vectors(self, getter, name=r"\w+"):
        file = self.vectors / "cfs_rq_vectors.def"
        self.edit(file, rf"^SCHED_TP_VECTOR\({getter}, {name}, .*?^\}}\)\n", "")

    def test_good_vectors_notice_every_mutant(self):
        status, said = self.run_on("cfs_rq_util_est")
        self.assertEqual(status, 0, said)
        self.assertNotIn("\nsurvived:", said)
        self.assertRegex(said, r"\nmutate: \d\d passed, 0 failed\n$")

    def test_without_vectors_every_mutant_survives(self):
        self.remove_vectors("cfs_rq_util_est")
        status, said = self.run_on("cfs_rq_util_est")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"\nmutate: 0 passed, \d\d failed\n$")

    def test_without_one_vector_what_only_that_noticed_survives(self):
        self.remove_vectors("cfs_rq_util_est", "null_object")
        status, said = self.run_on("cfs_rq_util_est")
        self.assertEqual(status, 1)
        rules = set(re.findall(r"^survived: cfs_rq_util_est: \S+: ([^:]*):", said, re.M))
        self.assertEqual(rules, {"NULL test dropped", "wrong result"}, said)

    def test_survivor_may_be_accepted_for_a_reason(self):
        self.remove_vectors("cfs_rq_util_est", "null_object")
        _, said = self.run_on("cfs_rq_util_est")
        lines = re.findall(r"^survived: (\w+): \S+: [^:]*: (.*) \([^()]*\)$", said, re.M)
        self.accepted.write_text("".join(f"{row[0]}\t{row[1]}\tfor the test\n" for row in lines))
        status, said = self.run_on("cfs_rq_util_est")
        self.assertEqual(status, 0, said)

    def test_accepted_mutant_that_does_not_survive_fails(self):
        self.accepted.write_text("cfs_rq_util_est\treturn 0; => return 1;\tfor nothing\n")
        status, said = self.run_on("cfs_rq_util_est")
        self.assertEqual(status, 1)
        self.assertIn("accepted, and does not survive: cfs_rq_util_est: return 0;", said)

    def test_accepted_without_a_reason_stops(self):
        self.accepted.write_text("cfs_rq_util_est\treturn 0; => return 1;\n")
        status, said = self.run_on("cfs_rq_util_est")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"^schedtp: .*accepted.txt:1: a row is .* a reason[^\n]*\n$")

    def test_getter_without_three_mutants_fails(self):
        self.edit(self.sources / "errata.c", r"^static.*", "#define sched_tp_errata NULL\n")
        status, said = self.run_on("errata")
        self.assertEqual(status, 1)
        self.assertIn("schedtp: errata has 0 mutants, and 3 are the fewest", said)

    def test_getter_broken_already_stops(self):
        self.edit(self.sources / "errata.c", r"return 0;", "return 1;")
        status, said = self.run_on("errata")
        self.assertEqual(status, 1)
        self.assertIn("fail before anything is broken: errata_none_yet", said)

    def test_mutant_that_is_no_c_takes_no_other_with_it(self):
        self.edit(
            self.sources / "errata.c",
            r"^\treturn 0;",
            "\tstruct sched_entity one = { .vruntime = 0 };\n"
            "\t__typeof__(one) two = one;\n\n"
            "\treturn two.vruntime;",
        )
        status, said = self.run_on("errata")
        self.assertIn("two = one; => __typeof__(one) two = (one) + 1;", said)
        self.assertRegex(said, r"(?m)^  errata.c +1 +\d+ +[1-9]")
        # Constants are folded: few of the others differ from each other.
        self.assertEqual(status, 1, said)
        self.assertIn("schedtp: errata has 1 mutants", said)

    def test_mutant_in_no_shape_is_named(self):
        self.edit(
            self.sources / "errata.c",
            r"^\treturn 0;",
            "#ifndef SCHED_TP_HAS_NOTHING_OF_THE_KIND\n\treturn 0;\n#else\n\treturn 0;\n#endif",
        )
        status, said = self.run_on("errata")
        self.assertEqual(status, 0, said)
        self.assertIn("  in no shape of the mock: errata: errata.c:14: wrong result", said)

    def test_unknown_getter_stops(self):
        status, said = self.run_on("no_such_getter")
        self.assertEqual(status, 1)
        self.assertRegex(said, r"^schedtp: no_such_getter is no getter[^\n]*\n$")


class TheSeams(unittest.TestCase):
    """Broken for the kernel: chosen when it boots, and by default as they are."""

    def test_every_seam_is_broken_and_none_by_default(self):
        text = (SOURCES / "seams.def").read_text()
        broken, mutants = mutate_kernel.break_seams(text)
        names = re.findall(r"^SCHED_TP_SEAM\([^,]+, (\w+),", text, re.M)
        self.assertEqual({mutant.getter for mutant in mutants}, {f"seam {name}" for name in names})
        for mutant in mutants:
            self.assertEqual(broken.count(f"sched_tp_mutant == {mutant.number} ? "), 1)
        as_they_are = re.sub(r"\((?:sched_tp_mutant == \d+ \? [^\n]*? : )+\((.*)\)\)", r"\1", broken)
        self.assertEqual(mutate_kernel.seams(as_they_are)[0][3], mutate_kernel.seams(text)[0][3])

    def test_conditions_of_an_expression_are_dropped(self):
        seam = (
            "SCHED_TP_SEAM(int, one, SCHED_TP_PARAMS(int cpu), SCHED_TP_ARGS(cpu),\n"
            "\t      cpu < nr_cpu_ids && cpu_possible(cpu) ? 1 : 0)\n"
        )
        broken, _ = mutate_kernel.break_seams(seam)
        for text in ("(cpu < nr_cpu_ids ? 1 : 0)", "(cpu_possible(cpu) ? 1 : 0)", "(0)"):
            self.assertRegex(broken, rf"sched_tp_mutant == \d+ \? {re.escape(text)} : ")


if __name__ == "__main__":
    sys.exit(suite.run("mutation rules"))
