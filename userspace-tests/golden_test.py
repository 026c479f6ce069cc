#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""What tools/abi/golden.py makes of each kind of change, on a copy of the headers."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The getters of version 1.0 as the list has them, and one to append.
CFS_RQ = re.compile(r"SCHED_TP_GETTER\(0, unsigned int, cfs_rq_util_est,.*?\"\)\n", re.S)
SE = re.compile(r"SCHED_TP_GETTER\(0, unsigned int, se_util_est,.*?\"\)\n", re.S)
NEW = ('SCHED_TP_GETTER({since}, int, rq_answer,\n\t\tSCHED_TP_PARAMS(const struct rq *rq),\n'
       '\t\tSCHED_TP_ARGS(rq), "")\n')


class Golden(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copytree(ROOT / "include/schedtp", self.dir / "include/schedtp")
        shutil.copytree(ROOT / "abi", self.dir / "abi")
        self.list = self.dir / "include/schedtp/getters.def"
        self.header = self.dir / "include/schedtp/callbacks.h"
        self.bulk = self.dir / "include/schedtp/bulk.h"
        self.golden = self.dir / "abi/v1.golden"
        self.bulk_golden = self.dir / "abi/v1.bulk.golden"
        self.published = self.golden.read_text()
        self.minor = int(re.match(r"version 1\.(\d+)\n", self.published)[1])

    def run_golden(self, *args):
        return subprocess.run(
            [sys.executable, ROOT / "tools/abi/golden.py", *args,
             "--include", self.dir / "include", "--abi", self.dir / "abi"],
            capture_output=True, text=True, check=False)

    def passes(self, *args):
        done = self.run_golden(*args)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def fails(self, *texts, update_too=True):
        """Both the check and an update fail with these texts, and nothing is written."""
        for args in ([], ["--update"]) if update_too else ([],):
            done = self.run_golden(*args)
            self.assertEqual(done.returncode, 1, done.stdout)
            for text in texts:
                self.assertIn(text, done.stderr)
            self.assertEqual(self.golden.read_text(), self.published)

    def edit(self, path, old, new):
        before = path.read_text()
        after = re.sub(old, lambda _: new, before)
        self.assertNotEqual(before, after)
        path.write_text(after)

    def append(self, since):
        self.edit(self.list, r"#undef SCHED_TP_GETTER\n",
                  NEW.format(since=since) + "\n#undef SCHED_TP_GETTER\n")

    def set_version(self, which, number):
        self.edit(self.header, rf"#define SCHED_TP_VERSION_{which}\t\d+u",
                  f"#define SCHED_TP_VERSION_{which}\t{number}u")

    def raise_minor(self, size_of="rq_answer"):
        minor = self.minor + 1
        self.set_version("MINOR", minor)
        self.edit(self.header, rf"(?=#define SCHED_TP_SIZE_VER{self.minor}\t)",
                  f"#define SCHED_TP_SIZE_VER{minor}\tSCHED_TP_SIZE_WITH({size_of})\n")
        return minor

    def getter(self, pattern):
        return pattern.search(self.list.read_text())[0]

    def test_no_change_passes(self):
        self.passes()
        self.passes("--update")
        self.assertEqual(self.golden.read_text(), self.published)

    def test_another_name_of_a_parameter_is_no_change(self):
        self.edit(self.list, r"const struct sched_entity \*se\),\s*SCHED_TP_ARGS\(se\)",
                  "const struct sched_entity *entity), SCHED_TP_ARGS(entity)")
        self.passes()

    def test_append_needs_a_minor_version(self):
        self.append(self.minor + 1)
        self.fails("rq_answer was appended", f"raise SCHED_TP_VERSION_MINOR to {self.minor + 1}")

    def test_append_with_a_minor_version_needs_an_update_and_passes(self):
        minor = self.raise_minor()
        self.append(minor)
        done = self.run_golden()
        self.assertEqual(done.returncode, 1)
        self.assertIn("rq_answer was appended and is not in v1.golden: run golden.py --update",
                      done.stderr)
        self.passes("--update")
        self.passes()
        before, after = self.published.splitlines(), self.golden.read_text().splitlines()
        slot = len(before) - 1
        self.assertEqual(after, [f"version 1.{minor}", *before[1:],
                                 f"{slot} {8 + 8 * slot} {8 + 4 * slot} {minor} "
                                 f"int rq_answer(const struct rq *)"])

    def test_append_says_the_minor_version_that_brought_it(self):
        self.append(self.minor)
        self.raise_minor()
        self.fails("rq_answer", "correct its 'since'")

    def test_minor_version_publishes_its_size(self):
        self.append(self.minor + 1)
        self.set_version("MINOR", self.minor + 1)
        self.fails(f"lacks SCHED_TP_SIZE_VER{self.minor + 1}", "rq_answer")

    def test_minor_version_comes_with_a_getter(self):
        self.raise_minor("se_util_est")
        self.fails("no getter came with it", f"set it back to {self.minor}")

    def test_insertion(self):
        se = self.getter(SE)
        self.edit(self.list, re.escape(se), NEW.format(since=self.minor + 1) + se)
        self.raise_minor()
        self.fails("rq_answer is new and stands before se_util_est", "goes to the end")

    def test_reorder(self):
        cfs_rq, se = self.getter(CFS_RQ), self.getter(SE)
        self.edit(self.list, re.escape(cfs_rq), "@")
        self.edit(self.list, re.escape(se), cfs_rq)
        self.edit(self.list, "@", se)
        self.fails("se_util_est moved", "the published order stays")

    def test_removal(self):
        self.edit(self.list, re.escape(self.getter(SE)), "")
        self.fails("se_util_est was removed or renamed", "put it back")

    def test_rename(self):
        self.edit(self.list, "unsigned int, se_util_est", "unsigned int, se_estimate")
        self.fails("se_util_est was removed or renamed", "put it back")

    def test_changed_result(self):
        self.edit(self.list, "unsigned int, se_util_est", "unsigned long, se_util_est")
        self.fails("se_util_est changed its signature", "unsigned long se_util_est(",
                   "a new one, at the end")

    def test_changed_parameter(self):
        self.edit(self.list, r"const struct sched_entity \*se\)", "const struct cfs_rq *se)")
        self.fails("se_util_est changed its signature", "const struct cfs_rq *)")

    def test_const_dropped(self):
        self.edit(self.list, r"const struct sched_entity \*se\)", "struct sched_entity *se)")
        self.fails("se_util_est changed its signature", "(struct sched_entity *)")

    def test_changed_since(self):
        self.edit(self.list, "0, unsigned int, se_util_est", "9, unsigned int, se_util_est")
        self.fails("se_util_est came with minor version 0", "now says 9")

    def test_moved_slots(self):
        self.edit(self.header, r"\tunsigned int version;\n",
                  "\tunsigned int version;\n\tvoid *more;\n")
        # The header has assertions of its own against this: see what is left without.
        self.edit(self.header, r"\nstruct rq;\n", "\nstruct rq;\n#undef SCHED_TP_STATIC_ASSERT\n"
                  "#define SCHED_TP_STATIC_ASSERT(...) struct rq\n")
        self.fails("slots are not where they were published", "errata(void)")

    def test_another_major_version_has_a_file_of_its_own(self):
        self.edit(self.list, re.escape(self.getter(SE)), "")
        self.set_version("MAJOR", 2)
        # Every version that was published has a slot less now.
        self.header.write_text(re.sub(
            r"\+ (\d+) \* SCHED_TP_SLOT_SIZE",
            lambda slots: f"+ {int(slots[1]) - 1} * SCHED_TP_SLOT_SIZE", self.header.read_text()))
        done = self.run_golden()
        self.assertEqual(done.returncode, 1)
        self.assertIn("v2.golden: run golden.py --update", done.stderr)
        self.passes("--update")
        self.passes()
        self.assertEqual(self.golden.read_text(), self.published)
        self.assertNotIn(" se_util_est(", (self.dir / "abi/v2.golden").read_text())

    def test_published_size_is_another(self):
        self.edit(self.header, r"SIZE_VER0\tSCHED_TP_SIZE_WITH\(\w+\)",
                  "SIZE_VER0\tSCHED_TP_SIZE_WITH(errata)")
        self.edit(self.header, r"\nstruct rq;\n", "\nstruct rq;\n#undef SCHED_TP_STATIC_ASSERT\n"
                  "#define SCHED_TP_STATIC_ASSERT(...) struct rq\n")
        self.fails("SCHED_TP_SIZE_VER0 is not the size that minor version 0 had")

    def test_header_is_another(self):
        self.edit(self.header, r"VERSION_MAJOR << 16", "VERSION_MAJOR << 20")
        self.fails("major version in the upper 16 bits")

    def test_version_goes_not_back(self):
        self.golden.write_text(self.published.replace(f"1.{self.minor}", f"1.{self.minor + 1}"))
        self.published = self.golden.read_text()
        self.fails(f"went back from {self.minor + 1} to {self.minor}")

    def test_a_struct_grows_at_its_end(self):
        before = self.bulk_golden.read_text()
        self.edit(self.bulk, r"(?<=FIELD\(uclamp, unsigned int, reserved, SCHED_TP_ONE\))",
                  " FIELD(uclamp, unsigned long long, more, SCHED_TP_ONE)")
        self.fails("'uclamp 4 32 unsigned long long more' is not in v1.bulk.golden",
                   update_too=False)
        self.assertEqual(self.bulk_golden.read_text(), before)
        self.passes("--update")
        self.passes()
        self.assertEqual(self.golden.read_text(), self.published)
        self.assertEqual(self.bulk_golden.read_text().replace(
            "uclamp 4 32 unsigned long long more\n", ""), before)

    def test_a_member_stays_as_it_was(self):
        before = self.bulk_golden.read_text()
        self.edit(self.bulk, r"FIELD\(uclamp, unsigned long long, max,",
                  "FIELD(uclamp, unsigned long long, most,")
        self.fails("sched_tp_uclamp had 'uclamp 1 16 unsigned long long max'", "most",
                   "only grows, at its end")
        self.assertEqual(self.bulk_golden.read_text(), before)

    def test_a_member_stays_where_it_was(self):
        self.edit(self.bulk, r"FIELD\(uclamp, unsigned long long, min, SCHED_TP_ONE\)",
                  "FIELD(uclamp, unsigned long long, first, SCHED_TP_ONE) "
                  "FIELD(uclamp, unsigned long long, min, SCHED_TP_ONE)")
        self.fails("sched_tp_uclamp had 'uclamp 0 8 unsigned long long min'")

    def test_a_member_stays(self):
        self.edit(self.bulk, r"FIELD\(uclamp, unsigned int, idle, SCHED_TP_ONE\).*\n.*reserved.*\n",
                  "\n")
        self.fails("sched_tp_uclamp had 'uclamp 2 24 unsigned int idle' and has 'nothing'")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--quiet"] if len(sys.argv) == 1 else sys.argv)
