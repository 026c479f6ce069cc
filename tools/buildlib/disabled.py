# SPDX-License-Identifier: GPL-2.0
"""
What a disabled tracepoint costs: instructions that a function can execute while no
static key is on.

A tracepoint is a no-op that is patched into a jump when a probe comes. What lies
behind the jump cannot be reached before, so walking the code from a function's entry,
past the no-ops, finds what the scheduler executes on a kernel that nobody traces.
"""

import re

from .common import output

# Run when a tracepoint fires, and only then.
ITERATOR = "__traceiter_"


def disassemble(obj):
    """({(section, offset): (mnemonic, operands, target)}, {address: next}, {address: function})"""
    code, order, functions = {}, [], {}
    section = ""
    for line in output("objdump", "-d", "-r", "--no-show-raw-insn", obj).splitlines():
        if found := re.match(r"Disassembly of section (\S+):", line):
            section = found[1]
        elif found := re.match(r"([0-9a-f]+) <(.+)>:", line):
            functions[section, int(found[1], 16)] = found[2]
        elif found := re.match(r"\s+[0-9a-f]+: R_\S+\s+(\S+)", line):
            mnemonic, operands, _ = code[order[-1]]
            code[order[-1]] = (mnemonic, operands, found[1])
        elif found := re.match(r"\s+([0-9a-f]+):\t(\S+)\s*(.*)", line):
            address = (section, int(found[1], 16))
            code[address] = (found[2], found[3], None)
            order.append(address)
    following = {
        here: there for here, there in zip(order, order[1:]) if here[0] == there[0]
    }
    return code, following, functions


def jump_target(address, operands, relocation):
    """Where a direct jump goes, in this object; None if it leaves it or is indirect."""
    if operands.startswith("*"):
        return None
    if relocation:
        # Another section, most often that of unlikely code: the addend is relative to
        # the end of the instruction, four bytes on.
        found = re.fullmatch(r"(\.\S+?)([+-]0x[0-9a-f]+)", relocation)
        return (found[1], int(found[2], 16) + 4) if found else None
    found = re.match(r"([0-9a-f]+) <", operands)
    return (address[0], int(found[1], 16)) if found else None


def reachable(code, following, entry):
    """Instructions that may run, from an entry on, with every static key off."""
    seen, ahead = set(), [entry]
    while ahead:
        address = ahead.pop()
        if address in seen or address not in code:
            continue
        seen.add(address)
        mnemonic, operands, relocation = code[address]
        if mnemonic.startswith("j"):
            ahead.append(jump_target(address, operands, relocation))
        if mnemonic not in ("jmp", "ret", "ud2") and address in following:
            ahead.append(following[address])
    return seen


def executed(obj):
    """{function: how many instructions it may execute}, of an object file."""
    code, following, functions = disassemble(obj)
    return {
        name: len(reachable(code, following, entry))
        for entry, name in functions.items()
        if not name.endswith(".cold") and not name.startswith(ITERATOR)
    }


def compare(before, after):
    """(functions compared, {function: (instructions before, and after)} where they differ)"""
    old, new = executed(before), executed(after)
    both = old.keys() & new.keys()
    return len(both), {name: (old[name], new[name]) for name in both if old[name] != new[name]}
