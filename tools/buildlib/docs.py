# SPDX-License-Identifier: GPL-2.0
"""The pages in docs/ that are made from the list of getters."""

import re
import tomllib

from . import offers, probes
from .common import REPO, Stop
from .getters import CONTRACT, getters

DOCS = REPO / "docs"
PORTING = "docs/porting.toml"

# What the getters are about, in the order of the page, by the type of the first parameter.
SUBJECTS = (
    "struct cfs_rq",
    "struct sched_entity",
    "struct rq",
    "struct rt_rq",
    "struct dl_rq",
    "struct sched_dl_entity",
    "struct root_domain",
    "struct task_struct",
    "struct task_group",
    "no object",
)

GETTERS_HEAD = """\
# The getters

<!-- Made by `make docs` from include/schedtp/getters.def. Do not edit. -->

One row a getter, and below the table a section. `yes` is: every kernel of that
release has it. A word such as `SMP` is the option (`CONFIG_SMP`) that it needs there.
`absent` is: no configuration of that release has it. What one kernel offers, say
`make check-config`, and on the kernel itself `/sys/kernel/debug/sched_tp/getters`.

Of every getter: it may be called from any context; the locks under *Context* are what
makes the value exact. A NULL object is another matter than an absent getter.

"""

PORTING_HEAD = """\
# Porting a probe to getters

<!-- Made by `make docs` from docs/porting.toml. Do not edit. -->

Each field that the events of LISA's module, of sched_tp and of sched-analyzer print,
and the getter that gives it. **Bold** is a value that changes, and why.

"""


def paragraphs(contract):
    """Brief, text and {field: words} of the comment above a getter."""
    lines = [line.removeprefix(" *").removeprefix(" ") for line in contract.splitlines()]
    brief, text, fields, field = [], [], {}, None
    for line in lines:
        named = re.match(r"([A-Z][A-Za-z]+):\s+(.*)", line)
        if named and named[0].split()[0] in CONTRACT:
            field = named[1]
            fields[field] = named[2]
        elif field and line.strip():
            fields[field] += " " + line.strip()
        elif field is None and not text and line.strip():
            brief.append(line.strip())
        elif field is None:
            # The blank line after the brief, and all that comes before the fields.
            text.append(line.strip())
    return " ".join(brief).partition(" - ")[2], "\n".join(text).strip(), fields


def escape(text):
    """Words of a comment as Markdown shows them."""
    return re.sub(r"([|*<>])", r"\\\1", text)


def subject(getter):
    named = re.match(r"(?:const )?(struct \w+) \*", getter.parameters)
    return named[1] if named else "no object"


def in_release(getter, have):
    resolved = probes.resolve_needs(getter.needs, have)
    if resolved in ("", "!"):
        return "absent" if resolved else "yes"
    return offers.condition(resolved, prefix="")


def oracles():
    """{getter: (test, what it compares with)}."""
    text = (REPO / "selftests/sched_tp/oracles.txt").read_text()
    return {name: (test, oracle) for name, test, oracle in re.findall(r"^(\w+)\s+(\S+)\s+(.*)$", text, re.M)}


def prototype(getter):
    star = "" if getter.returns.endswith("*") else " "
    return f"{getter.returns}{star}{getter.name}({getter.parameters})"


def absent_when(getter, releases):
    """In words, releases that agree together."""
    said = {}
    for release, have in releases.items():
        said.setdefault(in_release(getter, have), []).append(release)
    if list(said) == ["yes"]:
        return "never"
    sentences = []
    for word, names in said.items():
        where = "" if len(said) == 1 else f"Linux {', '.join(names)}: "
        if word == "yes":
            sentences.append(f"{where}never")
        elif word == "absent":
            sentences.append(f"{where}always")
        else:
            named = re.sub(r"\b(?!and\b|or\b)(\w+)", r"CONFIG_\1", word)
            sentences.append(f"{where}unless {named}")
    return "; ".join(sentences)


