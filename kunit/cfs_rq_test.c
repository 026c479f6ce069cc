// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct cfs_rq, on live objects: what the scheduler's own fields and helpers
 * say, at the same time.
 */

#include "env.h"

/* What is compared after the lock is gone: a failure prints. */
struct said {
	const char *getter;
	bool has;
	u64 getters;
	u64 kernels;
};

#define SAID(name, object, value)							\
	((struct said){									\
		.getter = #name,							\
		.has = sched_tp_has(cb, name),						\
		.getters = sched_tp_get(cb, name, object, 0),				\
		.kernels = (value),							\
	})

static void expect_same(struct kunit *test, int cpu, const struct said *said, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_TRUE_MSG(test, said[i].has, "%s is absent", said[i].getter);
		KUNIT_EXPECT_EQ_MSG(test, said[i].getters, said[i].kernels, "%s of CPU %d",
				    said[i].getter, cpu);
	}
}

static void root_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct said said[24];
	struct rq_flags rf;
	int cpu, n;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);
		struct cfs_rq *cfs_rq = &rq->cfs;

		n = 0;
		rq_lock_irqsave(rq, &rf);
		said[n++] = SAID(cfs_rq_cpu, cfs_rq, cpu_of(rq_of(cfs_rq)));
		said[n++] = SAID(cfs_rq_is_root, cfs_rq, true);
		said[n++] = SAID(cfs_rq_load_weight, cfs_rq,
				 scale_load_down(cfs_rq->load.weight));
#ifdef SCHED_TP_SMP
		said[n++] = SAID(cfs_rq_util_avg, cfs_rq, cfs_rq->avg.util_avg);
		said[n++] = SAID(cfs_rq_runnable_avg, cfs_rq, cfs_rq->avg.runnable_avg);
		said[n++] = SAID(cfs_rq_load_avg, cfs_rq, cfs_rq->avg.load_avg);
#ifdef CONFIG_64BIT
		said[n++] = SAID(cfs_rq_last_update_time, cfs_rq,
				 cfs_rq->avg.last_update_time);
#endif
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_NR_QUEUED
		said[n++] = SAID(cfs_rq_nr_queued, cfs_rq, cfs_rq->nr_queued);
#else
		said[n++] = SAID(cfs_rq_nr_queued, cfs_rq, cfs_rq->nr_running);
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_QUEUED
		said[n++] = SAID(cfs_rq_h_nr_queued, cfs_rq, cfs_rq->h_nr_queued);
#else
		said[n++] = SAID(cfs_rq_h_nr_queued, cfs_rq, cfs_rq->h_nr_running);
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_RUNNABLE
		said[n++] = SAID(cfs_rq_h_nr_runnable, cfs_rq, cfs_rq->h_nr_runnable);
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_IDLE
		said[n++] = SAID(cfs_rq_h_nr_idle, cfs_rq, cfs_rq->h_nr_idle);
#else
		said[n++] = SAID(cfs_rq_h_nr_idle, cfs_rq, cfs_rq->idle_h_nr_running);
#endif
#ifdef CONFIG_64BIT
#ifdef SCHED_TP_HAS_CFS_RQ_MIN_VRUNTIME
		said[n++] = SAID(cfs_rq_min_vruntime, cfs_rq, cfs_rq->min_vruntime);
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_ZERO_VRUNTIME
		said[n++] = SAID(cfs_rq_zero_vruntime, cfs_rq, cfs_rq->zero_vruntime);
		/* The helper moves the zero point, as it does for the scheduler. */
		said[n++] = SAID(cfs_rq_avg_vruntime, cfs_rq, avg_vruntime(cfs_rq));
		said[n++] = SAID(cfs_rq_avg_vruntime, cfs_rq, cfs_rq->zero_vruntime);
#endif
#endif
		rq_unlock_irqrestore(rq, &rf);

		expect_same(test, cpu, said, n);
		KUNIT_EXPECT_PTR_EQ(test, (const struct rq *)rq,
				    sched_tp_get(cb, cfs_rq_rq, cfs_rq, NULL));
	}
}

static void curr_is_who_asks(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct sched_entity *curr;
	unsigned int queued, tasks;
	struct cfs_rq *cfs_rq;
	struct rq_flags rf;
	struct rq *rq;

	rq = task_rq_lock(current, &rf);
	cfs_rq = cfs_rq_of(&current->se);
	curr = sched_tp_get(cb, cfs_rq_curr, cfs_rq, NULL);
	queued = sched_tp_get(cb, cfs_rq_nr_queued, cfs_rq, 0);
	tasks = sched_tp_get(cb, cfs_rq_h_nr_runnable, cfs_rq, 0);
	task_rq_unlock(rq, current, &rf);

	KUNIT_EXPECT_PTR_EQ(test, curr, (const struct sched_entity *)&current->se);
	KUNIT_EXPECT_GE(test, queued, 1);
	KUNIT_EXPECT_GE(test, tasks, 1);
}

