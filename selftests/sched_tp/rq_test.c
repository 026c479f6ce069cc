// SPDX-License-Identifier: GPL-2.0
/*
 * rq_cpu_current_capacity: what the getter says is what CPUs here can have.
 *
 * The module keeps the smallest and the largest value that it saw at
 * sched_cpu_capacity; which CPU each was of it cannot know. The oracle is
 * /sys/devices/system/cpu/cpuN/cpu_capacity where the architecture has it. Where it
 * has not, all CPUs are alike and have 1024.
 */
#include <limits.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_tp.h"

#define SCALE		1024
#define MIN_HITS	20

struct capacity {
	unsigned long long hits;
	unsigned long last;
	unsigned long min;
	unsigned long max;
};

static bool read_module(struct capacity *c)
{
	bool ok;
	FILE *f;

	f = fopen(PROBE_DIR "capacity", "r");
	if (!f)
		return false;
	ok = fscanf(f, "hits %llu last %lu min %lu max %lu",
		    &c->hits, &c->last, &c->min, &c->max) == 4;
	fclose(f);

	return ok;
}

/* Smallest and largest capacity of the CPUs. False if sysfs says nothing of it. */
static bool read_oracle(unsigned long *min, unsigned long *max)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	bool any = false;

	*min = SCALE;
	*max = SCALE;
	for (long cpu = 0; cpu < nr_cpus; cpu++) {
		unsigned long capacity;
		char path[96];
		FILE *f;

		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%ld/cpu_capacity", cpu);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%lu", &capacity) == 1) {
			*min = any && *min < capacity ? *min : capacity;
			*max = any && *max > capacity ? *max : capacity;
			any = true;
		}
		fclose(f);
	}

	return any;
}

/*
 * True if the frequency takes part in the capacity: on x86 with APERF and MPERF;
 * elsewhere it may, so say yes.
 */
static bool may_be_frequency_invariant(void)
{
	struct utsname uts;
	bool found = false;
	char word[256];
	FILE *f;

	if (uname(&uts) || strncmp(uts.machine, "x86", 3))
		return true;

	f = fopen("/proc/cpuinfo", "r");
	if (!f)
		return true;
	while (!found && fscanf(f, "%255s", word) == 1)
		found = !strcmp(word, "aperfmperf");
	fclose(f);

	return found;
}

/* Something to balance: capacities are computed on the way. */
static void load_cpus(unsigned int seconds)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (long i = 0; i < 2 * nr_cpus; i++) {
		if (!fork()) {
			alarm(seconds);
			for (;;)
				;
		}
	}
	while (wait(NULL) > 0)
		;
}

TEST(cpu_current_capacity)
{
	struct capacity seen = { 0 };
	unsigned long min, max;
	bool from_sysfs, exact;

	if (!getter_available("rq_cpu_current_capacity"))
		SKIP(return, "rq_cpu_current_capacity is absent in this kernel");

	for (int tries = 0; tries < 10 && seen.hits < MIN_HITS; tries++) {
		load_cpus(1);
		if (!read_module(&seen))
			seen.hits = 0;
	}
	from_sysfs = read_oracle(&min, &max);
	exact = min == SCALE && !may_be_frequency_invariant();

	ksft_print_msg("getter: min %lu, max %lu, last %lu; oracle: min %lu, max %lu%s\n",
		       seen.min, seen.max, seen.last, min, max,
		       exact ? ", whatever the frequency" : " at the highest frequency");
	ksft_print_msg(ROW_OF_NUMBERS, "rq_cpu_current_capacity",
		       from_sysfs ? "cpuN/cpu_capacity" : "1024 (no cpu_capacity in sysfs)",
		       0, seen.hits, seen.min == seen.max ? 1 : 2,
		       (unsigned long long)(seen.max > max) + (exact && seen.min < SCALE));

	ASSERT_GE(seen.hits, MIN_HITS);
	EXPECT_GE(seen.min, 1);
	EXPECT_LE(seen.max, SCALE);
	EXPECT_LE(seen.max, max);
	if (exact) {
		EXPECT_EQ(seen.min, SCALE);
		EXPECT_EQ(seen.max, SCALE);
	}
}

int main(int argc, char **argv)
{
	need_module();
	return test_harness_run(argc, argv);
}
