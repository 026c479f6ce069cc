// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct sched_entity and of its cfs_rq, on live objects.
 */

#include "env.h"

#ifdef CONFIG_SMP
/* Nothing changes util_est of an entity while the lock of its rq is held. */
static void se_util_est_of_current(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int raw, util;
	struct rq_flags rf;
	struct rq *rq;

	rq = task_rq_lock(current, &rf);
	raw = current->se.avg.util_est;
	util = sched_tp_get(cb, se_util_est, &current->se, UINT_MAX);
	task_rq_unlock(rq, current, &rf);

	KUNIT_EXPECT_EQ(test, util, raw & ~UTIL_AVG_UNCHANGED);
	KUNIT_EXPECT_LE(test, util, SCHED_CAPACITY_SCALE);
}

static void cfs_rq_util_est_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int raw, util;
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);

		rq_lock_irqsave(rq, &rf);
		raw = rq->cfs.avg.util_est;
		util = sched_tp_get(cb, cfs_rq_util_est, &rq->cfs, UINT_MAX);
		rq_unlock_irqrestore(rq, &rf);

		KUNIT_EXPECT_EQ(test, util, raw);
	}
}

#ifdef CONFIG_FAIR_GROUP_SCHED
/* The scheduler makes group entities of its own kind, and leaves their util_est. */
static void se_util_est_of_a_group(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct task_group *tg = sched_create_group(&root_task_group);
	int cpu;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tg);
	for_each_possible_cpu(cpu) {
		struct sched_entity *se = tg->se[cpu];

		KUNIT_EXPECT_FALSE(test, entity_is_task(se));
		KUNIT_EXPECT_EQ(test, 0, sched_tp_get(cb, se_util_est, se, UINT_MAX));
		KUNIT_EXPECT_EQ(test, 0,
				sched_tp_get(cb, cfs_rq_util_est, se->my_q, UINT_MAX));
	}
	sched_destroy_group(tg);
}
#endif
#endif /* CONFIG_SMP */

/* Without averages there is no estimate, and the table must not invent one. */
static void util_est_is_absent_without_smp(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();

	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_SMP), sched_tp_has(cb, se_util_est));
	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_SMP), sched_tp_has(cb, cfs_rq_util_est));
}

static struct kunit_case se_cases[] = {
#ifdef CONFIG_SMP
	KUNIT_CASE(se_util_est_of_current),
	KUNIT_CASE(cfs_rq_util_est_of_each_cpu),
#ifdef CONFIG_FAIR_GROUP_SCHED
	KUNIT_CASE(se_util_est_of_a_group),
#endif
#endif
	KUNIT_CASE(util_est_is_absent_without_smp),
	{}
};

static struct kunit_suite se_suite = {
	.name = "sched_tp_se",
	.test_cases = se_cases,
};

kunit_test_suite(se_suite);
