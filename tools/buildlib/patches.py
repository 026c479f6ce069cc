# SPDX-License-Identifier: GPL-2.0
"""The series as patches: exported, proven, and applied to a user's tree."""

import itertools
import os
import re
import shlex
import shutil
import time
from pathlib import Path

from . import disabled, kernel, matrix, series
from .common import Stop, output, say, uninterrupted
from .trees import GIT, check_out, check_user_tree, git, is_git_top, release

# What checkpatch says of macros that the one list is made of, and why it stays.
CHECKPATCH_IGNORED = {
    # The kernel's own X-macro lists (lsm_hook_defs.h, features.h) have these too:
    # a macro that makes declarations can have no parentheses and no do-while.
    "COMPLEX_MACRO",
    "MULTISTATEMENT_MACRO_USE_DO_WHILE",
    # Every use of a list leaves out the columns it has no need of.
    "MACRO_ARG_UNUSED",
    # Arguments are names of tracepoints, getters and fields: nothing to evaluate twice.
    "MACRO_ARG_REUSE",
    # A name that is declared, or pasted, takes no parentheses.
    "MACRO_ARG_PRECEDENCE",
    # An alias of another symbol is declared extern.
    "AVOID_EXTERNS",
    # The first patch puts all of the series into MAINTAINERS.
    "FILE_PATH_CHANGES",
    # In a declaration made by a macro the semicolon belongs to the macro.
    "TRAILING_SEMICOLON",
}

# Options of the scheduler's objects that a patch must build with: x86_64, SMP or not,
# the table or not.
PATCH_BUILDS = [
    {"SMP": smp, "SCHED_TP_CALLBACKS": table}
    for smp, table in itertools.product("yn", "yn")
]


# Objects of the scheduler that fire the tracepoints.
FIRING = ("core.o", "fair.o", "build_policy.o")

# What the series may add to the instructions that a disabled tracepoint's surroundings
# execute. The compiler, given another argument to pass behind the static key, may
# allot registers anew, and some function then has a move more or less.
DISABLED_COST = 8


def build_name(options):
    table = {"y": "table", "n": "no_table", None: "pristine"}
    return f"{'smp' if options['SMP'] == 'y' else 'up'}-{table[options.get('SCHED_TP_CALLBACKS')]}"


def export(found, tip, directory):
    """Write the patches, with a cover letter and the base commit; returns their paths."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    cover = series.load("patches.toml")["cover"]
    name, email = series.identity().removesuffix(">").rsplit(" <", 1)
    output(
        *GIT, "-c", f"user.name={name}", "-c", f"user.email={email}", "-C", found.pristine,
        "format-patch", "-q", "--cover-letter", "--no-signature", "--no-attach",
        "--src-prefix=a/", "--dst-prefix=b/", f"--base={found.base}", "-o", directory,
        f"{found.base}..{tip}",
    )  # fmt: skip
    patches = sorted(directory.glob("*.patch"))
    text = patches[0].read_text()
    patches[0].write_text(text.replace("*** SUBJECT HERE ***", cover["subject"]))
    return patches


def write_cover(patch, figures):
    """The body of the cover letter, with what was measured of this very series."""
    body = (series.SERIES / series.load("patches.toml")["cover"]["body"]).read_text().strip()
    patch.write_text(patch.read_text().replace("*** BLURB HERE ***", body.format(**figures)))


def check_style(found, patches):
    """checkpatch --strict over each patch: no error, no warning, no check."""
    command = [
        "perl", found.pristine / "scripts/checkpatch.pl", "--strict", "--no-tree", "--quiet",
        "--no-summary", "--show-types", f"--root={found.pristine}",
        "--ignore", ",".join(sorted(CHECKPATCH_IGNORED)),
    ]  # fmt: skip
    for patch in patches[1:]:
        # checkpatch leaves a cache of names in the directory that it runs in.
        done = output(*command, patch, cwd=found.directory, check=False)
        if done.returncode or done.stdout.strip():
            print(done.stdout)
            raise Stop(f"checkpatch --strict is not content with {patch.name}")
    say(
        f"  checkpatch --strict: {len(patches) - 1} patches clean, leaving out "
        f"{len(CHECKPATCH_IGNORED)} types: {', '.join(sorted(CHECKPATCH_IGNORED))}"
    )


def prove_git_am(found, tip, patches):
    """git am of the exported files, on the pristine tree, makes the very same tree."""
    with series.worktree(found, "am-proof", found.base) as tree:
        git(tree, "am", "-q", "--no-gpg-sign", *patches[1:])
        applied, made = (
            git(found.pristine, "rev-parse", f"{commit}^{{tree}}").strip()
            for commit in (git(tree, "rev-parse", "HEAD").strip(), tip)
        )
    if applied != made:
        raise Stop("git am of the exported patches makes another tree than the series has")
    say(f"  git am on Linux {release(found.pristine)}: clean")


def scheduler_objects(tree):
    """Objects that see the tracepoints: those of the scheduler and all that include them."""
    listed = git(tree, "grep", "-lE", r'trace/events/sched\.h|sched/sched\.h"', "--", "*.c")
    return [
        file.removesuffix(".c") + ".o"
        for file in listed.split()
        if file.startswith(("fs/", "init/", "kernel/", "lib/", "mm/", "block/"))
        and not file.startswith("kernel/sched/")
    ]


def build_objects(found, tree, options, what):
    """The scheduler's objects, and those that see its tracepoints; returns the directory."""
    build = tree / f".build-{build_name(options)}"
    # Jump labels, as kernels that people run have them.
    overrides = {**options, "JUMP_LABEL": "y"}
    if options["SMP"] == "n":
        overrides |= kernel.UP
    if options.get("SCHED_TP_CALLBACKS") == "y" and (tree / "kernel/sched/tp/tests").exists():
        overrides["SCHED_TP_CALLBACKS_KUNIT_TEST"] = "y"
    kernel.configure(found, tree, build, kernel.X86_64.fragments, overrides)
    found.log.run(
        f"{what}, {build_name(options)}",
        [*kernel.make_args(tree, build), "kernel/sched/", *objects_of(tree, build)],
        env=kernel.environment(),
        progress=lambda: f"{kernel.objects(build)} objects",
        no_warnings=True,
    )
    for name in FIRING:
        if not (build / "kernel/sched" / name).exists():
            raise Stop(f"{what} built no kernel/sched/{name}")
    return build


