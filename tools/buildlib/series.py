# SPDX-License-Identifier: GPL-2.0
"""
The patch series: this repository's kernel files and rules, made into commits on top
of a kernel tree.

The commits are made in a small worktree of the cached tree, so that neither the
user's tree nor one with builds in it is touched before all of them exist.
"""

import contextlib
import hashlib
import re
import shutil
import tempfile
import tomllib

from . import probes
from .common import REPO, Stop, output, say
from .trees import GIT, TABLE_ARGUMENT, check_out, git, release

SERIES = REPO / "kernel/series"
TRACE_HEADER = "include/trace/events/sched.h"
MAINTAINERS_TITLE = "SCHEDULER - TRACEPOINT GETTERS"

# What a worktree needs for the rules to work on, beside what the probes look at: not
# 80 000 files.
SPARSE = """
/MAINTAINERS
/Makefile
/lib/Kconfig.debug
/kernel/sched/
/include/linux/sched/
/include/trace/events/
/tools/testing/selftests/Makefile
/tools/testing/selftests/sched_tp/
/Documentation/scheduler/
/scripts/
"""

# This repository's spelling of an include, and the kernel's.
INCLUDES = {
    "<schedtp/callbacks.h>": "<linux/sched/tp_callbacks.h>",
    "<schedtp/getters.def>": "<linux/sched/tp_getters.h>",
    '"bulk.h"': "<linux/sched/tp_bulk.h>",
    '"getters.def"': "<linux/sched/tp_getters.h>",
    "<schedtp/tracepoints.def>": "<linux/sched/tp_tracepoints.h>",
    "<schedtp/tracepoints.h>": "<linux/sched/tp_probes.h>",
    # The mock has it on its path, the tests in the kernel are a directory below.
    "<seams.def>": '"../seams.def"',
}

# The same in comments, and what must not be left.
MENTIONS = {
    "schedtp/tracepoints.h": "linux/sched/tp_probes.h",
    "schedtp/tracepoints.def": "linux/sched/tp_tracepoints.h",
    "tracepoints.def": "linux/sched/tp_tracepoints.h",
    "getters.def": "linux/sched/tp_getters.h",
    # C11 without a header has another name for it.
    "SCHED_TP_BOOL": "bool",
    "schedtp/bulk.h": "linux/sched/tp_bulk.h",
}
FOREIGN = re.compile(r"\bmock\b|schedtp/|SCHED_TP_IN_TREE|\bkunit/\w+_vectors")

# The kernel's header is plain C of the kernel's: what C++ and freestanding builds
# need is resolved away.
UNIFDEF = ["-U__cplusplus", "-DSCHED_TP_IN_TREE"]


def load(name):
    with open(SERIES / name, "rb") as handle:
        return tomllib.load(handle)


def listed():
    """Names of the tracepoints that get the table, in the order of the list."""
    text = (REPO / "include/schedtp/tracepoints.def").read_text()
    return re.findall(r"^SCHED_TP_TRACEPOINT\((\w+),", text, re.M)


def declared(tree):
    """Names of a tree's bare tracepoints, without the suffix that some declare them with."""
    text = (tree / TRACE_HEADER).read_text()
    found = re.findall(r"^DECLARE_TRACE(?:_CONDITION)?\((\w+),", text, re.M)
    return {name.removesuffix("_tp") for name in found}


def tracepoints(tree):
    """{name in the list: name in this tree}, of those that the tree has."""
    rules = load("rules.toml")["tracepoints"]
    there = declared(tree)
    names = {}
    for name in listed():
        choice = [name, *rules["other_names"].get(name, ())]
        found = [each for each in choice if each in there]
        if len(found) > 1:
            raise Stop(
                f"rule 'tracepoints': {TRACE_HEADER} declares both {' and '.join(found)}, which "
                "the rules take for names of one"
            )
        if found:
            names[name] = found[0]
        elif name not in rules["missing_in_some_trees"]:
            raise Stop(
                f"rule 'tracepoints': {TRACE_HEADER} declares no bare tracepoint {' or '.join(choice)}"
            )
    left_alone = {name for group in rules["left_alone"] for name in group["names"]}
    unknown = sorted(there - set(names.values()) - left_alone)
    if unknown:
        raise Stop(
            f"rule 'tracepoints': {TRACE_HEADER} declares the bare tracepoint {unknown[0]}, "
            "which no rule knows: add it to include/schedtp/tracepoints.def, or to those that "
            "kernel/series/rules.toml leaves alone"
        )
    return names


def key():
    """Changes when anything that the series is made from does."""
    digest = hashlib.sha256()
    sources = {source for patch in load("patches.toml")["patch"] for source in patch["file"]}
    own = {str(path.relative_to(REPO)) for path in SERIES.iterdir()}
    for source in sorted(sources | own | {"tools/buildlib/series.py", "tools/buildlib/probes.py"}):
        digest.update(source.encode() + b"\0" + read_source(source).encode() + b"\0")
    return digest.hexdigest()


