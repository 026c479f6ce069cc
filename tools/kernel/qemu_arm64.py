# SPDX-License-Identifier: GPL-2.0
"""
How kunit.py boots the arm64 kernel. The machine, of which the device tree is edited,
comes as --qemu_args, from tools/buildlib/arch.py.
"""

from ..qemu_config import QemuArchParams

QEMU_ARCH = QemuArchParams(
    linux_arch="arm64",
    kconfig="",
    qemu_arch="aarch64",
    kernel_path="arch/arm64/boot/Image",
    kernel_command_line="console=ttyAMA0 panic=-1",
    extra_qemu_params=["-no-user-config"],
)
