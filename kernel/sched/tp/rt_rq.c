// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rt_rq, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static notrace unsigned int sched_tp_rt_rq_nr_running(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return 0;

	return READ_ONCE(rt_rq->rt_nr_running);
}

static notrace unsigned int sched_tp_rt_rq_rr_nr_running(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return 0;

	return READ_ONCE(rt_rq->rr_nr_running);
}

static notrace bool sched_tp_rt_rq_queued(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return false;

	return READ_ONCE(rt_rq->rt_queued);
}

#if defined(SCHED_TP_SMP) || defined(CONFIG_RT_GROUP_SCHED)
static notrace int sched_tp_rt_rq_highest_prio(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return -1;

	return READ_ONCE(rt_rq->highest_prio.curr);
}
#else
#define sched_tp_rt_rq_highest_prio NULL
#endif

#ifdef SCHED_TP_SMP
static notrace int sched_tp_rt_rq_next_prio(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return -1;

	return READ_ONCE(rt_rq->highest_prio.next);
}

static notrace bool sched_tp_rt_rq_overloaded(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return false;

	return READ_ONCE(rt_rq->overloaded);
}
#else
#define sched_tp_rt_rq_next_prio NULL
#define sched_tp_rt_rq_overloaded NULL
#endif

/* The budget: of a group where groups have one, of the CPU in old releases. */
#if defined(CONFIG_RT_GROUP_SCHED) || defined(SCHED_TP_HAS_RT_BANDWIDTH)
static notrace bool sched_tp_rt_rq_throttled(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return false;

#ifdef CONFIG_RT_GROUP_SCHED
	/* A boosted task in it, and the scheduler goes on as if it were not. */
	if (READ_ONCE(rt_rq->rt_nr_boosted))
		return false;
#endif

	return READ_ONCE(rt_rq->rt_throttled);
}

/* Of 64 bits: on a kernel of 32 they would be read in two pieces. */
#ifdef CONFIG_64BIT
static notrace unsigned long long sched_tp_rt_rq_time(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return 0;

	return READ_ONCE(rt_rq->rt_time);
}

static notrace unsigned long long sched_tp_rt_rq_runtime(const struct rt_rq *rt_rq)
{
	if (!rt_rq)
		return 0;

	return READ_ONCE(rt_rq->rt_runtime);
}
#else
#define sched_tp_rt_rq_time NULL
#define sched_tp_rt_rq_runtime NULL
#endif
#else
#define sched_tp_rt_rq_throttled NULL
#define sched_tp_rt_rq_time NULL
#define sched_tp_rt_rq_runtime NULL
#endif
