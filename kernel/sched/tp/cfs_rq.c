// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct cfs_rq, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

/* Without CONFIG_SMP a cfs_rq has no averages at all. */
#ifdef CONFIG_SMP
static notrace unsigned int sched_tp_cfs_rq_util_est(const struct cfs_rq *cfs_rq)
{
	if (!cfs_rq)
		return 0;

	return READ_ONCE(cfs_rq->avg.util_est) & ~UTIL_AVG_UNCHANGED;
}
#else
#define sched_tp_cfs_rq_util_est NULL
#endif
