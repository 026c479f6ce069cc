// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rq, on the rqs of the kernel that runs, beside the scheduler's own
 * helpers.
 */

#include "env.h"

#include <uapi/linux/sched/types.h>

#include "../../pelt.h"

#ifdef SCHED_TP_SMP
#ifdef SCHED_TP_HAS_RQ_CAPACITY_ORIG
#define orig_of(cpu)	capacity_orig_of(cpu)
#else
#define orig_of(cpu)	arch_scale_cpu_capacity(cpu)
#endif

#ifdef SCHED_TP_HAS_RQ_AVG_HW
#define pressure_of(rq)	hw_load_avg(rq)
#else
#define pressure_of(rq)	thermal_load_avg(rq)
#endif
#endif

/* What a CPU's fair tasks are estimated to use, set; returns what it was. */
static unsigned int set_estimate(struct rq *rq, unsigned int util)
{
	unsigned int was = 0;

#ifdef SCHED_TP_SMP
#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	was = rq->cfs.avg.util_est.enqueued;
	WRITE_ONCE(rq->cfs.avg.util_est.enqueued, util);
#else
	was = rq->cfs.avg.util_est;
	WRITE_ONCE(rq->cfs.avg.util_est, util);
#endif
#endif
	return was;
}

struct row {
	const char *getter;
	u64 said;
	u64 helper;
};

#define MAX_ROWS	32

/* Under the lock of the rq. What is absent has no row. */
static unsigned int fill(struct rq *rq, struct row *rows)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu = cpu_of(rq);
	unsigned int n = 0;

#define ROW(name, same)									\
	do {										\
		if (sched_tp_has(cb, name))						\
			rows[n++] = (struct row){ #name, sched_tp_get(cb, name, rq, 0), same };	\
	} while (0)

	ROW(rq_cpu, cpu);
	ROW(rq_nr_running, rq->nr_running);
	ROW(rq_nr_switches, rq->nr_switches);
	ROW(rq_nr_iowait, nr_iowait_cpu(cpu));
	ROW(rq_clock, rq_clock(rq));
	ROW(rq_clock_task, rq_clock_task(rq));
	ROW(rq_clock_pelt, rq_clock_pelt(rq));
	ROW(rq_uclamp_min, uclamp_rq_get(rq, UCLAMP_MIN));
	ROW(rq_uclamp_max, uclamp_rq_get(rq, UCLAMP_MAX));
	ROW(rq_uclamp_idle, uclamp_rq_is_idle(rq));
#ifdef SCHED_TP_SMP
	ROW(rq_cpu_capacity, rq->cpu_capacity);
	ROW(rq_cpu_capacity_orig, orig_of(cpu));
	ROW(rq_rt_util_avg, cpu_util_rt(rq));
	ROW(rq_dl_util_avg, cpu_util_dl(rq));
	ROW(rq_irq_util_avg, cpu_util_irq(rq));
	ROW(rq_hw_load_avg, pressure_of(rq));
	ROW(rq_util_cfs, cpu_util_cfs(cpu));
#ifdef SCHED_TP_HAS_CPU_UTIL_CFS_BOOST
	ROW(rq_util_cfs_boost, cpu_util_cfs_boost(cpu));
#endif
	ROW(rq_util, sched_cpu_util(cpu));
#ifdef SCHED_TP_HAS_CPUFREQ_PRESSURE
	ROW(rq_cpu_actual_capacity, arch_scale_cpu_capacity(cpu) -
	    max(pressure_of(rq), cpufreq_get_pressure(cpu)));
#endif
	ROW(rq_online, cpu_online(cpu));
#endif
#ifdef CONFIG_SCHED_CORE
	ROW(rq_core_cookie, rq->core->core_cookie);
	ROW(rq_core_forceidle_count, rq->core->core_forceidle_count);
#endif
#undef ROW
	return n;
}

