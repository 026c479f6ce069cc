#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
Bad input: one clear line, a non-zero status, and everything as it was before.

Takes the kernel tree that `make kunit` has fetched and built; the trees it breaks
are small copies of the parts that the rules touch.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

from buildlib import kernel, series, suite, trees
from buildlib.common import CACHE, REPO, Log, Stop, output
from buildlib.model import PRISTINE, git, make_model

KERNEL = REPO / "tools/kernel.py"

def state(tree):
    """Everything about a tree that a failed command must not have changed."""
    return (
        git(tree, "rev-parse", "HEAD"),
        git(tree, "status", "--porcelain"),
        git(tree, "stash", "list"),
        # ORIG_HEAD only notes where HEAD was before an attempt.
        sorted(set(os.listdir(tree / ".git")) - {"ORIG_HEAD"}),
    )


def processes(needle):
    """Processes of this machine whose command line has the text."""
    found = []
    for directory in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf8", "replace")
            if needle in command and int(directory.name) != os.getpid():
                found.append(command)
    return found


class Case(unittest.TestCase):
    """Runs commands with a cache and an identity of its own, on trees of its own."""

    @classmethod
    def setUpClass(cls):
        cls.top = pathlib.Path(tempfile.mkdtemp(prefix="schedtp-bad-input-"))
        cls.addClassCleanup(shutil.rmtree, cls.top, ignore_errors=True)
        cls.model = cls.top / "model"
        make_model(cls.model)

    def setUp(self):
        self.env = {
            **os.environ,
            "XDG_CACHE_HOME": str(self.top / "cache"),
            "GIT_CONFIG_COUNT": "2",
            "GIT_CONFIG_KEY_0": "user.name",
            "GIT_CONFIG_VALUE_0": "A Tester",
            "GIT_CONFIG_KEY_1": "user.email",
            "GIT_CONFIG_VALUE_1": "tester@localhost",
        }
        for name in ("KVER", "KDIR", "ARCH"):
            self.env.pop(name, None)

    def tree(self, name=None):
        path = self.top / (name or self.id().rsplit(".", 1)[1])
        shutil.copytree(self.model, path, symlinks=True)
        return path

    def run_command(self, command, **env):
        return subprocess.run(
            [sys.executable, KERNEL, command],
            env={**self.env, **{key: str(value) for key, value in env.items()}},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=500,
        )

    def refused(self, text, command="apply", tree=None, **env):
        """The command stops, with one line that has the text, and the tree is untouched."""
        before = state(tree) if tree else None
        done = self.run_command(command, **env, **({"KDIR": tree} if tree else {}))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("schedtp: "), lines[0])
        self.assertIn(text, lines[0])
        if tree:
            self.assertEqual(before, state(tree))

    def append(self, tree, file, text):
        with open(tree / file, "a") as handle:
            handle.write(text)
        git(tree, "commit", "-q", "-a", "-m", "change")

    def change(self, tree, file, old, new):
        path = tree / file
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        git(tree, "commit", "-q", "-a", "-m", "change")


class Choice(Case):
    def test_kver_is_no_series(self):
        self.refused("KVER=banana is no kernel series", "kunit", KVER="banana")

    def test_kver_that_no_package_has(self):
        self.refused("cannot fetch linux-source-9.99: no suite offers it", "kunit", KVER="9.99")

    def test_two_trees_named(self):
        self.refused("KVER= and KDIR= name two trees", "kunit", KVER="6.12", KDIR=self.top)

    def test_architecture_unknown(self):
        self.refused("ARCH=vax is not supported", "kunit", ARCH="vax")

    def test_apply_without_a_tree(self):
        self.refused("make apply KDIR=")


