#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The count of what disabled tracepoints cost sees what it must see, and no more."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from buildlib import disabled, suite

# A static key as the kernel has it: a no-op, and a block that only patching reaches.
SOURCE = """
extern int probe(int, int);
extern int global;
static inline _Bool key(void)
{
	asm goto("1: .byte 0x0f, 0x1f, 0x44, 0x00, 0x00" : : : : on);
	return 0;
on:
	return 1;
}
int traced(int x)
{
	BEFORE
	if (__builtin_expect(key(), 0))
		BEHIND;
	return x * 3;
}
"""


class Disabled(unittest.TestCase):
    def compile(self, name, before="", behind="probe(x, 0)"):
        top = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        source = top / f"{name}.c"
        source.write_text(SOURCE.replace("BEFORE", before).replace("BEHIND", behind))
        obj = top / f"{name}.o"
        subprocess.run(["gcc", "-O2", "-c", source, "-o", obj], check=True)
        return obj

    def test_argument_behind_the_key_costs_nothing(self):
        before = self.compile("before")
        after = self.compile("after", behind="probe(x, 77), global++, probe(x, 5)")
        self.assertEqual(disabled.compare(before, after), (1, {}))

    def test_instruction_before_the_key_is_seen(self):
        before = self.compile("before")
        after = self.compile("after", before="*(volatile int *)&global;")
        self.assertEqual(list(disabled.compare(before, after)[1]), ["traced"])

    def test_code_in_two_copies_costs_nothing(self):
        """As where the compiler makes a branch earlier, and what follows it twice."""
        walk = "xor %eax, %eax; test %edi, %edi; {}; inc %eax; ret"
        once = walk.format("jne 1f; nop; 1: inc %eax; inc %eax")
        twice = walk.format("jne 1f; nop; inc %eax; inc %eax; inc %eax; ret; 1: inc %eax; inc %eax")
        objects = []
        for name, code in (("once", once), ("twice", twice)):
            obj = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / f"{name}.o"
            text = f".globl walk\n.type walk, @function\nwalk: {code}\n.size walk, .-walk\n"
            subprocess.run(["gcc", "-c", "-x", "assembler", "-o", obj, "-"], input=text.encode(), check=True)
            objects.append(obj)
        self.assertEqual(disabled.compare(*objects), (1, {}))


if __name__ == "__main__":
    sys.exit(suite.run("disabled"))
