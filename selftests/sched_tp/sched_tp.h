/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module schedtp_probe publishes, for the tests that compare it with what
 * the kernel says elsewhere.
 */
#ifndef __SCHED_TP_H
#define __SCHED_TP_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../kselftest.h"

#define PROBE_DIR "/sys/kernel/debug/schedtp_probe/"

/* A row of the table that a run ends with: who runs the tests prints what starts so. */
#define ROW		"| %-24s %-34s %6s %8s %9s %11s\n"
#define ROW_OF_NUMBERS	"| %-24s %-34s %6u %8llu %9u %11llu\n"

/* Leaves the program as skipped, with the reason, where there is nothing to test. */
static inline void need_module(void)
{
	FILE *f = fopen(PROBE_DIR "getters", "r");

	if (f) {
		fclose(f);
		return;
	}
	ksft_print_header();
	ksft_exit_skip("%s: %s: debugfs mounted, module schedtp_probe loaded, root?\n",
		       PROBE_DIR "getters", strerror(errno));
}

/* True if the kernel's table has a getter, as the module found it. */
static inline bool getter_available(const char *getter)
{
	char name[64], state[16];
	bool available = false;
	FILE *f;

	f = fopen(PROBE_DIR "getters", "r");
	if (!f)
		return false;
	while (fscanf(f, "%63s %15s", name, state) == 2) {
		if (!strcmp(name, getter))
			available = !strcmp(state, "available");
	}
	fclose(f);

	return available;
}

#endif /* __SCHED_TP_H */
