#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# What takes hours: every kernel and architecture, every combination of options, chance,
# and every mutant. `make nightly`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# shellcheck source=tools/steps.sh
. tools/steps.sh

on()
{
	local kver=$1 arch=$2
	shift 2
	env KVER="$kver" ARCH="$arch" KDIR= "$@"
}

step 'install' tools/deps.sh kernel kernel-arm64 kernel-matrix userspace lint
for kver in 6.1 6.12 latest; do
	step "kunit $kver" on $kver x86_64 python3 tools/kernel.py kunit
	step "series $kver" on $kver x86_64 python3 tools/kernel.py series
	step "randconfig $kver" on $kver x86_64 python3 tools/kernel.py randconfig
done
step 'kunit um' on latest um python3 tools/kernel.py kunit
step 'kunit arm64' on 6.12 arm64 python3 tools/kernel.py kunit
step 'mutate' python3 tools/mutate.py
step 'mutate kernel' on latest um python3 tools/mutate_kernel.py
steps_end
