# SPDX-License-Identifier: GPL-2.0
#
# One target for each thing a person wants; the work is in tools/.
# Each installs what it needs and the machine lacks.

# The kernel: a series that Debian packages the source of, or a tree of your own.
# Neither is 6.12. Given to make: make kunit KVER=6.12, make series KDIR=~/linux
# M is a directory with a module of yours, for `make modules`.
export KVER KDIR ARCH M

PYTHON = python3

.DEFAULT_GOAL := help
.PHONY: help kunit test series apply modules selftests lint clean

help: ## this list
	@echo 'make TARGET [KVER=6.12 | KDIR=/path/to/linux] [ARCH=x86_64]'
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r target what; do printf '  %-10s %s\n' "$$target" "$$what"; done

kunit: ## apply the series to a kernel, boot it, test every getter in it (12 min, then 20 s)
	@tools/deps.sh kernel userspace
	@$(PYTHON) tools/kernel.py kunit

test: ## test headers, getters and mock in userspace (1 min, then 30 s)
	@tools/deps.sh userspace
	@$(PYTHON) tools/userspace.py

series: ## make the patch series, prove that it is clean, applies and builds (10 min, then 1 min)
	@tools/deps.sh kernel
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

lint: ## clang-format, clang-tidy, shellcheck, checkpatch on everything (1 min)
	@tools/deps.sh kernel userspace lint
	@$(PYTHON) tools/lint.py

clean: ## remove trees, builds and the compiler cache (nothing of it is in this directory)
	@$(PYTHON) tools/kernel.py clean
