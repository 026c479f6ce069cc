# SPDX-License-Identifier: GPL-2.0
"""
The table, compiled in many configurations: which slots each has.

pairwise() chooses combinations of architecture, compiler and options so that every
two values that Kconfig grants together are in one of them. What Kconfig grants, the
tree's own Kconfig is asked, and what it said is kept beside the tree.
"""

import collections
import hashlib
import itertools
import json
import os
import random
import re
import shutil
import time

from . import kernel, offers, probes
from .common import Stop, output, say
from .getters import getters
from .trees import release

Target = collections.namedtuple("Target", "make cross triple config")

# Architectures, and what makes each a machine that the options can be asked of.
TARGETS = {
    "x86_64": Target(["ARCH=x86_64"], "", "x86_64-linux-gnu", {"64BIT": "y"}),
    "i386": Target(["ARCH=i386"], "", "i386-linux-gnu", {}),
    "arm64": Target(["ARCH=arm64"], "aarch64-linux-gnu-", "aarch64-linux-gnu", {"SCHED_SMT": "y"}),
    "arm": Target(
        ["ARCH=arm"],
        "arm-linux-gnueabi-",
        "arm-linux-gnueabi",
        {
            "MMU": "y",
            "ARCH_MULTIPLATFORM": "y",
            "ARCH_MULTI_V7": "y",
            "ARCH_VIRT": "y",
            "AEABI": "y",
            "VFP": "y",
            "ARM_CPU_TOPOLOGY": "y",
            "SCHED_SMT": "y",
        },
    ),
    "um": Target(["ARCH=um"], "", "x86_64-linux-gnu", {"64BIT": "y"}),
}

COMPILERS = ("gcc", "clang")
# The one that all of the supported kernels can be built with.
CLANG = "19"

# Options that gate slots, and what each needs to be granted.
OPTIONS = {
    "SMP": {},
    "FAIR_GROUP_SCHED": {"CGROUPS": "y", "CGROUP_SCHED": "y"},
    "CFS_BANDWIDTH": {"CGROUPS": "y", "CGROUP_SCHED": "y", "FAIR_GROUP_SCHED": "y"},
    "UCLAMP_TASK": {"CPU_FREQ": "y", "CPU_FREQ_GOV_SCHEDUTIL": "y", "SMP": "y"},
    "SCHED_AUTOGROUP": {"FAIR_GROUP_SCHED": "y"},
    "SCHED_CORE": {"SMP": "y"},
    "SCHED_CLASS_EXT": {
        "BPF_SYSCALL": "y",
        "BPF_JIT": "y",
        "DEBUG_INFO_NONE": "n",
        "DEBUG_INFO_DWARF4": "y",
        "DEBUG_INFO_BTF": "y",
    },
    "SCHED_PROXY_EXEC": {},
    "PREEMPT_RT": {"PREEMPT_DYNAMIC": "n"},
}

# Options of which one needs, selects or excludes the other. It only says where to look
# first for why a combination was not granted.
QUARRELS = [
    {"CFS_BANDWIDTH", "FAIR_GROUP_SCHED"},
    {"SCHED_AUTOGROUP", "FAIR_GROUP_SCHED"},
    {"UCLAMP_TASK", "SMP"},
    {"SCHED_CORE", "SMP"},
    {"SCHED_PROXY_EXEC", "PREEMPT_RT"},
    {"SCHED_PROXY_EXEC", "SCHED_CLASS_EXT"},
]

# What every combination has.
COMMON = {
    "EXPERT": "y",
    "MODULES": "y",
    "FTRACE": "y",
    "ENABLE_DEFAULT_TRACERS": "y",
    "DEBUG_KERNEL": "y",
    "KUNIT": "y",
    "SCHED_TP_CALLBACKS": "y",
}
# Without these a combination shows nothing, and is a fault.
REQUIRED = ("SCHED_TP_CALLBACKS", "TRACEPOINTS")
TESTS = "SCHED_TP_CALLBACKS_KUNIT_TEST"

