#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Hold the layout of the table to what was published.

abi/vMAJOR.golden has the version in its first line, then a line for each slot:

    SLOT OFFSET64 OFFSET32 SINCE RETURNS NAME(PARAMETERS)

abi/vMAJOR.bulk.golden has the members of the structs that a getter fills:

    STRUCT BIT OFFSET TYPE NAME

Without arguments: compare both with the headers. Within a major version only an append,
which of a getter raised the minor version, is no fault; and it is one until --update has written it
down here. --update writes nothing else.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CC = os.environ.get("CC", "gcc")

LIST_C = """
#include <schedtp/callbacks.h>
@version SCHED_TP_VERSION_MAJOR SCHED_TP_VERSION_MINOR
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) @getter since | ret | name | void |
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    @getter since | ret | name | params | args
#include <schedtp/getters.def>
"""
# An object whose size is the slot's offset, which nm shows for any target.
OFFSETS_C = """
#include <schedtp/callbacks.h>
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \\
    char offset_of_##name[__builtin_offsetof(struct sched_tp_callbacks, name)];
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
"""
# The structs of bulk.h, and the same of their members.
MEMBERS_C = """
#include <schedtp/bulk.h>
#define MEMBER(tag, type, name, dim) @member tag | name | type name dim
#define STRUCT(tag, fields) fields(MEMBER)
SCHED_TP_BULK_STRUCTS(STRUCT)
"""
MEMBER_OFFSETS_C = """
#include <schedtp/bulk.h>
#define MEMBER(tag, type, name, dim) \\
    char offset_of_##tag##_dot_##name[__builtin_offsetof(struct sched_tp_##tag, name)];
#define STRUCT(tag, fields) fields(MEMBER)
SCHED_TP_BULK_STRUCTS(STRUCT)
"""


class Fault(Exception):
    """What is wrong and what to do, for whoever changed the list."""


class Getter(NamedTuple):
    """A line of the list."""

    since: int
    name: str
    signature: str


class Layout(NamedTuple):
    """Version, getters in their order, and a line of text for each."""

    major: int
    minor: int
    getters: list
    lines: list

    def text(self):
        return "\n".join([f"version {self.major}.{self.minor}", *self.lines]) + "\n"


