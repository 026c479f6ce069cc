// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rq, on the rqs of the kernel that runs.
 */

#include "env.h"

/* The two factors may move between the reads: only a stable pair is compared. */
static void capacity_is_the_scaled_one_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu;

	for_each_possible_cpu(cpu) {
		unsigned long before, after, said;
		int tries = 100;

		do {
			before = cap_scale(arch_scale_cpu_capacity(cpu),
					   arch_scale_freq_capacity(cpu));
			said = sched_tp_get(cb, rq_cpu_current_capacity, cpu_rq(cpu),
					    ULONG_MAX);
			after = cap_scale(arch_scale_cpu_capacity(cpu),
					  arch_scale_freq_capacity(cpu));
		} while (before != after && --tries);

		KUNIT_EXPECT_EQ(test, before, after);
		KUNIT_EXPECT_EQ(test, said, before);
		KUNIT_EXPECT_LE(test, said, SCHED_CAPACITY_SCALE);
		KUNIT_EXPECT_GT(test, said, 0);
	}
}

static unsigned long capacity_of_this_kernel(int cpu)
{
	return arch_scale_cpu_capacity(cpu);
}

static unsigned long highest_frequency(int cpu)
{
	return SCHED_CAPACITY_SCALE;
}

static const struct sched_tp_seams at_highest_frequency = {
	.scale_cpu_capacity = capacity_of_this_kernel,
	.scale_freq_capacity = highest_frequency,
};

/*
 * Big CPUs and little ones, each at its highest frequency. With all CPUs alike, a
 * getter that asks about another CPU than the rq's would go unnoticed.
 */
static void capacities_of_cpus_differ(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned long lowest = ULONG_MAX, highest = 0;
	int cpu;

	sched_tp_seams_override.seams = &at_highest_frequency;
	WRITE_ONCE(sched_tp_seams_override.owner, current);
	for_each_possible_cpu(cpu) {
		unsigned long said;

		said = sched_tp_get(cb, rq_cpu_current_capacity, cpu_rq(cpu), 0);
		KUNIT_EXPECT_EQ(test, said, arch_scale_cpu_capacity(cpu));
		lowest = min(lowest, said);
		highest = max(highest, said);
	}
	sched_tp_env_exit(test);

	KUNIT_EXPECT_EQ(test, highest, SCHED_CAPACITY_SCALE);
	if (lowest == highest)
		kunit_skip(test, "all CPUs of this machine have the same capacity");
}

/* A replaced seam answers the task that replaced it, and afterwards nobody. */
static void seams_are_undone(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct rq *rq = cpu_rq(0);
	unsigned long own, replaced;
	struct sched_tp_env *env;

	own = sched_tp_get(cb, rq_cpu_current_capacity, rq, 0);
	env = sched_tp_env_create(test);
	/* A capacity that this CPU has not. */
	env->cpu_capacity[0] = own == 223 ? 500 : 446;
	env->freq_capacity[0] = own == 223 ? 1024 : 512;
	replaced = sched_tp_get(cb, rq_cpu_current_capacity, rq, 0);
	sched_tp_env_exit(test);

	KUNIT_EXPECT_EQ(test, replaced, own == 223 ? 500 : 223);
	KUNIT_EXPECT_NE(test, replaced, sched_tp_get(cb, rq_cpu_current_capacity, rq, 0));
}

static struct kunit_case rq_cases[] = {
	KUNIT_CASE(capacity_is_the_scaled_one_of_each_cpu),
	KUNIT_CASE(capacities_of_cpus_differ),
	KUNIT_CASE(seams_are_undone),
	{}
};

static struct kunit_suite rq_suite = {
	.name = "sched_tp_rq",
	.test_cases = rq_cases,
	.exit = sched_tp_env_exit,
};

kunit_test_suite(rq_suite);
