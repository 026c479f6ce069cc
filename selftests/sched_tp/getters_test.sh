#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The file that says which getters this kernel has: complete, and what the kernel's
# configuration lets expect.
#
# $SCHED_TP_GETTERS is a file of the expected lines, made from the kernel's .config by
# other means than the kernel's own. Without it, that case is skipped.

DIR="$(dirname "$(readlink -f "$0")")"
# shellcheck source=/dev/null
. "$DIR"/../kselftest/ktap_helpers.sh

FILE=/sys/kernel/debug/sched_tp/getters
TAB=$(printf '\t')
# The other list of getters that is at hand here.
GETTERS=$(sed -n 's/^\([a-z]\w*\).*/\1/p' "$DIR"/oracles.txt | sort)

test_header()
{
	lines=$(grep -vc '^#' "$FILE")
	head -n 1 "$FILE"
	head -n 1 "$FILE" | grep -q "^# version [0-9]*\.[0-9]*, [0-9]* bytes, $lines getters$"
}

test_complete()
{
	listed=$(grep -v '^#' "$FILE" | cut -f1 | sort)
	if [ "$listed" != "$GETTERS" ]; then
		printf '%s\n' "$listed" "$GETTERS" | sort | uniq -c |
			sed '/^ *2 /d; s/^/# times and not twice: /'
		return 1
	fi
}

test_words()
{
	option='CONFIG_[0-9A-Z_]*'
	needs="off: needs $option\( \(and\|or\) $option\)*"
	if grep -v '^#' "$FILE" |
		grep -v "^[a-z0-9_]*$TAB\(available\|absent in this kernel\|$needs\)$" |
		sed 's/^/# what is this: /' | grep .; then
		return 1
	fi
}

test_read_only()
{
	[ "$(stat -c %a "$FILE")" = 444 ] && ! echo >"$FILE"
} 2>/dev/null

test_expected()
{
	grep -v '^#' "$FILE" | diff "$SCHED_TP_GETTERS" - | sed 's/^/# /' | grep . && return 1
	grep -v '^#' "$FILE" | cut -f2 | sed 's/:.*//' | sort | uniq -c | sed 's/^/# /'
}

# check DESCRIPTION FUNCTION: one result
check()
{
	if "$2"; then
		ktap_test_pass "$1"
	else
		ktap_test_fail "$1"
	fi
}

ktap_print_header

if [ "$(id -u)" != 0 ]; then
	ktap_skip_all "needs root"
	exit "$KSFT_SKIP"
fi
if [ ! -e "$FILE" ]; then
	ktap_skip_all "there is no $FILE: needs CONFIG_SCHED_TP_CALLBACKS and debugfs"
	exit "$KSFT_SKIP"
fi

ktap_set_plan 5
check "says version, size and number" test_header
check "lists every getter once" test_complete
check "has three things to say" test_words
check "is read only" test_read_only
if [ -n "$SCHED_TP_GETTERS" ]; then
	check "is what the configuration lets expect" test_expected
else
	ktap_test_skip "is what the configuration lets expect (SCHED_TP_GETTERS is not set)"
fi

ktap_finished
