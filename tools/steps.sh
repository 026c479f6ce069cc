# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands one after the other, each in its turn whatever came of those before; and at the
# end what each took, and the count of all that ran. Sourced.

steps_log=$(mktemp)
trap 'rm -f "$steps_log" "$steps_log".*' EXIT
steps_status=0
steps_began=$SECONDS
# What a count begins with.
steps_name='^[a-z][a-z0-9._ ]*'

# step NAME COMMAND...
step()
{
	local name=$1 began=$SECONDS
	shift
	printf '\n=== %s\n' "$name"
	# What has no count of its own counts as one.
	: >"$steps_log.step"
	if "$@" </dev/null 2>&1 | tee "$steps_log.step"; then
		grep -qE "$steps_name: [0-9]+ passed, [0-9]+ failed\$" "$steps_log.step" ||
			echo "$name: 1 passed, 0 failed" >>"$steps_log.step"
	else
		steps_status=1
		grep -qE "$steps_name: [0-9]+ passed, [1-9][0-9]* failed\$" "$steps_log.step" ||
			echo "$name: 0 passed, 1 failed" >>"$steps_log.step"
	fi
	grep -E "$steps_name: [0-9]+ passed, [0-9]+ failed\$" "$steps_log.step" >"$steps_log.counts"
	cat "$steps_log.counts" >>"$steps_log"
	printf '=== %s: %d s\n' "$name" $((SECONDS - began))
	{
		printf '%-24s %5d s' "$name" $((SECONDS - began))
		# Red is told by name, with what is red in it.
		awk '$(NF - 1) > 0 { printf "  RED: %s", $0 }' "$steps_log.counts"
		echo
	} >>"$steps_log.table"
}

# The table, and as the last line the sum. Its status is that of the whole.
steps_end()
{
	printf '\n'
	cat "$steps_log.table"
	printf '%-24s %5d s\n' all $((SECONDS - steps_began))
	awk '{
		for (i = 1; i < NF; i++) {
			if ($(i + 1) ~ /^passed/) passed += $i
			if ($(i + 1) ~ /^failed/) failed += $i
		}
	}
	END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 }' "$steps_log" ||
		steps_status=1
	return $steps_status
}
