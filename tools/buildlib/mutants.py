# SPDX-License-Identifier: GPL-2.0
"""
Broken getters: made by rule from the sources, all of a file compiled together over a
shape of the mock, each beside the getter as it is, and run against its vectors.
"""

import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess

from . import csource
from .common import REPO, Stop
from .rules import Rules, plain_type

RUNNER = REPO / "tools/mutate"
ACCEPTED = REPO / "tools/mutate_accepted.txt"
# Files of kernel/sched/tp that have no getter and nothing that is read for one.
FRAME = {"getters.c", "table.c", "empty.c", "accessor.c", "seams.h"}
# What the compiler only warns of, and a person would not have let stand.
ERRORS = ["int-conversion", "incompatible-pointer-types", "implicit-function-declaration",
          "return-type"]  # fmt: skip
# One function's code does not depend on another's, and an error is where its mutant is.
CODE = ["-O2", "-fno-inline-small-functions", "-fno-inline-functions",
        "-fno-inline-functions-called-once", "-fno-ipa-icf", "-fno-ipa-cp", "-fno-ipa-sra", "-fno-ipa-ra",
        "-fno-reorder-blocks-and-partition", "-ftrack-macro-expansion=0", "-fmax-errors=0",
        *(f"-Werror={name}" for name in ERRORS)]  # fmt: skip
JOBS = min(2, os.cpu_count() or 1)

# In function @of something is changed, and getter @getter is so changed with it.
Mutant = collections.namedtuple("Mutant", "number getter of mutation")


def one_line(text):
    return " ".join(text.split())


def what(mutant):
    """The changed place before and after, the same wherever it is in the file."""
    change, text = mutant.mutation, mutant.of.text
    first = text.rfind("\n", 0, change.start) + 1
    last = text.find("\n", change.end)
    before = one_line(text[first:last].rstrip("\\"))
    after = text[first : change.start] + change.text + text[change.end : last]
    after = one_line(after.rstrip("\\"))
    return f"{before} => {after}"


def accepted(path):
    """{(getter, change): reason}."""
    found = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        row = [part.strip() for part in line.split("\t") if part.strip()]
        if len(row) != 3:
            raise Stop(f"{path}:{number}: a row is a getter, a change and a reason, with tabs between")
        if found.setdefault(tuple(row[:2]), row[2]) != row[2]:
            raise Stop(f"{path}:{number}: accepted twice, for two reasons")
    return found


class Sources:
    """The functions of the getter files, and what each of them calls."""

    def __init__(self, directory, names):
        self.directory = directory
        self.files = {
            path.name: path.read_text()
            for path in sorted(directory.glob("*.[ch]"))
            if path.name not in FRAME
        }
        self.functions = {}
        for file, text in self.files.items():
            for function in csource.functions(file, text):
                self.functions.setdefault(function.name, []).append(function)
        # A helper may be called what another file's getter is about.
        self.getters = {
            name
            for name, same in self.functions.items()
            if name.removeprefix("sched_tp_") in names and same[0].file.endswith(".c")
        }
        self.calls = {
            name: {
                word
                for one in same
                for word in re.findall(r"\bsched_tp_\w+\b", one.text, re.I)
                if word in self.functions and word != name
            }
            for name, same in self.functions.items()
        }

    def callers(self, name):
        """
        The functions that call one, directly or not, and itself. What one getter has
        from another, the vectors of the other are for.
        """
        found, new = set(), {name}
        while new:
            found |= new
            new -= self.getters
            new = {caller for caller, called in self.calls.items() if called & new} - found
        return found

    def types(self):
        """{function: what it returns}, the seams and what the mock has of the kernel included."""
        found = {name: plain_type(same[0].returns) for name, same in self.functions.items()}
        seams = (self.directory / "seams.def").read_text()
        for returns, name in re.findall(r"^SCHED_TP_SEAM\(([^,]+), (\w+),", seams, re.M):
            found[f"sched_tp_seam_{name}"] = plain_type(returns)
        return found