FACTORS = {
    "arch": tuple(TARGETS),
    "compiler": COMPILERS,
    TESTS: ("y", "m"),
    **{option: ("y", "n") for option in OPTIONS},
}

# A warning about what the series brings. Some of these kernels' own headers are not
# clean with every compiler on every architecture.
OURS = re.compile(r"^\S*(?:kernel/sched/tp/|linux/sched/tp_)\S* .*warning:.*$", re.M)

# What chance must not choose, as it is about the machine that builds, and not about the
# table: plugins of the compiler, objects that are no machine code yet, a program that
# needs more of the machine. And a warning is ours only if OURS says so.
NOT_BY_CHANCE = {
    "COMPILE_TEST": "n",
    "GCC_PLUGINS": "n",
    "GENDWARFKSYMS": "n",
    "LTO_NONE": "y",
    "WERROR": "n",
}

# More combinations than this is another test.
MOST = 40


# --- slots ---------------------------------------------------------------------------


def present_slots(table_object):
    """
    Names of the getters that a compiled table has: its words that the linker will
    put a function's address into.
    """
    text = output("readelf", "-W", "-h", "-s", "-r", table_object)
    pointer = 8 if re.search(r"^\s*Class:\s+ELF64$", text, re.M) else 4
    symbol = re.search(
        r"^\s*\d+:\s+([0-9a-f]+)\s+(\d+|0x[0-9a-f]+)\s+OBJECT\s+\S+\s+\S+\s+(\d+)\s+"
        r"sched_tp_callbacks$",
        text,
        re.M,
    )
    if not symbol:
        raise Stop(f"{table_object} has no sched_tp_callbacks")
    start, size, section = int(symbol[1], 16), int(symbol[2], 0), int(symbol[3])
    names = [getter.name for getter in getters()]
    if size != 8 + pointer * len(names):
        raise Stop(f"{table_object}: its table is of {size} bytes, and not of {len(names)} slots")
    found = set()
    for place in relocated(table_object, section):
        if start + 8 <= place < start + size:
            slot, rest = divmod(place - start - 8, pointer)
            if rest:
                raise Stop(f"{table_object}: a relocation at {place:#x} is at no slot's beginning")
            found.add(names[slot])
    return found


def relocated(table_object, section):
    """Offsets in a section, given by its number, that have a relocation."""
    name = None
    for line in output("readelf", "-W", "-S", table_object).splitlines():
        header = re.match(r"\s*\[\s*(\d+)\] (\S+)", line)
        if header and int(header[1]) == section:
            name = header[2]
    inside = False
    for line in output("readelf", "-W", "-r", table_object).splitlines():
        if line.startswith("Relocation section "):
            inside = line.split("'")[1] in (f".rela{name}", f".rel{name}")
        elif inside and re.match(r"[0-9a-f]{8}", line):
            yield int(line.split()[0], 16)


# --- combinations --------------------------------------------------------------------


def pairs(combination):
    return {frozenset(pair) for pair in itertools.combinations(combination.items(), 2)}