def compile_c(include, source, *flags):
    done = subprocess.run([CC, "-x", "c", "-std=gnu11", "-ffreestanding", "-nostdinc",
                           "-I", str(include), *flags, "-"],
                          input=source, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Fault(f"the headers do not compile:\n{done.stderr}")
    return done.stdout


def parameter_types(params, args):
    """Parameters without their names, which are nobody's business."""
    types = [" ".join(param.split()) for param in params.split(",")]
    for at, name in enumerate(filter(None, (arg.strip() for arg in args.split(",")))):
        types[at] = re.sub(rf"\b{name}$", "", types[at]).strip()
    return ", ".join(types)


def version_and_getters(include):
    """What the list says; no layout, so that a broken one can be told apart too."""
    text = compile_c(include, LIST_C, "-E", "-P")
    major, minor = map(int, re.search(r"@version (\d+)u? (\d+)u?", text).groups())
    getters = []
    # The preprocessor breaks lines as it likes.
    for entry in text.split("@getter")[1:]:
        since, ret, name, params, args = (field.strip() for field in entry.split("|"))
        ret = " ".join(ret.split())
        getters.append(Getter(int(since), name, f"{ret} {name}({parameter_types(params, args)})"))
    return major, minor, getters


def offsets(include, source, bits):
    """{name: offset} for one word size."""
    with tempfile.TemporaryDirectory() as tmp:
        obj = pathlib.Path(tmp) / "offsets.o"
        compile_c(include, source, bits, "-c", "-o", str(obj))
        text = subprocess.run(["nm", "-S", str(obj)], capture_output=True, text=True,
                              check=True).stdout
    return {name: int(size, 16)
            for size, name in re.findall(r"^\w+ (\w+) \w offset_of_(\w+)$", text, re.M)}


def check_header(include, minor, getters):
    """What does not change with the list: the two words in front, and published sizes."""
    facts = {
        "__builtin_offsetof(struct sched_tp_callbacks, size) == 0":
            "size is not the first member any more",
        "__builtin_offsetof(struct sched_tp_callbacks, version) == 4":
            "version is not the second member any more",
        "SCHED_TP_VERSION == ((SCHED_TP_VERSION_MAJOR << 16) | SCHED_TP_VERSION_MINOR)":
            "SCHED_TP_VERSION has not the major version in the upper 16 bits any more",
    }
    for version in range(minor + 1):
        slots = sum(getter.since <= version for getter in getters)
        facts[f"SCHED_TP_SIZE_VER{version} == 8 + {slots} * sizeof(void (*)(void))"] = (
            f"SCHED_TP_SIZE_VER{version} is not the size that minor version {version} had, "
            f"{slots} slots")
    for fact, wrong in facts.items():
        try:
            compile_c(include, f'#include <schedtp/callbacks.h>\n_Static_assert({fact}, "");\n',
                      "-fsyntax-only")
        except Fault:
            # If the headers themselves do not compile, that is the fault.
            compile_c(include, "#include <schedtp/callbacks.h>\n", "-fsyntax-only")
            raise Fault(wrong) from None


def current(include):
    major, minor, getters = version_and_getters(include)
    at64, at32 = offsets(include, OFFSETS_C, "-m64"), offsets(include, OFFSETS_C, "-m32")
    lines = [f"{slot} {at64[g.name]} {at32[g.name]} {g.since} {g.signature}"
             for slot, g in enumerate(getters)]
    return Layout(major, minor, getters, lines)


def members(include):
    """A line for each member of a struct that a getter fills."""
    at64, at32 = (offsets(include, MEMBER_OFFSETS_C, bits) for bits in ("-m64", "-m32"))
    lines, bits = [], {}
    for entry in compile_c(include, MEMBERS_C, "-E", "-P").split("@member")[1:]:
        tag, name, declaration = (" ".join(field.split()) for field in entry.split("|"))
        key = f"{tag}_dot_{name}"
        if at64[key] != at32[key]:
            raise Fault(f"sched_tp_{tag}.{name} is at {at64[key]} of a 64-bit struct and at "
                        f"{at32[key]} of a 32-bit one")
        bits[tag] = bits.get(tag, -1) + 1
        lines.append(f"{tag} {bits[tag]} {at64[key]} {declaration}")
    return lines


def check_members(path, lines, update):
    """Every published member is where it was, and as it was; new ones follow."""
    old = path.read_text().splitlines() if path.exists() else []
    if old == lines:
        return
    for tag in dict.fromkeys(line.split(" ")[0] for line in old):
        was, now = ([line for line in some if line.startswith(f"{tag} ")] for some in (old, lines))
        for at, line in enumerate(was):
            if now[at:at + 1] != [line]:
                raise Fault(f"sched_tp_{tag} had '{line}' and has "
                            f"'{now[at] if at < len(now) else 'nothing'}' there now: put it back as "
                            f"it was; a struct only grows, at its end")
    if not update:
        new = next((line for line in lines if line not in old), lines[0])
        raise Fault(f"'{new}' is not in {path.name}: run golden.py --update")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def published(path):
    first, *lines = path.read_text().splitlines()
    major, minor = map(int, re.fullmatch(r"version (\d+)\.(\d+)", first).groups())
    getters = []
    for line in lines:
        _, _, _, since, signature = line.split(" ", 4)
        getters.append(Getter(int(since), re.search(r"(\w+)\(", signature)[1], signature))
    return Layout(major, minor, getters, lines)


def check_kept(old, getters):
    """Every published getter is where it was, and as it was."""
    now = {getter.name: (slot, getter) for slot, getter in enumerate(getters)}
    undo = ("put it back as it was; a getter with another meaning or signature is a new one, "
            "at the end of the list, and only another major version may do otherwise")
    # A getter that is gone shifts the others: name it, and not them.
    for getter in old.getters:
        if getter.name not in now:
            raise Fault(f"{getter.name} was removed or renamed: {undo}")
    for getter in old.getters:
        if now[getter.name][1].signature != getter.signature:
            raise Fault(f"{getter.name} changed its signature, from '{getter.signature}' to "
                        f"'{now[getter.name][1].signature}': {undo}")
    for slot, getter in enumerate(getters[:len(old.getters)]):
        if getter.name != old.getters[slot].name:
            what = ("moved" if getter in old.getters else
                    f"is new and stands before {old.getters[slot].name}")
            raise Fault(f"{getter.name} {what}: the order of the list is the layout; the "
                        f"published order stays, and a new getter goes to the end")
        if getter.since != old.getters[slot].since:
            raise Fault(f"{getter.name} came with minor version {old.getters[slot].since}, and "
                        f"the list now says {getter.since}: {undo}")


def check_appended(old, minor, getters):
    """New getters at the end came with a new minor version, and that with them."""
    new = getters[len(old.getters):]
    if minor < old.minor:
        raise Fault(f"SCHED_TP_VERSION_MINOR went back from {old.minor} to {minor}: "
                    f"a version that was published stays")
    if new and minor == old.minor:
        raise Fault(f"{new[0].name} was appended: raise SCHED_TP_VERSION_MINOR to {minor + 1}, "
                    f"which is also its 'since', then run golden.py --update")
    if minor > old.minor and not new:
        raise Fault(f"SCHED_TP_VERSION_MINOR was raised to {minor} and no getter came with it: "
                    f"set it back to {old.minor}")
    for getter in new:
        if not old.minor < getter.since <= minor:
            raise Fault(f"{getter.name} was appended in minor version {minor}, and the list "
                        f"says {getter.since}: correct its 'since'")


def check(include, directory, update):
    """Raise Fault, or return the layout; write it down first if it may be."""
    major, minor, getters = version_and_getters(include)
    path = directory / f"v{major}.golden"
    old = published(path) if path.exists() else None
    if old:
        check_kept(old, getters)
        check_appended(old, minor, getters)
    header = (include / "schedtp/callbacks.h").read_text()
    if not re.search(rf"#define\s+SCHED_TP_SIZE_VER{minor}\b", header):
        raise Fault(f"callbacks.h lacks SCHED_TP_SIZE_VER{minor}, the size that minor version "
                    f"{minor} published: define and assert it as those before, with "
                    f"{getters[-1].name}")
    check_header(include, minor, getters)
    layout = current(include)
    if old and layout.lines[:len(old.lines)] != old.lines:
        wrong = next(new for new, was in zip(layout.lines, old.lines) if new != was)
        raise Fault(f"slots are not where they were published: now '{wrong}'")
    if not old or layout.text() != path.read_text():
        if not update:
            what = "was appended and" if old else "of this major version"
            raise Fault(f"{getters[-1].name} {what} is not in {path.name}: "
                        f"run golden.py --update")
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text(layout.text())
    check_members(directory / f"v{major}.bulk.golden", members(include), update)
    return layout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write down an append")
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include",
                        help="directory that has schedtp/ (%(default)s)")
    parser.add_argument("--abi", type=pathlib.Path, default=ROOT / "abi",
                        help="directory of the golden files (%(default)s)")
    options = parser.parse_args()
    try:
        layout = check(options.include, options.abi, options.update)
    except Fault as fault:
        sys.exit(f"golden: {fault}")
    print(f"golden: {len(layout.lines)} slots as published, version {layout.major}.{layout.minor}")


if __name__ == "__main__":
    main()
