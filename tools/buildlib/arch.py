# SPDX-License-Identifier: GPL-2.0
"""The architectures that kernels are built for and booted on, and how they differ."""

import dataclasses
import os
import shlex

from . import trees
from .common import REPO, Stop, output

KERNEL_FILES = REPO / "tools/kernel"

# The machine whose device tree is dumped, edited, and given back to it.
VIRT = ["-M", "virt", "-accel", "tcg,thread=multi", "-cpu", "max,pauth-impdef=on", "-smp", "4"]
# What kunit.py gives every guest.
MEMORY = ["-m", "1024"]


@dataclasses.dataclass(frozen=True)
class Architecture:
    name: str
    # Kernel series that is taken where nobody says.
    kver: str
    # What to build.
    targets: tuple[str, ...]
    make: tuple[str, ...] = ()
    # Compiler, where it is not the machine's own.
    compiler: str = "gcc"
    # KUnit cases that need what its machine has not, and skip. No other case may.
    skips: frozenset[str] = frozenset()

    # Whether its CPUs have frequencies.
    cpufreq: bool = True

    @property
    def fragments(self):
        """What its kernels have in common, with and without the series."""
        cpufreq = ["cpufreq.config"] if self.cpufreq else []
        return ["base.config", *cpufreq, f"{self.name}.config"]


ARCHITECTURES = {
    architecture.name: architecture
    for architecture in (
        Architecture(
            name="x86_64",
            kver="6.12",
            targets=("vmlinux", "modules"),
            skips=frozenset({"capacities_of_cpus_differ"}),
        ),
        Architecture(
            name="arm64",
            kver="6.12",
            targets=("Image", "modules"),
            make=("ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-"),
            compiler="aarch64-linux-gnu-gcc",
        ),
        Architecture(
            name="um",
            kver="latest",
            targets=("linux", "modules"),
            make=("ARCH=um",),
            cpufreq=False,
            skips=frozenset({"capacities_of_cpus_differ"}),
        ),
    )
}


def chosen():
    """The architecture that ARCH= names; x86_64 if nothing is said."""
    name = os.environ.get("ARCH") or "x86_64"
    if name not in ARCHITECTURES:
        raise Stop(f"ARCH={name} is not supported: give one of {', '.join(ARCHITECTURES)}")
    return ARCHITECTURES[name]


def chosen_release(architecture=ARCHITECTURES["x86_64"]):
    """The tree that KVER= or KDIR= names; an architecture's own choice if nothing is said."""
    kver, kdir = os.environ.get("KVER"), os.environ.get("KDIR")
    if kver and kdir:
        raise Stop("KVER= and KDIR= name two trees: give one of them")
    return trees.of(kver or architecture.kver, kdir)


def check(architecture, found):
    """Stop for a kernel that has nothing to test on an architecture."""
    if architecture.name == "um":
        kconfig = found.pristine / "arch/um/Kconfig"
        if "config SMP\n" not in kconfig.read_text():
            raise Stop(
                f"ARCH=um has no SMP in Linux {trees.release(found.pristine)}, and so no PELT: "
                "give KVER=latest, or another ARCH"
            )


def boot_arguments(architecture, build):
    """What kunit.py needs to boot a kernel, beyond the directory it is in."""
    if architecture.name == "um":
        # Threads of the host are its CPUs; and all that it prints goes to stderr.
        words = ("seccomp=on", "ncpus=4", "stderr=1")
        return ["--arch=um", *(f"--kernel_args={word}" for word in words)]
    arguments = [
        f"--arch={architecture.name}",
        f"--qemu_config={KERNEL_FILES / f'qemu_{architecture.name}.py'}",
    ]
    if architecture.name == "arm64":
        machine = [*VIRT, "-dtb", str(big_little(build))]
        arguments.append(f"--qemu_args={shlex.join(machine)}")
    return arguments


def big_little(build):
    """The device tree of QEMU's machine, with two kinds of CPU. Returns its path."""
    machine, overlay, edited = (build / f"virt.{end}" for end in ("dtb", "dtbo", "big_little.dtb"))
    # QEMU takes a comma in a file's name for the next property, unless it is doubled.
    name = str(machine).replace(",", ",,")
    dump = ["qemu-system-aarch64", *VIRT, *MEMORY, "-nographic", "-machine", f"dumpdtb={name}"]
    output(*dump)
    output("dtc", "-q", "-@", "-O", "dtb", "-o", overlay, KERNEL_FILES / "big_little.dtso")
    output("fdtoverlay", "-i", machine, "-o", edited, overlay)
    return edited