def make(sources, shapes):
    """Every mutant of every getter; a helper's are those of each getter that uses it."""
    rules = Rules(each(lambda shape: shape.structs(), shapes), sources.types())
    found = []
    for name, same in sources.functions.items():
        getters = sorted(sources.callers(name) & sources.getters)
        for function in same:
            for mutation in rules.of(function):
                for getter in getters:
                    found.append(Mutant(len(found), getter, function, mutation))
    return found


def renamed(text, names, number):
    return re.sub(rf"\b({'|'.join(sorted(names))})\b(?=\()", rf"\1__m{number}", text)


def variants(sources, mutant):
    """{function: [(the definition as it is, its text in a mutant)]}."""
    involved = sources.callers(mutant.of.name)
    needed, new = set(), {mutant.getter}
    # From the getter down to what is changed, and nothing beside.
    while new:
        needed |= new
        new = {called for name in new for called in sources.calls[name] & involved} - needed
    found = []
    for name in needed:
        for function in sources.functions[name]:
            text = function.text
            if function is mutant.of:
                change = mutant.mutation
                text = text[: change.start] + change.text + text[change.end :]
            elif name == mutant.of.name:
                continue
            found.append((function, renamed(text, needed, mutant.number)))
    return found


class Shape:
    """One shape of the mock, and how CMake compiles it."""

    def __init__(self, name, command):
        self.name = name
        words = shlex.split(command)
        # The compiler's own words: no launcher, no warnings as errors, no debug information.
        words = words[next(at for at, word in enumerate(words) if word.endswith(("gcc", "cc"))) :]
        dropped = {"-Werror", "-Wall", "-Wextra", "-g", "-c"}
        self.command = []
        skip = False
        for word in words:
            if skip or word in dropped:
                skip = False
            elif word in ("-o", "-MF", "-MT", "-MQ"):
                skip = True
            elif word not in ("-MD", "-MMD"):
                self.command.append(word)
        self.source = self.command.pop()
        self.command += [*CODE]


    def structs(self):
        """The members of its structs."""
        types = REPO / "include/schedtp/mock/kernel_types.h"
        done = subprocess.run(
            [*self.command, "-E", "-P", types], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise compiler_failed(done, self)
        return csource.structs(done.stdout)


def shapes(build):
    """The shapes, from the compilation database of a configured build."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith("mock/shape.c"):
            name = re.search(r"-DSCHEDTP_MOCK_NAME=(\w+)", entry["command"])[1]
            found.append(Shape(name, entry["command"]))
    return found


class Generated:
    """A directory that stands for kernel/sched/tp and kunit, with mutants in it."""

    def __init__(self, top, sources, vectors, names):
        self.top = top
        self.sources = sources
        shutil.rmtree(top, ignore_errors=True)
        top.mkdir(parents=True)
        for path in [*sources.directory.glob("*.[ch]"), *sources.directory.glob("*.def"),
                     *vectors.glob("*.h"), *vectors.glob("*.def")]:  # fmt: skip
            shutil.copy(path, top)
        # Vectors of other getters are compiled for nothing.
        words = re.compile(rf"\b({'|'.join(names)})\b") if names else None
        listed = (top / "vectors.def").read_text()
        for file in re.findall(r'^#include "(\w+_vectors\.def)"\n', listed, re.M):
            if words and not words.search((top / file).read_text()):
                listed = listed.replace(f'#include "{file}"\n', "")
        (top / "vectors.def").write_text(listed)

    def write(self, copies, rows=()):
        """
        Put copies, [(function, text, key)], behind their functions, and the table of
        rows, [mutant]. Returns {file: [(first line, last line, key)]}.
        """
        places = collections.defaultdict(list)
        for function, text, key in copies:
            places[function.file].append((function.start + len(function.text), text, key))
        lines = {}
        for file, whole in self.sources.files.items():
            out, at, line, lines[file] = [], 0, 1, []
            for end, text, key in sorted(places[file], key=lambda place: place[0]):
                out += [whole[at:end], text]
                line += whole.count("\n", at, end)
                lines[file].append((line, line + text.count("\n") - 1, key))
                line += text.count("\n")
                at = end
            # A helper that is inlined in the kernel is, here too, however often it is used.
            text = "".join([*out, whole[at:]])
            always = "inline __attribute__((__always_inline__))"
            (self.top / file).write_text(re.sub(r"\b__always_inline\b", always, text))
        frame = (self.sources.directory / "getters.c").read_text()
        table = "".join(
            f"\t{{ {mutant.number}, SCHED_TP_GETTER_{mutant.getter.removeprefix('sched_tp_')}, "
            f"(void (*)(void)){mutant.getter}__m{mutant.number} }},\n"
            for mutant in rows
        )
        (self.top / "getters.c").write_text(
            f'{frame}\n#include "{RUNNER}/mutants.h"\n'
            f"const struct schedtp_mutant schedtp_mutants[] = {{\n{table}}};\n"
            f"const unsigned int schedtp_nr_mutants = {len(rows)};\n"
        )
        return lines

    def compile(self, shape, *options):
        command = [shape.command[0], f"-I{self.top}", *shape.command[1:], *options, shape.source]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def compiler_failed(done, shape):
    said = [line for line in done.stderr.splitlines() if "error" in line] or ["no reason given"]
    return Stop(f"the mutants of {shape.name} do not compile: {said[0]}")


BEGIN, END = "#pragma schedtp_begin", "#pragma schedtp_end"


def reached(shape, mutants, sources, vectors, top):
    """
    The mutants that this shape compiles: it has the getter, and what the preprocessor
    leaves of the changed function differs from the function.
    """
    of_change = collections.defaultdict(list)
    for mutant in mutants:
        of_change[id(mutant.of), mutant.mutation].append(mutant)
    changes = list(of_change.values())
    copies = [
        (function, f"{BEGIN} {name}\n{function.text}{END}\n", None)
        for name, same in sources.functions.items()
        for function in same
    ]
    for at, same in enumerate(changes):
        function, change = same[0].of, same[0].mutation
        if function.text.startswith(csource.DEFINE):
            # What is left of a macro is in the getters that use it.
            for mutant in same:
                for other, text in variants(sources, mutant):
                    if other.name == mutant.getter:
                        text = f"{BEGIN} {mutant.getter}__m{mutant.number}\n{text}{END}\n"
                    copies.append((other, text, None))
            continue
        text = function.text[: change.start] + change.text + function.text[change.end :]
        copies.append((function, f"{BEGIN} {at}\n{text}{END}\n", None))
    generated = Generated(top, sources, vectors, ())
    generated.write(copies)
    done = generated.compile(shape, "-E", "-P")
    if done.returncode:
        raise compiler_failed(done, shape)
    found, whole = set(), {}
    for name, text in re.findall(rf"{BEGIN} (\w+)\n(.*?){END}", done.stdout, re.S):
        name, _, number = name.partition("__m")
        text = re.sub(r"__m\d+\b", "", text).split()
        if name.isdigit():
            if text != whole[changes[int(name)][0].of.name]:
                found |= {mutant.number for mutant in changes[int(name)]}
        elif not number:
            whole[name] = text
        elif text != whole[name]:
            found.add(int(number))
    return {mutant.number for mutant in mutants if mutant.number in found and mutant.getter in whole}


def without_errors(shape, generated, copies, mutants):
    """The mutants that compile; one that does not takes no other with it."""
    mutants = list(mutants)
    while True:
        left = {mutant.number for mutant in mutants}
        lines = generated.write([copy for copy in copies if copy[2] in left], mutants)
        done = generated.compile(shape, "-fsyntax-only")
        if not done.returncode:
            return mutants
        wrong = set()
        pattern = rf"^{re.escape(str(generated.top))}/(\S+?):(\d+):\d+: error:"
        for file, line in re.findall(pattern, done.stderr, re.M):
            wrong |= {key for first, last, key in lines.get(file, ()) if first <= int(line) <= last}
        if not wrong:
            raise compiler_failed(done, shape)
        mutants = [mutant for mutant in mutants if mutant.number not in wrong]


def assembly(text):
    """{function: its code}, with nothing in it that depends on what else is compiled."""
    found = {}
    for name, body in re.findall(r"^(sched_tp_\w+):\n(.*?)^\t\.size\t\1,", text, re.M | re.S):
        body = re.sub(r"^(\t\.(cfi_|loc|p2align|type)[^\n]*|\.LF[BE]\d+:|\.Lfunc_\w+:)\n", "", body, flags=re.M)
        body = re.sub(r"__m\d+\b", "", body)
        own = {label: f".L_{at}" for at, label in enumerate(re.findall(r"^(\.L\d+):", body, re.M))}
        found[name] = re.sub(r"\.L\d+\b", lambda label: own.get(label[0], label[0]), body)
    return found


Code = collections.namedtuple("Code", "compiled signatures outcomes")


def compile_and_run(shape, generated, mutants, sources):
    """
    Those that compile, {number: signature} of those whose code differs from the getter's,
    and {number: outcome}, of one shape.
    """
    texts = {mutant.number: variants(sources, mutant) for mutant in mutants}
    copies = [(function, text, number) for number, all in texts.items() for function, text in all]
    mutants = without_errors(shape, generated, copies, mutants)
    compiled = {mutant.number for mutant in mutants}
    code = generated.top / "shape.s"
    done = generated.compile(shape, "-S", "-o", code)
    if done.returncode:
        raise compiler_failed(done, shape)
    functions = assembly(code.read_text())
    signatures = {}
    for mutant in mutants:
        names = {function.name for function, _ in texts[mutant.number]}
        own = {name: functions.get(f"{name}__m{mutant.number}") for name in sorted(names)}
        own = {name: body for name, body in own.items() if body is not None}
        if any(functions.get(name) != body for name, body in own.items()):
            signatures[mutant.number] = hash(tuple(own.items()))
    # What need not run is not even linked.
    program = generated.top / "runner"
    command = [
        shape.command[0], "-O1", f"-I{REPO}/include", f"-I{RUNNER}",
        f"-DSCHEDTP_MOCK_NAME={shape.name}", RUNNER / "runner.c", code, "-o", program,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise compiler_failed(done, shape)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or "no reason given").splitlines()[0]
        raise Stop(f"the vectors of {shape.name} fail before anything is broken: {said}: make test")
    outcomes = dict(line.split() for line in done.stdout.splitlines())
    return Code(compiled, signatures, {int(number): how for number, how in outcomes.items()})


def each(function, items):
    """The results for every item, two at a time."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return list(pool.map(function, items))


Result = collections.namedtuple("Result", "mutant state shapes")


def judge(mutants, shapes_of, by_shape):
    """
    What became of each mutant: `unreached`, no shape compiles what is changed; `no C`;
    `identical`; `same` as an earlier one of the getter; `killed`, or `survived`.
    """
    found, seen = [], {}
    for mutant in mutants:
        number = mutant.number
        reached_by = shapes_of[number]
        compiled = [name for name in reached_by if number in by_shape[name].compiled]
        signature = {
            name: by_shape[name].signatures[number]
            for name in compiled
            if number in by_shape[name].signatures
        }
        if not reached_by:
            state = "unreached"
        elif not compiled:
            state = "no C"
        elif not signature:
            state = "identical"
        elif seen.setdefault((mutant.getter, tuple(signature.items())), number) != number:
            state = "same"
        elif any(by_shape[name].outcomes[number] != "survived" for name in signature):
            state = "killed"
        else:
            state = "survived"
        found.append(Result(mutant, state, list(signature)))
    return found
