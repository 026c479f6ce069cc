#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""The public headers compile everywhere, and lay the table out the same everywhere.

For each gcc and clang on the PATH, each standard of C and C++ that it offers from C11
and C++17 on, for 64 and 32 bit, each header is compiled freestanding, without any other
header and with all warnings, as the only thing in a file; two such files that use it
link; and in both, each slot is at the same offset in C and in C++. The mock's header is
for programs: hosted, 64 bit, from C++20 on, without GNU dialects.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
FREESTANDING = ["-ffreestanding", "-nostdinc"]
FREESTANDING_CXX = [*FREESTANDING, "-nostdinc++", "-fno-exceptions", "-fno-rtti"]
KERNEL = ["-std=gnu11", "-funsigned-char", "-fno-strict-aliasing"]

# One spelling of each standard; where a compiler knows two, the first it accepts.
STANDARDS = {
    "c": [["11"], ["17", "18"], ["23", "2x"], ["2y"]],
    "c++": [["17"], ["20", "2a"], ["23", "2b"], ["26", "2c"]],
}

# Sizes of these objects are the layout, to be read with nm.
LAYOUT = """
char layout_size[sizeof(struct sched_tp_callbacks)];
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \\
    extern char layout_##name[]; \\
    char layout_##name[__builtin_offsetof(struct sched_tp_callbacks, name)];
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
#define LAYOUT_MEMBER(tag, type, name, dim) \\
    extern char layout_##tag##_dot_##name[]; \\
    char layout_##tag##_dot_##name[__builtin_offsetof(struct sched_tp_##tag, name)];
#define LAYOUT_STRUCT(tag, fields) \\
    char layout_size_of_##tag[sizeof(struct sched_tp_##tag)]; \\
    fields(LAYOUT_MEMBER)
SCHED_TP_BULK_STRUCTS(LAYOUT_STRUCT)
"""
USE_C = """
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \\
    ret @_##name(const struct sched_tp_callbacks *cb); \\
    ret @_##name(const struct sched_tp_callbacks *cb) { return sched_tp_get(cb, name, 0); }
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    ret @_##name(const struct sched_tp_callbacks *cb, params); \\
    ret @_##name(const struct sched_tp_callbacks *cb, params) \\
    { return sched_tp_get(cb, name, args, 0); }
#include <schedtp/getters.def>
int @_valid(const struct sched_tp_pelt *pelt);
int @_valid(const struct sched_tp_pelt *pelt) { return sched_tp_valid(pelt, pelt, util_avg); }
"""
USE_VIEW = """
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \\
    ret @_##name(schedtp::table table) { return table.name().value_or(0); }
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    ret @_##name(schedtp::table table, params) { return table.name(args).value_or(0); }
#include <schedtp/getters.def>
bool @_has(schedtp::table table) { return table.has(schedtp::getter::errata); }
"""
USE_MOCK = """
unsigned int @_cpus() { return static_cast<unsigned int>(schedtp::mock::all_shapes.size()); }
void @_fire(schedtp::mock::kernel& k) { k.pelt_cfs.fire(k.cpu(0).cfs_rq()); }
"""


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, **options)


def compilers():
    """[(language, command)] of each version on the PATH, once each."""
    found = {}
    for name_c, name_cxx in (("gcc", "g++"), ("clang", "clang++")):
        for lang, name in (("c", name_c), ("c++", name_cxx)):
            if not shutil.which(name):
                sys.exit(f"header_matrix: needs gcc and clang for C and C++, and lacks {name}")
            versions = {path.name for directory in os.get_exec_path()
                        for path in pathlib.Path(directory).glob(f"{name}-*")
                        if re.fullmatch(re.escape(name) + r"-\d+", path.name)}
            for command in [name, *sorted(versions)]:
                real = pathlib.Path(shutil.which(command)).resolve()
                found.setdefault((lang, real), command)
    return [(lang, command) for (lang, _), command in found.items()]


def standards(lang, command):
    """The -std= options that a compiler accepts."""
    for spellings in STANDARDS[lang]:
        for family in (lang, lang.replace("c", "gnu", 1)):
            for spelling in spellings:
                option = f"-std={family}{spelling}"
                if run([command, option, "-x", lang, "-fsyntax-only", "-"],
                       input="").returncode == 0:
                    yield option
                    break


def combinations():
    """(language, command, header, how to use it, flags) of each to be tried."""
    for lang, command in compilers():
        offered = list(standards(lang, command))
        if len(offered) < 4:
            sys.exit(f"header_matrix: {command} offers only {offered}")
        for std in offered:
            for bits in ("-m64", "-m32"):
                if lang == "c":
                    yield lang, command, "callbacks.h", USE_C, [std, bits, *FREESTANDING]
                else:
                    flags = [std, bits, *FREESTANDING_CXX]
                    yield lang, command, "callbacks.h", USE_C, flags
                    yield lang, command, "callbacks.hpp", USE_VIEW, flags
            if lang == "c++" and std[:8] == "-std=c++" and not std.endswith("17"):
                yield lang, command, "mock/mock.hpp", USE_MOCK, [std, "-m64"]
        if lang == "c":
            for bits in ("-m64", "-m32"):
                yield lang, command, "callbacks.h", USE_C, [*KERNEL, bits, *FREESTANDING]


def attempt(lang, command, header, use, flags):
    """Compile and link one combination: (fault or None, layout)."""
    include = f"#include <schedtp/{header}>\n"
    with tempfile.TemporaryDirectory() as tmp:
        one, two, both = (pathlib.Path(tmp) / name for name in ("one.o", "two.o", "both.o"))
        for obj, text in ((one, include + LAYOUT + use.replace("@", "one")),
                          (two, include + include + use.replace("@", "two"))):
            done = run([command, "-x", lang, *flags, *WARNINGS, "-I", INCLUDE, "-c", "-", "-o", obj],
                       input=text)
            if done.returncode != 0:
                return done.stderr, None
        bits = [flag for flag in flags if flag in ("-m64", "-m32")]
        done = run([command, *bits, "-nostdlib", "-r", one, two, "-o", both])
        if done.returncode != 0:
            return done.stderr, None
        symbols = run(["nm", "-S", "--defined-only", both]).stdout
        return None, tuple(sorted((name, int(size, 16)) for size, name in re.findall(
            r"^\w+ (\w+) \w (layout_\w+)$", symbols, re.M)))


def main():
    tried = list(combinations())
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda combination: attempt(*combination), tried))

    failed, layouts = False, {"-m64": {}, "-m32": {}}
    for (lang, command, header, _, flags), (fault, layout) in zip(tried, results):
        title = f"{command}, {lang}, {header}, {' '.join(flags)}"
        if fault:
            failed = True
            print(f"header_matrix: {title}:\n{fault}", file=sys.stderr)
        else:
            bits = "-m32" if "-m32" in flags else "-m64"
            layouts[bits].setdefault(layout, title)
    for bits, seen in layouts.items():
        if len(seen) > 1 or () in seen:
            failed = True
            print(f"header_matrix: layouts differ with {bits}:", file=sys.stderr)
            for layout, title in seen.items():
                print(f"  {title}: {dict(layout)}", file=sys.stderr)
    commands = sorted({command for _, command, *_ in tried})
    print(f"header_matrix: {len(tried)} combinations, {', '.join(commands)}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
