# SPDX-License-Identifier: GPL-2.0
"""
Kernel sources as Debian packages: from the suites that this machine lists, and from
one more that it need not list.

For that one apt is given options, lists and a cache of our own: what the machine's
own apt knows stays as it is. Signatures are checked as ever.
"""

import os
import re
import shutil
import time

from .common import CACHE, Stop, lock, output

# Where Debian puts kernels newer than its stable release. By its code name: mirrors
# that cache were seen to serve the alias, stable-backports, weeks old.
SUITE = "trixie-backports"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
PRIVATE = CACHE / "apt"
UPDATED = PRIVATE / "updated"
DAY = 24 * 60 * 60

# apt drops root to its own user to download, who need not reach the cache.
AS_WE_ARE = ["-o", "APT::Sandbox::User=root"]
ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]


def mirror():
    """Where this machine takes Debian's packages from, or None."""
    fields = "$(REPO_URI)|$(ORIGIN)|$(LABEL)"
    listed = output("apt-get", "indextargets", "--format", fields, "Created-By: Packages", check=False)
    for line in listed.stdout.splitlines():
        uri, *what = line.split("|")
        if what == ["Debian", "Debian"]:
            return uri
    return None


def backports(log):
    """apt options that make it see SUITE and nothing else, or None if it is out of reach."""
    if not shutil.which("apt-get"):
        return None
    options = [
        "-o", f"Dir::Etc::sourcelist={PRIVATE}/sources.list",
        "-o", "Dir::Etc::sourceparts=/dev/null",
        "-o", f"Dir::State::Lists={PRIVATE}/lists",
        "-o", f"Dir::Cache={PRIVATE}/cache",
    ]  # fmt: skip
    with lock(PRIVATE):
        fresh = UPDATED.exists() and 0 <= time.time() - UPDATED.stat().st_mtime < DAY
        return options if fresh or update(log, options) else None


def update(log, options):
    """Fetch the list of SUITE; returns whether that worked."""
    uri = mirror()
    if not uri:
        # An apt that has never been updated does not know whose its sources are.
        log.run("bring apt's lists up to date", [*ROOT, "apt-get", "-q", "update"], allow_failure=True)
        uri = mirror()
    if not uri:
        return False
    for directory in ("lists/partial", "cache/archives/partial"):
        (PRIVATE / directory).mkdir(parents=True, exist_ok=True)
    (PRIVATE / "sources.list").write_text(f"deb [signed-by={KEYRING}] {uri} {SUITE} main\n")
    # A list that could not be fetched is a warning to apt, and an old one would do.
    strict = ["-o", "APT::Update::Error-Mode=any"]
    get = ["apt-get", "-q", *options, *AS_WE_ARE, *strict, "update"]
    status, _ = log.run(f"list {SUITE}", get, allow_failure=True)
    if status == 0:
        UPDATED.touch()
    return status == 0


def by_number(kver):
    """A key to sort series with: 6.12 is newer than 6.2."""
    return [int(part) for part in kver.split(".")]


def offered(options):
    """The series whose source apt knows, as {"6.1", "6.12"}."""
    names = output("apt-cache", *options, "pkgnames", "linux-source-", check=False).stdout
    return set(re.findall(r"^linux-source-([0-9]+\.[0-9]+)$", names, re.M))


def download(log, package, directory):
    """Put the package into the directory; returns the suite that it came from."""
    if not shutil.which("apt-get"):
        raise Stop(f"there is no apt-get here to fetch {package} with: give a kernel tree with KDIR=")
    kver = package.removeprefix("linux-source-")
    said = ""

    def fetched(options):
        nonlocal said
        get = ["apt-get", "-q", *options, *AS_WE_ARE, "download", package]
        status, path = log.run(f"fetch {package}", get, cwd=directory, allow_failure=True)
        errors = [line for line in path.read_text().splitlines() if line.startswith("E:")]
        said = errors[0] if errors else "no reason given"
        return status == 0

    if kver in offered([]) and fetched([]):
        return "of this machine"
    for _ in range(2):
        private = backports(log)
        if not private or kver not in offered(private):
            break
        if fetched(private):
            return SUITE
        # The list of yesterday may name what has been replaced since.
        UPDATED.unlink(missing_ok=True)
    # Old lists name packages that a mirror has no more, and empty ones none.
    log.run("bring apt's lists up to date", [*ROOT, "apt-get", "-q", "update"], allow_failure=True)
    if fetched([]):
        return "of this machine"
    known = offered([]) | (offered(private) if private else set())
    others = ", ".join(sorted(known, key=by_number))
    if private and kver not in known:
        raise Stop(
            f"cannot fetch {package}: no suite offers it, of this machine's and {SUITE}; there are "
            f"{others}; or give a kernel tree with KDIR="
        )
    raise Stop(
        f"cannot fetch {package} (apt: {said}): check the network, or give a kernel tree with KDIR="
    )
