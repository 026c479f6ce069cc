#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
What `make check-config` says of configurations, good and bad ones.

Takes the kernel tree that `make kunit` has fetched.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from buildlib import kconfig, offers, probes, suite, trees
from buildlib.common import CACHE, REPO, Stop
from buildlib.getters import getters

WHOLE = "#\n# Automatically generated file; DO NOT EDIT.\n# Linux/x86 Kernel Configuration\n#\n"


class CheckConfig(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="schedtp-check-config-")
        self.addCleanup(directory.cleanup)
        self.file = pathlib.Path(directory.name) / "a.config"

    def run_command(self, text=None, config=None):
        if text is not None:
            self.file.write_bytes(text if isinstance(text, bytes) else text.encode())
        env = {**os.environ, "CONFIG": str(config or self.file), "KVER": "6.12"}
        for name in ("KDIR", "ARCH"):
            env.pop(name, None)
        done = subprocess.run(
            [sys.executable, REPO / "tools/kernel.py", "check-config"],
            env=env, capture_output=True, text=True, check=False, timeout=500,
        )  # fmt: skip
        self.assertFalse(list(CACHE.glob(".check-config-*")), "something was left behind")
        self.assertFalse((CACHE / "6.12/kconfig").exists(), "a worktree was left behind")
        return done

    def refused(self, said, text=None, config=None):
        done = self.run_command(text, config)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("schedtp: "), lines[0])
        self.assertIn(said, lines[0])

    def accepted(self, text):
        """({getter: words}, the line above them, the line below)."""
        done = self.run_command(text)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        names = {getter.name for getter in getters()}
        said = dict(line.split(None, 1) for line in lines if line.split()[0] in names)
        self.assertEqual(said.keys(), names)
        return said, *[line for line in lines if line.startswith("schedtp: ")]

    def test_file_that_is_not_there(self):
        self.refused("No such file or directory", config="/no/such/file")

    def test_file_that_is_a_directory(self):
        self.refused("Is a directory", config="/")

    def test_file_that_is_not_text(self):
        self.refused("it is not text", b"\xff\xfe\0C")

    def test_empty_file(self):
        self.refused("there is no CONFIG_ in it", "# nothing\n")

    def test_line_that_is_none_of_a_configuration(self):
        self.refused("a.config:2: 'UCLAMP_TASK=y' is not CONFIG_NAME=value", "CONFIG_SMP=y\nUCLAMP_TASK=y\n")

    def test_misspelt_option_is_named_with_the_right_one(self):
        self.refused(
            "a.config:2: CONFIG_UCLAMP_TSK is no option of Linux 6.12.117 on x86_64: did you mean CONFIG_UCLAMP_TASK?".replace(
                "6.12.117", trees.release(CACHE / "6.12/pristine")
            ),
            "CONFIG_SMP=y\nCONFIG_UCLAMP_TSK=y\n",
        )

    def test_misspelt_option_that_is_not_set(self):
        self.refused("CONFIG_SCHED_CORES is no option", "# CONFIG_SCHED_CORES is not set\n")

    def test_value_that_an_option_cannot_have(self):
        self.refused("'maybe' is not a valid value", WHOLE + "CONFIG_SMP=maybe\n")

    def test_fragment_over_the_defconfig(self):
        said, above, below = self.accepted("CONFIG_SCHED_TP_CALLBACKS=y\nCONFIG_DEBUG_KERNEL=y\nCONFIG_UCLAMP_TASK=y\n")
        self.assertRegex(above, r"CONFIG_SCHED_TP_CALLBACKS is on$")
        self.assertEqual(said["rq_uclamp_min"], "available")
        self.assertEqual(said["cfs_rq_util_est"], "available")
        self.assertEqual(said["se_util_est_ewma"], "absent in this kernel")
        self.assertEqual(said["rq_core_cookie"], "off: needs CONFIG_SCHED_CORE")
        count = [sum(words.startswith(start) for words in said.values()) for start in ("available", "absent", "off")]
        self.assertEqual(below, "schedtp: {} available, {} absent in this kernel, {} off".format(*count))

    def test_option_that_lost_says_what_it_depends_on(self):
        said, above, _ = self.accepted(WHOLE + "CONFIG_64BIT=y\nCONFIG_UCLAMP_TASK=y\n# CONFIG_SMP is not set\n")
        self.assertIn("CONFIG_SCHED_TP_CALLBACKS is off (depends on TRACEPOINTS), and so is every getter", above)
        self.assertEqual(said["rq_uclamp_min"], "off: needs CONFIG_UCLAMP_TASK (depends on CPU_FREQ_GOV_SCHEDUTIL)")
        self.assertEqual(said["cfs_rq_util_avg"], "off: needs CONFIG_SMP")
        self.assertEqual(
            said["cfs_rq_last_update_time"], "off: needs CONFIG_SMP and CONFIG_64BIT (CONFIG_SMP is not set)"
        )

    def test_two_readers_that_disagree(self):
        class Other:
            name = "Linux"

            def value(self, option):
                return "y" if option == "SMP" else "n"

            def why_off(self, _option):
                return ""

        before = kconfig.configured
        self.addCleanup(setattr, kconfig, "configured", before)
        kconfig.configured = lambda found, config, architecture: (Other(), {})
        with self.assertRaisesRegex(Stop, "CONFIG_SMP is y for kconfiglib and n for the tree's own conf"):
            kconfig.table(trees.of("6.12", None))


