#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A module with probes comes and goes without a trace, on a busy machine too.
#
# The module is $SCHED_TP_MODULE, a path, or else what modprobe finds as
# schedtp_probe. It is left loaded, or not, as it was found.

DIR="$(dirname "$(readlink -f "$0")")"
# shellcheck source=/dev/null
. "$DIR"/../kselftest/ktap_helpers.sh

NAME=schedtp_probe
DEBUGFS=/sys/kernel/debug/$NAME
TRACEFS=/sys/kernel/tracing
GETTERS=$(sed -n 's/^\([a-z]\w*\).*/\1/p' "$DIR"/oracles.txt | sort)
CYCLES=20
LOAD_PIDS=

loaded()
{
	grep -q "^$NAME " /proc/modules
}

load()
{
	if [ -n "$SCHED_TP_MODULE" ]; then
		insmod "$SCHED_TP_MODULE" "$@"
	else
		modprobe "$NAME" "$@"
	fi
}

# What of tracing a well-behaved module leaves alone.
tracing_state()
{
	for file in current_tracer set_event tracing_on trace_clock trace; do
		echo "== $file"
		cat "$TRACEFS/$file"
	done 2>/dev/null
	ls "$TRACEFS/events" "$TRACEFS/instances" 2>/dev/null
}

residue()
{
	if loaded; then
		echo "still in /proc/modules"
	elif [ -d "$DEBUGFS" ]; then
		echo "$DEBUGFS is still there"
	elif [ -d "/sys/module/$NAME" ]; then
		echo "/sys/module/$NAME is still there"
	fi
}

# Tasks that work and sleep, so that every tracepoint is hit all the time.
start_load()
{
	for _ in 1 2 3 4; do
		while :; do
			i=0
			while [ $i -lt 500 ]; do
				i=$((i + 1))
			done
			sleep 0.01
		done &
		LOAD_PIDS="$LOAD_PIDS $!"
	done
}

stop_load()
{
	# shellcheck disable=SC2086 # a list of pids
	[ -n "$LOAD_PIDS" ] && kill $LOAD_PIDS 2>/dev/null
	wait
	LOAD_PIDS=
}

hits()
{
	sed -n "s/^$1 //p" "$DEBUGFS/events"
}

test_published()
{
	load || return 1
	for state in available absent; do
		echo "# $(grep -c " $state$" "$DEBUGFS/getters") $state"
	done
	listed=$(sed -n 's/^\(\w*\) \(available\|absent\)$/\1/p' "$DEBUGFS/getters" | sort)
	if [ "$listed" != "$GETTERS" ]; then
		echo "# not every getter of oracles.txt is listed once"
		return 1
	fi
	sleep 2
	sed 's/^/# /' "$DEBUGFS/events"
	for event in pelt_cfs pelt_se sched_util_est_se sched_cpu_capacity; do
		if [ "$(hits $event)" -eq 0 ]; then
			echo "# no hit of $event"
			return 1
		fi
	done
	rmmod $NAME
}

test_second_load_refused()
{
	load || return 1
	before=$(hits pelt_se)
	if [ -n "$SCHED_TP_MODULE" ] && load 2>/dev/null; then
		echo "# loaded twice"
		return 1
	fi
	sleep 1
	if [ "$(hits pelt_se)" -le "$before" ]; then
		echo "# the refused load stopped the probes of the first"
		return 1
	fi
	rmmod $NAME
}

test_full_table_says_so()
{
	load tasks=2 || return 1
	sleep 2
	lines=$(grep -vc '^#' "$DEBUGFS/util_est")
	lost=$(sed -n 's/^# events of tasks without room: //p' "$DEBUGFS/util_est")
	echo "# $lines tasks held, $lost events of others"
	rmmod $NAME || return 1
	[ "$lines" -eq 2 ] && [ "$lost" -gt 0 ]
}

test_cycles()
{
	cycle=0
	while [ $cycle -lt $CYCLES ]; do
		cycle=$((cycle + 1))
		load || return 1
		while cat "$DEBUGFS/events" "$DEBUGFS/util_est" >/dev/null 2>&1; do
			sleep 0.02
		done &
		reader=$!
		# The reader may have a file open just now: then try again.
		tries=0
		until rmmod $NAME 2>/dev/null; do
			tries=$((tries + 1))
			if [ $tries -gt 50 ]; then
				echo "# cycle $cycle: cannot unload"
				kill $reader 2>/dev/null
				return 1
			fi
			sleep 0.1
		done
		wait $reader
		left=$(residue)
		if [ -n "$left" ]; then
			echo "# cycle $cycle: $left"
			return 1
		fi
	done
	echo "# $cycle cycles"
}

test_tracing_untouched()
{
	if [ "$(tracing_state)" != "$TRACING_BEFORE" ]; then
		echo "# something in $TRACEFS is not as it was"
		return 1
	fi
}

# check DESCRIPTION FUNCTION: one result; the module is gone afterwards
check()
{
	if "$2"; then
		ktap_test_pass "$1"
	else
		ktap_test_fail "$1"
		loaded && rmmod $NAME
	fi
}

ktap_print_header

if [ "$(id -u)" != 0 ]; then
	ktap_skip_all "needs root"
	exit "$KSFT_SKIP"
fi
if [ ! -d /sys/kernel/debug/sched ] && ! grep -q " /sys/kernel/debug debugfs " /proc/mounts; then
	ktap_skip_all "debugfs is not mounted at /sys/kernel/debug"
	exit "$KSFT_SKIP"
fi
FOUND_LOADED=no
if loaded; then
	FOUND_LOADED=yes
elif ! load; then
	ktap_skip_all "module $NAME cannot be loaded (${SCHED_TP_MODULE:-by modprobe})"
	exit "$KSFT_SKIP"
fi
rmmod $NAME
TRACING_BEFORE=$(tracing_state)
trap stop_load EXIT

ktap_set_plan 5
start_load
check "publishes table and events" test_published
check "second load is refused and changes nothing" test_second_load_refused
check "a full table says what it could not hold" test_full_table_says_so
check "$CYCLES times loaded and unloaded under load" test_cycles
stop_load
check "tracing is untouched" test_tracing_untouched

[ "$FOUND_LOADED" = yes ] && load
ktap_finished
