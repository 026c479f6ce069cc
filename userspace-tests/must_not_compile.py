#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
"""Misuse does not compile, and the compiler says what is wrong.

Each file of must_not_compile/ is compiled twice by each compiler: with -DGOOD it
must compile, which shows that nothing but the misuse is wrong with it; without, it
must fail, and the diagnostics contain the text of each line "// expect: TEXT" (or
"expect-gcc:", "expect-clang:"). A line "// std: STANDARD" names the language.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / "include"
COMPILERS = {"gcc": {".c": "gcc", ".cc": "g++"}, "clang": {".c": "clang", ".cc": "clang++"}}
FLAGS = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(INCLUDE)]


def check(case, family):
    """What is wrong with one case under one compiler; None if nothing."""
    text = case.read_text()
    std = re.search(r"^// std: (.*)$", text, re.M)
    expected = re.findall(rf"^// expect(?:-{family})?: (.*)$", text, re.M)
    if not std or not expected:
        return "lacks a line '// std:' or '// expect:'"

    def compile_with(*flags):
        command = [COMPILERS[family][case.suffix], f"-std={std[1]}", *FLAGS, *flags, str(case)]
        return subprocess.run(command, env={**os.environ, "LC_ALL": "C"}, capture_output=True,
                              text=True, check=False)

    good = compile_with("-DGOOD")
    if good.returncode != 0:
        return f"the good twin does not compile:\n{good.stderr}"
    bad = compile_with()
    if bad.returncode == 0:
        return "compiles"
    missing = [line for line in expected if line not in bad.stderr]
    if missing:
        return f"fails without saying {missing}:\n{bad.stderr}"
    return None


def main():
    absent = [tool for family in COMPILERS.values() for tool in family.values()
              if not shutil.which(tool)]
    if absent:
        sys.exit(f"must_not_compile: needs gcc and clang, and lacks {', '.join(absent)}")
    cases = sorted(path for path in (HERE / "must_not_compile").iterdir()
                   if path.suffix in (".c", ".cc"))
    if not cases:
        sys.exit("must_not_compile: no case found")
    jobs = [(case, family) for case in cases for family in COMPILERS]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        results = list(pool.map(lambda job: check(*job), jobs))
    for (case, family), fault in zip(jobs, results):
        if fault:
            print(f"must_not_compile: {case.name} with {family} {fault}", file=sys.stderr)
    print(f"must_not_compile: {len(cases)} misuses and their good twins, "
          f"{len(COMPILERS)} compilers")
    sys.exit(any(results))


if __name__ == "__main__":
    main()