def read_source(source):
    path = REPO / source
    if not path.is_file():
        raise Stop(f"{source} is in kernel/series/patches.toml and not in the repository")
    return path.read_text()


def kernel_text(source, have):
    """A file of this repository as a kernel gets it that has these probes."""
    text = read_source(source)
    if not source.endswith((".c", ".h", ".def")):
        return text
    if source.endswith("getters.def"):
        text = probes.resolve_list(text, have)
    if source.endswith("options.def"):
        text = re.sub(r"^SCHED_TP_PROBE\(.*\n", "", text, flags=re.M)
    text = probes.resolve(source, text, have)
    for ours, theirs in INCLUDES.items():
        text = text.replace(f"#include {ours}", f"#include {theirs}")
    if source.startswith("include/") and source.endswith(".h"):
        done = output("unifdef", "-B", *UNIFDEF, stdin=text, check=False)
        if done.returncode not in (0, 1):
            raise Stop(f"{source}: unifdef: {done.stderr.strip()}")
        text = done.stdout
    for ours, theirs in MENTIONS.items():
        text = text.replace(ours, theirs)
    left = FOREIGN.search(text)
    if left:
        raise Stop(f"{source}: '{left.group()}' means nothing in a kernel tree")
    return text


# --- rules ---------------------------------------------------------------------------


def edit(tree, name, rule):
    """Put lines after, or before, the first of the rule's lines that the file has once."""
    path = tree / rule["file"]
    if not path.is_file():
        raise Stop(f"rule '{name}': this tree has no {rule['file']}")
    lines = path.read_text().split("\n")
    anchors = rule.get("after") or rule["before"]
    for anchor in anchors:
        found = [number for number, line in enumerate(lines) if line == anchor]
        if len(found) == 1:
            break
    else:
        raise Stop(
            f"rule '{name}': {rule['file']} has the line '{anchor.strip()}' {len(found)} times "
            "and not once: kernel/series/rules.toml needs another one for this tree"
        )
    at = found[0] + ("after" in rule)
    lines[at:at] = rule["text"].removesuffix("\n").split("\n")
    path.write_text("\n".join(lines))


def add_maintainers(tree, identity):
    """A section in its alphabetical place."""
    path = tree / "MAINTAINERS"
    text = path.read_text()
    entry = f"{MAINTAINERS_TITLE}\n"
    if identity:
        entry += f"M:\t{identity}\n"
    entry += (
        "L:\tlinux-kernel@vger.kernel.org\n"
        "S:\tMaintained\n"
        "F:\tDocumentation/scheduler/sched-tp-callbacks.rst\n"
        "F:\tinclude/linux/sched/tp_*.h\n"
        "F:\tkernel/sched/tp/\n"
        "F:\ttools/testing/selftests/sched_tp/\n\n"
    )
    titles = re.finditer(r"(?<=\n\n)([A-Z0-9][^\n]*)\n(?=[A-Z]:\t)", text)
    for title in titles:
        if title.group(1) > MAINTAINERS_TITLE and title.group(1).startswith("S"):
            path.write_text(text[: title.start()] + entry + text[title.start() :])
            return
    raise Stop("rule 'maintainers': MAINTAINERS has no section to come before 'SCHEDULER -'")


def closing(text, opening):
    """Index of the parenthesis that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("unbalanced parentheses")


def append_argument(text, macro, start, argument):
    """Append to the arguments of `macro(...)`, in a line of its own if need be."""
    opening = text.index(macro + "(", start) + len(macro)
    end = closing(text, opening)
    last_line = text[text.rindex("\n", 0, end) + 1 : end]
    # Room for ", " and what ends the line: "),".
    width = len(last_line.expandtabs(8)) + len(argument) + 4
    if width <= 80:
        return text[:end] + ", " + argument + text[end:]
    indent = "\t" * ((8 + len(macro) + 1) // 8) + " " * ((8 + len(macro) + 1) % 8)
    return text[:end] + ",\n" + indent + argument + text[end:]


def declare_argument(tree):
    """The table in the declaration of each tracepoint."""
    path = tree / TRACE_HEADER
    text = path.read_text()
    for name in tracepoints(tree).values():
        start = re.search(rf"^DECLARE_TRACE\({name}(_tp)?,", text, re.M).start()
        text = append_argument(text, "TP_PROTO", start, "const struct sched_tp_callbacks *cb")
        text = append_argument(text, "TP_ARGS", start, "cb")
    # Above the first of them, and above the comment that it may have.
    first = re.search(r"^(/\*\n( \*[^\n]*\n)*? \*/\n)?DECLARE_TRACE\(", text, re.M).start()
    text = text[:first] + "struct sched_tp_callbacks;\n\n" + text[first:]
    path.write_text(text)


def missing_tracepoints(tree):
    names = tracepoints(tree)
    return [name for name in listed() if name not in names]


def say_which(tree):
    """What a header says of this tree's tracepoints, where it is another thing than the list."""
    names = tracepoints(tree)
    text = ""
    renamed = {ours: theirs for ours, theirs in names.items() if ours != theirs}
    if renamed:
        text += "/* What the list has under another name than this kernel. */\n"
    for ours, theirs in renamed.items():
        for verb in ("register", "unregister"):
            text += f"#define {verb}_trace_{ours}_tp\t{verb}_trace_{theirs}_tp\n"
    missing = missing_tracepoints(tree)
    if missing:
        text += "\n" * bool(text) + "/* What the list has, and this kernel has not. */\n"
    for name in missing:
        text += f"#define SCHED_TP_LACKS_{name}\t1\n"
        for verb, error in (("register", "EOPNOTSUPP"), ("unregister", "ENOENT")):
            text += (
                f"#define {verb}_trace_{name}_tp(probe, data) \\\n"
                f"\t({{ (void)(probe); (void)(data); -{error}; }})\n"
            )
    path = tree / TABLE_ARGUMENT
    before, end, after = path.read_text().rpartition("#endif")
    path.write_text(before + text + "\n" * bool(text) + end + after)


