// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct sched_entity, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

/* Without CONFIG_SMP an entity has no averages at all. */
#ifdef CONFIG_SMP
static notrace unsigned int sched_tp_se_util_est(const struct sched_entity *se)
{
	if (!se)
		return 0;

	return READ_ONCE(se->avg.util_est) & ~UTIL_AVG_UNCHANGED;
}
#else
#define sched_tp_se_util_est NULL
#endif