class Tree(Case):
    def test_does_not_exist(self):
        self.refused("does not exist", KDIR=self.top / "nowhere")

    def test_is_no_kernel_tree(self):
        self.refused("is not a kernel source tree", KDIR=REPO)

    def test_dirty(self):
        tree = self.tree()
        with open(tree / "kernel/sched/fair.c", "a") as file:
            file.write("/* mine */\n")
        self.refused("is dirty, 1 changed files, first kernel/sched/fair.c", tree=tree)

    def test_in_the_middle_of_an_am(self):
        tree = self.tree()
        (tree / ".git/rebase-apply").mkdir()
        self.refused("is in the middle of", tree=tree)

    def test_has_the_series(self):
        tree = self.tree()
        done = self.run_command("apply", KDIR=tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused("has the series already", tree=tree)

    def test_nobody_to_sign_off(self):
        tree = self.tree()
        self.env |= {"GIT_CONFIG_COUNT": "0", "GIT_CONFIG_GLOBAL": "/dev/null"}
        own = output("git", "-C", REPO, "config", "--local", "user.name", check=False)
        if own.returncode == 0:
            self.env |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": ""}
        self.refused("git does not know you", tree=tree)

    def test_reading_takes_no_lock(self):
        """git status would bring the index up to date, under a lock that Ctrl-C leaves."""
        tree = self.tree()
        for file in ("Makefile", "kernel/sched/core.c"):
            (tree / file).touch()
        index = (tree / ".git/index").read_bytes()
        self.env |= {"GIT_CONFIG_COUNT": "0", "GIT_CONFIG_GLOBAL": "/dev/null"}
        self.refused("git does not know you", KDIR=tree)
        self.assertEqual((tree / ".git/index").read_bytes(), index)
        git(tree, "status")
        self.assertNotEqual((tree / ".git/index").read_bytes(), index)

    def test_call_site_missing(self):
        tree = self.tree()
        self.change(tree, "kernel/sched/pelt.c", "trace_pelt_rt_tp(rq);", ";")
        self.refused(
            "update_rt_rq_load_avg() in kernel/sched/pelt.c does not fire pelt_rt", tree=tree
        )

    def test_call_site_in_another_function(self):
        tree = self.tree()
        self.append(tree, "kernel/sched/fair.c", "\nvoid sneaky(struct cfs_rq *cfs_rq)\n{\n\ttrace_pelt_cfs_tp(cfs_rq);\n}\n")
        self.refused("fires pelt_cfs in sneaky()", tree=tree)

    def test_call_site_once_more_in_a_function(self):
        tree = self.tree()
        self.change(
            tree,
            "kernel/sched/pelt.c",
            "trace_pelt_dl_tp(rq);",
            "trace_pelt_dl_tp(rq);\n\t\ttrace_pelt_dl_tp(rq);",
        )
        self.refused("fires pelt_dl in update_dl_rq_load_avg() once more", tree=tree)

    def test_call_site_outside_the_scheduler(self):
        tree = self.tree()
        path = tree / "include/linux/sched/sneaky.h"
        path.write_text("static inline void f(struct rq *rq) { trace_pelt_rt_tp(rq); }\n")
        git(tree, "add", "-A")
        git(tree, "commit", "-q", "-m", "change")
        self.refused("include/linux/sched/sneaky.h fires a tracepoint", tree=tree)

    def test_call_site_that_no_parser_reads(self):
        tree = self.tree()
        self.append(tree, "kernel/sched/fair.c", "\n#define FIRE(x) trace_pelt_cfs_tp(x)\n")
        self.refused("kernel/sched/fair.c:", tree=tree)

    def test_probe_inside_the_tree(self):
        tree = self.tree()
        self.append(tree, "kernel/sched/fair.c", "\nint f(void) { return register_trace_pelt_rt_tp(0, 0); }\n")
        self.refused("attaches a probe inside the tree", tree=tree)

    def test_file_in_the_way(self):
        tree = self.tree()
        path = tree / "Documentation/scheduler/sched-tp-callbacks.rst"
        path.write_text("mine\n")
        self.refused("would be overwritten", tree=tree)
        self.assertEqual(path.read_text(), "mine\n")

    def test_unknown_bare_tracepoint(self):
        tree = self.tree()
        self.change(
            tree,
            series.TRACE_HEADER,
            "DECLARE_TRACE(pelt_rt_tp,",
            "DECLARE_TRACE(pelt_new_tp,\n\tTP_PROTO(struct rq *rq),\n\tTP_ARGS(rq));\n\n"
            "DECLARE_TRACE(pelt_rt_tp,",
        )
        self.refused("declares the bare tracepoint pelt_new", tree=tree)

    def test_unknown_bare_tracepoint_with_a_condition(self):
        tree = self.tree()
        self.change(
            tree,
            series.TRACE_HEADER,
            "DECLARE_TRACE(pelt_rt_tp,",
            "DECLARE_TRACE_CONDITION(pelt_new,\n\tTP_PROTO(struct rq *rq),\n\tTP_ARGS(rq),\n"
            "\tTP_CONDITION(rq));\n\nDECLARE_TRACE(pelt_rt_tp,",
        )
        self.refused("declares the bare tracepoint pelt_new", tree=tree)

    def test_bare_tracepoint_missing(self):
        tree = self.tree()
        self.change(tree, series.TRACE_HEADER, "DECLARE_TRACE(pelt_hw_tp,", "DECLARE_EVENT_NOOP(pelt_hw_tp,")
        self.refused("declares no bare tracepoint pelt_hw or pelt_thermal", tree=tree)

    def test_two_names_of_one_tracepoint(self):
        tree = self.tree()
        self.change(
            tree,
            series.TRACE_HEADER,
            "DECLARE_TRACE(pelt_rt_tp,",
            "DECLARE_TRACE(pelt_thermal_tp,\n\tTP_PROTO(struct rq *rq),\n\tTP_ARGS(rq));\n\n"
            "DECLARE_TRACE(pelt_rt_tp,",
        )
        self.refused("declares both pelt_hw and pelt_thermal", tree=tree)

    def test_two_functions_that_are_one_to_the_rules(self):
        tree = self.tree()
        self.append(
            tree, "kernel/sched/pelt.c",
            "\nvoid update_thermal_load_avg(struct rq *rq)\n{\n\ttrace_pelt_hw_tp(rq);\n}\n",
        )  # fmt: skip
        self.refused("fires pelt_hw in update_thermal_load_avg()", tree=tree)

    def test_call_site_past_the_static_key(self):
        tree = self.tree()
        self.append(tree, "kernel/sched/fair.c", "\nvoid sneaky(struct rq *rq)\n{\n\ttrace_call__pelt_rt_tp(rq);\n}\n")
        self.refused("fires pelt_rt in sneaky()", tree=tree)

    def test_monitor_inside_the_tree(self):
        tree = self.tree()
        self.append(tree, "kernel/sched/fair.c", '\nint f(void) { rv_attach_trace_probe("wip", pelt_rt_tp, handle); }\n')
        self.refused("attaches a probe inside the tree", tree=tree)

    def test_anchor_of_an_edit_missing(self):
        tree = self.tree()
        self.change(tree, "lib/Kconfig.debug", 'menu "Scheduler Debugging"', 'menu "Scheduler"')
        self.refused("rule 'kconfig': lib/Kconfig.debug has the line", tree=tree)


class Rules(Case):
    """Trees that differ from the one the rules were written on, and still are no trouble."""

    def applied(self, tree):
        done = self.run_command("apply", KDIR=tree)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(git(tree, "status", "--porcelain"), "")
        patches = len(series.load("patches.toml")["patch"])
        log = git(tree, "log", "--format=%an|%b", f"-{patches}")
        self.assertEqual(log.count("A Tester|"), patches)
        self.assertEqual(log.count("Signed-off-by: A Tester <tester@localhost>"), patches)
        return done

    def test_lines_moved_and_a_parameter_renamed(self):
        tree = self.tree()
        pelt = tree / "kernel/sched/pelt.c"
        text = pelt.read_text()
        start = text.index("int update_rt_rq_load_avg(")
        end = text.index("\n}\n", start)
        renamed = re.sub(r"\brq\b", "runqueue", text[start:end])
        self.assertIn("trace_pelt_rt_tp(runqueue)", renamed)
        text = text[:start] + renamed + text[end:]
        pelt.write_text("/* a line\n * that moves\n * all others */\n\n\n" + text)
        header = tree / series.TRACE_HEADER
        text = header.read_text()
        moved = text.replace("TP_PROTO(struct rq *rq),\n\tTP_ARGS(rq)",
                             "TP_PROTO(struct rq *queue),\n\n\tTP_ARGS(queue)", 1)
        self.assertNotEqual(text, moved)
        header.write_text(moved)
        git(tree, "commit", "-q", "-a", "-m", "change")
        self.applied(tree)
        self.assertIn("trace_pelt_rt_tp(runqueue, &sched_tp_callbacks)", pelt.read_text())
        self.assertIn("TP_ARGS(queue, cb)", header.read_text())

    def rewrite(self, tree, file, *changes):
        """Regular expressions and what replaces them, each somewhere in the file."""
        path = tree / file
        text = path.read_text()
        for old, new in changes:
            text, count = re.subn(old, new, text, flags=re.M)
            self.assertGreater(count, 0, old)
        path.write_text(text)

    def test_tree_between_two_releases(self):
        """Some names are older than those of 6.12, and some things as later trees have them."""
        tree = self.tree()
        self.rewrite(
            tree, series.TRACE_HEADER,
            (r"^DECLARE_TRACE\(sched_compute_energy_tp,[^;]*;\n", ""),
            (r"^DECLARE_TRACE\((\w+)_tp,", r"DECLARE_TRACE(\1,"),
            (r"^DECLARE_TRACE\(pelt_hw,", "DECLARE_TRACE(pelt_thermal,"),
            (r"^#endif /\* _TRACE_SCHED_H \*/", "DECLARE_TRACE_CONDITION(sched_set_state,\n"
             "\tTP_PROTO(int state),\n\tTP_ARGS(state),\n\tTP_CONDITION(state));\n\n"
             "#endif /* _TRACE_SCHED_H */"),
        )  # fmt: skip
        self.rewrite(
            tree, "kernel/sched/pelt.c",
            ("trace_pelt_hw_tp", "trace_pelt_thermal_tp"), ("update_hw_load_avg", "update_thermal_load_avg"),
        )  # fmt: skip
        self.rewrite(
            tree, "kernel/sched/fair.c",
            (r"^\ttrace_sched_compute_energy_tp\(.*\n", ""),
            (r"\bset_rd_overutilized\(", "set_rd_overutilized_status("),
        )  # fmt: skip
        self.rewrite(tree, "Documentation/scheduler/index.rst", (r"^    sched-ext\n", ""))
        git(tree, "commit", "-q", "-a", "-m", "change")
        self.applied(tree)
        header = (tree / series.TRACE_HEADER).read_text()
        self.assertIn("DECLARE_TRACE(pelt_thermal,\n\tTP_PROTO(struct rq *rq, const", header)
        self.assertIn("TP_ARGS(state),\n", header)
        pelt = (tree / "kernel/sched/pelt.c").read_text()
        self.assertIn("trace_pelt_thermal_tp(rq, &sched_tp_callbacks)", pelt)
        accessor = (tree / trees.TABLE_ARGUMENT).read_text()
        self.assertIn("#define register_trace_pelt_hw_tp\tregister_trace_pelt_thermal_tp\n", accessor)
        self.assertIn("#define SCHED_TP_LACKS_sched_compute_energy\t1\n", accessor)
        index = (tree / "Documentation/scheduler/index.rst").read_text()
        self.assertIn("    sched-stats\n    sched-tp-callbacks\n", index)

    def test_undo_is_what_it_says(self):
        tree = self.tree()
        before = state(tree)[:2]
        done = self.applied(tree)
        undo = re.search(r"to undo: (git .*)", done.stdout).group(1)
        subprocess.run(undo, shell=True, check=True, capture_output=True)
        self.assertEqual(before, state(tree)[:2])

    def test_tree_under_no_git(self):
        tree = self.tree()
        shutil.rmtree(tree / ".git")
        copy = self.top / "plain-copy"
        shutil.copytree(tree, copy, symlinks=True)
        done = self.run_command("apply", KDIR=tree)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue((tree / "kernel/sched/tp/rq.c").exists())
        undo = re.search(r"to undo: (\(.*\))", done.stdout).group(1)
        subprocess.run(undo, shell=True, check=True, capture_output=True)
        self.assertEqual(output("diff", "-r", copy, tree, check=False).stdout, "")

    def test_settings_of_the_users_git(self):
        tree = self.tree()
        settings = {"diff.noprefix": "true", "color.ui": "always", "format.attach": "true"}
        for number, (name, value) in enumerate(settings.items(), 2):
            self.env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
        self.env["GIT_CONFIG_COUNT"] = str(2 + len(settings))
        self.applied(tree)

    def test_tree_inside_another_repository(self):
        outer = self.top / "outer"
        outer.mkdir()
        git(outer, "init", "-q")
        tree = outer / "li nux"
        shutil.copytree(self.model, tree, symlinks=True)
        shutil.rmtree(tree / ".git")
        git(outer, "add", "-A", "-f")
        git(outer, "commit", "-q", "-m", "outer")
        done = self.run_command("apply", KDIR=tree)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotEqual(git(outer, "status", "--porcelain"), "")
        undo = re.search(r"to undo: (\(.*\))", done.stdout).group(1)
        subprocess.run(undo, shell=True, check=True, capture_output=True)
        self.assertEqual(git(outer, "status", "--porcelain"), "")

    def test_series_does_not_touch_the_tree(self):
        """What `make series` does with the tree before it builds, whatever that costs."""
        tree = self.tree()
        before = state(tree)
        found = trees.Release(self.top / "cache-of-series", "test")
        trees.take_commit(found, tree, git(tree, "rev-parse", "HEAD").strip())
        series.commit(found, sign=False)
        self.assertEqual(before, state(tree))


class Configuration(Case):
    """Options that Kconfig does not know, or does not grant."""

    def setUp(self):
        super().setUp()
        self.configs = self.top / "config"
        shutil.rmtree(self.configs, ignore_errors=True)
        shutil.copytree(kernel.CONFIGS, self.configs)
        patch = unittest.mock.patch.object(kernel, "CONFIGS", self.configs)
        patch.start()
        self.addCleanup(patch.stop)

    def configure(self, line):
        with open(self.configs / "base.config", "a") as file:
            file.write(line + "\n")
        build = self.top / "build-of-configuration"
        shutil.rmtree(build, ignore_errors=True)
        found = trees.Release(self.top / "release-of-configuration", "test")
        with contextlib.redirect_stdout(None):
            kernel.configure(found, PRISTINE, build, ["base.config", "x86_64.config"])
        return (build / ".config").read_text()

    def test_misspelt(self):
        with self.assertRaisesRegex(Stop, "SCHED_STATS=y: CONFIG_SCHED_STATS is no option of this"):
            self.configure("CONFIG_SCHED_STATS=y")

    def test_not_granted(self):
        with self.assertRaisesRegex(Stop, "CONFIG_SCHED_CLASS_EXT=y: an option it depends on"):
            self.configure("CONFIG_SCHED_CLASS_EXT=y")

    def test_not_granted_though_not_in_every_tree(self):
        """That another tree lacks it does not excuse one that has it."""
        with self.assertRaisesRegex(Stop, "CONFIG_SCHED_CLASS_EXT=y: an option it depends on"):
            self.configure("CONFIG_SCHED_CLASS_EXT=y # not in every tree")

    def test_not_in_this_tree(self):
        self.assertNotIn("SCHED_PROXY_EXEC", self.configure("CONFIG_SCHED_PROXY_EXEC=y # not in every tree"))

    def test_mark_misspelt(self):
        with self.assertRaisesRegex(Stop, "is not CONFIG_NAME=value"):
            self.configure("CONFIG_SCHED_PROXY_EXEC=y # not in evry tree")

    def test_asked_for_twice(self):
        with self.assertRaisesRegex(Stop, "CONFIG_SMP is asked for twice, as different values"):
            self.configure("CONFIG_SMP=n")

    def test_not_in_every_tree_is_true(self):
        """A name that no release has is misspelt; one that all have needs no excuse."""
        fragments = [path.name for path in sorted(kernel.CONFIGS.glob("*.config"))]
        some = {name for name, (_, some) in kernel.wishes(fragments).items() if some}
        known = [
            kernel.known_options(trees.of_version(kver).pristine) for kver in ("6.1", "6.12", "latest")
        ]
        self.assertTrue(some)
        self.assertEqual(some - set.union(*known), set())
        self.assertEqual(some & set.intersection(*known), set())


class Machine(Case):
    def without_network(self):
        config = self.top / "apt.conf"
        config.write_text(
            'Acquire::http::Proxy "http://127.0.0.1:9";\nAcquire::https::Proxy "http://127.0.0.1:9";\n'
            'Acquire::Retries "0";\n'
        )
        cache = self.top / "cache-no-network"
        shutil.rmtree(cache, ignore_errors=True)
        self.env |= {"XDG_CACHE_HOME": str(cache), "APT_CONFIG": str(config)}
        return cache / "schedtp"

    def test_no_network(self):
        self.without_network()
        self.refused("check the network", "kunit", KVER="6.12")
        self.refused("check the network", "kunit", KVER="7.3")

    def test_no_network_to_learn_what_is_newest(self):
        cache = self.without_network()
        self.refused("cannot learn which Linux is the newest", "kunit", KVER="latest")
        # What is here must do, 6.12 being newer than 6.2, and is named.
        for name in ("6.2", "6.12", "kdir-9.9"):
            (cache / name).mkdir(parents=True)
            (cache / name / "source.json").write_text("{}\n")
        done = self.run_command("series", KVER="latest")
        self.assertIn("cannot be reached: latest is the newest that is here, 6.12\n", done.stdout)

    def test_newest_is_fetched_beside_the_lists_of_the_machine(self):
        """The list of the suite goes to the cache; a tree that is there is not fetched."""
        cache = self.top / "cache-latest/schedtp"
        self.env["XDG_CACHE_HOME"] = str(cache.parent)
        lists = sorted(os.listdir("/var/lib/apt/lists"))
        program = "from buildlib import trees; print('newest:', trees.newest())"
        done = subprocess.run(
            [sys.executable, "-c", program], env={**self.env, "PYTHONPATH": str(REPO / "tools")},
            capture_output=True, text=True, check=True, timeout=300,
        )  # fmt: skip
        chosen = re.search(r"newest: ([0-9]+)\.[0-9]+\n", done.stdout)
        # Newer than any kernel that the stable suites have.
        self.assertGreaterEqual(int(chosen.group(1)), 7)
        self.assertTrue(any("backports" in name for name in os.listdir(cache / "apt/lists")))
        self.assertEqual(lists, sorted(os.listdir("/var/lib/apt/lists")))

    def test_no_apt(self):
        bin_directory = self.top / "bin"
        bin_directory.mkdir()
        for directory in ("/bin", "/usr/bin", "/usr/sbin", "/sbin"):
            for program in pathlib.Path(directory).iterdir():
                link = bin_directory / program.name
                if program.name != "apt-get" and not link.exists():
                    link.symlink_to(program)
        self.env["XDG_CACHE_HOME"] = str(self.top / "cache-no-apt")
        self.refused("there is no apt-get here", "kunit", KVER="6.12", PATH=bin_directory)
        # With a tree given, and the tools on PATH, nothing else is needed.
        tree = self.tree()
        done = self.run_command("apply", KDIR=tree, PATH=bin_directory)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_disk_too_small(self):
        with self.small_disk() as disk:
            self.env["XDG_CACHE_HOME"] = str(disk)
            self.refused("GiB", "kunit", KVER="6.12")

    def test_disk_full_while_building(self):
        with self.small_disk() as disk:
            log = Log(self.top / "logs")
            fill = ["dd", "if=/dev/zero", f"of={disk / 'object.o'}", "bs=1M"]
            with self.assertRaisesRegex(Stop, "the disk is full"), open(os.devnull, "w") as null:
                with contextlib.redirect_stderr(null):
                    log.run("build something", fill)

    @contextlib.contextmanager
    def small_disk(self):
        disk = self.top / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", disk], check=True)
        try:
            yield disk
        finally:
            subprocess.run(["umount", disk], check=True)
            disk.rmdir()

    def test_kvm_that_does_not_work(self):
        """A /dev/kvm that is no KVM at all: the guest must not even try it."""
        # Where there is none at all, this is just another run.
        script = (
            "[ ! -e /dev/kvm ] || { mount --make-private /dev; mount --bind /dev/null /dev/kvm; } && "
            f"exec {sys.executable} {KERNEL} kunit"
        )
        done = subprocess.run(
            ["unshare", "-m", "--propagation", "unchanged", "sh", "-c", script],
            env={**self.env, "XDG_CACHE_HOME": str(CACHE.parent)},
            capture_output=True, text=True, check=False, timeout=900,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])


