// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct sched_entity and of its cfs_rq, on live objects.
 */

#include "live.h"

#define NOTE(getter, value)	SCHED_TP_NOTE(notes, getter, se, value)
#define NOTE_PTR(getter, value)	SCHED_TP_NOTE_PTR(notes, getter, se, value)

static struct sched_tp_notes the_notes, *const notes = &the_notes;

/* Under the lock of its rq. */
static void note_all(struct sched_entity *se)
{
	NOTE(se_is_task, entity_is_task(se));
	NOTE_PTR(se_cfs_rq, cfs_rq_of(se));
	NOTE(se_cpu, cpu_of(rq_of(cfs_rq_of(se))));
	NOTE(se_load_weight, scale_load_down(se->load.weight));
	NOTE(se_on_rq, !!se->on_rq);
#ifdef SCHED_TP_HAS_SE_H_LOAD
	NOTE(se_h_weight, scale_load_down(se->h_load.weight));
#endif
#ifdef SCHED_TP_HAS_SE_SCHED_DELAYED
	NOTE(se_sched_delayed, !!se->sched_delayed);
#endif
#ifdef SCHED_TP_HAS_SE_CUSTOM_SLICE
	NOTE(se_custom_slice, !!se->custom_slice);
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
	NOTE_PTR(se_group_cfs_rq, group_cfs_rq(se));
	NOTE_PTR(se_parent, se->parent);
	NOTE(se_depth, se->depth);
	NOTE(se_runnable_weight, se->runnable_weight);
#endif
#ifdef SCHED_TP_SMP
	NOTE(se_load_weight, se_weight(se));
	NOTE(se_util_avg, se->avg.util_avg);
	NOTE(se_runnable_avg, se->avg.runnable_avg);
	NOTE(se_load_avg, se->avg.load_avg);
#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	NOTE(se_util_est, max(se->avg.util_est.ewma,
			      se->avg.util_est.enqueued & ~UTIL_AVG_UNCHANGED));
	NOTE(se_util_est_enqueued, se->avg.util_est.enqueued & ~UTIL_AVG_UNCHANGED);
	NOTE(se_util_est_ewma, se->avg.util_est.ewma);
	NOTE(se_util_est_unchanged, !!(se->avg.util_est.enqueued & UTIL_AVG_UNCHANGED));
#else
	NOTE(se_util_est, se->avg.util_est & ~UTIL_AVG_UNCHANGED);
	NOTE(se_util_est_unchanged, !!(se->avg.util_est & UTIL_AVG_UNCHANGED));
#endif
#endif
#ifdef CONFIG_64BIT
	NOTE(se_vruntime, se->vruntime);
	NOTE(se_sum_exec_runtime, se->sum_exec_runtime);
	NOTE(se_exec_start, se->exec_start);
	NOTE(se_nr_migrations, se->nr_migrations);
#ifdef SCHED_TP_SMP
	NOTE(se_last_update_time, se->avg.last_update_time);
#endif
#ifdef SCHED_TP_HAS_SE_DEADLINE
	NOTE(se_deadline, se->deadline);
	NOTE(se_vlag, se->vlag);
	NOTE(se_slice, se->slice);
#endif
#ifdef SCHED_TP_HAS_SE_VPROT
	NOTE(se_vprot, se->vprot);
#endif
#endif
}

static void se_of_current(struct kunit *test)
{
	struct sched_entity *se = &current->se;
	struct rq_flags rf;
	struct rq *rq;

	notes->nr = 0;
	rq = task_rq_lock(current, &rf);
	note_all(se);
	NOTE_PTR(se_task, task_of(se));
	NOTE_PTR(se_task, current);
	NOTE(se_is_task, true);
	NOTE(se_cpu, task_cpu(current));
	NOTE(se_on_rq, true);
	task_rq_unlock(rq, current, &rf);

	sched_tp_notes_compare(test, notes);
}

