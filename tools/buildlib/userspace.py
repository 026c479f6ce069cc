# SPDX-License-Identifier: GPL-2.0
"""Building what runs in userspace."""

import hashlib
import os
import pathlib
import shutil

from .common import CACHE, REPO

# Every checkout of this repository has builds of its own.
ALL_BUILDS = CACHE / "userspace"
BUILDS = ALL_BUILDS / hashlib.sha256(str(REPO).encode()).hexdigest()[:12]
SOURCE = "source-directory"


def forget_removed_checkouts():
    """Builds of a checkout that is gone are of no use to anybody."""
    for record in ALL_BUILDS.glob(f"*/{SOURCE}"):
        if not pathlib.Path(record.read_text()).exists():
            shutil.rmtree(record.parent, ignore_errors=True)


def build(preset, log, target="all"):
    """Configure, once, and build a preset of CMakePresets.json in the cache."""
    directory = BUILDS / preset
    env = {
        **os.environ,
        "CMAKE_BUILD_PARALLEL_LEVEL": str(min(2, os.cpu_count() or 1)),
        "CCACHE_DIR": str(CACHE / "ccache"),
    }
    for name in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
        env.pop(name, None)
    if not (directory / "build.ninja").exists():
        forget_removed_checkouts()
        BUILDS.mkdir(parents=True, exist_ok=True)
        (BUILDS / SOURCE).write_text(str(REPO))
        command = ["cmake", "--preset", preset, "-S", REPO, "-B", directory]
        if shutil.which("ccache"):
            command += [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
        log.run(f"configure, {preset}", command, cwd=REPO, env=env)
    log.run(f"build, {preset}", ["cmake", "--build", directory, "--target", target], env=env)
    return directory