class Knowledge:
    """What Kconfig refuses, as far as it has been asked: sets of one or two values."""

    def __init__(self, granted):
        # granted({factor: value}): what Kconfig makes of it, as {factor: value}
        self.granted = granted
        self.refused = set()

    def possible(self, partial):
        values = frozenset(partial.items())
        return not any(refused <= values for refused in self.refused)

    def refuses(self, part):
        answer = self.granted(part)
        return any(answer[factor] != value for factor, value in part.items())

    def learn(self, asked, got):
        """Find what of a combination that was not granted is to blame, by asking for less."""
        arch = {"arch": asked["arch"]}
        before = len(self.refused)
        for factor, value in asked.items():
            if got[factor] == value:
                continue
            if self.refuses({**arch, factor: value}):
                self.refused.add(frozenset({**arch, factor: value}.items()))
            else:
                self.blame_pair(arch, factor, asked)
        if len(self.refused) == before:
            raise Stop(
                f"Kconfig grants {', '.join(f'{name}={value}' for name, value in asked.items())} "
                "in pairs, and not together"
            )

    def blame_pair(self, arch, factor, asked):
        """
        What options need of each other is in Kconfig files that all architectures share:
        what is refused on one is not asked for again on the next.
        """
        value = asked[factor]
        others = [other for other in asked if other not in (factor, "arch", "compiler")]
        # Those that are known to need each other are asked about first.
        others.sort(key=lambda other: {factor, other} not in QUARRELS)
        for other in others:
            pair = {factor: value, other: asked[other]}
            if not self.possible(pair):
                return
            if self.refuses({**arch, **pair}):
                self.refused.add(frozenset(pair.items()))
                return


def complete(chosen, missing, knowledge, factors):
    """
    Values for the factors that have none yet, with as many of the missing pairs as come
    by taking the best value each time; None if Kconfig refuses all there are.
    """
    if not knowledge.possible(chosen):
        return None
    left = [factor for factor in factors if factor not in chosen]
    if not left:
        return {factor: chosen[factor] for factor in factors}

    def gain(value):
        return sum(frozenset({(left[0], value), had}) in missing for had in chosen.items())

    for value in sorted(factors[left[0]], key=gain, reverse=True):
        whole = complete({**chosen, left[0]: value}, missing, knowledge, factors)
        if whole:
            return whole
    return None


def pairwise(granted, factors=None):
    """
    Combinations that have every two values which Kconfig grants together, and the
    pairs that it grants on no architecture. Always the same for the same answers.
    """
    factors = factors or FACTORS
    knowledge = Knowledge(granted)
    order = [
        frozenset({(one, value), (other, different)})
        for one, other in itertools.combinations(factors, 2)
        for value in factors[one]
        for different in factors[other]
    ]
    missing, combinations, refused = set(order), [], set()
    while missing:
        pair = next(pair for pair in order if pair in missing)
        wanted = dict(pair)
        tries = [
            complete({**wanted, "arch": arch}, missing, knowledge, factors)
            for arch in ([wanted["arch"]] if "arch" in wanted else factors["arch"])
        ]
        tries = [whole for whole in tries if whole]
        if not tries:
            missing.discard(pair)
            refused.add(pair)
            continue
        chosen = max(tries, key=lambda one: len(pairs(one) & missing))
        got = granted(chosen)
        if got != chosen:
            knowledge.learn(chosen, got)
            continue
        combinations.append(chosen)
        missing -= pairs(chosen)
    return combinations, refused


# --- Kconfig and builds --------------------------------------------------------------


def fragment(combination):
    """{option: value} that a combination, or a part of one, asks for."""
    asked = {**COMMON, **TARGETS[combination["arch"]].config}
    asked[TESTS] = combination.get(TESTS, "y")
    for option in OPTIONS:
        if combination.get(option) == "y":
            asked.update(OPTIONS[option])
    # What is asked for by name wins over what another option would like to have.
    asked.update({option: combination[option] for option in OPTIONS if option in combination})
    return asked


