#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""A guarded get costs one compare, one load, one call: read off the machine code.

For each getter of the list, gcc and clang compile a function that does one get, in C
and through the C++ view, for x86-64 at -O2. In each there must be
  - one compare, of the table's size with where the slot ends;
  - one read of memory at the slot, into a register;
  - one indirect call or jump, through that register, and no other call;
and the function in C++ has no more instructions than the one in C. Functions written
badly on purpose show that each of these is noticed.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
# As probes are compiled; without -fno-exceptions a noexcept method guards its call.
FLAGS = {"c": ["-std=gnu11"], "c++": ["-std=c++17", "-fno-exceptions", "-fno-rtti"]}
HEADER, SLOT = 8, 8

GET_C = """
#include <schedtp/callbacks.h>
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \\
    ret get_##name(const struct sched_tp_callbacks *cb) { return sched_tp_get(cb, name, (ret)77L); }
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    ret get_##name(const struct sched_tp_callbacks *cb, params) \\
    { return sched_tp_get(cb, name, args, (ret)77L); }
#include <schedtp/getters.def>
"""
GET_CXX = """
#include <schedtp/callbacks.hpp>
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) \\
    extern "C" ret get_##name(schedtp::table table) { return table.name().value_or((ret)77L); }
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \\
    extern "C" ret get_##name(schedtp::table table, params) \\
    { return table.name(args).value_or((ret)77L); }
#include <schedtp/getters.def>
"""
# Each is wrong in the way that its name says; check() must say so.
BAD_C = """
#include <schedtp/callbacks.h>
#define TABLE const struct sched_tp_callbacks *cb, const struct sched_entity *se
unsigned int bad_compare(TABLE)
{ return cb && cb->se_util_est ? cb->se_util_est(se) : 77; }
unsigned int bad_bound(TABLE)
{ return cb && cb->size >= SCHED_TP_SIZE_WITH(cfs_rq_util_est) && cb->se_util_est ?
  cb->se_util_est(se) : 77; }
unsigned int bad_load(TABLE)
{ const volatile struct sched_tp_callbacks *twice = cb;
  return cb && cb->size >= SCHED_TP_SIZE_WITH(se_util_est) && twice->se_util_est ?
  twice->se_util_est(se) : 77; }
unsigned int other(const struct sched_entity *se);
unsigned int bad_call(TABLE)
{ return sched_tp_get(cb, se_util_est, se, 77) + other(se); }
"""
BAD = {"bad_compare": "compare", "bad_bound": "compare", "bad_load": "read", "bad_call": "call"}


def getters():
    """Names in the order of the list."""
    text = re.sub(r"/\*.*?\*/", "", (INCLUDE / "schedtp/getters.def").read_text(), flags=re.S)
    return re.findall(r"^SCHED_TP_GETTER(?:_VOID)?\(\d+,[^,]*,\s*(\w+)", text, re.M)


def functions(compiler, lang, source):
    """Compile, and disassemble into {function: [(mnemonic, operands)]}."""
    with tempfile.TemporaryDirectory() as tmp:
        path, obj = pathlib.Path(tmp) / "code", pathlib.Path(tmp) / "code.o"
        path.write_text(source)
        subprocess.run([compiler, "-x", lang, *FLAGS[lang], "-O2", "-m64", "-ffreestanding",
                        "-fcf-protection=none", "-fno-asynchronous-unwind-tables",
                        "-I", str(INCLUDE), "-c", str(path), "-o", str(obj)], check=True)
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(obj)], check=True,
                              capture_output=True, text=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        if start := re.match(r"[0-9a-f]+ <(\w+)>:$", line):
            name = start[1]
            found[name] = []
        elif insn := re.match(r"\s+[0-9a-f]+:\s+(?:data16 |cs )*([a-z]\w*)\s*(.*)$", line):
            mnemonic, operands = insn[1], re.sub(r"\s*[#<].*$", "", insn[2]).strip()
            if mnemonic[:3] != "nop" and (mnemonic, operands) != ("xchg", "%ax,%ax"):
                found[name].append((mnemonic, operands))
    return found


def check(code, slot):
    """What is wrong with a function that gets slot number `slot`; None if nothing."""
    offset = HEADER + slot * SLOT
    end = offset + SLOT
    reads = [(mnemonic, ops) for mnemonic, ops in code
             if re.search(rf"\b0x{offset:x}\(%\w+\)", ops)]
    if len(reads) != 1 or not re.fullmatch(r"movq?", reads[0][0]):
        return f"read: wanted one mov from 0x{offset:x}(table), and found {reads}"
    register = reads[0][1].split(",")[-1]
    compares = [ops for mnemonic, ops in code if mnemonic.startswith("cmp")]
    # size >= end is compiled as that or as size > end - 1
    if len(compares) != 1 or not re.fullmatch(rf"\$0x({end:x}|{end - 1:x}),\(%\w+\)", compares[0]):
        return f"compare: wanted one, of the size with 0x{end:x}, and found {compares}"
    calls = [ops for mnemonic, ops in code
             if mnemonic.startswith("call") or (mnemonic.startswith("jmp") and "*" in ops)]
    if calls != [f"*{register}"]:
        return f"call: wanted one through {register}, and found {calls}"
    return None


def main():
    missing = [tool for tool in ("gcc", "g++", "clang", "clang++", "objdump")
               if not shutil.which(tool)]
    if missing:
        sys.exit(f"codegen: needs gcc, clang and objdump, and lacks {', '.join(missing)}")
    names, faults = getters(), []
    for compiler_c, compiler_cxx in (("gcc", "g++"), ("clang", "clang++")):
        in_c = functions(compiler_c, "c", GET_C)
        in_cxx = functions(compiler_cxx, "c++", GET_CXX)
        for slot, name in enumerate(names):
            c, cxx = in_c[f"get_{name}"], in_cxx[f"get_{name}"]
            faults += [f"{compiler_c}: {name} in {lang}: {fault}"
                       for lang, code in (("C", c), ("C++", cxx)) if (fault := check(code, slot))]
            if len(cxx) > len(c):
                faults.append(f"{compiler_c}: {name}: {len(cxx)} instructions in C++, "
                              f"{len(c)} in C")
        for name, code in functions(compiler_c, "c", BAD_C).items():
            fault = check(code, names.index("se_util_est")) or "nothing"
            if not fault.startswith(BAD[name]):
                faults.append(f"{compiler_c}: of {name}, which has a wrong {BAD[name]}, "
                              f"this check finds: {fault}")
    for fault in faults:
        print(f"codegen: {fault}", file=sys.stderr)
    print(f"codegen: {len(names)} getters, gcc and clang, C and C++")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