def spatch(tree, script, files, *options):
    names = "|".join(tracepoints(tree).values())
    source = (SERIES / script).read_text().replace("TRACEPOINTS", names)
    # A file, as Coccinelle reads it more than once.
    with tempfile.NamedTemporaryFile("w", suffix=".cocci") as rules:
        rules.write(source)
        rules.flush()
        return output(
            "spatch",
            "--very-quiet",
            "--no-show-diff",
            *options,
            "--sp-file",
            rules.name,
            *files,
            cwd=tree,
        )


def call_sites(tree):
    """Where the tracepoints fire: {(name, file, function): [line, ...]}, compared."""
    ours = {theirs: name for name, theirs in tracepoints(tree).items()}
    names = "|".join(ours)
    fires = re.compile(rf"\btrace_(?:call__)?({names})_tp\(")
    # A probe inside the tree would have the old prototype.
    attaches = re.compile(
        rf"register_trace_({names})_tp\b|rv_attach_trace_probe\(.*[ ,]({names})_tp\b"
    )
    base = git(tree, "rev-parse", "HEAD").strip()
    # All files of a kernel are read once, for words that git finds fast.
    words = [f"-e{word}" for word in ("_tp(", "register_trace_", "rv_attach_trace_probe")]
    hits = git(tree, "grep", "-nF", *words, base, "--", "*.c", "*.h", check=False).stdout
    seen = set()
    for hit in hits.splitlines():
        _, file, line, text = hit.split(":", 3)
        if attaches.search(text):
            raise Stop(
                f"rule 'call_sites': {file}:{line} attaches a probe inside the tree: no rule covers that"
            )
        found = fires.search(text)
        if found and not file.startswith("kernel/sched/"):
            raise Stop(
                f"rule 'call_sites': {file} fires a tracepoint of the scheduler: no rule covers that"
            )
        if found:
            seen.add((found.group(1), file, int(line)))

    sites = {}
    for line in spatch(tree, "survey.cocci", sorted({file for _, file, _ in seen})).splitlines():
        _, name, file, number, function = line.split()
        name = name.removeprefix("trace_").removeprefix("call__").removesuffix("_tp")
        sites.setdefault((ours[name], file, function), []).append(int(number))
        seen.discard((name, file, int(number)))
    if seen:
        name, file, number = min(seen)
        raise Stop(
            f"rule 'call_sites': {file}:{number} fires {name} in a place that Coccinelle cannot "
            "read: no rule covers it"
        )
    return sites


def check_call_sites(tree):
    sites = call_sites(tree)
    names = tracepoints(tree)
    unexpected, missing = set(sites), []
    for name, places in load("rules.toml")["call_sites"].items():
        for place in places if name in names else ():
            file, functions = place.split(":")
            choice = [(name, file, function) for function in functions.split("|")]
            found = [each for each in choice if each in unexpected]
            # Of the names of one function, a second that fires is another function.
            unexpected -= set(found[:1])
            missing += [] if found else [(names[name], file, functions)]
    for name, file, function in sorted(unexpected):
        number = sites[name, file, function][0]
        raise Stop(
            f"rule 'call_sites': {file}:{number} fires {names[name]} in {function}(), where no "
            "rule expects it: read its locks, then add it to kernel/series/rules.toml"
        )
    for name, file, functions in sorted(missing):
        raise Stop(
            f"rule 'call_sites': {functions.replace('|', '() or ')}() in {file} does not fire "
            f"{name}, which a rule of kernel/series/rules.toml expects"
        )
    for (name, file, function), numbers in sorted(sites.items()):
        if len(numbers) > 1:
            raise Stop(
                f"rule 'call_sites': {file}:{numbers[1]} fires {names[name]} in {function}() once more, "
                "where a rule expects it once"
            )
    return sorted({file for _, file, _ in sites})


