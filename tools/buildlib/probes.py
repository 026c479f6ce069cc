# SPDX-License-Identifier: GPL-2.0
"""
What a tree has, found by looking (kernel/series/probes.toml), and the sources resolved
for it: what goes into a kernel has no conditional on the kernel's version.
"""

import re
import tomllib

from .common import REPO, Stop, output

PROBES = "kernel/series/probes.toml"
# What stands for CONFIG_SMP where the scheduler still has it, and is always on elsewhere.
SMP = "SCHED_TP_SMP"


def code(path):
    """A C file without its comments."""
    text = path.read_text(errors="replace")
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def body(text, struct, file):
    """What is between the braces of a struct's definition."""
    start = re.search(rf"^struct {struct} \{{", text, re.M)
    if not start:
        return ""
    depth = 0
    for at in range(start.end() - 1, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start.end() : at]
    raise Stop(f"{file}: struct {struct} does not end")


def has(tree, name, probe):
    known = {"file", "struct", "member", "pattern", "lacks"}
    if not {"file"} < probe.keys() <= known:
        raise Stop(f"{PROBES}: [{name}] needs file, and struct and member, pattern or lacks")
    path = tree / probe["file"]
    if not path.is_file():
        return False
    text = code(path)
    if "struct" in probe:
        text = body(text, probe["struct"], probe["file"])
        if not re.search(rf"\b{probe['member']}\b", text):
            return False
    if "pattern" in probe and not re.search(probe["pattern"], text):
        return False
    return not ("lacks" in probe and re.search(probe["lacks"], text))


def probes():
    return tomllib.loads((REPO / PROBES).read_text())


def files():
    """The files of a tree that probes look at."""
    return sorted({probe["file"] for probe in probes().values()})


def of(tree):
    """{name: whether the tree has it}, for every probe."""
    return {name: has(tree, name, probe) for name, probe in probes().items()}


def check_mock(kver, have, tracepoints_missing):
    """The mock's shapes of a release have what a tree of that release has, and no more."""
    path = REPO / f"include/schedtp/mock/shapes/release_{kver.replace('.', '_')}.h"
    if not path.is_file():
        return
    text = path.read_text()
    lacks = set(re.findall(r"^#define SCHED_TP_LACKS_(\w+) 1$", text, re.M))
    for name in sorted(lacks ^ set(tracepoints_missing)):
        raise Stop(
            f"{path.relative_to(REPO)} says that Linux {kver} {'lacks' if name in lacks else 'has'} the "
            f"tracepoint {name}, and the tree {'has' if name in lacks else 'lacks'} it: correct the one"
        )
    said = set(re.findall(r"^#define SCHED_TP_HAS_(\w+) 1$", text, re.M))
    seen = {name for name, on in have.items() if on}
    for name in sorted(said ^ seen):
        raise Stop(
            f"{path.relative_to(REPO)} says that Linux {kver} {'has' if name in said else 'lacks'} "
            f"{name}, and the tree {'has' if name in seen else 'lacks'} it: correct the one or the probe"
        )


def resolve_needs(needs, have):
    """The column `needs` for one tree: what is left to Kconfig; "!" if nothing helps."""
    if not needs:
        return ""
    alternatives = []
    for alternative in needs.split(" || "):
        options = []
        for option in alternative.split(" && "):
            if option.startswith("HAS_"):
                if option[4:] not in have:
                    raise Stop(f"getters.def: '{needs}' names {option}, and {PROBES} has no such probe")
                on = have[option[4:]]
            elif have.get(f"OPTION_{option}") is False:
                on = False
            else:
                on = True if option == "SMP" and have["UNIFIED_SMP"] else None
            if on is False:
                break
            if on is None:
                options.append(option)
        else:
            if not options:
                return ""
            alternatives.append(options)
    # What asks for more than another does adds nothing to it.
    wanted = [
        options
        for at, options in enumerate(alternatives)
        if not any(
            set(other) < set(options) or (set(other) == set(options) and before < at)
            for before, other in enumerate(alternatives)
        )
    ]
    return " || ".join(" && ".join(options) for options in wanted) or "!"


def resolve(source, text, have):
    """A file of C with every probe in it decided."""
    macros = {f"SCHED_TP_HAS_{name}": on for name, on in have.items()}
    if have["UNIFIED_SMP"]:
        macros[SMP] = True
    else:
        text = re.sub(rf"\b{SMP}\b", "CONFIG_SMP", text)
    # unifdef decides a condition or leaves it whole: take out of it what is decided.
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if not re.match(r"#\s*(el)?if\b", line):
            continue
        for name, on in macros.items():
            operator = r"&&" if on else r"\|\|"
            line = re.sub(rf" {operator} defined\({name}\)", "", line)
            line = re.sub(rf"(?<!!)defined\({name}\) {operator} ", "", line)
        lines[at] = line
    decided = [f"-{'D' if on else 'U'}{name}" for name, on in macros.items()]
    done = output("unifdef", "-B", *decided, stdin="\n".join(lines), check=False)
    if done.returncode not in (0, 1):
        raise Stop(f"{source}: unifdef: {done.stderr.strip()}")
    left = re.search(r"\bSCHED_TP_HAS_(\w+)|\bSCHED_TP_SMP\b", done.stdout)
    if left:
        raise Stop(
            f"{source}: {left.group()} is not resolved: {PROBES} has no such probe, or it is in a "
            "condition with parentheses"
        )
    return done.stdout


def resolve_list(text, have):
    """The list of getters with the column `needs` as it is for one tree."""
    return re.sub(
        r'"([^"\n]*)"\)$', lambda needs: f'"{resolve_needs(needs.group(1), have)}")', text, flags=re.M
    )