/* None of these changes while the lock of the rq is held; printing is for afterwards. */
static void getters_say_what_the_helpers_say(struct kunit *test)
{
	struct row *rows = kunit_kcalloc(test, MAX_ROWS, sizeof(*rows), GFP_KERNEL);
	unsigned int n, i;
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, rows);
	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);
		struct rq_flags rf;
		unsigned int estimate;

		rq_lock_irqsave(rq, &rf);
		update_rq_clock(rq);
		/* More than is used, so that it shows whether the estimate counts. */
		estimate = set_estimate(rq, 900 + cpu);
		n = fill(rq, rows);
		set_estimate(rq, estimate);
		rq_unlock_irqrestore(rq, &rf);

		KUNIT_ASSERT_LE(test, n, MAX_ROWS);
		for (i = 0; i < n; i++)
			KUNIT_EXPECT_EQ_MSG(test, rows[i].said, rows[i].helper,
					    "%s of CPU %d", rows[i].getter, cpu);
	}
}

static void handles_lead_to_the_scheduler_s_objects(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu;

	for_each_possible_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);

		KUNIT_EXPECT_PTR_EQ(test, sched_tp_get(cb, rq_of_cpu, cpu, NULL),
				    (const struct rq *)rq);
		KUNIT_EXPECT_PTR_EQ(test, sched_tp_get(cb, rq_idle, rq, NULL), idle_task(cpu));
		KUNIT_EXPECT_PTR_EQ(test, sched_tp_get(cb, rq_cfs, rq, NULL),
				    (const struct cfs_rq *)&rq->cfs);
		KUNIT_EXPECT_PTR_EQ(test, sched_tp_get(cb, rq_rt, rq, NULL),
				    (const struct rt_rq *)&rq->rt);
		KUNIT_EXPECT_PTR_EQ(test, sched_tp_get(cb, rq_dl, rq, NULL),
				    (const struct dl_rq *)&rq->dl);
	}
	KUNIT_EXPECT_NULL(test, sched_tp_get(cb, rq_of_cpu, -1, NULL));
	KUNIT_EXPECT_NULL(test, sched_tp_get(cb, rq_of_cpu, INT_MIN, NULL));
	KUNIT_EXPECT_NULL(test, sched_tp_get(cb, rq_of_cpu, INT_MAX, NULL));
	KUNIT_EXPECT_NULL(test, sched_tp_get(cb, rq_of_cpu, (int)nr_cpu_ids, NULL));
}

/* Who asks is the one that runs, and is counted. */
static void current_is_what_its_cpu_runs(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct task_struct *runs, *picked;
	unsigned int nr_running;
	const struct rq *rq;

	preempt_disable();
	rq = sched_tp_get(cb, rq_of_cpu, smp_processor_id(), NULL);
	runs = sched_tp_get(cb, rq_curr, rq, NULL);
	picked = sched_tp_get(cb, rq_donor, rq, current);
	nr_running = sched_tp_get(cb, rq_nr_running, rq, 0);
	preempt_enable();

	KUNIT_EXPECT_PTR_EQ(test, runs, (const struct task_struct *)current);
	KUNIT_EXPECT_PTR_EQ(test, picked, (const struct task_struct *)current);
	KUNIT_EXPECT_GT(test, nr_running, 0);
}

#ifdef CONFIG_64BIT
/* The sum only grows, so it is between what the kernel says before and after. */
static void switches_of_the_cpus_are_those_of_the_kernel(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned long long before, sum = 0, after;
	int cpu;

	before = nr_context_switches();
	for_each_possible_cpu(cpu)
		sum += sched_tp_get(cb, rq_nr_switches, cpu_rq(cpu), 0);
	after = nr_context_switches();

	KUNIT_EXPECT_LE(test, before, sum);
	KUNIT_EXPECT_LE(test, sum, after);
	KUNIT_EXPECT_GT(test, sum, 0);
}
#endif

