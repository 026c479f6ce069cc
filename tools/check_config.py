# SPDX-License-Identifier: GPL-2.0
"""What `make check-config` prints: which getters a tree has with a configuration."""

from buildlib import kconfig, offers
from buildlib.common import say


def report(found, config, architecture):
    """
    For each getter of the list: available, absent in this kernel, or off and the options
    it needs, in the words of /sys/kernel/debug/sched_tp/getters. CONFIG= is a .config as
    Kconfig writes it, or a fragment over the architecture's defconfig; without it, the
    defconfig alone.
    """
    table = kconfig.table(found, config, architecture)
    where = f"{table.kernel}, {config or 'the defconfig'}: CONFIG_{kconfig.TABLE_OPTION} is"
    if table.on:
        say(f"schedtp: {where} on")
    else:
        why = f" ({table.why})" if table.why else ""
        say(f"schedtp: {where} off{why}, and so is every getter; with it there is:")
    width = max(len(getter) for getter, _, _ in table.rows)
    for getter, words, reason in table.rows:
        say(f"{getter:<{width}}  {words}{reason}")
    said = [words for _, words, _ in table.rows]
    available, absent = said.count(offers.AVAILABLE), said.count(offers.ABSENT)
    say(
        f"schedtp: {available} available, {absent} absent in this kernel, "
        f"{len(said) - available - absent} off"
    )


def write(found, config, path):
    """The same as lines of that file, for a test on the kernel to compare with."""
    rows = kconfig.table(found, config).rows
    path.write_text("".join(f"{getter}\t{words}\n" for getter, words, _ in rows))