/* What nice says of a weight is a table that the scheduler has. */
static void se_load_weight_follows_nice(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	static const int nices[] = { -20, 19, 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nices); i++) {
		int index = nices[i] - MIN_NICE;

		set_user_nice(current, nices[i]);
		KUNIT_EXPECT_EQ(test, sched_tp_get(cb, se_load_weight, &current->se, 0),
				(unsigned long)sched_prio_to_weight[index]);
	}
}

#ifdef SCHED_TP_SMP
static void cfs_rq_util_est_of_each_cpu(struct kunit *test)
{
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);

		notes->nr = 0;
		rq_lock_irqsave(rq, &rf);
#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
		SCHED_TP_NOTE(notes, cfs_rq_util_est, &rq->cfs, rq->cfs.avg.util_est.enqueued);
#else
		SCHED_TP_NOTE(notes, cfs_rq_util_est, &rq->cfs, rq->cfs.avg.util_est);
#endif
		rq_unlock_irqrestore(rq, &rf);

		sched_tp_notes_compare(test, notes);
	}
}
#endif

#ifdef CONFIG_FAIR_GROUP_SCHED
static struct sched_entity *group_se(struct task_group *tg, int cpu)
{
#ifdef SCHED_TP_HAS_CFS_TG_STATE
	return tg_se(tg, cpu);
#else
	return tg->se[cpu];
#endif
}

/* The scheduler makes group entities of its own kind: no task around them. */
static void se_of_a_group(struct kunit *test)
{
	struct task_group *tg, *inner;
	int cpu;

	tg = sched_create_group(&root_task_group);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tg);
	inner = sched_create_group(tg);
	if (IS_ERR_OR_NULL(inner)) {
		sched_destroy_group(tg);
		KUNIT_FAIL(test, "no group in a group");
		return;
	}

	for_each_possible_cpu(cpu) {
		struct sched_entity *se = group_se(tg, cpu);

		notes->nr = 0;
		note_all(se);
		NOTE(se_is_task, false);
		NOTE_PTR(se_task, NULL);
		NOTE(se_cpu, cpu);
		NOTE_PTR(se_cfs_rq, &cpu_rq(cpu)->cfs);
		NOTE_PTR(se_parent, NULL);
		NOTE(se_depth, 0);
#ifdef SCHED_TP_SMP
		NOTE(se_util_est, 0);
#endif
		sched_tp_notes_compare(test, notes);

		notes->nr = 0;
		se = group_se(inner, cpu);
		note_all(se);
		NOTE_PTR(se_task, NULL);
		NOTE(se_cpu, cpu);
		NOTE_PTR(se_cfs_rq, group_se(tg, cpu)->my_q);
		NOTE_PTR(se_parent, group_se(tg, cpu));
		NOTE(se_depth, 1);
		sched_tp_notes_compare(test, notes);
	}
	sched_destroy_group(inner);
	sched_destroy_group(tg);
}
#endif

/* Without averages there is no estimate, and the table must not invent one. */
static void util_est_is_absent_without_smp(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
#ifdef SCHED_TP_SMP
	bool has = true;
#else
	bool has = false;
#endif

	KUNIT_EXPECT_EQ(test, has, sched_tp_has(cb, se_util_est));
	KUNIT_EXPECT_EQ(test, has, sched_tp_has(cb, cfs_rq_util_est));
}

static struct kunit_case se_cases[] = {
	KUNIT_CASE(se_of_current),
	KUNIT_CASE(se_load_weight_follows_nice),
#ifdef SCHED_TP_SMP
	KUNIT_CASE(cfs_rq_util_est_of_each_cpu),
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
	KUNIT_CASE(se_of_a_group),
#endif
	KUNIT_CASE(util_est_is_absent_without_smp),
	{}
};

static struct kunit_suite se_suite = {
	.name = "sched_tp_se",
	.test_cases = se_cases,
};

kunit_test_suite(se_suite);
