// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rt_rq, dl_rq and sched_dl_entity, on live objects: the test's own
 * task, as it changes class, and what each CPU has.
 */

#include <linux/sched/prio.h>
#include <uapi/linux/sched/types.h>

#include "live.h"

#define NOTE_RT(getter, value)	SCHED_TP_NOTE(notes, rt_rq_##getter, rt_rq, value)
#define NOTE_DL(getter, value)	SCHED_TP_NOTE(notes, dl_rq_##getter, dl_rq, value)
#define NOTE_SE(getter, value)	SCHED_TP_NOTE(notes, dl_se_##getter, dl_se, value)

static struct sched_tp_notes the_notes, *const notes = &the_notes;

/* Each under the rq lock. */
static void note_rt_rq(struct rt_rq *rt_rq)
{
	NOTE_RT(nr_running, rt_rq->rt_nr_running);
	NOTE_RT(rr_nr_running, rt_rq->rr_nr_running);
	NOTE_RT(queued, !!rt_rq->rt_queued);
#if defined(SCHED_TP_SMP) || defined(CONFIG_RT_GROUP_SCHED)
	NOTE_RT(highest_prio, rt_rq->highest_prio.curr);
#endif
#ifdef SCHED_TP_SMP
	NOTE_RT(next_prio, rt_rq->highest_prio.next);
	NOTE_RT(overloaded, !!rt_rq->overloaded);
#endif
#if defined(CONFIG_RT_GROUP_SCHED) || defined(SCHED_TP_HAS_RT_BANDWIDTH)
	/* Its own lock, since other CPUs borrow. */
	raw_spin_lock(&rt_rq->rt_runtime_lock);
#ifdef CONFIG_RT_GROUP_SCHED
	NOTE_RT(throttled, rt_rq->rt_throttled && !rt_rq->rt_nr_boosted);
#else
	NOTE_RT(throttled, !!rt_rq->rt_throttled);
#endif
#ifdef CONFIG_64BIT
	NOTE_RT(time, rt_rq->rt_time);
	NOTE_RT(runtime, rt_rq->rt_runtime);
#endif
	raw_spin_unlock(&rt_rq->rt_runtime_lock);
#endif
}

static void note_dl_rq(struct dl_rq *dl_rq)
{
	NOTE_DL(nr_running, dl_rq->dl_nr_running);
#ifdef CONFIG_64BIT
	NOTE_DL(running_bw, dl_rq->running_bw);
	NOTE_DL(this_bw, dl_rq->this_bw);
	NOTE_DL(extra_bw, dl_rq->extra_bw);
	NOTE_DL(bw_ratio, dl_rq->bw_ratio);
#ifdef SCHED_TP_HAS_DL_RQ_MAX_BW
	NOTE_DL(max_bw, dl_rq->max_bw);
#endif
#endif
#if defined(CONFIG_64BIT) && defined(SCHED_TP_SMP)
	NOTE_DL(bw_util, cpu_bw_dl(container_of(dl_rq, struct rq, dl)));
	NOTE_DL(earliest_dl, dl_rq->earliest_dl.curr);
	NOTE_DL(next_dl, dl_rq->earliest_dl.next);
#endif
#ifdef SCHED_TP_SMP
	NOTE_DL(overloaded, !!dl_rq->overloaded);
#endif
#ifdef SCHED_TP_HAS_DL_RQ_CURR
	SCHED_TP_NOTE_PTR(notes, dl_rq_curr, dl_rq, dl_rq->curr);
#endif
}

static void note_dl_se(struct sched_dl_entity *dl_se)
{
#ifdef CONFIG_64BIT
	NOTE_SE(runtime, dl_se->runtime);
	NOTE_SE(deadline, dl_se->deadline);
	NOTE_SE(dl_runtime, dl_se->dl_runtime);
	NOTE_SE(dl_deadline, dl_se->dl_deadline);
	NOTE_SE(dl_period, dl_se->dl_period);
	NOTE_SE(dl_bw, dl_se->dl_bw);
#endif
	NOTE_SE(throttled, dl_se->dl_throttled);
	NOTE_SE(yielded, dl_se->dl_yielded);
	NOTE_SE(non_contending, dl_se->dl_non_contending);
	NOTE_SE(overrun, dl_se->dl_overrun);
#ifdef SCHED_TP_HAS_DL_SERVER
	NOTE_SE(is_server, dl_se->dl_server);
#endif
#ifdef SCHED_TP_HAS_DL_SERVER_ACTIVE
	NOTE_SE(server_active, dl_se->dl_server_active);
#endif
#ifdef SCHED_TP_HAS_DL_DEFER
	NOTE_SE(defer, dl_se->dl_defer);
	NOTE_SE(defer_armed, dl_se->dl_defer_armed);
	NOTE_SE(defer_running, dl_se->dl_defer_running);
#endif
#ifdef SCHED_TP_HAS_DL_DEFER_IDLE
	NOTE_SE(defer_idle, dl_se->dl_defer_idle);
#endif
#ifdef SCHED_TP_HAS_DL_BW_ATTACHED
	NOTE_SE(bw_attached, dl_se->dl_bw_attached);
#endif
}

static void queues_of_each_cpu(struct kunit *test)
{
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);

		notes->nr = 0;
		rq_lock_irqsave(rq, &rf);
		note_rt_rq(&rq->rt);
		note_dl_rq(&rq->dl);
		rq_unlock_irqrestore(rq, &rf);

		sched_tp_notes_compare(test, notes);
	}
}

