# SPDX-License-Identifier: GPL-2.0
"""
How kunit.py boots the x86_64 kernel: vmlinux by its PVH entry, no bzImage, four CPUs.

Emulated always: a /dev/kvm that opens need not boot, and the suites take seconds. Some
trees' kunit.py asks QEMU for KVM itself, so it is given a QEMU that decides first.
"""

from ..qemu_config import QemuArchParams

QEMU_ARCH = QemuArchParams(
    linux_arch="x86_64",
    kconfig="",
    # bin/qemu-system-x86_64-emulated, which the caller puts on PATH.
    qemu_arch="x86_64-emulated",
    kernel_path="vmlinux",
    kernel_command_line="console=ttyS0 panic=-1",
    extra_qemu_params=[
        "-M", "q35", "-cpu", "max", "-smp", "4", "-no-user-config",
    ],  # fmt: skip
)