#ifdef SCHED_TP_SMP
/* What limits of the hardware and other tasks leave is never more than there is. */
static void capacities_are_in_order(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu;

	for_each_online_cpu(cpu) {
		const struct rq *rq = cpu_rq(cpu);
		unsigned long full = sched_tp_get(cb, rq_cpu_capacity_orig, rq, 0);

		KUNIT_EXPECT_LE(test, sched_tp_get(cb, rq_cpu_actual_capacity, rq, ULONG_MAX),
				full);
		KUNIT_EXPECT_LE(test, sched_tp_get(cb, rq_cpu_capacity, rq, ULONG_MAX), full);
		KUNIT_EXPECT_LE(test, sched_tp_get(cb, rq_util_cfs, rq, ULONG_MAX), full);
		KUNIT_EXPECT_LE(test, sched_tp_get(cb, rq_util, rq, ULONG_MAX),
				arch_scale_cpu_capacity(cpu));
		if (!sched_energy_enabled())
			KUNIT_EXPECT_FALSE(test, sched_tp_get(cb, rq_overutilized, rq, true));
	}
}
#endif

#ifdef CONFIG_UCLAMP_TASK
static int clamp_current(u32 lowest)
{
	const struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_NORMAL,
		.sched_flags = SCHED_FLAG_KEEP_ALL | SCHED_FLAG_UTIL_CLAMP_MIN,
		.sched_util_min = lowest,
	};

	return sched_setattr_nocheck(current, &attr);
}

/* A CPU provides what the task that runs on it asks for, and has it in a bucket. */
static void clamps_of_current_are_those_of_its_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned long lowest, highest, limited_0, limited_max;
	unsigned int bucket, bucket_value, highest_bucket = 0;
	struct rq_flags rf;
	struct rq *rq;
	bool idle;

	KUNIT_ASSERT_EQ(test, clamp_current(300), 0);
	rq = task_rq_lock(current, &rf);
	lowest = sched_tp_get(cb, rq_uclamp_min, rq, 0);
	highest = sched_tp_get(cb, rq_uclamp_max, rq, 0);
	idle = sched_tp_get(cb, rq_uclamp_idle, rq, true);
	limited_0 = sched_tp_get(cb, rq_uclamp_util, SCHED_TP_ARGS(rq, 0), 0);
	limited_max = sched_tp_get(cb, rq_uclamp_util, SCHED_TP_ARGS(rq, ULONG_MAX), 0);
	for (bucket = 0; bucket < UCLAMP_BUCKETS; bucket++) {
		bucket_value = sched_tp_get(cb, rq_uclamp_bucket_value,
					    SCHED_TP_ARGS(rq, UCLAMP_MIN, bucket), 0);
		if (sched_tp_get(cb, rq_uclamp_bucket_tasks,
				 SCHED_TP_ARGS(rq, UCLAMP_MIN, bucket), 0))
			highest_bucket = max(highest_bucket, bucket_value);
	}
	task_rq_unlock(rq, current, &rf);
	/* The kernel's word for "no wish". */
	KUNIT_EXPECT_EQ(test, clamp_current(-1), 0);

	KUNIT_EXPECT_GE(test, lowest, 300);
	KUNIT_EXPECT_EQ(test, lowest, highest_bucket);
	KUNIT_EXPECT_FALSE(test, idle);
	KUNIT_EXPECT_EQ(test, limited_0, lowest);
	KUNIT_EXPECT_EQ(test, limited_max, max(lowest, highest));
}
#endif

static struct kunit_case rq_helpers_cases[] = {
	KUNIT_CASE(getters_say_what_the_helpers_say),
	KUNIT_CASE(handles_lead_to_the_scheduler_s_objects),
	KUNIT_CASE(current_is_what_its_cpu_runs),
#ifdef CONFIG_64BIT
	KUNIT_CASE(switches_of_the_cpus_are_those_of_the_kernel),
#endif
#ifdef SCHED_TP_SMP
	KUNIT_CASE(capacities_are_in_order),
#endif
#ifdef CONFIG_UCLAMP_TASK
	KUNIT_CASE(clamps_of_current_are_those_of_its_cpu),
#endif
	{}
};

static struct kunit_suite rq_helpers_suite = {
	.name = "sched_tp_rq_helpers",
	.test_cases = rq_helpers_cases,
};

kunit_test_suite(rq_helpers_suite);