def build_each_patch(found, tip):
    """Every commit, in every option that the patches have code for."""
    tree = found.directory / "each"
    commits = git(found.pristine, "rev-list", "--reverse", f"{found.base}..{tip}").split()
    check_out(found, tree, found.base)
    build_objects(found, tree, {"SMP": "y"}, "without the series")
    rows = []
    for number, commit in enumerate(commits, 1):
        check_out(found, tree, commit)
        subject = git(tree, "log", "-1", "--format=%s").strip()
        for options in PATCH_BUILDS:
            started = time.monotonic()
            build_objects(found, tree, options, f"patch {number}/{len(commits)}")
            rows.append((number, subject, build_name(options), time.monotonic() - started))
    return rows


def text_size(*objects):
    """Bytes of code and constants."""
    lines = output("size", *objects).splitlines()[1:]
    return sum(int(line.split()[0]) for line in lines)


def measure(found):
    """
    What the series costs, for the cover letter. The tracepoints, when no probe is
    attached, execute what they did before, or this stops.
    """
    before, after = (
        found.directory / "each" / f".build-{build_name(options)}/kernel/sched"
        for options in ({"SMP": "y"}, PATCH_BUILDS[0])
    )
    compared, changed, more = 0, 0, 0.0
    for name in FIRING:
        functions, different = disabled.compare(before / name, after / name)
        compared += functions
        changed += len(different)
        for function, (old, new) in sorted(different.items()):
            say(f"  {function}(): {old} instructions in a walk before the series, {new} with it")
            more += new - old
    say(
        f"  disabled tracepoints: {compared} functions of the scheduler compared, "
        f"{more:+.1f} instructions in all"
    )
    if not compared or more > DISABLED_COST:
        raise Stop(
            f"the series adds {more:.1f} instructions to what the scheduler executes with no probe "
            f"attached, and {DISABLED_COST} are allowed"
        )
    growth = text_size(*(after / name for name in FIRING)) - text_size(*(before / name for name in FIRING))
    table = text_size(after / "tp/table.o", after / "tp/accessor.o")
    say(f"  text: {growth:+d} bytes of the scheduler's objects, {table} of the table with its getters")
    return {
        "functions": compared,
        "changed": changed,
        "more": f"{more:+.1f}",
        "growth": growth,
        "table": table,
        "slots": len(matrix.present_slots(after / "tp/table.o")),
    }


def makefile_of(tree, target):
    """The Makefile that lists an object, and the object's name there."""
    directory, name = os.path.split(target)
    while not (tree / directory / "Makefile").is_file():
        directory, parent = os.path.split(directory)
        name = f"{parent}/{name}"
    return (tree / directory / "Makefile").read_text().replace("\\\n", " "), name