def getters_page():
    releases = offers.releases()
    oracle_of = oracles()
    groups = {name: [] for name in SUBJECTS}
    for getter in getters():
        name = subject(getter)
        if name not in groups:
            raise Stop(f"getters.def: {getter.name} is about {name}: add that to SUBJECTS in tools/buildlib/docs.py")
        groups[name].append(getter)
    text = GETTERS_HEAD
    for name, group in groups.items():
        text += f"## {name}\n\n"
        text += f"| getter | what it says | {' | '.join(releases)} |\n"
        text += f"| --- | --- |{' --- |' * len(releases)}\n"
        for getter in group:
            brief, _, _ = paragraphs(getter.contract)
            cells = [f"[{getter.name}](#{getter.name})", escape(brief)]
            cells += [in_release(getter, have) for have in releases.values()]
            text += f"| {' | '.join(cells)} |\n"
        text += "\n"
        for getter in group:
            text += section(getter, releases, oracle_of.get(getter.name))
    return text.rstrip("\n") + "\n"


def section(getter, releases, oracle):
    brief, explanation, fields = paragraphs(getter.contract)
    text = f"### {getter.name}\n\n`{prototype(getter)}`\n\n"
    text += f"{escape(brief[:1].upper() + brief[1:])}.\n\n"
    if explanation:
        text += f"{escape(explanation)}\n\n"
    rows = [(name.rstrip(":"), fields.get(name.rstrip(":"), "")) for name in CONTRACT]
    rows.append(("Absent", absent_when(getter, releases)))
    rows.append(("Since", f"1.{getter.since}"))
    test, compared = oracle or ("none", "")
    rows.append(("Oracle", f"none: {compared}" if test == "none" else f"{compared} ({test})"))
    return text + "".join(f"- {name}: {escape(words)}\n" for name, words in rows) + "\n"


def porting_page():
    text = PORTING_HEAD
    table = tomllib.loads((REPO / PORTING).read_text())
    for event in table["event"]:
        names = ", ".join(f"`{name}`" for name in event["names"])
        text += f"## {names}\n\n"
        text += f"At `{event['tracepoint']}`. {event.get('note', '')}".rstrip() + "\n\n"
        text += "| field | getter | |\n| --- | --- | --- |\n"
        for field in event["fields"]:
            given = ", ".join(f"[{name}](getters.md#{name})" for name in field.get("getters", ()))
            given = given or field.get("argument", "none")
            says = f"**{field['changes']}**" if "changes" in field else ""
            says = " ".join(filter(None, (says, field.get("note"))))
            text += f"| {field['name']} | {given} | {says} |\n"
        text += "\n"
    return text.rstrip("\n") + "\n"


PAGES = {"getters.md": getters_page, "porting.md": porting_page}


def faults():
    """What is wrong with the list, the porting table and the pages, a line for each."""
    lines = []
    names = {getter.name for getter in getters()}
    listed = (REPO / "include/schedtp/tracepoints.def").read_text()
    tracepoints = set(re.findall(r"^SCHED_TP_TRACEPOINT\((\w+),", listed, re.M))
    for event in tomllib.loads((REPO / PORTING).read_text())["event"]:
        where = f"{PORTING}: {event['names'][0]}"
        if event["tracepoint"] not in tracepoints | {"sched_switch"}:
            lines.append(f"{where}: tracepoints.def has no {event['tracepoint']}")
        for field in event["fields"]:
            for name in field.get("getters", ()):
                if name not in names:
                    lines.append(f"{where}: field {field['name']}: there is no getter {name}")
            if not {"getters", "argument", "changes", "note"} & field.keys():
                lines.append(f"{where}: field {field['name']} says neither where it comes from nor why not")
    for name, page in PAGES.items():
        path = DOCS / name
        if not path.exists() or path.read_text() != page():
            lines.append(f"docs/{name} is not what the list says now: run make docs")
    return lines