class Tree:
    """The builds of one kernel tree, a directory an architecture."""

    def __init__(self, found, tree):
        self.found = found
        self.tree = tree
        self.answers_file = found.directory / "kconfig.json"
        try:
            self.answers = json.loads(self.answers_file.read_text())
        except (OSError, ValueError):
            self.answers = {}
        files = output("git", "-C", tree, "ls-files", "-s", "--", "*Kconfig*")
        tools = output("pahole", "--version") + output(f"clang-{CLANG}", "--version")
        self.state = hashlib.sha256((files + tools).encode()).hexdigest()

    def build_directory(self, arch):
        return self.tree / f".build-matrix-{arch}"

    def make(self, arch, compiler):
        target = TARGETS[arch]
        args = ["make", "-s", f"-j{kernel.JOBS}", "-C", self.tree, "LOCALVERSION=", *target.make]
        args.append(f"O={self.build_directory(arch)}")
        if target.cross:
            args.append(f"CROSS_COMPILE={target.cross}")
        ccache = "ccache " if shutil.which("ccache") else ""
        if compiler == "clang":
            # The programs of the build itself are the same whatever compiles the kernel.
            args += [f"LLVM=-{CLANG}", f"CC={ccache}clang-{CLANG}", "HOSTLD=ld", "HOSTAR=ar"]
        else:
            args.append(f"CC={ccache}{target.cross}gcc")
        return [*args, f"HOSTCC={ccache}gcc", f"HOSTCXX={ccache}g++"]

    def configure(self, arch, compiler, asked, what="allnoconfig", env=()):
        """Have Kconfig make a .config of what is asked; returns {option: value}."""
        build = self.build_directory(arch)
        build.mkdir(parents=True, exist_ok=True)
        wishes = build / ".schedtp-asked"
        wishes.write_text("".join(f"CONFIG_{name}={value}\n" for name, value in asked.items()))
        environment = {**kernel.environment(), "KCONFIG_ALLCONFIG": str(wishes), **dict(env)}
        output(*self.make(arch, compiler), what, env=environment)
        config = (build / ".config").read_text()
        return dict(re.findall(r"^CONFIG_(\w+)=(.*)$", config, re.M))

    def granted(self, combination):
        """What Kconfig makes of a combination, or a part of one, in its terms."""
        asked = fragment(combination)
        arch, compiler = combination["arch"], combination.get("compiler", "gcc")
        # Which compiler it is, only the build cares about.
        key = hashlib.sha256(
            f"{self.state} {arch} {sorted(asked.items())}".encode()
        ).hexdigest()
        if key not in self.answers:
            config = self.configure(arch, "gcc", asked)
            self.answers[key] = self.terms(config)
            self.answers_file.write_text(json.dumps(self.answers))
        answer = {**self.answers[key], "arch": arch, "compiler": compiler}
        return {factor: answer[factor] for factor in FACTORS}

    @staticmethod
    def terms(config):
        lost = [name for name in REQUIRED if config.get(name) != "y"]
        return {
            TESTS: config.get(TESTS, "n"),
            **{option: config.get(option, "n") for option in OPTIONS},
            "lost": lost,
        }

    def build(self, what, arch, compiler, config, target="kernel/sched/tp/"):
        """Compile a directory with the table in it, as configured; returns (slots, seconds)."""
        lost = [name for name in REQUIRED if config.get(name) != "y"]
        if lost:
            raise Stop(f"{what}: Kconfig did not grant CONFIG_{lost[0]}")
        if config.get(TESTS, "n") == "n":
            raise Stop(f"{what}: Kconfig did not grant CONFIG_{TESTS}")
        started = time.monotonic()
        objects = self.build_directory(arch) / "kernel/sched/tp"
        # What is there afterwards, this configuration has compiled.
        shutil.rmtree(objects, ignore_errors=True)
        _, log = self.found.log.run(
            what, [*self.make(arch, compiler), target], env=kernel.environment()
        )
        warned = OURS.search(log.read_text(errors="replace"))
        if warned:
            raise Stop(f"{what} warned: {warned.group()} (the whole output is in {log})")
        for name in ("table.o", "accessor.o", "tests/getters_test.o"):
            if not (objects / name).exists():
                raise Stop(f"{what}: kernel/sched/tp/{name} was not built")
        return present_slots(objects / "table.o"), time.monotonic() - started


