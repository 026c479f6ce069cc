# SPDX-License-Identifier: GPL-2.0
"""Configuring and building a cached kernel tree."""

import os
import re
import shutil

from . import arch
from .common import CACHE, REPO, Stop, need_space
from .trees import git

CONFIGS = REPO / "tools/kernel/config"
JOBS = min(2, os.cpu_count() or 1)
X86_64 = arch.ARCHITECTURES["x86_64"]


def environment():
    """ccache in the project's cache, and nothing in an object that tells two builds apart."""
    env = {
        **os.environ,
        "CCACHE_DIR": str(CACHE / "ccache"),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_MAXSIZE": "5G",
        "KBUILD_BUILD_TIMESTAMP": "@0",
        "KBUILD_BUILD_USER": "schedtp",
        "KBUILD_BUILD_HOST": "schedtp",
        "LC_ALL": "C",
    }
    # Kbuild would take these for its own.
    for name in ("KVER", "KDIR", "ARCH", "CONFIG", "O", "M", "V", "C", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        env.pop(name, None)
    return env


def make_args(tree, build, architecture=X86_64):
    # LOCALVERSION, even empty, keeps git's state out of the release string.
    args = ["make", "-s", f"-j{JOBS}", "-C", tree, f"O={build}", "LOCALVERSION="]
    args += architecture.make
    if shutil.which("ccache"):
        args += [f"CC=ccache {architecture.compiler}", "HOSTCC=ccache gcc"]
    return args


def objects(build):
    return sum(name.endswith(".o") for _, _, names in os.walk(build) for name in names)


# Ends the line of an option that only some of the trees have. One of a misspelt name
# would be left out everywhere: the tests look such options up in all releases.
SOME_TREES = " # not in every tree"


def wanted(fragments):
    """{option: value} that fragments ask for; one asked for twice, differently, stops."""
    return {name: value for name, (value, _) in wishes(fragments).items()}


def wishes(fragments):
    """{option: (value, whether only some trees have it)}."""
    options = {}
    for name in fragments:
        path = CONFIGS / name
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            some = line.endswith(SOME_TREES)
            found = re.fullmatch(r"CONFIG_(\w+)=([^\s#]+)", line.removesuffix(SOME_TREES))
            if not found:
                raise Stop(
                    f"{path}:{number}: '{line}' is not CONFIG_NAME=value, with or without"
                    f"'{SOME_TREES}' behind it"
                )
            option, value = found.groups()
            if options.setdefault(option, (value, some))[0] != value:
                raise Stop(f"{path}:{number}: CONFIG_{option} is asked for twice, as different values")
    return options


def known_options(tree):
    """Every option that a tree has, of any architecture."""
    lines = git(tree, "grep", "-hE", r"^\s*(menu)?config ", "--", "*Kconfig*")
    return set(re.findall(r"config\s+(\w+)", lines))


def configure(found, tree, build, fragments, overrides=None, architecture=X86_64):
    """
    A .config of what the fragments ask for and nothing else. An option that Kconfig
    does not grant, or does not know, stops; but for those said to be in some trees only.
    """
    wished = wishes(fragments)
    options = {**wanted(fragments), **(overrides or {})}
    fragment = "".join(f"CONFIG_{name}={value}\n" for name, value in sorted(options.items()))
    stamp = build / ".schedtp-config"
    if stamp.exists() and stamp.read_text() == fragment and (build / ".config").exists():
        return
    build.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    asked = build / ".schedtp-asked"
    asked.write_text(fragment)
    env = {**environment(), "KCONFIG_ALLCONFIG": str(asked)}
    found.log.run(f"configure {build.name}", [*make_args(tree, build, architecture), "allnoconfig"], env=env)
    granted = dict(
        re.findall(r"^CONFIG_(\w+)=(.*)$", (build / ".config").read_text(), re.M)
    )
    lost = [name for name, value in options.items() if granted.get(name, "n") != value]
    if lost:
        known = known_options(tree)
        lost = [name for name in lost if name in known or not wished.get(name, ("", False))[1]]
    if lost:
        misspelt = [name for name in lost if name not in known]
        why = f"CONFIG_{misspelt[0]} is no option of this kernel" if misspelt else (
            "an option it depends on is missing")
        asked_for = ", ".join(f"CONFIG_{name}={options[name]}" for name in lost)
        raise Stop(f"{build.name}: Kconfig did not grant {asked_for}: {why}")
    stamp.write_text(fragment)


def build(found, tree, build_dir, architecture=X86_64, what="build the kernel"):
    if not (build_dir / "vmlinux").exists():
        need_space(build_dir, 4, "a kernel build")
    found.log.run(
        f"{what} in {build_dir.parent.name}",
        [*make_args(tree, build_dir, architecture), *architecture.targets],
        env=environment(),
        progress=lambda: f"{objects(build_dir)} objects",
        no_warnings=True,
    )


# What a kernel for one CPU has not, of what the fragments ask for.
UP = {
    "SMP": "n",
    "CPUSETS": "n",
    "NR_CPUS": "1",
    "CPU_FREQ_GOV_SCHEDUTIL": "n",
    "UCLAMP_TASK": "n",
    "UCLAMP_TASK_GROUP": "n",
    "ENERGY_MODEL": "n",
    "SCHED_CORE": "n",
}


def patched(found, tree, architecture):
    """
    The one kernel of an architecture that KUnit and, on x86_64, the selftests run on.
    Returns its build directory.
    """
    build_dir = tree / f".build-{architecture.name}"
    fragments = [*architecture.fragments, "schedtp.config"]
    configure(found, tree, build_dir, fragments, architecture=architecture)
    build(found, tree, build_dir, architecture)
    return build_dir


def pristine_x86_64(found):
    """The same kernel without the series, which refuses the modules."""
    build_dir = found.pristine / ".build-x86_64"
    configure(found, found.pristine, build_dir, X86_64.fragments)
    build(found, found.pristine, build_dir)
    return build_dir


def module_tests_x86_64(found, tree, build_dir):
    """
    The kernel of patched() with its KUnit suites as a module. It begins as a copy, of
    which Kbuild then compiles what the one option makes different.
    """
    copy = tree / ".build-x86_64-module-tests"
    begin = not (copy / ".schedtp-config").exists()
    if begin:
        shutil.rmtree(copy, ignore_errors=True)
        found.log.run("copy the kernel build", ["cp", "-a", "--reflink=auto", build_dir, copy])
    fragments = [*X86_64.fragments, "schedtp.config"]
    configure(found, tree, copy, fragments, {"SCHED_TP_CALLBACKS_KUNIT_TEST": "m"})
    if begin:
        args = [*make_args(tree, copy), "prepare"]
        found.log.run("prepare the copy", args, env=environment())
        # The commands that objtool is built with name the directory, so it was built
        # anew; but it is the same, and no reason to do all objects again.
        for path in (copy / "tools").rglob("*"):
            same = build_dir / path.relative_to(copy)
            if same.exists():
                os.utime(path, ns=(same.stat().st_atime_ns, same.stat().st_mtime_ns))
    build(found, tree, copy, what="build the kernel with the tests as a module")
    return copy
