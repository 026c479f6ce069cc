# SPDX-License-Identifier: GPL-2.0
"""
What a disabled tracepoint costs: instructions that a function executes while no static
key is on.

A tracepoint is a no-op that is patched into a jump when a probe comes. What lies
behind the jump cannot be reached before, so walking the code from a function's entry,
past the no-ops, finds what the scheduler executes on a kernel that nobody traces.

A walk takes each branch as often as not, and its mean length is what counts. Code that
the compiler has in two copies is walked through once, and so adds nothing; what is new
on the way to the no-op does.
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


def successors(code, following, address):
    """Where execution may go on, in this object, with every static key off."""
    mnemonic, operands, relocation = code[address]
    ahead = []
    if mnemonic.startswith("j"):
        ahead.append(jump_target(address, operands, relocation))
    if mnemonic not in ("jmp", "ret", "ud2") and address in following:
        ahead.append(following[address])
    return [there for there in ahead if there in code]


def graph(code, following, entry):
    """{instruction: [those after it]} of what can be reached, the last ones first."""
    found, done = {entry: successors(code, following, entry)}, {}
    path = [(entry, iter(found[entry]))]
    while path:
        address, ahead = path[-1]
        for there in ahead:
            if there not in found:
                found[there] = successors(code, following, there)
                path.append((there, iter(found[there])))
                break
        else:
            done[address] = found[address]
            path.pop()
    return done


# Walks that go round in a loop converge; what is left of them then is no instruction.
ROUNDS = 400
SMALL = 1e-6


def walk_length(code, following, entry):
    """The mean number of instructions that walks from an entry on execute."""
    ahead = graph(code, following, entry)
    length = dict.fromkeys(ahead, 0.0)
    for _ in range(ROUNDS):
        change = 0.0
        for address, others in ahead.items():
            new = 1 + (sum(length[there] for there in others) / len(others) if others else 0)
            change = max(change, abs(new - length[address]))
            length[address] = new
        if change < SMALL:
            break
    return length[entry]


def executed(obj):
    """{function: how many instructions a walk through it executes}, of an object file."""
    code, following, functions = disassemble(obj)
    return {
        name: round(walk_length(code, following, entry), 2)
        for entry, name in functions.items()
        if not name.endswith(".cold") and not name.startswith(ITERATOR)
    }


def compare(before, after):
    """(functions compared, {function: (instructions before, and after)} where they differ)"""
    old, new = executed(before), executed(after)
    both = old.keys() & new.keys()
    return len(both), {name: (old[name], new[name]) for name in both if old[name] != new[name]}
