// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rq, for the table of struct sched_tp_callbacks: handles, counts,
 * clocks and statistics.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static const notrace struct rq *sched_tp_rq_of_cpu(int cpu)
{
	return sched_tp_seam_rq_of_cpu(cpu);
}

static notrace int sched_tp_rq_cpu(const struct rq *rq)
{
	if (!rq)
		return -1;

	return sched_tp_cpu_of(rq);
}

static notrace unsigned int sched_tp_rq_nr_running(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->nr_running);
}

/* Handles: the probe that follows one says which lock or RCU makes that safe. */
static notrace struct task_struct *sched_tp_rq_curr(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return rcu_access_pointer(rq->curr);
}

#ifdef SCHED_TP_HAS_RQ_DONOR
static notrace struct task_struct *sched_tp_rq_donor(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return rcu_access_pointer(rq->donor);
}
#else
#define sched_tp_rq_donor NULL
#endif

static notrace struct task_struct *sched_tp_rq_idle(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return READ_ONCE(rq->idle);
}

static notrace struct task_struct *sched_tp_rq_stop(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return READ_ONCE(rq->stop);
}

static const notrace struct cfs_rq *sched_tp_rq_cfs(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return &rq->cfs;
}

static const notrace struct rt_rq *sched_tp_rq_rt(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return &rq->rt;
}

static const notrace struct dl_rq *sched_tp_rq_dl(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return &rq->dl;
}

#ifdef SCHED_TP_SMP
static const notrace struct root_domain *sched_tp_rq_rd(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return READ_ONCE(rq->rd);
}

static const notrace struct sched_domain *sched_tp_rq_sd(const struct rq *rq)
{
	if (!rq)
		return NULL;

	return rcu_access_pointer(rq->sd);
}

static notrace bool sched_tp_rq_ttwu_pending(const struct rq *rq)
{
	if (!rq)
		return false;

	return !!READ_ONCE(rq->ttwu_pending);
}

static notrace bool sched_tp_rq_online(const struct rq *rq)
{
	if (!rq)
		return false;

	return !!READ_ONCE(rq->online);
}
#else
#define sched_tp_rq_rd NULL
#define sched_tp_rq_sd NULL
#define sched_tp_rq_ttwu_pending NULL
#define sched_tp_rq_online NULL
#endif

/* Signed per CPU, whatever the field's type: only the sum is a count. */
static notrace long sched_tp_rq_nr_uninterruptible(const struct rq *rq)
{
	if (!rq)
		return 0;

	if (sizeof(rq->nr_uninterruptible) == sizeof(int))
		return (int)READ_ONCE(rq->nr_uninterruptible);

	return (long)READ_ONCE(rq->nr_uninterruptible);
}

static notrace unsigned int sched_tp_rq_nr_iowait(const struct rq *rq)
{
	if (!rq)
		return 0;

	return atomic_read(&rq->nr_iowait);
}

#if defined(SCHED_TP_SMP) && defined(CONFIG_NO_HZ_COMMON)
static notrace bool sched_tp_rq_nohz_tick_stopped(const struct rq *rq)
{
	if (!rq)
		return false;

	return !!READ_ONCE(rq->nohz_tick_stopped);
}
#else
#define sched_tp_rq_nohz_tick_stopped NULL
#endif

/* A word of 64 bits is read in two on 32-bit kernels, and may then be neither old nor new. */
#ifdef CONFIG_64BIT
static notrace unsigned long long sched_tp_rq_clock(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->clock);
}

static notrace unsigned long long sched_tp_rq_clock_task(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->clock_task);
}

static notrace unsigned long long sched_tp_rq_nr_switches(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->nr_switches);
}
#else
#define sched_tp_rq_clock NULL
#define sched_tp_rq_clock_task NULL
#define sched_tp_rq_nr_switches NULL
#endif

#if defined(SCHED_TP_SMP) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_rq_clock_pelt(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->clock_pelt) - READ_ONCE(rq->lost_idle_time);
}

static notrace unsigned long long sched_tp_rq_avg_idle(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_idle);
}

static notrace unsigned long long sched_tp_rq_max_idle_balance_cost(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->max_idle_balance_cost);
}

static notrace unsigned long long sched_tp_rq_idle_stamp(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->idle_stamp);
}
#else
#define sched_tp_rq_clock_pelt NULL
#define sched_tp_rq_avg_idle NULL
#define sched_tp_rq_max_idle_balance_cost NULL
#define sched_tp_rq_idle_stamp NULL
#endif

#ifdef CONFIG_SCHED_CORE
static notrace unsigned long sched_tp_rq_core_cookie(const struct rq *rq)
{
	const struct rq *core = rq ? READ_ONCE(rq->core) : NULL;

	if (!core)
		return 0;

	return READ_ONCE(core->core_cookie);
}

static notrace unsigned int sched_tp_rq_core_forceidle_count(const struct rq *rq)
{
	const struct rq *core = rq ? READ_ONCE(rq->core) : NULL;

	if (!core)
		return 0;

	return READ_ONCE(core->core_forceidle_count);
}
#else
#define sched_tp_rq_core_cookie NULL
#define sched_tp_rq_core_forceidle_count NULL
#endif

#ifdef CONFIG_SCHEDSTATS
static notrace unsigned int sched_tp_rq_yld_count(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->yld_count);
}

static notrace unsigned int sched_tp_rq_sched_count(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->sched_count);
}

static notrace unsigned int sched_tp_rq_sched_goidle(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->sched_goidle);
}

static notrace unsigned int sched_tp_rq_ttwu_count(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->ttwu_count);
}

static notrace unsigned int sched_tp_rq_ttwu_local(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->ttwu_local);
}

static notrace unsigned long sched_tp_rq_pcount(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->rq_sched_info.pcount);
}
#else
#define sched_tp_rq_yld_count NULL
#define sched_tp_rq_sched_count NULL
#define sched_tp_rq_sched_goidle NULL
#define sched_tp_rq_ttwu_count NULL
#define sched_tp_rq_ttwu_local NULL
#define sched_tp_rq_pcount NULL
#endif

#if defined(CONFIG_SCHEDSTATS) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_rq_run_delay(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->rq_sched_info.run_delay);
}

static notrace unsigned long long sched_tp_rq_cpu_time(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->rq_cpu_time);
}
#else
#define sched_tp_rq_run_delay NULL
#define sched_tp_rq_cpu_time NULL
#endif

#ifdef CONFIG_SCHED_CLASS_EXT
static notrace unsigned int sched_tp_rq_scx_nr_running(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->scx.nr_running);
}
#else
#define sched_tp_rq_scx_nr_running NULL
#endif
