// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct sched_entity, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static notrace bool sched_tp_se_is_task(const struct sched_entity *se)
{
	if (!se)
		return false;

	return sched_tp_is_task(se);
}

/* Of a group's entity there is no task around it: what lies there is anything. */
static notrace struct task_struct *sched_tp_se_task(const struct sched_entity *se)
{
	if (!se || !sched_tp_is_task(se))
		return NULL;

	return sched_tp_task_of(se);
}

static const notrace struct cfs_rq *sched_tp_se_cfs_rq(const struct sched_entity *se)
{
	if (!se)
		return NULL;

	return sched_tp_cfs_rq_of(se);
}

static notrace int sched_tp_se_cpu(const struct sched_entity *se)
{
	const struct cfs_rq *cfs_rq;
	const struct rq *rq;

	if (!se)
		return -1;

	cfs_rq = sched_tp_cfs_rq_of(se);
	if (!cfs_rq)
		return -1;

	rq = sched_tp_rq_of(cfs_rq);

	return rq ? sched_tp_cpu_of(rq) : -1;
}

#ifdef CONFIG_FAIR_GROUP_SCHED
static const notrace struct cfs_rq *sched_tp_se_group_cfs_rq(const struct sched_entity *se)
{
	if (!se)
		return NULL;

	return READ_ONCE(se->my_q);
}

static notrace int sched_tp_se_depth(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->depth);
}

static const notrace struct sched_entity *sched_tp_se_parent(const struct sched_entity *se)
{
	if (!se)
		return NULL;

	return READ_ONCE(se->parent);
}

static notrace unsigned long sched_tp_se_runnable_weight(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->runnable_weight);
}
#else
#define sched_tp_se_group_cfs_rq NULL
#define sched_tp_se_depth NULL
#define sched_tp_se_parent NULL
#define sched_tp_se_runnable_weight NULL
#endif

/* Without CONFIG_SMP an entity has no averages at all. */
#ifdef SCHED_TP_SMP
static notrace unsigned long sched_tp_se_util_avg(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.util_avg);
}

static notrace unsigned long sched_tp_se_runnable_avg(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.runnable_avg);
}

static notrace unsigned long sched_tp_se_load_avg(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.load_avg);
}

static notrace unsigned int sched_tp_se_util_est(const struct sched_entity *se)
{
#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	struct util_est estimate;

	if (!se)
		return 0;

	/* Both halves at once, as the scheduler writes them. */
	estimate = READ_ONCE(se->avg.util_est);

	return max(estimate.ewma, estimate.enqueued & ~UTIL_AVG_UNCHANGED);
#else
	if (!se)
		return 0;

	return READ_ONCE(se->avg.util_est) & ~UTIL_AVG_UNCHANGED;
#endif
}

static notrace bool sched_tp_se_util_est_unchanged(const struct sched_entity *se)
{
	if (!se)
		return false;

#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	return READ_ONCE(se->avg.util_est.enqueued) & UTIL_AVG_UNCHANGED;
#else
	return READ_ONCE(se->avg.util_est) & UTIL_AVG_UNCHANGED;
#endif
}
#else
#define sched_tp_se_util_avg NULL
#define sched_tp_se_runnable_avg NULL
#define sched_tp_se_load_avg NULL
#define sched_tp_se_util_est NULL
#define sched_tp_se_util_est_unchanged NULL
#endif

/* The two parts that a maximum is made of; later releases keep that alone. */
#if defined(SCHED_TP_SMP) && defined(SCHED_TP_HAS_UTIL_EST_STRUCT)
static notrace unsigned int sched_tp_se_util_est_enqueued(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.util_est.enqueued) & ~UTIL_AVG_UNCHANGED;
}

static notrace unsigned int sched_tp_se_util_est_ewma(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.util_est.ewma);
}
#else
#define sched_tp_se_util_est_enqueued NULL
#define sched_tp_se_util_est_ewma NULL
#endif

static notrace unsigned long sched_tp_se_load_weight(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return scale_load_down(READ_ONCE(se->load.weight));
}

#ifdef SCHED_TP_HAS_SE_H_LOAD
static notrace unsigned long sched_tp_se_h_weight(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return scale_load_down(READ_ONCE(se->h_load.weight));
}
#else
#define sched_tp_se_h_weight NULL
#endif

static notrace bool sched_tp_se_on_rq(const struct sched_entity *se)
{
	if (!se)
		return false;

	return READ_ONCE(se->on_rq);
}

/* A byte in some releases and a bit in others, so a plain read. */
#ifdef SCHED_TP_HAS_SE_SCHED_DELAYED
static notrace bool sched_tp_se_sched_delayed(const struct sched_entity *se)
{
	if (!se)
		return false;

	return se->sched_delayed;
}
#else
#define sched_tp_se_sched_delayed NULL
#endif

#ifdef SCHED_TP_HAS_SE_CUSTOM_SLICE
static notrace bool sched_tp_se_custom_slice(const struct sched_entity *se)
{
	if (!se)
		return false;

	return se->custom_slice;
}
#else
#define sched_tp_se_custom_slice NULL
#endif

/* Of 64 bits: on a kernel of 32 they would be read in two pieces. */
#ifdef CONFIG_64BIT
static notrace unsigned long long sched_tp_se_vruntime(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->vruntime);
}

static notrace unsigned long long sched_tp_se_sum_exec_runtime(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->sum_exec_runtime);
}

static notrace unsigned long long sched_tp_se_exec_start(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->exec_start);
}

static notrace unsigned long long sched_tp_se_nr_migrations(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->nr_migrations);
}
#else
#define sched_tp_se_vruntime NULL
#define sched_tp_se_sum_exec_runtime NULL
#define sched_tp_se_exec_start NULL
#define sched_tp_se_nr_migrations NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_SMP)
static notrace unsigned long long sched_tp_se_last_update_time(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.last_update_time);
}
#else
#define sched_tp_se_last_update_time NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_SE_DEADLINE)
static notrace unsigned long long sched_tp_se_deadline(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->deadline);
}

static notrace long long sched_tp_se_vlag(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->vlag);
}

static notrace unsigned long long sched_tp_se_slice(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->slice);
}
#else
#define sched_tp_se_deadline NULL
#define sched_tp_se_vlag NULL
#define sched_tp_se_slice NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_SE_VPROT)
static notrace unsigned long long sched_tp_se_vprot(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->vprot);
}
#else
#define sched_tp_se_vprot NULL
#endif
