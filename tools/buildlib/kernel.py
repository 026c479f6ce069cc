# SPDX-License-Identifier: GPL-2.0
"""Configuring and building a cached kernel tree."""

import os
import re
import shutil

from .common import CACHE, REPO, Stop, need_space, output

CONFIGS = REPO / "tools/kernel/config"
JOBS = min(2, os.cpu_count() or 1)


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
    for name in ("KVER", "KDIR", "ARCH", "O", "M", "V", "C", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        env.pop(name, None)
    return env


def make_args(tree, build):
    # LOCALVERSION, even empty, keeps git's state out of the release string.
    args = ["make", "-s", f"-j{JOBS}", "-C", tree, f"O={build}", "LOCALVERSION="]
    if shutil.which("ccache"):
        args += ["CC=ccache gcc", "HOSTCC=ccache gcc"]
    return args


def objects(build):
    return sum(name.endswith(".o") for _, _, names in os.walk(build) for name in names)


def wanted(fragments):
    """{option: value} that fragments ask for; one asked for twice, differently, stops."""
    options = {}
    for name in fragments:
        path = CONFIGS / name
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            found = re.fullmatch(r"CONFIG_(\w+)=(\S.*)", line)
            if not found:
                raise Stop(f"{path}:{number}: '{line}' is not CONFIG_NAME=value")
            option, value = found.groups()
            if options.setdefault(option, value) != value:
                raise Stop(f"{path}:{number}: CONFIG_{option} is asked for twice, as different values")
    return options


def configure(found, tree, build, fragments, overrides=None):
    """
    A .config of what the fragments ask for and nothing else. An option that Kconfig
    does not grant, or does not know, stops.
    """
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
    found.log.run(f"configure {build.name}", [*make_args(tree, build), "allnoconfig"], env=env)
    granted = dict(
        re.findall(r"^CONFIG_(\w+)=(.*)$", (build / ".config").read_text(), re.M)
    )
    lost = [
        f"CONFIG_{name}={value}"
        for name, value in options.items()
        if granted.get(name, "n") != value
    ]
    if lost:
        known = output("git", "-C", tree, "grep", "-hE", r"^\s*(menu)?config ", "--", "*Kconfig*")
        names = set(re.findall(r"config\s+(\w+)", known))
        misspelt = [name for name in lost if name[7:].split("=")[0] not in names]
        why = f"{misspelt[0]} is no option of this kernel" if misspelt else (
            "an option it depends on is missing")
        raise Stop(f"{build.name}: Kconfig did not grant {', '.join(lost)}: {why}")
    stamp.write_text(fragment)


def build(found, tree, build_dir, targets=("vmlinux", "modules"), what="build the kernel"):
    if not (build_dir / "vmlinux").exists():
        need_space(build_dir, 4, "a kernel build")
    found.log.run(
        f"{what} in {build_dir.parent.name}",
        [*make_args(tree, build_dir), *targets],
        env=environment(),
        progress=lambda: f"{objects(build_dir)} objects",
        no_warnings=True,
    )


# What a kernel for one CPU has not, of what the fragments ask for.
UP = {"SMP": "n", "CPUSETS": "n", "NR_CPUS": "1"}


def patched_x86_64(found, tree):
    """The one kernel that KUnit and the selftests run on. Returns its build directory."""
    build_dir = tree / ".build-x86_64"
    configure(found, tree, build_dir, ["base.config", "x86_64.config", "schedtp.config"])
    build(found, tree, build_dir)
    return build_dir


def pristine_x86_64(found):
    """The same kernel without the series, which refuses the modules."""
    build_dir = found.pristine / ".build-x86_64"
    configure(found, found.pristine, build_dir, ["base.config", "x86_64.config"])
    build(found, found.pristine, build_dir)
    return build_dir
