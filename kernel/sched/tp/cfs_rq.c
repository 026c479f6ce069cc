// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct cfs_rq, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static const notrace struct rq *sched_tp_cfs_rq_rq(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? sched_tp_rq_of(cfs_rq) : NULL;
}

static notrace int sched_tp_cfs_rq_cpu(const struct cfs_rq *cfs_rq)
{
	const struct rq *rq = sched_tp_cfs_rq_rq(cfs_rq);

	return rq ? sched_tp_cpu_of(rq) : -1;
}

static notrace SCHED_TP_BOOL sched_tp_cfs_rq_is_root(const struct cfs_rq *cfs_rq)
{
	const struct rq *rq = sched_tp_cfs_rq_rq(cfs_rq);

	return rq && &rq->cfs == cfs_rq;
}

/* Without CONFIG_SMP a cfs_rq has no averages at all. */
#ifdef SCHED_TP_SMP
static notrace unsigned int sched_tp_cfs_rq_util_est(const struct cfs_rq *cfs_rq)
{
	if (!cfs_rq)
		return 0;

#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	return READ_ONCE(cfs_rq->avg.util_est.enqueued) & ~UTIL_AVG_UNCHANGED;
#else
	return READ_ONCE(cfs_rq->avg.util_est) & ~UTIL_AVG_UNCHANGED;
#endif
}

static notrace unsigned long sched_tp_cfs_rq_util_avg(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->avg.util_avg) : 0;
}

static notrace unsigned long sched_tp_cfs_rq_runnable_avg(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->avg.runnable_avg) : 0;
}

static notrace unsigned long sched_tp_cfs_rq_load_avg(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->avg.load_avg) : 0;
}
#else
#define sched_tp_cfs_rq_util_est NULL
#define sched_tp_cfs_rq_util_avg NULL
#define sched_tp_cfs_rq_runnable_avg NULL
#define sched_tp_cfs_rq_load_avg NULL
#endif

#if defined(SCHED_TP_SMP) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_cfs_rq_last_update_time(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->avg.last_update_time) : 0;
}
#else
#define sched_tp_cfs_rq_last_update_time NULL
#endif

/* Groups' queues know their group; otherwise the only group is the root. */
#ifdef CONFIG_FAIR_GROUP_SCHED
static const notrace struct task_group *sched_tp_cfs_rq_tg(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->tg) : NULL;
}

static notrace unsigned long long sched_tp_cfs_rq_cgroup_id(const struct cfs_rq *cfs_rq)
{
	return sched_tp_tg_cgroup_id(sched_tp_cfs_rq_tg(cfs_rq));
}

static notrace SCHED_TP_BOOL sched_tp_cfs_rq_is_idle(const struct cfs_rq *cfs_rq)
{
	return cfs_rq && READ_ONCE(cfs_rq->idle) > 0;
}
#else
#define sched_tp_cfs_rq_tg NULL
#define sched_tp_cfs_rq_cgroup_id NULL
#define sched_tp_cfs_rq_is_idle NULL
#endif

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_LOCKLESS_CGROUP_PATH)
static notrace int sched_tp_cfs_rq_path(const struct cfs_rq *cfs_rq, unsigned char *buf,
					unsigned int size)
{
	return sched_tp_tg_path(sched_tp_cfs_rq_tg(cfs_rq), buf, size);
}
#else
#define sched_tp_cfs_rq_path NULL
#endif

#ifdef CONFIG_SCHED_AUTOGROUP
static notrace long sched_tp_cfs_rq_autogroup_id(const struct cfs_rq *cfs_rq)
{
	const struct task_group *tg = sched_tp_cfs_rq_tg(cfs_rq);
	const struct autogroup *autogroup = tg ? READ_ONCE(tg->autogroup) : NULL;

	return autogroup ? READ_ONCE(autogroup->id) : 0;
}
#else
#define sched_tp_cfs_rq_autogroup_id NULL
#endif

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_SMP)
static notrace unsigned long sched_tp_cfs_rq_h_load(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->h_load) : 0;
}

static notrace unsigned long sched_tp_cfs_rq_tg_load_avg_contrib(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->tg_load_avg_contrib) : 0;
}
#else
#define sched_tp_cfs_rq_h_load NULL
#define sched_tp_cfs_rq_tg_load_avg_contrib NULL
#endif

/* In a flat pick the root's curr is all there is of that name, and h_curr is each level's. */
static const notrace struct sched_entity *sched_tp_cfs_rq_curr(const struct cfs_rq *cfs_rq)
{
#ifdef SCHED_TP_HAS_CFS_RQ_H_CURR
	return cfs_rq ? READ_ONCE(cfs_rq->h_curr) : NULL;
#else
	return cfs_rq ? READ_ONCE(cfs_rq->curr) : NULL;
#endif
}

static notrace unsigned int sched_tp_cfs_rq_nr_queued(const struct cfs_rq *cfs_rq)
{
#ifdef SCHED_TP_HAS_CFS_RQ_NR_QUEUED
	return cfs_rq ? READ_ONCE(cfs_rq->nr_queued) : 0;
#else
	return cfs_rq ? READ_ONCE(cfs_rq->nr_running) : 0;
#endif
}

static notrace unsigned int sched_tp_cfs_rq_h_nr_queued(const struct cfs_rq *cfs_rq)
{
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_QUEUED
	return cfs_rq ? READ_ONCE(cfs_rq->h_nr_queued) : 0;
#else
	return cfs_rq ? READ_ONCE(cfs_rq->h_nr_running) : 0;
#endif
}