def explain(what, slots, config, have):
    """
    {why: [getter]} of the slots that a table lacks, in the words of the list's
    conditions. A slot that is there against them, or is not, stops.
    """
    reasons = collections.defaultdict(list)
    for getter in getters():
        resolved = probes.resolve_needs(getter.needs, have)
        said = offers.words(resolved, lambda option: config.get(option, "n") != "n")
        if (said == offers.AVAILABLE) != (getter.name in slots):
            state = "has a function" if getter.name in slots else "is empty"
            raise Stop(
                f"{what}: the slot of {getter.name} {state}, and getters.def's condition "
                f"'{getter.needs}' says: {said}"
            )
        if said != offers.AVAILABLE:
            reasons[said].append(getter.name)
    return reasons


def print_row(number, what, slots, reasons, seconds):
    total = len(slots) + sum(map(len, reasons.values()))
    say(f"  {number:>3}  {what}: {len(slots)} of {total} slots, {seconds:.0f} s")
    for why, names in sorted(reasons.items(), key=lambda reason: -len(reason[1])):
        few = " ".join(names[:3]) + (" ..." if len(names) > 3 else "")
        say(f"         {len(names):>3} {why}: {few}")


def describe(combination):
    on = [option for option in OPTIONS if combination.get(option) == "y"]
    return f"{combination['arch']} {combination['compiler']} tests={combination[TESTS]} {' '.join(on)}"


def run(found, tree):
    """Compile the table in every combination. Returns [(combination, slots)]."""
    builds, have = Tree(found, tree), probes.of(found.pristine)
    say(f"schedtp: combinations for Linux {release(tree)}")
    started = time.monotonic()
    combinations, refused = pairwise(builds.granted)
    total = len(pairs_of(FACTORS))
    say(
        f"  {len(combinations)} combinations have the {total - len(refused)} pairs of {total} "
        f"that Kconfig grants ({time.monotonic() - started:.0f} s)"
    )
    if len(combinations) > MOST:
        raise Stop(f"{len(combinations)} combinations are more than {MOST}")
    results = []
    # Of one architecture together, so that Kbuild has less to build anew.
    combinations.sort(key=lambda one: (list(TARGETS).index(one["arch"]), one["compiler"]))
    for number, one in enumerate(combinations, 1):
        what = f"combination {number}, {one['arch']} {one['compiler']}"
        config = builds.configure(one["arch"], one["compiler"], fragment(one))
        got = {**builds.terms(config), "arch": one["arch"], "compiler": one["compiler"]}
        differ = [factor for factor in FACTORS if got[factor] != one[factor]]
        if differ:
            raise Stop(f"{what}: with this compiler Kconfig does not grant {differ[0]}")
        slots, seconds = builds.build(what, one["arch"], one["compiler"], config)
        print_row(number, describe(one), slots, explain(what, slots, config, have), seconds)
        results.append((one, config, slots))
    return results


def pairs_of(factors):
    return {
        frozenset({(one, value), (other, different)})
        for one, other in itertools.combinations(factors, 2)
        for value in factors[one]
        for different in factors[other]
    }


def randconfig(found, tree, seeds):
    """
    Kernels of which everything is left to chance, the options that gate slots too.
    Returns [(seed, config, slots)].
    """
    builds, have = Tree(found, tree), probes.of(found.pristine)
    say(f"schedtp: random configurations for Linux {release(tree)}")
    results = []
    for seed in seeds:
        chance = random.Random(seed)
        arch = chance.choice(list(TARGETS))
        compiler = chance.choice(COMPILERS)
        wishes = {"arch": arch, "compiler": compiler, TESTS: chance.choice("ym")}
        wishes |= {option: chance.choice("yn") for option in OPTIONS}
        what = f"seed {seed}, {arch} {compiler}"
        config = builds.configure(
            arch, compiler, {**fragment(wishes), **NOT_BY_CHANCE}, "randconfig",
            {"KCONFIG_SEED": str(seed)},
        )  # fmt: skip
        got = {**builds.terms(config), "arch": arch, "compiler": compiler}
        slots, seconds = builds.build(what, arch, compiler, config)
        print_row(seed, describe(got), slots, explain(what, slots, config, have), seconds)
        results.append((seed, config, slots))
    return results
