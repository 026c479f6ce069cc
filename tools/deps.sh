#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Install what the commands need and the machine lacks.
#
#   tools/deps.sh kernel|kernel-arm64|kernel-matrix|userspace|lint ...
#
# As root, or through sudo, with apt. Elsewhere, or without the right to, one line
# names what is missing: with all of it on PATH no apt is needed.
set -eu

missing=
missing_packages=

# need TEST PACKAGE: a command on PATH, a header, or a library that the linker finds
need()
{
	case $1 in
	*.h)
		echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1 && return
		;;
	*.hpp)
		echo "#include <${1%.hpp}.h>" | c++ -E -x c++ - >/dev/null 2>&1 && return
		;;
	*.py)
		# Debian installs it for its own python3; any other reads it from there.
		[ -n "$(find /usr/lib/python3/dist-packages -name "$1" -print -quit 2>/dev/null)" ] && return
		python3 -c "import ${1%.py}" 2>/dev/null && return
		;;
	lib*.a | lib*.so)
		[ -n "$(find /usr/lib /usr/local/lib -name "$1" -print -quit 2>/dev/null)" ] && return
		;;
	*)
		command -v "$1" >/dev/null 2>&1 && return
		;;
	esac
	missing="$missing $1"
	missing_packages="$missing_packages $2"
}

wanted()
{
	missing=
	missing_packages=
	for group in "$@"; do
		case $group in
		kernel)
			need git git
			need python3 python3
			need make make
			need cc build-essential
			need gcc build-essential
			need perl perl
			need flex flex
			need bison bison
			need bc bc
			need xz xz-utils
			need cpio cpio
			need depmod kmod
			need rsync rsync
			need unifdef unifdef
			need spatch coccinelle
			# What Coccinelle runs the Python in its scripts with.
			need 'libpython3.*.so' libpython3-dev
			need ccache ccache
			need kconfiglib.py python3-kconfiglib
			need pahole dwarves
			need busybox busybox-static
			need qemu-system-x86_64 qemu-system-x86
			need gelf.h libelf-dev
			need openssl/ssl.h libssl-dev
			;;
		kernel-arm64)
			need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
			need qemu-system-aarch64 qemu-system-arm
			need dtc device-tree-compiler
			need fdtoverlay device-tree-compiler
			;;
		kernel-matrix)
			need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
			need arm-linux-gnueabi-gcc gcc-arm-linux-gnueabi
			need clang-19 clang-19
			need ld.lld-19 lld-19
			need llvm-ar-19 llvm-19
			;;
		userspace)
			need git git
			need python3 python3
			need make make
			need cmake cmake
			need cc build-essential
			need c++ build-essential
			need objdump binutils
			need clang clang
			need clang++ clang
			need ninja ninja-build
			need gtest/gtest.hpp libgtest-dev
			need 'libclang_rt.asan*.a' "$clang_rt"
			;;
		lint)
			need clang-format clang-format
			need clang-tidy clang-tidy
			need shellcheck shellcheck
			;;
		*)
			echo "schedtp: tools/deps.sh knows no group '$group'" >&2
			exit 2
			;;
		esac
	done
}

# The sanitizers of clang are a package for each of its versions.
clang_rt()
{
	version=$(clang --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
	[ -n "$version" ] || version=$(apt-cache depends clang 2>/dev/null |
		sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
	echo "libclang-rt-${version:-14}-dev"
}
clang_rt=$(clang_rt)

wanted "$@"
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "schedtp: missing:$missing (in Debian the packages$missing_packages): install them, there is no apt-get here to do it" >&2
	exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
	as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
	as_root=sudo
else
	echo "schedtp: missing packages:$missing_packages: install them as root (apt-get install$missing_packages)" >&2
	exit 1
fi

# shellcheck disable=SC2086 # a list of words
packages=$(printf '%s\n' $missing_packages | sort -u | tr '\n' ' ')
echo "schedtp: installing $packages"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # both are lists of words
install()
{
	$as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -q --no-install-recommends $packages >"$log" 2>&1 </dev/null
}
# Old lists name packages that a mirror has no more.
if ! install; then
	if ! $as_root apt-get update -q >"$log" 2>&1 || ! install; then
		tail -n 20 "$log" >&2
		echo "schedtp: apt-get could not install $packages: its last words are above" >&2
		exit 1
	fi
fi

wanted "$@"
if [ -n "$missing" ]; then
	echo "schedtp: still missing after the installation:$missing" >&2
	exit 1
fi
