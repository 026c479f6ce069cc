#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Faults of other projects' scheduler probes, from their public trackers, that cannot
occur here. Those that concern values are vectors and tests of the getters, with the
same numbers; these are about headers, modules and the series.
"""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from buildlib import matrix, series, suite, trees
from buildlib.common import CACHE, REPO, lock, output

KERNEL = REPO / "tools/kernel.py"
BUILD = CACHE / "6.12/patched/.build-x86_64"

PROBE = r"""
#include <linux/module.h>
#include <schedtp/tracepoints.h>

static unsigned long sum;

static void on_pelt_cfs(void *data, struct cfs_rq *cfs_rq, const struct sched_tp_callbacks *cb)
{
	sum += sched_tp_get(cb, cfs_rq_util_est, cfs_rq, 0);
	sum += sched_tp_get(cb, rq_cpu_capacity_orig, sched_tp_get(cb, cfs_rq_rq, cfs_rq, NULL), 0);
}

static int __init probe_init(void)
{
	return sched_tp_register(pelt_cfs, on_pelt_cfs, NULL);
}
module_init(probe_init);

static void __exit probe_exit(void)
{
	sched_tp_unregister(pelt_cfs, on_pelt_cfs, NULL);
	tracepoint_synchronize_unregister();
}
module_exit(probe_exit);
MODULE_DESCRIPTION("a probe of the tests");
MODULE_LICENSE("%s");
"""

# Identifiers that C++ takes for itself.
CXX_WORDS = (
    "alignas and and_eq asm bitand bitor catch class compl concept const_cast constexpr "
    "delete dynamic_cast explicit export friend mutable namespace new not not_eq operator or "
    "or_eq private protected public reinterpret_cast requires static_cast template this throw "
    "try typeid typename using virtual xor xor_eq"
)

# Options that take members of the scheduler's structs away.
I386_OPTIONS = ("SMP", "FAIR_GROUP_SCHED", "CFS_BANDWIDTH", "UCLAMP_TASK", "SCHED_AUTOGROUP")


def sources(*places):
    """The text of every source file below some directories, by path."""
    names = output("git", "-C", REPO, "ls-files", "-z", "--", *places).split("\0")
    return {name: (REPO / name).read_text(errors="replace") for name in names if name}


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\\n])*\"", "", text, flags=re.S)


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="schedtp-faults-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)

    def module(self, name, license_name="GPL", cwd=None, path=None, kver="6.12"):
        """Build a probe out of tree, from nothing but the headers."""
        directory = self.top / name
        directory.mkdir(exist_ok=True)
        (directory / "Makefile").write_text(f"obj-m := {name}.o\n")
        (directory / f"{name}.c").write_text(PROBE % license_name)
        done = subprocess.run(
            [sys.executable, KERNEL, "modules"],
            env={**os.environ, "M": str(path or directory), "KVER": kver, "KDIR": "", "ARCH": ""},
            cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return done, directory / f"{name}.ko"

    @functools.lru_cache  # noqa: B019
    def probe(self):
        done, module = self.module("plain")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return module

    # --- sources ---

    def test_13_no_getter_is_named_by_a_field_that_was_renamed(self):
        listed = sources("include/schedtp/getters.def")["include/schedtp/getters.def"]
        names = re.findall(r"^SCHED_TP_GETTER(?:_VOID)?\(\d+, [^,]+,\s*(\w+),", listed, re.M)
        self.assertGreater(len(names), 200)
        for name in names:
            self.assertNotRegex(name, r"^cfs_rq_(nr_running|h_nr_running|idle_h_nr_running)$")

    def test_21_no_test_of_a_kernel_version(self):
        """Vendors backport: the headers are the same whatever version a tree claims."""
        for name, text in sources("include", "kernel", "kunit", "selftests").items():
            self.assertNotIn("LINUX_VERSION" "_CODE", text, name)
            self.assertNotIn("KERNEL" "_VERSION(", text, name)

        def preprocessed(version):
            return output(
                "cc", "-x", "c", "-E", "-P", "-ffreestanding", "-nostdinc", f"-I{REPO}/include",
                f"-DLINUX_VERSION_CODE={version}", "-", stdin="#include <schedtp/callbacks.h>\n",
            )  # fmt: skip

        self.assertEqual(preprocessed(4 << 16 | 18 << 8), preprocessed(99 << 16))

    def test_43_no_flags_in_variables_that_kbuild_dropped(self):
        for name, text in sources("kernel", "kunit", "selftests", "README.md").items():
            self.assertNotIn("EXTRA_CFLAGS", text, name)

    def test_47_58_tracepoints_are_not_searched_for(self):
        """Neither in tracepoint sections nor by symbol: the compiler binds to them."""
        for name, text in sources("include", "kernel/modules").items():
            for word in ("kallsyms_lookup", "__start___tracepoints", "kprobe"):
                self.assertNotIn(word, text, name)

    def test_cxx_no_identifier_of_the_headers_is_a_word_of_cxx(self):
        words = set(CXX_WORDS.split())
        headers = sources("include/schedtp/*.h", "include/schedtp/*.def")
        self.assertIn("include/schedtp/callbacks.h", headers)
        for name, text in headers.items():
            if "/mock/" in name:
                continue
            code = re.sub(r"#ifdef __cplusplus.*?#(else|endif)", "", without_comments(text), flags=re.S)
            self.assertEqual(words & set(re.findall(r"\b[a-z_]+\b", code)), set(), name)

    def test_cxx_nothing_in_the_headers_that_cxx_has_otherwise(self):
        for name, text in sources("include/schedtp/*.h", "include/schedtp/*.def").items():
            if "/mock/" in name:
                continue
            code = without_comments(text)
            self.assertNotRegex(code, r"\w\[\]\s*;", f"{name}: a flexible array")
            self.assertNotRegex(code, r"[{,]\s*\.\w+\s*=", f"{name}: a designated initialiser")
            if "__attribute__" in code:
                self.assertRegex(code, r"#ifndef __\w+\n#define __\w+", f"{name}: no fallback")

    # --- a module ---

    def test_36_a_probe_builds_from_the_headers_alone(self):
        module = self.probe()
        with open(module.parent / f".{module.stem}.o.cmd") as command:
            read = command.read()
        self.assertIn("schedtp/tracepoints.h", read)
        self.assertNotIn("vmlinux", read)
        self.assertNotRegex(read, r"kernel/sched/\w+\.h")

    def test_37_38_a_probe_has_no_struct_of_the_scheduler(self):
        private = r"struct (rq|cfs_rq|rt_rq|dl_rq|root_domain|task_group) \{"
        for name, text in sources("include/schedtp/*.h", "include/schedtp/*.hpp", "kernel/modules").items():
            if "/mock/" not in name:
                self.assertNotRegex(text, private, name)
        done = output("pahole", "-C", "rq,cfs_rq,rt_rq,dl_rq,root_domain", self.debug_object(), check=False)
        self.assertEqual(done.stdout.strip(), "")

    def debug_object(self):
        """The probe's object once more, with debugging information."""
        module = self.probe()
        command = (module.parent / f".{module.stem}.o.cmd").read_text().splitlines()[0]
        command = command.split(":= ", 1)[1].split(" ; ")[0].replace("ccache ", "")
        target = self.top / "debug.o"
        command = re.sub(r" -o \S+", f" -g -o {target}", command)
        subprocess.run(command, shell=True, cwd=BUILD, check=True, capture_output=True)
        self.assertIn(".debug_info", output("readelf", "-S", "-W", target))
        return target

    def test_7_39_41_one_source_on_every_kernel(self):
        """Of each release of Debian's that is built here; none calls what is not declared."""
        releases = [path.parents[1].name for path in CACHE.glob("[0-9]*/patched/.build-x86_64")]
        self.assertIn("6.12", releases)
        for release in releases:
            with self.subTest(release=release):
                done, module = self.module(f"probe_{release.replace('.', '_')}", kver=release)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                command = (module.parent / f".{module.stem}.o.cmd").read_text()
                self.assertRegex(command, r"-Werror[=-]implicit-function-declaration")

    def test_50_another_compiler_than_the_kernels_is_one_line(self):
        for compiler, kernels, other in (("gcc", "CLANG", "clang"), ("clang", "GCC", "gcc")):
            with self.subTest(compiler=compiler):
                done = subprocess.run(
                    [compiler, "-x", "c", "-fsyntax-only", "-D__KERNEL__", f"-DCONFIG_CC_IS_{kernels}=1",
                     f"-I{REPO}/include", f"-I{CACHE}/6.12/patched/include", "-"],
                    input="#include <schedtp/tracepoints.h>\n",
                    capture_output=True, text=True, check=False,
                )  # fmt: skip
                self.assertNotEqual(done.returncode, 0)
                errors = re.findall(r"error: (.*)", done.stderr)
                self.assertIn(f"{other} built this kernel", errors[0])
                # But for the file that is nowhere and ends it.
                self.assertLessEqual(len(errors), 2, done.stderr)

    def test_44_M_may_be_relative(self):
        directory = self.top / "relative"
        done, module = self.module("relative", cwd=self.top, path=os.path.relpath(directory, self.top))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(module.exists())

    def test_52_53_no_btf_is_needed(self):
        config = (BUILD / ".config").read_text()
        self.assertNotIn("CONFIG_DEBUG_INFO_BTF=y", config)
        self.assertNotIn(".BTF", output("readelf", "-S", "-W", self.probe()))

    def test_55_only_gpl_reaches_the_table(self):
        done, _ = self.module("proprietary", license_name="Proprietary")
        self.assertNotEqual(done.returncode, 0)
        said = done.stdout + done.stderr
        self.assertIn("GPL-incompatible module", said)
        self.assertIn("sched_tp_get_callbacks", said)

    def test_56_no_symbol_namespace_is_imported(self):
        self.assertEqual(output("modinfo", "-F", "import_ns", self.probe()).strip(), "")

    # --- kernels ---

    def test_6_40_the_scheduler_of_i386_with_every_option_off_and_on(self):
        """Scales that an architecture lacks, members that an option takes away."""
        found = trees.of("6.12", None)
        with lock(found.directory):
            builds = matrix.Tree(found, series.update_patched(found))
            for value in "ny":
                asked = dict.fromkeys(I386_OPTIONS, value)
                wishes = {"arch": "i386", matrix.TESTS: "y", **asked}
                config = builds.configure("i386", "gcc", matrix.fragment(wishes))
                for option, wanted in asked.items():
                    self.assertEqual(config.get(option, "n"), wanted, option)
                slots, _ = builds.build(f"i386, {value}", "i386", "gcc", config, "kernel/sched/")
                self.assertEqual("rq_uclamp_min" in slots, value == "y")

    def test_68_the_guests_would_say_that_a_probe_may_be_preempted(self):
        """A CPU's number where it may change is a BUG in the log of every guest, and that is red."""
        self.assertIn("CONFIG_DEBUG_PREEMPT=y", (BUILD / ".config").read_text())
        self.assertIn("CONFIG_PREEMPT=y", (BUILD / ".config").read_text())

    def test_46_48_every_tracepoint_is_exported_under_its_name(self):
        """Of each release that is built here: the tracepoint that the list names, or an alias."""
        listed = sources("include/schedtp/tracepoints.def")["include/schedtp/tracepoints.def"]
        names = re.findall(r"^SCHED_TP_TRACEPOINT\((\w+),", listed, re.M)
        seen = 0
        for symvers in CACHE.glob("*/patched/.build-x86_64/Module.symvers"):
            exported = set(re.findall(r"__tracepoint_(\w+)_tp\b", symvers.read_text()))
            said = (symvers.parents[1] / "include/linux/sched/tp_accessor.h").read_text()
            other = dict(re.findall(r"^#define register_trace_(\w+)_tp\s+register_trace_(\w+)_tp$", said, re.M))
            lacks = set(re.findall(r"^#define SCHED_TP_LACKS_(\w+)\s+1$", said, re.M))
            for name in set(names) - lacks:
                self.assertIn(other.get(name, name), exported, symvers)
            self.assertLess(len(lacks), 2, symvers)
            seen += 1
        self.assertGreater(seen, 0, "no kernel is built: make kunit")


if __name__ == "__main__":
    sys.exit(suite.run("public faults"))
