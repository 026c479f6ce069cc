# SPDX-License-Identifier: GPL-2.0
"""What the kernel-side commands of schedtp share: trees, series, builds, guests."""
