/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seams that a vector sees: each answers from the env that is set up. Included
 * once, by the file that runs the vectors, after vectors.h and struct sched_tp_seams.
 */

/* The env of the vector that runs, or NULL. */
static struct sched_tp_env *sched_tp_env;

static unsigned long sched_tp_env_scale_cpu_capacity(int cpu)
{
	return (unsigned int)cpu < SCHED_TP_ENV_CPUS ? sched_tp_env->cpu_capacity[cpu] : 0;
}

static unsigned long sched_tp_env_scale_freq_capacity(int cpu)
{
	return (unsigned int)cpu < SCHED_TP_ENV_CPUS ? sched_tp_env->freq_capacity[cpu] : 0;
}

static const struct rq *sched_tp_env_rq_of_cpu(int cpu)
{
	return (unsigned int)cpu < SCHED_TP_ENV_CPUS ? sched_tp_env->rq_of_cpu[cpu] : NULL;
}

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_CFS_TG_STATE)
/* Of any group, so that one that has none, as the root, must not ask. */
static const struct cfs_rq *sched_tp_env_cfs_rq_on_cpu(const struct cfs_rq __percpu *queues,
						       int cpu)
{
	return (unsigned int)cpu < SCHED_TP_ENV_CPUS ? sched_tp_env->cfs_rq_of_cpu[cpu] : NULL;
}
#endif

#ifdef SCHED_TP_SMP
static bool sched_tp_env_feat_util_est(void)
{
	return sched_tp_env->feat_util_est;
}

static bool sched_tp_env_energy_aware(void)
{
	return sched_tp_env->energy_aware;
}

#ifdef SCHED_TP_HAS_CPUFREQ_PRESSURE
static unsigned long sched_tp_env_cpufreq_pressure(int cpu)
{
	return (unsigned int)cpu < SCHED_TP_ENV_CPUS ? sched_tp_env->cpufreq_pressure[cpu] : 0;
}
#endif
#endif

#ifdef CONFIG_UCLAMP_TASK
static bool sched_tp_env_uclamp_used(void)
{
	return sched_tp_env->uclamp_used;
}
#endif

static unsigned int sched_tp_env_cpu_ids(void)
{
	return sched_tp_env->cpu_ids;
}

static unsigned long sched_tp_env_uclamp_eff(const struct task_struct *p, int id)
{
	/* The kernel would follow it. */
	if (!p)
		return ~0UL;
	return p == sched_tp_env->task ? sched_tp_env->uclamp_eff[id] : 0;
}

#ifdef SCHED_TP_HAS_TASK_BLOCKED_ON
static bool sched_tp_env_proxy_exec(void)
{
	return sched_tp_env->proxy_exec;
}
#endif

static const struct sched_tp_seams sched_tp_env_seams = {
#define SCHED_TP_SEAM(ret, name, params, args, authority) .name = sched_tp_env_##name,
#include <seams.def>
};
