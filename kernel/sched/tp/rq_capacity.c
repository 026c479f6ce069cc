// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rq, for the table of struct sched_tp_callbacks: capacity, and what
 * uses it.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static notrace unsigned long sched_tp_rq_cpu_current_capacity(const struct rq *rq)
{
	unsigned long capacity, freq;
	int cpu;

	if (!rq)
		return 0;

	cpu = sched_tp_cpu_of(rq);
	capacity = sched_tp_seam_scale_cpu_capacity(cpu);
	freq = sched_tp_seam_scale_freq_capacity(cpu);

	return cap_scale(capacity, freq);
}

static notrace unsigned long sched_tp_rq_freq_scale(const struct rq *rq)
{
	if (!rq)
		return 0;

	return sched_tp_seam_scale_freq_capacity(sched_tp_cpu_of(rq));
}

#ifdef CONFIG_HAVE_SCHED_AVG_IRQ
static notrace unsigned long sched_tp_rq_irq_util_avg(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_irq.util_avg);
}
#else
#define sched_tp_rq_irq_util_avg NULL
#endif

#if defined(CONFIG_HAVE_SCHED_AVG_IRQ) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_rq_irq_last_update_time(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_irq.last_update_time);
}
#else
#define sched_tp_rq_irq_last_update_time NULL
#endif

/* What is thermal pressure in one release is hardware pressure in the next. */
#if defined(CONFIG_SCHED_HW_PRESSURE) || defined(CONFIG_SCHED_THERMAL_PRESSURE)
static __always_inline const struct sched_avg *sched_tp_hw_avg_of(const struct rq *rq)
{
#ifdef SCHED_TP_HAS_RQ_AVG_HW
	return &rq->avg_hw;
#else
	return &rq->avg_thermal;
#endif
}

static notrace unsigned long sched_tp_rq_hw_load_avg(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(sched_tp_hw_avg_of(rq)->load_avg);
}

#ifdef CONFIG_64BIT
static notrace unsigned long long sched_tp_rq_hw_last_update_time(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(sched_tp_hw_avg_of(rq)->last_update_time);
}
#else
#define sched_tp_rq_hw_last_update_time NULL
#endif
#else
#define sched_tp_rq_hw_load_avg NULL
#define sched_tp_rq_hw_last_update_time NULL
#endif

#if defined(SCHED_TP_SMP) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_rq_rt_last_update_time(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_rt.last_update_time);
}

static notrace unsigned long long sched_tp_rq_dl_last_update_time(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_dl.last_update_time);
}
#else
#define sched_tp_rq_rt_last_update_time NULL
#define sched_tp_rq_dl_last_update_time NULL
#endif

/* Without CONFIG_SMP capacity is not accounted, and a rq has no averages. */
#ifdef SCHED_TP_SMP
/* Where the scheduler keeps a copy in the rq, it goes by that. */
static __always_inline unsigned long sched_tp_capacity_orig_of(const struct rq *rq)
{
#ifdef SCHED_TP_HAS_RQ_CAPACITY_ORIG
	return READ_ONCE(rq->cpu_capacity_orig);
#else
	return sched_tp_seam_scale_cpu_capacity(sched_tp_cpu_of(rq));
#endif
}

static notrace unsigned long sched_tp_rq_cpu_capacity(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->cpu_capacity);
}

static notrace unsigned long sched_tp_rq_misfit_task_load(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->misfit_task_load);
}

static notrace unsigned long sched_tp_rq_rt_util_avg(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_rt.util_avg);
}

static notrace unsigned long sched_tp_rq_dl_util_avg(const struct rq *rq)
{
	if (!rq)
		return 0;

	return READ_ONCE(rq->avg_dl.util_avg);
}

static notrace unsigned long sched_tp_rq_cpu_capacity_orig(const struct rq *rq)
{
	if (!rq)
		return 0;

	return sched_tp_capacity_orig_of(rq);
}

