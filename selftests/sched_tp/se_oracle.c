// SPDX-License-Identifier: GPL-2.0
/*
 * se_oracle - what the scheduler itself says of tasks' utilisation
 *
 * Reads pids from standard input, one a line, and answers each with the
 * se.avg.util_est of /proc/PID/sched, or with -1. It opens no other file.
 */
#include <stdio.h>
#include <string.h>

static long read_sched(int pid)
{
	char path[64], line[256];
	long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/sched", pid);
	f = fopen(path, "r");
	if (!f)
		return -1;

	while (value < 0 && fgets(line, sizeof(line), f)) {
		char name[64];

		if (sscanf(line, "%63s : %ld", name, &value) != 2 ||
		    strcmp(name, "se.avg.util_est"))
			value = -1;
	}
	fclose(f);

	return value;
}

int main(void)
{
	int pid;

	while (scanf("%d", &pid) == 1) {
		printf("%ld\n", read_sched(pid));
		fflush(stdout);
	}

	return 0;
}
