// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct sched_dl_entity, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static __always_inline bool sched_tp_dl_server(const struct sched_dl_entity *dl_se)
{
#ifdef SCHED_TP_HAS_DL_SERVER
	return dl_se->dl_server;
#else
	return false;
#endif
}

/* Of an entity that is no server: a server is no part of a task. */
static __always_inline struct task_struct *
sched_tp_dl_task_of(const struct sched_dl_entity *dl_se)
{
	return container_of((struct sched_dl_entity *)dl_se, struct task_struct, dl);
}

/* Where the parameters come from: another task's entity while that one lends them. */
static __always_inline const struct sched_dl_entity *
sched_tp_dl_pi_of(const struct sched_dl_entity *dl_se)
{
#ifdef CONFIG_RT_MUTEXES
	const struct sched_dl_entity *pi_se = READ_ONCE(dl_se->pi_se);

	/* None yet in an entity that is not initialised. */
	if (pi_se)
		return pi_se;
#endif

	return dl_se;
}

static notrace struct task_struct *sched_tp_dl_se_task(const struct sched_dl_entity *dl_se)
{
	if (!dl_se || sched_tp_dl_server(dl_se))
		return NULL;

	return sched_tp_dl_task_of(dl_se);
}

static const notrace struct rq *sched_tp_dl_se_rq(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return NULL;

#ifdef SCHED_TP_HAS_DL_SERVER
	if (sched_tp_dl_server(dl_se))
		return READ_ONCE(dl_se->rq);
#endif

	return sched_tp_rq_of_task(sched_tp_dl_task_of(dl_se));
}

/* Of 64 bits: on a kernel of 32 they would be read in two pieces. */
#ifdef CONFIG_64BIT
static notrace long long sched_tp_dl_se_runtime(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return 0;

	return READ_ONCE(dl_se->runtime);
}

static notrace unsigned long long sched_tp_dl_se_deadline(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return 0;

	return READ_ONCE(dl_se->deadline);
}

static notrace unsigned long long sched_tp_dl_se_dl_runtime(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return 0;

	return READ_ONCE(sched_tp_dl_pi_of(dl_se)->dl_runtime);
}

static notrace unsigned long long sched_tp_dl_se_dl_deadline(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return 0;

	return READ_ONCE(sched_tp_dl_pi_of(dl_se)->dl_deadline);
}

static notrace unsigned long long sched_tp_dl_se_dl_period(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return 0;

	return READ_ONCE(sched_tp_dl_pi_of(dl_se)->dl_period);
}

/* Its own: what it is accounted with is not lent. */
static notrace unsigned long long sched_tp_dl_se_dl_bw(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return 0;

	return READ_ONCE(dl_se->dl_bw);
}
#else
#define sched_tp_dl_se_runtime NULL
#define sched_tp_dl_se_deadline NULL
#define sched_tp_dl_se_dl_runtime NULL
#define sched_tp_dl_se_dl_deadline NULL
#define sched_tp_dl_se_dl_period NULL
#define sched_tp_dl_se_dl_bw NULL
#endif

/* This and the following are bits, which READ_ONCE() cannot read. */
static notrace bool sched_tp_dl_se_throttled(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_throttled;
}

static notrace bool sched_tp_dl_se_yielded(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_yielded;
}

static notrace bool sched_tp_dl_se_non_contending(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_non_contending;
}

static notrace bool sched_tp_dl_se_overrun(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_overrun;
}

#ifdef SCHED_TP_HAS_DL_SERVER
static notrace bool sched_tp_dl_se_is_server(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return sched_tp_dl_server(dl_se);
}
#else
#define sched_tp_dl_se_is_server NULL
#endif

#ifdef SCHED_TP_HAS_DL_SERVER_ACTIVE
static notrace bool sched_tp_dl_se_server_active(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_server_active;
}
#else
#define sched_tp_dl_se_server_active NULL
#endif

#ifdef SCHED_TP_HAS_DL_DEFER
static notrace bool sched_tp_dl_se_defer(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_defer;
}

static notrace bool sched_tp_dl_se_defer_armed(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_defer_armed;
}

static notrace bool sched_tp_dl_se_defer_running(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_defer_running;
}
#else
#define sched_tp_dl_se_defer NULL
#define sched_tp_dl_se_defer_armed NULL
#define sched_tp_dl_se_defer_running NULL
#endif

#ifdef SCHED_TP_HAS_DL_DEFER_IDLE
static notrace bool sched_tp_dl_se_defer_idle(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_defer_idle;
}
#else
#define sched_tp_dl_se_defer_idle NULL
#endif

#ifdef SCHED_TP_HAS_DL_BW_ATTACHED
static notrace bool sched_tp_dl_se_bw_attached(const struct sched_dl_entity *dl_se)
{
	if (!dl_se)
		return false;

	return dl_se->dl_bw_attached;
}
#else
#define sched_tp_dl_se_bw_attached NULL
#endif
