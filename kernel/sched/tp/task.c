// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct task_struct, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

static notrace int sched_tp_task_pid(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->pid);
}

static notrace int sched_tp_task_tgid(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->tgid);
}

/* Two reads on 32 bit, and execve() of a thread changes it. */
#ifdef CONFIG_64BIT
static notrace unsigned long long sched_tp_task_start_time(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->start_time);
}
#else
#define sched_tp_task_start_time NULL
#endif

static notrace unsigned long sched_tp_task_nvcsw(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->nvcsw);
}

static notrace unsigned long sched_tp_task_nivcsw(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->nivcsw);
}

static notrace unsigned int sched_tp_task_state(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->__state);
}

static notrace unsigned int sched_tp_task_policy(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->policy);
}

static notrace int sched_tp_task_prio(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->prio);
}

static notrace int sched_tp_task_static_prio(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->static_prio);
}

static notrace int sched_tp_task_normal_prio(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->normal_prio);
}

static notrace bool sched_tp_task_is_kthread(const struct task_struct *p)
{
	if (!p)
		return false;

	return !!(READ_ONCE(p->flags) & PF_KTHREAD);
}

static notrace bool sched_tp_task_is_exiting(const struct task_struct *p)
{
	if (!p)
		return false;

	return !!(READ_ONCE(p->flags) & PF_EXITING);
}

static const notrace struct sched_entity *sched_tp_task_se(const struct task_struct *p)
{
	if (!p)
		return NULL;

	return &p->se;
}

/* The type is one that modules see, and the kernel's helpers take it without const. */
static notrace struct sched_dl_entity *sched_tp_task_dl(const struct task_struct *p)
{
	if (!p)
		return NULL;

	return (struct sched_dl_entity *)&p->dl;
}

static notrace int sched_tp_task_cpu(const struct task_struct *p)
{
	if (!p)
		return -1;

	return task_cpu(p);
}

static const notrace struct rq *sched_tp_task_rq(const struct task_struct *p)
{
	if (!p)
		return NULL;

	return sched_tp_rq_of_task(p);
}

/* Without CONFIG_SMP an entity has no averages, and every task's time is the CPU's. */
#ifdef SCHED_TP_SMP
static notrace unsigned long sched_tp_task_util(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->se.avg.util_avg);
}

static notrace unsigned long sched_tp_task_util_est(const struct task_struct *p)
{
	unsigned long util, estimate;

	if (!p)
		return 0;

	util = READ_ONCE(p->se.avg.util_avg);
	estimate = sched_tp_se_util_est(&p->se);

	return max(util, estimate);
}

static notrace bool sched_tp_task_on_cpu(const struct task_struct *p)
{
	if (!p)
		return false;

	return !!READ_ONCE(p->on_cpu);
}
#else
#define sched_tp_task_util NULL
#define sched_tp_task_util_est NULL
#define sched_tp_task_on_cpu NULL
#endif

/* Bit fields: READ_ONCE() takes none. */
#ifdef CONFIG_UCLAMP_TASK
static notrace unsigned int sched_tp_task_uclamp_req_min(const struct task_struct *p)
{
	if (!p)
		return 0;

	return p->uclamp_req[UCLAMP_MIN].value;
}

static notrace unsigned int sched_tp_task_uclamp_req_max(const struct task_struct *p)
{
	if (!p)
		return 0;

	return p->uclamp_req[UCLAMP_MAX].value;
}

static notrace unsigned long sched_tp_task_uclamp_eff_min(const struct task_struct *p)
{
	if (!p)
		return 0;

	return sched_tp_seam_uclamp_eff(p, UCLAMP_MIN);
}

static notrace unsigned long sched_tp_task_uclamp_eff_max(const struct task_struct *p)
{
	if (!p)
		return 0;

	return sched_tp_seam_uclamp_eff(p, UCLAMP_MAX);
}

static notrace bool sched_tp_task_uclamp_active_min(const struct task_struct *p)
{
	if (!p)
		return false;

	return p->uclamp[UCLAMP_MIN].active;
}

static notrace bool sched_tp_task_uclamp_active_max(const struct task_struct *p)
{
	if (!p)
		return false;

	return p->uclamp[UCLAMP_MAX].active;
}
#else
#define sched_tp_task_uclamp_req_min NULL
#define sched_tp_task_uclamp_req_max NULL
#define sched_tp_task_uclamp_eff_min NULL
#define sched_tp_task_uclamp_eff_max NULL
#define sched_tp_task_uclamp_active_min NULL
#define sched_tp_task_uclamp_active_max NULL
#endif

#ifdef CONFIG_CGROUP_SCHED
static const notrace struct task_group *sched_tp_task_group(const struct task_struct *p)
{
	if (!p)
		return NULL;

	return READ_ONCE(p->sched_task_group);
}

static notrace unsigned long long sched_tp_task_cgroup_id(const struct task_struct *p)
{
	return sched_tp_tg_cgroup_id(sched_tp_task_group(p));
}
#else
#define sched_tp_task_group NULL
#define sched_tp_task_cgroup_id NULL
#endif

static notrace int sched_tp_task_on_rq(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->on_rq);
}

#if defined(CONFIG_CFS_BANDWIDTH) && defined(SCHED_TP_HAS_TASK_THROTTLED)
static notrace bool sched_tp_task_throttled(const struct task_struct *p)
{
	if (!p)
		return false;

	return READ_ONCE(p->throttled);
}
#else
#define sched_tp_task_throttled NULL
#endif

/* Two reads on 32 bit. */
#if defined(CONFIG_SCHED_INFO) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_task_last_arrival(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->sched_info.last_arrival);
}

static notrace unsigned long long sched_tp_task_run_delay(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->sched_info.run_delay);
}
#else
#define sched_tp_task_last_arrival NULL
#define sched_tp_task_run_delay NULL
#endif

#ifdef CONFIG_SCHED_INFO
static notrace unsigned long sched_tp_task_pcount(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->sched_info.pcount);
}
#else
#define sched_tp_task_pcount NULL
#endif

#ifdef CONFIG_SCHED_CORE
static notrace unsigned long sched_tp_task_core_cookie(const struct task_struct *p)
{
	if (!p)
		return 0;

	return READ_ONCE(p->core_cookie);
}
#else
#define sched_tp_task_core_cookie NULL
#endif

#if defined(CONFIG_SCHED_PROXY_EXEC) && defined(SCHED_TP_HAS_TASK_BLOCKED_ON)
static notrace bool sched_tp_task_is_blocked(const struct task_struct *p)
{
	if (!p)
		return false;

	return sched_tp_seam_proxy_exec() && READ_ONCE(p->blocked_on);
}
#else
#define sched_tp_task_is_blocked NULL
#endif

/*
 * Each byte is read once, and counted and stored as it was then: a name that changes
 * meanwhile may come out mixed, but never longer than any, and always terminated.
 */
static notrace unsigned int sched_tp_task_comm(const struct task_struct *p,
					       unsigned char *buf, unsigned int size)
{
	unsigned int length = 0;

	if (!buf)
		size = 0;

	while (p && length < TASK_COMM_LEN - 1) {
		unsigned char byte = READ_ONCE(p->comm[length]);

		if (!byte)
			break;
		if (length + 1 < size)
			buf[length] = byte;
		length++;
	}
	if (size)
		buf[min(length, size - 1)] = 0;

	return length;
}