def pass_table(tree):
    """The table at each place where a tracepoint fires."""
    files = check_call_sites(tree)
    spatch(tree, "add_table.cocci", files, "--in-place")
    names = "|".join(tracepoints(tree).values())
    for file in files:
        # A line that changes is in kernel style afterwards, whatever it was before.
        text = re.sub(
            rf"^( {{8}})+(?=trace_(?:call__)?(?:{names})_tp\()",
            lambda spaces: "\t" * (len(spaces.group()) // 8),
            (tree / file).read_text(),
            flags=re.M,
        )
        (tree / file).write_text(text)
        for call in re.finditer(rf"\btrace_(?:call__)?({names})_tp\(", text):
            arguments = text[call.end() : closing(text, call.end() - 1)]
            if not arguments.endswith("&sched_tp_callbacks"):
                line = text.count("\n", 0, call.start()) + 1
                raise Stop(f"rule 'call_sites': {file}:{line} was left without the table")


# --- commits -------------------------------------------------------------------------


def identity():
    """Name and address of whoever runs this, as git knows them, or None."""
    name, email = (
        output("git", "-C", REPO, "config", setting, check=False).stdout.strip()
        for setting in ("user.name", "user.email")
    )
    return f"{name} <{email}>" if name and email else None


@contextlib.contextmanager
def worktree(found, name, commit, sparse=SPARSE):
    """A worktree of the files that are needed, gone afterwards whatever happens."""
    path = found.directory / name

    def remove():
        shutil.rmtree(path, ignore_errors=True)
        git(found.pristine, "worktree", "prune")

    remove()
    git(found.pristine, "worktree", "add", "-q", "--detach", "--no-checkout", path, commit)
    try:
        looked_at = "".join(f"/{file}\n" for file in probes.files())
        git(path, "sparse-checkout", "set", "--no-cone", "--stdin", stdin=sparse + looked_at)
        git(path, "checkout", "-q")
        yield path
    finally:
        remove()


def add_patch(tree, patch, rules, who, sign, have):
    if patch.get("maintainers"):
        add_maintainers(tree, who)
    if patch.get("tracepoints"):
        declare_argument(tree)
    if patch.get("call_sites"):
        pass_table(tree)
    for source, target in patch["file"].items():
        path = tree / target
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(kernel_text(source, have))
        if source.endswith((".sh", ".py")):
            path.chmod(0o755)
    if patch.get("tracepoints"):
        say_which(tree)
    for name in patch.get("edit", ()):
        edit(tree, name, rules["edit"][name])
    message = f"{patch['subject']}\n\n{patch['body'].strip()}\n"
    author = []
    if sign:
        message += f"\nSigned-off-by: {who}\n"
        name, email = who.removesuffix(">").rsplit(" <", 1)
        author = ["-c", f"user.name={name}", "-c", f"user.email={email}"]
    git(tree, "add", "--sparse", "-A", "-f", ".")
    output(*GIT, *author, "-C", tree, "commit", "-q", "-F", "-", stdin=message)


def commit(found, sign):
    """
    Make the series on top of the release's base. Returns its last commit; a branch
    of the cached tree holds it. Without `sign` it is for our own builds only.
    """
    who = identity() if sign else None
    branch = "schedtp-series" if sign else "schedtp-build"
    state = f"{key()} {found.base} {who}"
    note = git(found.pristine, "config", f"branch.{branch}.description", check=False).stdout.strip()
    tip = git(found.pristine, "rev-parse", "-q", "--verify", branch, check=False).stdout.strip()
    if tip and note == state:
        return tip
    rules = load("rules.toml")
    with worktree(found, "scratch", found.base) as tree:
        if (tree / TABLE_ARGUMENT).exists():
            raise Stop(f"{found.name} has the series already")
        have = probes.of(tree)
        probes.check_mock(found.name, have, missing_tracepoints(tree))
        for patch in load("patches.toml")["patch"]:
            add_patch(tree, patch, rules, who, sign, have)
        tip = git(tree, "rev-parse", "HEAD").strip()
    git(found.pristine, "branch", "-f", branch, tip)
    git(found.pristine, "config", f"branch.{branch}.description", state)
    say(f"  series for Linux {release(found.pristine)}: {len(load('patches.toml')['patch'])} commits")
    return tip


def update_patched(found):
    """The worktree that kernels are built in, at the series; touches what changed only."""
    check_out(found, found.patched, commit(found, sign=False))
    return found.patched