#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_RUNNABLE
static notrace unsigned int sched_tp_cfs_rq_h_nr_runnable(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->h_nr_runnable) : 0;
}
#elif defined(SCHED_TP_HAS_EAGER_DEQUEUE)
/* What sleeps is dequeued, so what is queued wants to run. */
static notrace unsigned int sched_tp_cfs_rq_h_nr_runnable(const struct cfs_rq *cfs_rq)
{
	return sched_tp_cfs_rq_h_nr_queued(cfs_rq);
}
#else
#define sched_tp_cfs_rq_h_nr_runnable NULL
#endif

static notrace unsigned int sched_tp_cfs_rq_h_nr_idle(const struct cfs_rq *cfs_rq)
{
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_IDLE
	return cfs_rq ? READ_ONCE(cfs_rq->h_nr_idle) : 0;
#else
	return cfs_rq ? READ_ONCE(cfs_rq->idle_h_nr_running) : 0;
#endif
}

static notrace unsigned long sched_tp_cfs_rq_load_weight(const struct cfs_rq *cfs_rq)
{
	if (!cfs_rq)
		return 0;

	return scale_load_down(READ_ONCE(cfs_rq->load.weight));
}

#ifdef CONFIG_CFS_BANDWIDTH
static notrace SCHED_TP_BOOL sched_tp_cfs_rq_throttled(const struct cfs_rq *cfs_rq)
{
#ifdef SCHED_TP_HAS_CFS_RQ_THROTTLED_BIT
	/* A bit field: no READ_ONCE(). */
	return cfs_rq && cfs_rq->throttled;
#else
	return cfs_rq && READ_ONCE(cfs_rq->throttled);
#endif
}

static notrace int sched_tp_cfs_rq_throttle_count(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->throttle_count) : 0;
}

static notrace SCHED_TP_BOOL sched_tp_cfs_rq_runtime_enabled(const struct cfs_rq *cfs_rq)
{
	return cfs_rq && READ_ONCE(cfs_rq->runtime_enabled);
}
#else
#define sched_tp_cfs_rq_throttled NULL
#define sched_tp_cfs_rq_throttle_count NULL
#define sched_tp_cfs_rq_runtime_enabled NULL
#endif

#if defined(CONFIG_CFS_BANDWIDTH) && defined(CONFIG_64BIT)
static notrace long long sched_tp_cfs_rq_runtime_remaining(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->runtime_remaining) : 0;
}
#else
#define sched_tp_cfs_rq_runtime_remaining NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_CFS_RQ_MIN_VRUNTIME)
static notrace unsigned long long sched_tp_cfs_rq_min_vruntime(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->min_vruntime) : 0;
}
#else
#define sched_tp_cfs_rq_min_vruntime NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_CFS_RQ_ZERO_VRUNTIME)
static notrace unsigned long long sched_tp_cfs_rq_zero_vruntime(const struct cfs_rq *cfs_rq)
{
	return cfs_rq ? READ_ONCE(cfs_rq->zero_vruntime) : 0;
}

/* What an entity weighs in the sums over vruntime. */
static __always_inline long sched_tp_vruntime_weight(const struct cfs_rq *cfs_rq,
						     const struct sched_entity *se)
{
#ifdef SCHED_TP_HAS_SE_H_LOAD
	unsigned long weight = READ_ONCE(se->h_load.weight);
#else
	unsigned long weight = READ_ONCE(se->load.weight);
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_SUM_SHIFT
	unsigned int shift = READ_ONCE(cfs_rq->sum_shift);

	return shift ? max(2UL, weight >> shift) : weight;
#else

	return scale_load_down(weight);
#endif
}

static notrace unsigned long long sched_tp_cfs_rq_avg_vruntime(const struct cfs_rq *cfs_rq)
{
	const struct sched_entity *curr;
	long weight, curr_weight;
	u64 zero, vruntime;
	s64 sum;

	if (!cfs_rq)
		return 0;

	zero = READ_ONCE(cfs_rq->zero_vruntime);
#ifdef SCHED_TP_HAS_CFS_RQ_SUM_WEIGHT
	sum = READ_ONCE(cfs_rq->sum_w_vruntime);
	weight = READ_ONCE(cfs_rq->sum_weight);
#else
	sum = READ_ONCE(cfs_rq->avg_vruntime);
	weight = READ_ONCE(cfs_rq->avg_load);
#endif

	/* The entity that runs is not in the tree, and not in the sums. */
	curr = READ_ONCE(cfs_rq->curr);
	if (curr && READ_ONCE(curr->on_rq)) {
		vruntime = READ_ONCE(curr->vruntime);
		/* Alone, it is the average. */
		if (!weight)
			return vruntime;
		curr_weight = sched_tp_vruntime_weight(cfs_rq, curr);
		sum += (s64)(vruntime - zero) * curr_weight;
		weight += curr_weight;
	}

	/* Nothing is there; or, read without the lock, what no division survives. */
	if (weight <= 0)
		return zero;

	/* Towards the past, on either side of zero. */
	if (sum < 0)
		sum -= weight - 1;

	return zero + sum / weight;
}
#else
#define sched_tp_cfs_rq_zero_vruntime NULL
#define sched_tp_cfs_rq_avg_vruntime NULL
#endif
