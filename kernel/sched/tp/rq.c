// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct rq, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

/* cpu_of() takes no const object, and rq->cpu exists with CONFIG_SMP only. */
static notrace int sched_tp_cpu_of(const struct rq *rq)
{
#ifdef CONFIG_SMP
	return READ_ONCE(rq->cpu);
#else
	return 0;
#endif
}

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
