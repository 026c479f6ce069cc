// SPDX-License-Identifier: GPL-2.0
/*
 * Getters that give many values in one call, on live objects: each member that is valid
 * is what the getter of its meaning says, and is valid where the table has that.
 */

#include "env.h"

/* What did not fit, for the test to name once the lock is released. */
struct wrong {
	const char *members[32];
	unsigned int nr;
};

#define COMPARE(out, tag, member, getter, of)						\
	do {										\
		if ((out)->member != sched_tp_get(cb, getter, of, 0) ||		\
		    sched_tp_valid(out, tag, member) != sched_tp_has(cb, getter))	\
			wrong.members[wrong.nr++] = #member;				\
	} while (0)

static void expect_none(struct kunit *test, const struct wrong *wrong)
{
	unsigned int i;

	for (i = 0; i < wrong->nr; i++)
		KUNIT_FAIL(test, "%s is not what its getter says", wrong->members[i]);
}

static void view_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct sched_tp_rq_view view;
	unsigned int returned;
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);
		struct wrong wrong = { .nr = 0 };

		rq_lock_irqsave(rq, &rf);
		returned = sched_tp_get(cb, rq_view, rq, &view, sizeof(view), 0);
		COMPARE(&view, rq_view, clock, rq_clock, rq);
		COMPARE(&view, rq_view, cpu_capacity, rq_cpu_capacity, rq);
		COMPARE(&view, rq_view, rt_util_avg, rq_rt_util_avg, rq);
		COMPARE(&view, rq_view, dl_util_avg, rq_dl_util_avg, rq);
		COMPARE(&view, rq_view, uclamp_min, rq_uclamp_min, rq);
		COMPARE(&view, rq_view, uclamp_max, rq_uclamp_max, rq);
		COMPARE(&view, rq_view, cpu, rq_cpu, rq);
		COMPARE(&view, rq_view, nr_running, rq_nr_running, rq);
		COMPARE(&view, rq_view, cfs_h_nr_queued, cfs_rq_h_nr_queued, &rq->cfs);
		COMPARE(&view, rq_view, rt_nr_running, rt_rq_nr_running, &rq->rt);
		COMPARE(&view, rq_view, dl_nr_running, dl_rq_nr_running, &rq->dl);
		rq_unlock_irqrestore(rq, &rf);

		KUNIT_EXPECT_EQ(test, returned, (unsigned int)sizeof(view));
		expect_none(test, &wrong);
	}
}

#ifdef SCHED_TP_SMP
static void pelt_of_each_cpu(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct sched_tp_pelt pelt;
	unsigned int returned;
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);
		const struct cfs_rq *cfs_rq = &rq->cfs;
		struct wrong wrong = { .nr = 0 };

		rq_lock_irqsave(rq, &rf);
		returned = sched_tp_get(cb, cfs_rq_pelt, cfs_rq, &pelt, sizeof(pelt), 0);
		COMPARE(&pelt, pelt, load_avg, cfs_rq_load_avg, cfs_rq);
		COMPARE(&pelt, pelt, runnable_avg, cfs_rq_runnable_avg, cfs_rq);
		COMPARE(&pelt, pelt, util_avg, cfs_rq_util_avg, cfs_rq);
		COMPARE(&pelt, pelt, util_est, cfs_rq_util_est, cfs_rq);
		COMPARE(&pelt, pelt, last_update_time, cfs_rq_last_update_time, cfs_rq);
		COMPARE(&pelt, pelt, cpu, cfs_rq_cpu, cfs_rq);
		COMPARE(&pelt, pelt, is_root, cfs_rq_is_root, cfs_rq);
		COMPARE(&pelt, pelt, h_nr_queued, cfs_rq_h_nr_queued, cfs_rq);
		rq_unlock_irqrestore(rq, &rf);

		KUNIT_EXPECT_EQ(test, returned, (unsigned int)sizeof(pelt));
		expect_none(test, &wrong);
	}
}

static void pelt_of_current(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct sched_entity *se = &current->se;
	struct wrong wrong = { .nr = 0 };
	struct sched_tp_pelt pelt;
	struct rq_flags rf;
	struct rq *rq;

	rq = task_rq_lock(current, &rf);
	sched_tp_get(cb, se_pelt, se, &pelt, sizeof(pelt), 0);
	COMPARE(&pelt, pelt, load_avg, se_load_avg, se);
	COMPARE(&pelt, pelt, runnable_avg, se_runnable_avg, se);
	COMPARE(&pelt, pelt, util_avg, se_util_avg, se);
	COMPARE(&pelt, pelt, util_est, se_util_est, se);
	COMPARE(&pelt, pelt, last_update_time, se_last_update_time, se);
	COMPARE(&pelt, pelt, cpu, se_cpu, se);
	COMPARE(&pelt, pelt, is_task, se_is_task, se);
	task_rq_unlock(rq, current, &rf);

	expect_none(test, &wrong);
}
#endif

static void identity_of_current(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct task_struct *p = current;
	struct sched_tp_task_identity identity;
	struct wrong wrong = { .nr = 0 };
	char name[TASK_COMM_LEN];
	struct rq_flags rf;
	struct rq *rq;

	get_task_comm(name, current);
	rq = task_rq_lock(current, &rf);
	sched_tp_get(cb, task_identity, p, &identity, sizeof(identity), 0);
	COMPARE(&identity, task_identity, start_time, task_start_time, p);
	COMPARE(&identity, task_identity, cgroup_id, task_cgroup_id, p);
	COMPARE(&identity, task_identity, nvcsw, task_nvcsw, p);
	COMPARE(&identity, task_identity, nivcsw, task_nivcsw, p);
	COMPARE(&identity, task_identity, pid, task_pid, p);
	COMPARE(&identity, task_identity, tgid, task_tgid, p);
	COMPARE(&identity, task_identity, cpu, task_cpu, p);
	COMPARE(&identity, task_identity, prio, task_prio, p);
	COMPARE(&identity, task_identity, policy, task_policy, p);
	COMPARE(&identity, task_identity, state, task_state, p);
	COMPARE(&identity, task_identity, is_kthread, task_is_kthread, p);
	COMPARE(&identity, task_identity, is_exiting, task_is_exiting, p);
	task_rq_unlock(rq, current, &rf);

	expect_none(test, &wrong);
	KUNIT_EXPECT_EQ(test, identity.pid, task_pid_nr(current));
	KUNIT_EXPECT_STREQ(test, (char *)identity.comm, name);
}

static struct kunit_case bulk_cases[] = {
	KUNIT_CASE(view_of_each_cpu),
#ifdef SCHED_TP_SMP
	KUNIT_CASE(pelt_of_each_cpu),
	KUNIT_CASE(pelt_of_current),
#endif
	KUNIT_CASE(identity_of_current),
	{}
};

static struct kunit_suite bulk_suite = {
	.name = "sched_tp_bulk",
	.test_cases = bulk_cases,
};

kunit_test_suite(bulk_suite);
