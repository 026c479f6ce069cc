# SPDX-License-Identifier: GPL-2.0
#
# One target for each thing a person wants; the work is in tools/.
# Each installs what it needs and the machine lacks.

# The kernel: a series that Debian packages the source of, or a tree of your own.
# Neither is 6.12, latest is the newest. Given to make: make kunit KVER=6.1, make series KDIR=~/linux
# M is a directory with a module of yours, for `make modules`; CONFIG a configuration, or
# a fragment of one, for `make check-config`.
export KVER KDIR ARCH M CONFIG

PYTHON = python3

# What a kernel for another architecture needs on top.
ARCH_DEPS = $(addprefix kernel-,$(filter arm64,$(ARCH)))

.DEFAULT_GOAL := help
.PHONY: help kunit test mutate mutate-kernel series apply modules selftests check-config nightly lint docs clean

help: ## this list
	@echo 'make TARGET [KVER=6.1|6.12|latest | KDIR=/path/to/linux] [ARCH=x86_64|arm64|um]'
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target what; do printf '  %-14s %s\n' "$$target" "$$what"; done

kunit: ## apply the series to a kernel, boot it, test every getter in it (12 min, then 20 s)
	@tools/deps.sh kernel userspace $(ARCH_DEPS)
	@$(PYTHON) tools/kernel.py kunit

test: ## test headers, getters and mock in userspace (1 min, then 30 s)
	@tools/deps.sh userspace
	@$(PYTHON) tools/userspace.py

mutate: ## break every getter in many ways, see its vectors notice each (4 min)
	@tools/deps.sh userspace
	@$(PYTHON) tools/mutate.py

mutate-kernel: ## break what getters ask the kernel, see its live suites notice (1 min a boot)
	@tools/deps.sh kernel $(ARCH_DEPS)
	@$(PYTHON) tools/mutate_kernel.py

series: ## make the patch series, prove that it is clean, applies and builds (30 min, then 5 min)
	@tools/deps.sh kernel kernel-matrix
	@$(PYTHON) tools/kernel.py series

apply: ## put the series on the kernel tree KDIR=, or stop and leave it as it is (1 min)
	@tools/deps.sh kernel
	@$(PYTHON) tools/kernel.py apply

modules: ## build the consumer modules for the kernel of `make kunit` (12 min, then 10 s)
	@tools/deps.sh kernel
	@$(PYTHON) tools/kernel.py modules

selftests: ## boot, load a consumer, compare getters with /proc, unload (15 min, then 1 min)
	@tools/deps.sh kernel
	@$(PYTHON) tools/kernel.py selftests

check-config: ## say which getters a kernel has with CONFIG=file, or with its defconfig (30 s)
	@tools/deps.sh kernel $(ARCH_DEPS)
	@$(PYTHON) tools/kernel.py check-config

nightly: ## all kernels, architectures, combinations, random configurations, mutants (4 hours)
	@tools/nightly.sh

lint: ## clang-format, clang-tidy, shellcheck, checkpatch on everything (1 min)
	@tools/deps.sh kernel userspace lint
	@$(PYTHON) tools/lint.py

docs: ## make docs/getters.md and docs/porting.md from the list of getters
	@$(PYTHON) tools/docs.py

clean: ## remove trees, builds and the compiler cache (nothing of it is in this directory)
	@$(PYTHON) tools/kernel.py clean
