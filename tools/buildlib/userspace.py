# SPDX-License-Identifier: GPL-2.0
"""Building what runs in userspace."""

import os

from .common import CACHE, REPO

BUILDS = CACHE / "userspace"


def build(preset, log, target="all"):
    """Configure, once, and build a preset of CMakePresets.json in the cache."""
    directory = BUILDS / preset
    env = {**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": str(min(2, os.cpu_count() or 1))}
    for name in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS"):
        env.pop(name, None)
    if not (directory / "build.ninja").exists():
        command = ["cmake", "--preset", preset, "-S", REPO, "-B", directory]
        log.run(f"configure, {preset}", command, cwd=REPO, env=env)
    log.run(f"build, {preset}", ["cmake", "--build", directory, "--target", target], env=env)
    return directory