# What kernel/sched/tp/debugfs.c needs of a kernel to print its file.
KERNEL_C = """
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <schedtp/callbacks.h>
struct seq_file;
static struct sched_tp_callbacks table = { sizeof(table), SCHED_TP_VERSION };
static const struct sched_tp_callbacks *sched_tp_get_callbacks(void) { return &table; }
#define __init
#define seq_printf(m, ...) printf(__VA_ARGS__)
#define seq_puts(m, text) fputs(text, stdout)
#define seq_putc(m, c) putchar(c)
#define debugfs_create_dir(name, parent) NULL
#define debugfs_create_file(name, mode, parent, data, fops) (void)(fops)
#define DEFINE_SHOW_ATTRIBUTE(name) static int (*const name##_fops)(struct seq_file *, void *) = name##_show
#define late_initcall(f) int (*const initcall)(void) = f
#include "debugfs.c"
int main(void)
{
SLOTS
	initcall();
	return getters_show(NULL, NULL);
}
"""


class Words(unittest.TestCase):
    def printed(self, have, words):
        """Lines of the file in debugfs, with the list as resolved for a tree and these slots."""
        directory = tempfile.TemporaryDirectory(prefix="schedtp-debugfs-")
        self.addCleanup(directory.cleanup)
        top = pathlib.Path(directory.name)
        shutil.copytree(REPO / "include/schedtp", top / "schedtp")
        getters_def = top / "schedtp/getters.def"
        getters_def.write_text(probes.resolve_list(getters_def.read_text(), have))
        for name in ("debugfs", "init", "seq_file", "string", "sched/tp_accessor"):
            header = top / f"linux/{name}.h"
            header.parent.mkdir(parents=True, exist_ok=True)
            header.touch()
        slots = [f"	table.{name} = (void *)main;" for name, said in words.items() if said == offers.AVAILABLE]
        (top / "kernel.c").write_text(KERNEL_C.replace("SLOTS", "\n".join(slots)))
        compiler = ["gcc", "-std=gnu11", "-w", f"-I{top}", f"-I{REPO / 'kernel/sched/tp'}"]
        subprocess.run([*compiler, top / "kernel.c", "-o", top / "kernel"], check=True)
        return subprocess.run([top / "kernel"], check=True, capture_output=True, text=True).stdout.splitlines()

    def test_kernel_and_tools_say_the_same(self):
        names = [getter.name for getter in getters()]
        seen = set()
        for release, have in offers.releases().items():
            for on in ((), ("SMP", "64BIT"), ("FAIR_GROUP_SCHED", "UCLAMP_TASK", "SCHED_CORE"), None):
                words = {
                    getter.name: offers.words(
                        probes.resolve_needs(getter.needs, have), lambda option: on is None or option in on
                    )
                    for getter in getters()
                }
                header, *lines = self.printed(have, words)
                self.assertRegex(header, rf"^# version 1\.\d+, \d+ bytes, {len(names)} getters$")
                self.assertEqual(lines, [f"{name}\t{words[name]}" for name in names], release)
                seen.update(words.values())
        self.assertTrue({offers.AVAILABLE, offers.ABSENT, "off: needs CONFIG_SMP and CONFIG_64BIT"} <= seen, seen)

    def test_option_that_a_tree_does_not_know_is_absent(self):
        have = {name: False for name in probes.probes()}
        self.assertEqual(probes.resolve_needs("SCHED_CLASS_EXT", have), "!")
        both = "SCHED_HW_PRESSURE || SCHED_THERMAL_PRESSURE"
        self.assertEqual(probes.resolve_needs(both, have), "!")
        have["OPTION_SCHED_HW_PRESSURE"] = True
        self.assertEqual(probes.resolve_needs(both, have), "SCHED_HW_PRESSURE")

    def test_alternative_that_asks_for_more_adds_nothing(self):
        have = {name: False for name in probes.probes()}
        needs = "64BIT && RT_GROUP_SCHED || 64BIT && HAS_UTIL_EST_STRUCT"
        self.assertEqual(probes.resolve_needs(needs, have), "64BIT && RT_GROUP_SCHED")
        have["UTIL_EST_STRUCT"] = True
        self.assertEqual(probes.resolve_needs(needs, have), "64BIT")
        self.assertEqual(probes.resolve_needs("SMP || SMP", have), "SMP")


if __name__ == "__main__":
    sys.exit(suite.run("check config"))
