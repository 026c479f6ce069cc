# SPDX-License-Identifier: GPL-2.0
"""
What a configuration says of the getters: read with kconfiglib, which knows why an option
is off, and confirmed by the tree's own `make olddefconfig`, which is right.

Neither sees more of the tree than its Kconfig files, in a worktree of a moment.
"""

import collections
import contextlib
import difflib
import importlib.util
import io
import os
import re
import shutil
import tempfile
from pathlib import Path

from . import kernel, offers, probes, series
from .common import CACHE, Stop, output
from .getters import getters
from .trees import release

TABLE_OPTION = "SCHED_TP_CALLBACKS"

# The name and words of each getter, and in parentheses why; whether the table itself is
# on, or why not; which kernel it is.
Table = collections.namedtuple("Table", "rows on why kernel")

# All that configuring reads.
SPARSE = """
Kconfig*
/Makefile
/scripts/
/arch/*/Makefile*
/arch/*/configs/
/arch/*/scripts/
/arch/*/tools/
"""

# Kconfig since kconfiglib was last released: an attribute without `option`, one that it
# does not know, and a dependency with a condition. Comments and help have no such line.
SINCE = (
    (r"^([ \t]+)modules[ \t]*$", r"\1option modules"),
    (r"^[ \t]+transitional[ \t]*$", ""),
    (r"^([ \t]+depends on )([^\"#\n]*[^\"#\s])[ \t]+if[ \t]+([^\"#\n]*[^\"#\s])[ \t]*$", r"\1(\2) || !(\3)"),
)


