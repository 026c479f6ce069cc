// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct root_domain, on those of the kernel that runs.
 */

#include <linux/cpu.h>

#include "env.h"

#ifdef SCHED_TP_SMP
/* A word more than the CPUs have, of which none may stay as it was. */
static unsigned long *new_words(struct kunit *test)
{
	unsigned long *words = kunit_kcalloc(test, BITS_TO_LONGS(nr_cpu_ids) + 1,
					     sizeof(*words), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, words);
	memset(words, 0x5a, (BITS_TO_LONGS(nr_cpu_ids) + 1) * sizeof(*words));
	return words;
}

static void expect_mask(struct kunit *test, const unsigned long *words, unsigned int returned,
			const struct cpumask *mask)
{
	unsigned int cpu;

	KUNIT_EXPECT_EQ(test, returned, (unsigned int)BITS_TO_LONGS(nr_cpu_ids));
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		KUNIT_EXPECT_EQ(test, test_bit(cpu, words), cpumask_test_cpu(cpu, mask));
	for (; cpu < (BITS_TO_LONGS(nr_cpu_ids) + 1) * BITS_PER_LONG; cpu++)
		KUNIT_EXPECT_FALSE(test, test_bit(cpu, words));
}

#define EXPECT_MASK(getter, member)							\
	do {										\
		unsigned long *words = new_words(test);					\
		unsigned int returned = sched_tp_get(cb, getter, rd, words,		\
						     BITS_TO_LONGS(nr_cpu_ids) + 1, 0);	\
											\
		expect_mask(test, words, returned, rd->member);				\
	} while (0)

static void masks_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		const struct root_domain *rd = cpu_rq(cpu)->rd;

		KUNIT_EXPECT_TRUE(test, cpumask_test_cpu(cpu, rd->span));
		EXPECT_MASK(rd_span, span);
		EXPECT_MASK(rd_online, online);
		EXPECT_MASK(rd_rto_mask, rto_mask);
		EXPECT_MASK(rd_dlo_mask, dlo_mask);
	}
	cpus_read_unlock();
}

/* What somebody may just be changing is not compared. */
#define EXPECT_STABLE(getter, expression)						\
	do {										\
		typeof(expression) before, after;					\
		unsigned long long said;						\
		int tries = 100;							\
											\
		do {									\
			before = expression;						\
			said = sched_tp_get(cb, getter, rd, 77);			\
			after = expression;						\
		} while (before != after && --tries);					\
		KUNIT_EXPECT_EQ(test, said, (unsigned long long)before);		\
	} while (0)

static void values_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu) {
		struct root_domain *rd = cpu_rq(cpu)->rd;

		EXPECT_STABLE(rd_overutilized, (bool)READ_ONCE(rd->overutilized));
#ifdef SCHED_TP_HAS_RD_OVERLOAD
		EXPECT_STABLE(rd_overloaded, (bool)READ_ONCE(rd->overload));
#else
		EXPECT_STABLE(rd_overloaded, (bool)get_rd_overloaded(rd));
#endif
		EXPECT_STABLE(rd_rto_count, atomic_read(&rd->rto_count));
		EXPECT_STABLE(rd_dlo_count, atomic_read(&rd->dlo_count));
#ifdef CONFIG_64BIT
		EXPECT_STABLE(rd_dl_bw, READ_ONCE(rd->dl_bw.bw));
		EXPECT_STABLE(rd_dl_total_bw, READ_ONCE(rd->dl_bw.total_bw));
#endif
#if defined(CONFIG_ENERGY_MODEL) && defined(CONFIG_CPU_FREQ_GOV_SCHEDUTIL)
		EXPECT_STABLE(rd_has_pd, (bool)rcu_access_pointer(rd->pd));
#endif
	}
	cpus_read_unlock();
}
#endif

/* Without CONFIG_SMP there may be no root domain to ask. */
static void span_is_there_where_domains_are(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();

#ifdef SCHED_TP_SMP
	KUNIT_EXPECT_TRUE(test, sched_tp_has(cb, rd_span));
#else
	KUNIT_EXPECT_FALSE(test, sched_tp_has(cb, rd_span));
#endif
}

static struct kunit_case rd_cases[] = {
#ifdef SCHED_TP_SMP
	KUNIT_CASE(masks_of_each_cpu),
	KUNIT_CASE(values_of_each_cpu),
#endif
	KUNIT_CASE(span_is_there_where_domains_are),
	{}
};

static struct kunit_suite rd_suite = {
	.name = "sched_tp_rd",
	.test_cases = rd_cases,
};

kunit_test_suite(rd_suite);