/* A task of FIFO, the only thing of its class that is sure to be there. */
static void rt_rq_with_a_fifo_task(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int nr_running;
	struct rq_flags rf;
	struct rq *rq;
	bool queued;
	int prio;

	notes->nr = 0;
	sched_set_fifo(current);
	rq = task_rq_lock(current, &rf);
	note_rt_rq(&rq->rt);
	nr_running = sched_tp_get(cb, rt_rq_nr_running, &rq->rt, 0);
	queued = sched_tp_get(cb, rt_rq_queued, &rq->rt, false);
	prio = sched_tp_get(cb, rt_rq_highest_prio, &rq->rt, 0);
	task_rq_unlock(rq, current, &rf);
	sched_set_normal(current, 0);

	sched_tp_notes_compare(test, notes);
	KUNIT_EXPECT_GE(test, nr_running, 1);
	KUNIT_EXPECT_TRUE(test, queued);
	KUNIT_EXPECT_GE(test, prio, 0);
	KUNIT_EXPECT_LE(test, prio, MAX_RT_PRIO - 1 - MAX_RT_PRIO / 2);
}

static void dl_se_of_a_deadline_task(struct kunit *test)
{
	const struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_DEADLINE,
		.sched_runtime = 10 * NSEC_PER_MSEC,
		.sched_deadline = 200 * NSEC_PER_MSEC,
		.sched_period = 500 * NSEC_PER_MSEC,
	};
	struct sched_dl_entity *dl_se = &current->dl;
	struct rq_flags rf;
	struct rq *rq;

	notes->nr = 0;
	KUNIT_ASSERT_EQ(test, 0, sched_setattr_nocheck(current, &attr));
	rq = task_rq_lock(current, &rf);
	note_dl_se(dl_se);
	SCHED_TP_NOTE_PTR(notes, dl_se_task, dl_se, current);
	SCHED_TP_NOTE_PTR(notes, dl_se_rq, dl_se, rq);
#ifdef CONFIG_64BIT
	NOTE_SE(dl_runtime, attr.sched_runtime);
	NOTE_SE(dl_deadline, attr.sched_deadline);
	NOTE_SE(dl_period, attr.sched_period);
	NOTE_SE(dl_bw, to_ratio(attr.sched_period, attr.sched_runtime));
#endif
	note_dl_rq(&rq->dl);
#ifdef SCHED_TP_HAS_DL_RQ_CURR
	SCHED_TP_NOTE_PTR(notes, dl_rq_curr, &rq->dl, dl_se);
#endif
	task_rq_unlock(rq, current, &rf);
	sched_set_normal(current, 0);

	sched_tp_notes_compare(test, notes);
}

/* The parameters of who waits, which is what the deadline is then set by. */
#if defined(CONFIG_RT_MUTEXES) && defined(CONFIG_64BIT)
static void dl_se_of_a_boosted_task(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct sched_dl_entity lender = {
		.dl_runtime = 22,
		.dl_deadline = 33,
		.dl_period = 44,
		.dl_bw = 55,
	};
	struct sched_dl_entity *dl_se = &current->dl;
	struct sched_dl_entity *own;
	struct rq_flags rf;
	struct rq *rq;

	notes->nr = 0;
	lender.pi_se = &lender;
	rq = task_rq_lock(current, &rf);
	own = dl_se->pi_se;
	dl_se->pi_se = &lender;
	NOTE_SE(dl_runtime, 22);
	NOTE_SE(dl_deadline, 33);
	NOTE_SE(dl_period, 44);
	NOTE_SE(dl_bw, dl_se->dl_bw);
	dl_se->pi_se = own;
	task_rq_unlock(rq, current, &rf);

	sched_tp_notes_compare(test, notes);
	KUNIT_EXPECT_EQ(test, sched_tp_get(cb, dl_se_dl_runtime, dl_se, 1), dl_se->dl_runtime);
}
#endif

#ifdef SCHED_TP_HAS_DL_DEFER
/* It lies in the rq, with no task around it. */
static void dl_se_of_the_fair_server(struct kunit *test)
{
	struct rq_flags rf;
	int cpu;

	for_each_online_cpu(cpu) {
		struct rq *rq = cpu_rq(cpu);
		struct sched_dl_entity *dl_se = &rq->fair_server;

		notes->nr = 0;
		rq_lock_irqsave(rq, &rf);
		note_dl_se(dl_se);
		NOTE_SE(is_server, true);
		SCHED_TP_NOTE_PTR(notes, dl_se_task, dl_se, NULL);
		SCHED_TP_NOTE_PTR(notes, dl_se_rq, dl_se, rq);
		rq_unlock_irqrestore(rq, &rf);

		sched_tp_notes_compare(test, notes);
	}
}
#endif

static struct kunit_case rt_dl_cases[] = {
	KUNIT_CASE(queues_of_each_cpu),
	KUNIT_CASE(rt_rq_with_a_fifo_task),
	KUNIT_CASE(dl_se_of_a_deadline_task),
#if defined(CONFIG_RT_MUTEXES) && defined(CONFIG_64BIT)
	KUNIT_CASE(dl_se_of_a_boosted_task),
#endif
#ifdef SCHED_TP_HAS_DL_DEFER
	KUNIT_CASE(dl_se_of_the_fair_server),
#endif
	{}
};

static struct kunit_suite rt_dl_suite = {
	.name = "sched_tp_rt_dl",
	.test_cases = rt_dl_cases,
};

kunit_test_suite(rt_dl_suite);