def conditions(makefile, name):
    """The options of which one builds an object, "y" being always; of a composite, its own."""
    item = rf"[^#\n]*(?<![\w/-]){re.escape(name)}"
    listed = re.findall(rf"^obj-(?:(y)|\$\(CONFIG_(\w+)\))\s*[+:]?={item}", makefile, re.M)
    found = {always or option for always, option in listed}
    for whole in re.findall(rf"^(\w+)-(?:y|objs)\s*[+:]?={item}", makefile, re.M):
        if whole != "obj":
            found |= conditions(makefile, f"{whole}.o")
    return found


def is_included(tree, target):
    """Whether what would be an object's source is a part of another file, as some tests are."""
    source = Path(target).with_suffix(".c")
    pattern = rf'^#include "([^"]*/)?{re.escape(source.name)}"'
    done = output(*GIT, "-C", tree, "grep", "-qE", pattern, "--", source.parts[0], check=False)
    return done.returncode == 0


def objects_of(tree, build):
    """Of scheduler_objects(), those that a configuration compiles."""
    config = set(re.findall(r"^CONFIG_(\w+)=[ym]", (build / ".config").read_text(), re.M))
    chosen = []
    for target in scheduler_objects(tree):
        needs = conditions(*makefile_of(tree, target))
        if not needs and is_included(tree, target):
            continue
        if not needs:
            raise Stop(f"cannot tell from its Makefile whether {target} is built")
        if needs & (config | {"y"}):
            chosen.append(target)
    return chosen


def print_table(found, patches, rows):
    say(f"\nThe series for Linux {release(found.pristine)}, in {patches[0].parent}:")
    say(f"  {'patch':<5}  {'built with':<14}  {'seconds':>7}  subject")
    for number, subject, name, took in rows:
        say(f"  {number:<5}  {name:<14}  {took:>7.1f}  {subject}")
    # Each patch in checkpatch, each build of each, git am, and the disabled cost.
    say(f"series: {len(patches) - 1 + len(rows) + 2} passed, 0 failed")


def make(found):
    """Export the series, and prove that it is clean, applies and builds."""
    if not series.identity():
        raise Stop(
            "patches carry the sign-off of whoever makes them, and git does not know you: "
            "git config --global user.name '...' and user.email '...'"
        )
    say(f"schedtp: the series for Linux {release(found.pristine)}")
    tip = series.commit(found, sign=True)
    patches = export(found, tip, found.directory / "series")
    check_style(found, patches)
    prove_git_am(found, tip, patches)
    rows = build_each_patch(found, tip)
    write_cover(patches[0], measure(found))
    print_table(found, patches, rows)


def apply(found, kdir):
    """Put the series on a user's tree: all of it or nothing."""
    say(f"schedtp: applying the series to {kdir} (Linux {release(kdir)})")
    # Another command may have been at it since, while this one waited.
    check_user_tree(kdir)
    if is_git_top(kdir):
        if not series.identity():
            raise Stop(
                "commits carry the name of whoever makes them, and git does not know you: "
                "git config --global user.name '...' and user.email '...'"
            )
        before = git(kdir, "rev-parse", "HEAD").strip()
        if before != found.base:
            raise Stop(f"KDIR={kdir} moved on while the series was made: repeat")
        tip = series.commit(found, sign=True)
        # The commits are made already: the tree only has to move on to them. What writes
        # to it, objects or the index, is not stopped half-way.
        with uninterrupted():
            git(
                kdir, "fetch", "-q", "--no-tags", "--no-write-fetch-head", found.pristine,
                "refs/heads/schedtp-series",
            )  # fmt: skip
            git(kdir, "merge", "-q", "--ff-only", tip)
            undo = shlex.join(["git", "-C", str(kdir), "reset", "--hard", before[:12]])
            count = len(series.load("patches.toml")["patch"])
            say(f"  {count} commits applied; to undo: {undo}")
    else:
        tip = series.commit(found, sign=False)
        combined = found.directory / "series.diff"
        combined.write_text(git(found.pristine, "diff", "--binary", found.base, tip))
        # A repository around a plain tree is not the tree's: git must not take it for it.
        ceiling = f"GIT_CEILING_DIRECTORIES={kdir.parent}"
        with uninterrupted():
            # All files or none.
            output("env", ceiling, *GIT, "apply", combined, cwd=kdir)
            undo = shlex.join(["env", ceiling, "git", "apply", "-R", str(combined)])
            say(f"  applied; the tree has no git of its own, so to undo: (cd {shlex.quote(str(kdir))} && {undo})")
    say("  next: set CONFIG_SCHED_TP_CALLBACKS=y in its .config, build it, load probes")