def load_kconfiglib():
    """The module; Debian installs it for its own python3, and any other can read it too."""
    found = importlib.util.find_spec("kconfiglib")
    if not found:
        path = Path("/usr/lib/python3/dist-packages/kconfiglib.py")
        if not path.exists():
            raise Stop("the Python module kconfiglib is missing: install python3-kconfiglib")
        found = importlib.util.spec_from_file_location("kconfiglib", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@contextlib.contextmanager
def environment(changes):
    """Variables for what reads them from this process."""
    before = dict(os.environ)
    os.environ.update(changes)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def config_tree(found):
    """The release's Kconfig files with those of the series, and an empty directory to build in."""
    rules = series.load("rules.toml")["edit"]
    with contextlib.ExitStack() as stack:
        tree = stack.enter_context(series.worktree(found, "kconfig", found.base, SPARSE))
        for patch in series.load("patches.toml")["patch"]:
            for source, target in patch["file"].items():
                if Path(target).name == "Kconfig":
                    path = tree / target
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(series.read_source(source))
            for name in patch.get("edit", ()):
                if Path(rules[name]["file"]).name.startswith("Kconfig"):
                    series.edit(tree, name, rules[name])
        CACHE.mkdir(parents=True, exist_ok=True)
        build = Path(tempfile.mkdtemp(prefix=".check-config-", dir=CACHE))
        stack.callback(shutil.rmtree, build, ignore_errors=True)
        yield tree, build


def parse(path, text):
    """[(line number, option)] of a configuration; anything else in it stops."""
    options = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        named = re.fullmatch(r"CONFIG_(\w+)=.*|# CONFIG_(\w+) is not set", line)
        if named:
            options.append((number, named[1] or named[2]))
        elif line and not line.startswith("#"):
            raise Stop(f"{path}:{number}: '{line[:60]}' is not CONFIG_NAME=value")
    if not options:
        raise Stop(f"{path}: there is no CONFIG_ in it: give a .config, or a fragment of one")
    return options


def read_config(path):
    try:
        return Path(path).read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise Stop(f"CONFIG={path}: {why}: give a .config, or a fragment of one") from None


def is_whole(text):
    """Kconfig says in its first lines that it wrote a file, and then it is all there is."""
    return "Automatically generated file; DO NOT EDIT." in text[:200]


class Options:
    """The options of one configuration of one tree, as kconfiglib sees them."""

    def __init__(self, tree, name, architecture):
        self.name = name
        self.lib = load_kconfiglib()

        class Kconfig(self.lib.Kconfig):
            def _open(self, filename, mode):
                handle = super()._open(filename, mode)
                if mode != "r" or not Path(filename).name.startswith("Kconfig"):
                    return handle
                with handle:
                    text = handle.read()
                for pattern, newer in SINCE:
                    text = re.sub(pattern, newer, text, flags=re.M)
                return io.StringIO(text)

        # As make has it, which is x86 for either of the two of that name.
        named = dict(word.split("=", 1) for word in architecture.make).get("ARCH", "x86")
        compiler = architecture.compiler
        variables = {
            "srctree": str(tree),
            "ARCH": named,
            "SRCARCH": named,
            # Of um: which kind of machine it runs on.
            "HEADER_ARCH": "x86",
            "SUBARCH": "x86",
            "CC": compiler,
            "HOSTCC": "gcc",
            "HOSTCXX": "g++",
            "LD": "ld",
            "AR": "ar",
            "NM": "nm",
            "OBJCOPY": "objcopy",
            "PAHOLE": "pahole",
            "RUSTC": "rustc",
            "BINDGEN": "bindgen",
            "CONFIG_": "CONFIG_",
            "CC_VERSION_TEXT": output(*compiler.split(), "--version").splitlines()[0],
            "KERNELVERSION": release(tree),
            "LC_ALL": "C",
        }
        with environment(variables):
            try:
                self.kconfig = Kconfig("Kconfig", warn_to_stderr=False, suppress_traceback=False)
            except self.lib.KconfigError as error:
                line = str(error).strip().splitlines()[0]
                raise Stop(f"kconfiglib cannot read the Kconfig files of {name}: {line}") from None

    def check_known(self, path, options):
        defined = {symbol.name for symbol in self.kconfig.unique_defined_syms}
        unknown = [(number, option) for number, option in options if option not in defined]
        if not unknown:
            return
        number, option = unknown[0]
        close = difflib.get_close_matches(option, defined, 1, 0.8)
        text = f"{path}:{number}: CONFIG_{option} is no option of {self.name}"
        if close:
            text += f": did you mean CONFIG_{close[0]}?"
        if len(unknown) > 1:
            text += f" ({len(unknown) - 1} more are none either: is it of another kernel?)"
        raise Stop(text)

    def take(self, path, replace):
        """Values from a file; what is no value of an option stops."""
        before = len(self.kconfig.warnings)
        self.kconfig.load_config(str(path), replace=replace)
        for warning in self.kconfig.warnings[before:]:
            if "is not a valid value" in warning or "malformed" in warning:
                raise Stop(" ".join(warning.removeprefix("warning: ").split()))

    def value(self, option):
        symbol = self.kconfig.syms.get(option)
        return symbol.str_value if symbol and symbol.nodes else "n"

    def unmet(self, expression):
        """The parts of a dependency that keep it from holding."""
        if self.lib.expr_value(expression):
            return []
        if isinstance(expression, tuple) and expression[0] is self.lib.AND:
            parts = self.unmet(expression[1]) + self.unmet(expression[2])
            return list(dict.fromkeys(parts))
        return [self.lib.expr_str(expression)]

    def why_off(self, option):
        """What keeps an option off, beyond nobody having asked for it; or nothing."""
        symbol = self.kconfig.syms.get(option)
        if not symbol or not symbol.nodes:
            return "this architecture has none"
        unmet = self.unmet(symbol.direct_dep)
        if unmet:
            return f"depends on {' && '.join(unmet)}"
        if not any(node.prompt for node in symbol.nodes):
            selects = [self.lib.expr_str(term) for term in self.lib.split_expr(symbol.rev_dep, self.lib.OR)]
            named = [term for term in selects if term != "n"]
            return f"is selected by {', '.join(named)}" if named else ""
        return ""


def reasons(resolved, options, on):
    """What to say in parentheses after `off: needs ...`."""
    found = []
    wanted = [option for alternative in offers.alternatives(resolved) for option in alternative]
    for option in dict.fromkeys(wanted):
        if on(option):
            continue
        why = options.why_off(option)
        if len(set(wanted)) > 1:
            why = f"CONFIG_{option} {why}" if why else f"CONFIG_{option} is not set"
        found += [why] if why else []
    return f" ({'; '.join(found)})" if found else ""


def granted(build):
    return dict(re.findall(r"^CONFIG_(\w+)=(.*)$", (build / ".config").read_text(), re.M))


def configured(found, config, architecture):
    """(what kconfiglib says of a configuration, what the tree's own conf makes of it)."""
    text = read_config(config) if config else ""
    asked = parse(config, text) if config else []
    with config_tree(found) as (tree, build):
        make, env = kernel.make_args(tree, build, architecture), kernel.environment()
        options = Options(tree, f"Linux {release(tree)} on {architecture.name}", architecture)
        options.check_known(config, asked)
        if not is_whole(text):
            found.log.run("take the defconfig", [*make, "defconfig"], env=env)
            options.kconfig.load_config(str(build / ".config"))
        if config:
            options.take(config, replace=is_whole(text))
            with open(build / ".config", "w" if is_whole(text) else "a") as handle:
                handle.write(text)
        found.log.run("confirm it with olddefconfig", [*make, "olddefconfig"], env=env)
        granted = re.findall(r"^CONFIG_(\w+)=(.*)$", (build / ".config").read_text(), re.M)
    return options, dict(granted)


def table(found, config=None, architecture=kernel.X86_64):
    """
    The Table of a release on an architecture, for a file that is a whole configuration or
    a fragment over the defconfig, or for the defconfig alone.
    """
    options, granted = configured(found, config, architecture)
    have = probes.of(found.pristine)

    def on(option):
        return granted.get(option, "n") != "n"

    rows, named = [], {TABLE_OPTION}
    for getter in getters():
        resolved = probes.resolve_needs(getter.needs, have)
        words = offers.words(resolved, on)
        if resolved not in ("", "!"):
            named.update(option for each in offers.alternatives(resolved) for option in each)
        off = words not in (offers.AVAILABLE, offers.ABSENT)
        rows.append((getter.name, words, reasons(resolved, options, on) if off else ""))
    for option in sorted(named):
        mine, theirs = options.value(option), granted.get(option, "n")
        if mine != theirs:
            raise Stop(
                f"CONFIG_{option} is {mine} for kconfiglib and {theirs} for the tree's own conf, "
                "which is right: mend what tools/buildlib/kconfig.py gives kconfiglib to read"
            )
    why = "" if on(TABLE_OPTION) else options.why_off(TABLE_OPTION)
    return Table(rows, on(TABLE_OPTION), why, options.name)
