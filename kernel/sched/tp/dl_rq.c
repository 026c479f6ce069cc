// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct dl_rq, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static notrace unsigned int sched_tp_dl_rq_nr_running(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->dl_nr_running);
}

/* Of 64 bits: on a kernel of 32 they would be read in two pieces. */
#ifdef CONFIG_64BIT
static notrace unsigned long long sched_tp_dl_rq_running_bw(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->running_bw);
}

static notrace unsigned long long sched_tp_dl_rq_this_bw(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->this_bw);
}

static notrace unsigned long long sched_tp_dl_rq_extra_bw(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->extra_bw);
}

static notrace unsigned long long sched_tp_dl_rq_bw_ratio(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->bw_ratio);
}
#else
#define sched_tp_dl_rq_running_bw NULL
#define sched_tp_dl_rq_this_bw NULL
#define sched_tp_dl_rq_extra_bw NULL
#define sched_tp_dl_rq_bw_ratio NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_SMP)
static notrace unsigned long sched_tp_dl_rq_bw_util(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return (READ_ONCE(dl_rq->running_bw) * SCHED_CAPACITY_SCALE) >> BW_SHIFT;
}

static notrace unsigned long long sched_tp_dl_rq_earliest_dl(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->earliest_dl.curr);
}

static notrace unsigned long long sched_tp_dl_rq_next_dl(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->earliest_dl.next);
}
#else
#define sched_tp_dl_rq_bw_util NULL
#define sched_tp_dl_rq_earliest_dl NULL
#define sched_tp_dl_rq_next_dl NULL
#endif

#if defined(CONFIG_64BIT) && defined(SCHED_TP_HAS_DL_RQ_MAX_BW)
static notrace unsigned long long sched_tp_dl_rq_max_bw(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return 0;

	return READ_ONCE(dl_rq->max_bw);
}
#else
#define sched_tp_dl_rq_max_bw NULL
#endif

#ifdef SCHED_TP_SMP
static notrace bool sched_tp_dl_rq_overloaded(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return false;

	return READ_ONCE(dl_rq->overloaded);
}
#else
#define sched_tp_dl_rq_overloaded NULL
#endif

#ifdef SCHED_TP_HAS_DL_RQ_CURR
static notrace struct sched_dl_entity *sched_tp_dl_rq_curr(const struct dl_rq *dl_rq)
{
	if (!dl_rq)
		return NULL;

	return READ_ONCE(dl_rq->curr);
}
#else
#define sched_tp_dl_rq_curr NULL
#endif