#ifdef CONFIG_FAIR_GROUP_SCHED
static void queue_of_a_group(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct task_group *tg = sched_create_group(&root_task_group);
	int cpu;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tg);
	for_each_possible_cpu(cpu) {
#ifdef SCHED_TP_HAS_CFS_TG_STATE
		struct cfs_rq *cfs_rq = tg_cfs_rq(tg, cpu);
#else
		struct cfs_rq *cfs_rq = tg->cfs_rq[cpu];
#endif
		const struct said said[] = {
			SAID(cfs_rq_cpu, cfs_rq, cpu),
			SAID(cfs_rq_is_root, cfs_rq, false),
			SAID(cfs_rq_cgroup_id, cfs_rq, 0),
			SAID(cfs_rq_is_idle, cfs_rq, false),
			SAID(cfs_rq_h_nr_queued, cfs_rq, 0),
#ifdef CONFIG_SCHED_AUTOGROUP
			SAID(cfs_rq_autogroup_id, cfs_rq, 0),
#endif
#ifdef CONFIG_CFS_BANDWIDTH
			SAID(cfs_rq_throttled, cfs_rq, false),
			SAID(cfs_rq_throttle_count, cfs_rq, cfs_rq->throttle_count),
			SAID(cfs_rq_runtime_enabled, cfs_rq, false),
#ifdef CONFIG_64BIT
			SAID(cfs_rq_runtime_remaining, cfs_rq, cfs_rq->runtime_remaining),
#endif
#endif
		};

		expect_same(test, cpu, said, ARRAY_SIZE(said));
		KUNIT_EXPECT_PTR_EQ(test, (const struct task_group *)tg,
				    sched_tp_get(cb, cfs_rq_tg, cfs_rq, NULL));
		KUNIT_EXPECT_PTR_EQ(test, (const struct rq *)cpu_rq(cpu),
				    sched_tp_get(cb, cfs_rq_rq, cfs_rq, NULL));
	}
	sched_destroy_group(tg);
}

static void root_queue_is_of_the_root_group(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct cfs_rq *cfs_rq = &cpu_rq(0)->cfs;

	KUNIT_EXPECT_PTR_EQ(test, (const struct task_group *)&root_task_group,
			    sched_tp_get(cb, cfs_rq_tg, cfs_rq, NULL));
	KUNIT_EXPECT_EQ(test, cgroup_id(root_task_group.css.cgroup),
			sched_tp_get(cb, cfs_rq_cgroup_id, cfs_rq, 0));
}
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_CFS_RQ_ZERO_VRUNTIME)
/* The next digit of a number, in a system of so many. */
static int digit(int *number, int base)
{
	int last = *number % base;

	*number /= base;
	return last;
}

/* Every sign and rest, over objects that nobody else has. */
static void avg_vruntime_as_the_scheduler_computes_it(struct kunit *test)
{
	static const s64 sums[] = { -(1LL << 40) - 1, -5121, -5120, -5119, -1, 0, 1, 5119,
				    5120, 5121, 1LL << 40 };
	static const u64 weights[] = { 0, 2, 3, 1024, 1 << 20 };
	static const s64 ahead[] = { -3000000, -1, 0, 1, 7, 3000000 };
	static const unsigned long loads[] = { 1, 15, 1024, 1048576, 90891264 };
	static const unsigned int shifts[] = { 0, 3 };
	const int combinations = ARRAY_SIZE(sums) * ARRAY_SIZE(weights) * ARRAY_SIZE(ahead) *
				 ARRAY_SIZE(loads) * ARRAY_SIZE(shifts) * 3;
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct cfs_rq *cfs_rq = kunit_kzalloc(test, sizeof(*cfs_rq), GFP_KERNEL);
	struct sched_entity *se = kunit_kzalloc(test, sizeof(*se), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, cfs_rq);
	KUNIT_ASSERT_NOT_NULL(test, se);

	for (i = 0; i < combinations; i++) {
		int left = i;
		s64 sum = sums[digit(&left, ARRAY_SIZE(sums))];
		u64 weight = weights[digit(&left, ARRAY_SIZE(weights))];
		unsigned long load = loads[digit(&left, ARRAY_SIZE(loads))];
		unsigned int shift = shifts[digit(&left, ARRAY_SIZE(shifts))];
		int running;
		u64 said;

		cfs_rq->zero_vruntime = -1000000;
		se->vruntime = cfs_rq->zero_vruntime + ahead[digit(&left, ARRAY_SIZE(ahead))];
#ifdef SCHED_TP_HAS_CFS_RQ_SUM_WEIGHT
		cfs_rq->sum_w_vruntime = sum;
		cfs_rq->sum_weight = weight;
#else
		cfs_rq->avg_vruntime = sum;
		cfs_rq->avg_load = weight;
#endif
#ifdef SCHED_TP_HAS_SE_H_LOAD
		se->h_load.weight = load;
		se->load.weight = 77;
#else
		se->load.weight = load;
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_SUM_SHIFT
		cfs_rq->sum_shift = shift;
#else
		if (shift)
			continue;
#endif
		/* Not at all, off the queue, and on it. */
		running = left;
		cfs_rq->curr = running ? se : NULL;
		se->on_rq = running == 2;

		said = sched_tp_get(cb, cfs_rq_avg_vruntime, cfs_rq, 0);
		KUNIT_EXPECT_EQ_MSG(test, said, avg_vruntime(cfs_rq), "combination %d", i);
	}
}
#endif

static struct kunit_case cfs_rq_cases[] = {
	KUNIT_CASE(root_of_each_cpu),
	KUNIT_CASE(curr_is_who_asks),
#ifdef CONFIG_FAIR_GROUP_SCHED
	KUNIT_CASE(queue_of_a_group),
	KUNIT_CASE(root_queue_is_of_the_root_group),
#endif
#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_CFS_RQ_ZERO_VRUNTIME)
	KUNIT_CASE(avg_vruntime_as_the_scheduler_computes_it),
#endif
	{}
};

static struct kunit_suite cfs_rq_suite = {
	.name = "sched_tp_cfs_rq",
	.test_cases = cfs_rq_cases,
};

kunit_test_suite(cfs_rq_suite);