class Interrupt(Case):
    """Ctrl-C in any phase: no process and no half-applied tree stays behind."""

    def interrupt(self, command, when, env):
        """Start a command, wait for `when` to hold or seconds to pass, and interrupt it."""
        process = subprocess.Popen(
            [sys.executable, KERNEL, command],
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        if callable(when):
            deadline = time.monotonic() + 400
            while not when() and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
        else:
            time.sleep(when)
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=60)
        return process.returncode, said, errors

    def test_apply(self):
        tree = self.tree()
        before = state(tree)[:2]
        # All along the way that a whole one takes on this machine, now.
        started = time.monotonic()
        self.assertEqual(self.run_command("apply", KDIR=tree).returncode, 0)
        took = time.monotonic() - started
        git(tree, "reset", "-q", "--hard", before[0].strip())
        shutil.rmtree(self.top / "cache", ignore_errors=True)
        interrupted = 0
        for part in (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 1.1):
            status, said, errors = self.interrupt("apply", part * took, {"KDIR": str(tree)})
            self.assertFalse((tree / ".git/rebase-apply").exists())
            self.assertIn(status, (0, 130), errors)
            interrupted += status == 130
            # All of it, and how to take it back, or nothing.
            if state(tree)[:2] != before:
                self.assertIn("to undo", said)
                git(tree, "reset", "-q", "--hard", before[0].strip())
            self.assertEqual(before, state(tree)[:2])
        self.assertGreater(interrupted, 3)
        done = self.run_command("apply", KDIR=tree)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_apply_while_the_tree_moves(self):
        """The instant in which the user's tree changes, hit from all sides."""
        tree = self.tree()
        head = git(tree, "rev-parse", "HEAD").strip()
        self.assertEqual(self.run_command("apply", KDIR=tree).returncode, 0)
        applied = git(tree, "rev-parse", "HEAD^{tree}")
        whole = {git(tree, "rev-parse", f"{head}^{{tree}}"), applied}
        seen = set()
        for delay in (0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12):
            for signum in (signal.SIGINT, signal.SIGTERM):
                git(tree, "reset", "-q", "--hard", head)
                process = subprocess.Popen(
                    [sys.executable, KERNEL, "apply"],
                    env={**self.env, "KDIR": str(tree)},
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    text=True, start_new_session=True,
                )  # fmt: skip
                # The merge, or the fetch before it.
                while process.poll() is None and not processes(f"-C {tree} "):
                    pass
                time.sleep(delay)
                for _ in range(2):
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signum)
                said, errors = process.communicate(timeout=60)
                self.assertNotIn("Traceback", errors)
                now = git(tree, "rev-parse", "HEAD^{tree}")
                self.assertIn(now, whole)
                self.assertEqual(git(tree, "status", "--porcelain"), "", f"{delay}: {said} {errors}")
                self.assertFalse((tree / ".git/index.lock").exists())
                # Who has the series is also told how to take it back.
                self.assertEqual(now == applied, "to undo" in said)
                seen.add(now)
        self.assertEqual(seen, whole, "the delays do not reach both sides of the change")

    def test_boot(self):
        vmlinux = str(CACHE / "6.12/patched/.build-x86_64/vmlinux")
        status, said, errors = self.interrupt(
            "kunit",
            lambda: any("qemu-system" in line for line in processes(vmlinux)),
            {"XDG_CACHE_HOME": str(CACHE.parent)},
        )
        self.assertEqual(status, 130, said + errors)
        self.assertEqual(errors.strip(), "schedtp: stopped by SIGINT")
        self.assertEqual(processes(vmlinux), [])

    def test_build(self):
        build = CACHE / "6.12/patched/.build-x86_64"
        (build / "kernel/sched/fair.o").unlink()
        status, said, errors = self.interrupt(
            "kunit",
            lambda: any("cc1" in line and "fair" in line for line in processes("fair.c")),
            {"XDG_CACHE_HOME": str(CACHE.parent), "CCACHE_DISABLE": "1"},
        )
        self.assertEqual(status, 130, said + errors)
        self.assertEqual(processes(str(build)), [])


if __name__ == "__main__":
    sys.exit(suite.run("bad input"))
