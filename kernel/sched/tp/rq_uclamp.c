// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rq, for the table of struct sched_tp_callbacks: utilisation clamps.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

#ifdef CONFIG_UCLAMP_TASK
static notrace unsigned long sched_tp_rq_uclamp_min(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->uclamp[UCLAMP_MIN].value);
}

static notrace unsigned long sched_tp_rq_uclamp_max(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->uclamp[UCLAMP_MAX].value);
}

static notrace bool sched_tp_rq_uclamp_idle(const struct rq *rq)
{
	if (!rq)
		return false;

	return READ_ONCE(rq->uclamp_flags) & UCLAMP_FLAG_IDLE;
}

static notrace unsigned long sched_tp_rq_uclamp_util(const struct rq *rq, unsigned long util)
{
	unsigned long lowest, highest;

	if (!rq)
		return 0;
	if (!sched_tp_seam_uclamp_used())
		return util;

	/* Each is the highest of many tasks', so they may cross. */
	lowest = sched_tp_rq_uclamp_min(rq);
	highest = sched_tp_rq_uclamp_max(rq);

	return max(lowest, min(util, highest));
}

static __always_inline bool sched_tp_has_bucket(unsigned int clamp_id, unsigned int bucket)
{
	return clamp_id < UCLAMP_CNT && bucket < UCLAMP_BUCKETS;
}

/* Bitfields, which READ_ONCE() cannot read. */
static notrace unsigned int
sched_tp_rq_uclamp_bucket_value(const struct rq *rq, unsigned int clamp_id, unsigned int bucket)
{
	if (!rq || !sched_tp_has_bucket(clamp_id, bucket))
		return 0;

	return rq->uclamp[clamp_id].bucket[bucket].value;
}

static notrace unsigned int
sched_tp_rq_uclamp_bucket_tasks(const struct rq *rq, unsigned int clamp_id, unsigned int bucket)
{
	if (!rq || !sched_tp_has_bucket(clamp_id, bucket))
		return 0;

	return rq->uclamp[clamp_id].bucket[bucket].tasks;
}
#else
#define sched_tp_rq_uclamp_min NULL
#define sched_tp_rq_uclamp_max NULL
#define sched_tp_rq_uclamp_idle NULL
#define sched_tp_rq_uclamp_util NULL
#define sched_tp_rq_uclamp_bucket_value NULL
#define sched_tp_rq_uclamp_bucket_tasks NULL
#endif