static notrace unsigned long sched_tp_rq_cpu_actual_capacity(const struct rq *rq)
{
	unsigned long capacity, pressure = 0;

	if (!rq)
		return 0;

#if defined(CONFIG_SCHED_HW_PRESSURE) || defined(CONFIG_SCHED_THERMAL_PRESSURE)
	pressure = sched_tp_rq_hw_load_avg(rq);
#endif
#ifdef SCHED_TP_HAS_CPUFREQ_PRESSURE
	pressure = max(pressure, sched_tp_seam_cpufreq_pressure(sched_tp_cpu_of(rq)));
#endif
	capacity = sched_tp_capacity_orig_of(rq);

	/* The two are not updated together: not below 0, though the scheduler may wrap. */
	return capacity - min(capacity, pressure);
}

/* Of the root cfs_rq, whose estimate is that of all its tasks. */
static __always_inline unsigned long sched_tp_util_cfs(const struct rq *rq, bool boost)
{
	unsigned long util = READ_ONCE(rq->cfs.avg.util_avg);

	if (boost)
		util = max(util, READ_ONCE(rq->cfs.avg.runnable_avg));
	if (sched_tp_seam_feat_util_est()) {
		unsigned long estimate = sched_tp_cfs_rq_util_est(&rq->cfs);

		util = max(util, estimate);
	}

	return min(util, sched_tp_capacity_orig_of(rq));
}

static notrace unsigned long sched_tp_rq_util_cfs(const struct rq *rq)
{
	if (!rq)
		return 0;

	return sched_tp_util_cfs(rq, false);
}

#ifdef SCHED_TP_HAS_CPU_UTIL_CFS_BOOST
static notrace unsigned long sched_tp_rq_util_cfs_boost(const struct rq *rq)
{
	if (!rq)
		return 0;

	return sched_tp_util_cfs(rq, true);
}
#else
#define sched_tp_rq_util_cfs_boost NULL
#endif

static notrace unsigned long sched_tp_rq_util(const struct rq *rq)
{
	unsigned long full, irq = 0, util;

	if (!rq)
		return 0;

	full = sched_tp_seam_scale_cpu_capacity(sched_tp_cpu_of(rq));
#ifdef CONFIG_HAVE_SCHED_AVG_IRQ
	irq = sched_tp_rq_irq_util_avg(rq);
#endif
	if (irq >= full)
		return full;

	util = sched_tp_util_cfs(rq, false);
	util += sched_tp_rq_rt_util_avg(rq);
	util += sched_tp_rq_dl_util_avg(rq);
	if (util >= full)
		return full;

	/* The clock of tasks stands still in irqs: what they use is of the rest only. */
	return irq + util * (full - irq) / full;
}

static notrace bool sched_tp_rq_overutilized(const struct rq *rq)
{
	unsigned long util;

	if (!rq || !sched_tp_seam_energy_aware())
		return false;

	/* A fifth of the capacity is kept as margin. */
	util = sched_tp_util_cfs(rq, false);
	if (util * 1280 < READ_ONCE(rq->cpu_capacity) * 1024)
		return false;

#ifdef CONFIG_UCLAMP_TASK
	/* Tasks that are capped to what the CPU has fit. At full scale there is no cap. */
	if (sched_tp_seam_uclamp_used()) {
		unsigned long orig = sched_tp_capacity_orig_of(rq);
		unsigned long cap = READ_ONCE(rq->uclamp[UCLAMP_MAX].value);

		if (cap <= orig && cap < SCHED_CAPACITY_SCALE)
			return false;
	}
#endif

	return true;
}
#else
#define sched_tp_rq_cpu_capacity NULL
#define sched_tp_rq_misfit_task_load NULL
#define sched_tp_rq_rt_util_avg NULL
#define sched_tp_rq_dl_util_avg NULL
#define sched_tp_rq_cpu_capacity_orig NULL
#define sched_tp_rq_cpu_actual_capacity NULL
#define sched_tp_rq_util_cfs NULL
#define sched_tp_rq_util_cfs_boost NULL
#define sched_tp_rq_util NULL
#define sched_tp_rq_overutilized NULL
#endif
