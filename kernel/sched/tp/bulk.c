// SPDX-License-Identifier: GPL-2.0
/*
 * Getters that give many values in one call, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file, after those whose values these are. What each getter
 * means is said in the list of getters.
 */

/*
 * Fill a member with what a getter says, and its bit. Nothing is left of it where the
 * getter's name stands for NULL: the variable has the slot's type, so that a call is
 * well-formed there, too.
 */
#define SCHED_TP_FILL(out, tag, member, getter, ...)					\
	do {										\
		typeof(((struct sched_tp_callbacks *)0)->getter) said =			\
			sched_tp_##getter;						\
											\
		if (said) {								\
			(out)->member = said(__VA_ARGS__);				\
			(out)->valid |= 1ULL << SCHED_TP_BIT_##tag##_##member;		\
		}									\
	} while (0)

/* Of a member that the caller has not whole, no bit. */
#define SCHED_TP_CUT(tag, type, member, dim)						\
	if (size < SCHED_TP_BULK_END(tag, member))					\
		valid &= ~(1ULL << SCHED_TP_BIT_##tag##_##member);
#define SCHED_TP_DEFINE_CUT(tag, fields)						\
	static __always_inline unsigned long long					\
	sched_tp_cut_##tag(unsigned long long valid, unsigned int size)		\
	{										\
		fields(SCHED_TP_CUT)							\
		return valid;								\
	}
SCHED_TP_BULK_STRUCTS(SCHED_TP_DEFINE_CUT)

/* To the caller, who has a struct of another size, or none. */
static notrace unsigned int sched_tp_hand_out(void *out, unsigned int size,
					      const void *known, unsigned int known_size)
{
	unsigned int both = min(size, known_size);

	if (out) {
		memcpy(out, known, both);
		memset((unsigned char *)out + both, 0, size - both);
	}

	return known_size;
}

#define SCHED_TP_HAND_OUT(tag, out, size, known)					\
	((known)->valid = sched_tp_cut_##tag((known)->valid, size),			\
	 sched_tp_hand_out(out, size, known, sizeof(*(known))))

#ifdef SCHED_TP_SMP
static notrace unsigned int sched_tp_cfs_rq_pelt(const struct cfs_rq *cfs_rq,
						 struct sched_tp_pelt *out, unsigned int size)
{
	struct sched_tp_pelt known = { 0 };

	if (cfs_rq) {
		SCHED_TP_FILL(&known, pelt, load_avg, cfs_rq_load_avg, cfs_rq);
		SCHED_TP_FILL(&known, pelt, runnable_avg, cfs_rq_runnable_avg, cfs_rq);
		SCHED_TP_FILL(&known, pelt, util_avg, cfs_rq_util_avg, cfs_rq);
		SCHED_TP_FILL(&known, pelt, last_update_time, cfs_rq_last_update_time, cfs_rq);
		SCHED_TP_FILL(&known, pelt, load_weight, cfs_rq_load_weight, cfs_rq);
		SCHED_TP_FILL(&known, pelt, util_est, cfs_rq_util_est, cfs_rq);
		SCHED_TP_FILL(&known, pelt, cpu, cfs_rq_cpu, cfs_rq);
		SCHED_TP_FILL(&known, pelt, is_root, cfs_rq_is_root, cfs_rq);
		SCHED_TP_FILL(&known, pelt, nr_queued, cfs_rq_nr_queued, cfs_rq);
		SCHED_TP_FILL(&known, pelt, h_nr_queued, cfs_rq_h_nr_queued, cfs_rq);
		SCHED_TP_FILL(&known, pelt, h_nr_runnable, cfs_rq_h_nr_runnable, cfs_rq);
		SCHED_TP_FILL(&known, pelt, h_nr_idle, cfs_rq_h_nr_idle, cfs_rq);
	}

	return SCHED_TP_HAND_OUT(pelt, out, size, &known);
}

static notrace unsigned int sched_tp_se_pelt(const struct sched_entity *se,
					     struct sched_tp_pelt *out, unsigned int size)
{
	struct sched_tp_pelt known = { 0 };

	if (se) {
		SCHED_TP_FILL(&known, pelt, load_avg, se_load_avg, se);
		SCHED_TP_FILL(&known, pelt, runnable_avg, se_runnable_avg, se);
		SCHED_TP_FILL(&known, pelt, util_avg, se_util_avg, se);
		SCHED_TP_FILL(&known, pelt, last_update_time, se_last_update_time, se);
		SCHED_TP_FILL(&known, pelt, load_weight, se_load_weight, se);
		SCHED_TP_FILL(&known, pelt, util_est, se_util_est, se);
		SCHED_TP_FILL(&known, pelt, cpu, se_cpu, se);
		SCHED_TP_FILL(&known, pelt, is_task, se_is_task, se);
	}

	return SCHED_TP_HAND_OUT(pelt, out, size, &known);
}
#else
#define sched_tp_cfs_rq_pelt NULL
#define sched_tp_se_pelt NULL
#endif

static notrace unsigned int sched_tp_rq_view(const struct rq *rq,
					     struct sched_tp_rq_view *out, unsigned int size)
{
	struct sched_tp_rq_view known = { 0 };

	if (rq) {
		SCHED_TP_FILL(&known, rq_view, clock, rq_clock, rq);
		SCHED_TP_FILL(&known, rq_view, cpu_capacity, rq_cpu_capacity, rq);
		SCHED_TP_FILL(&known, rq_view, cpu_capacity_orig, rq_cpu_capacity_orig, rq);
		SCHED_TP_FILL(&known, rq_view, cpu_current_capacity,
			      rq_cpu_current_capacity, rq);
		SCHED_TP_FILL(&known, rq_view, cpu_actual_capacity,
			      rq_cpu_actual_capacity, rq);
		SCHED_TP_FILL(&known, rq_view, util_cfs, rq_util_cfs, rq);
		SCHED_TP_FILL(&known, rq_view, rt_util_avg, rq_rt_util_avg, rq);
		SCHED_TP_FILL(&known, rq_view, dl_util_avg, rq_dl_util_avg, rq);
		SCHED_TP_FILL(&known, rq_view, irq_util_avg, rq_irq_util_avg, rq);
		SCHED_TP_FILL(&known, rq_view, hw_load_avg, rq_hw_load_avg, rq);
		SCHED_TP_FILL(&known, rq_view, uclamp_min, rq_uclamp_min, rq);
		SCHED_TP_FILL(&known, rq_view, uclamp_max, rq_uclamp_max, rq);
		SCHED_TP_FILL(&known, rq_view, cpu, rq_cpu, rq);
		SCHED_TP_FILL(&known, rq_view, nr_running, rq_nr_running, rq);
		SCHED_TP_FILL(&known, rq_view, cfs_h_nr_queued, cfs_rq_h_nr_queued, &rq->cfs);
		SCHED_TP_FILL(&known, rq_view, rt_nr_running, rt_rq_nr_running, &rq->rt);
		SCHED_TP_FILL(&known, rq_view, dl_nr_running, dl_rq_nr_running, &rq->dl);
	}

	return SCHED_TP_HAND_OUT(rq_view, out, size, &known);
}

#ifdef CONFIG_UCLAMP_TASK
static notrace unsigned int sched_tp_rq_uclamp(const struct rq *rq,
					       struct sched_tp_uclamp *out, unsigned int size)
{
	struct sched_tp_uclamp known = { 0 };

	if (rq) {
		SCHED_TP_FILL(&known, uclamp, min, rq_uclamp_min, rq);
		SCHED_TP_FILL(&known, uclamp, max, rq_uclamp_max, rq);
		SCHED_TP_FILL(&known, uclamp, idle, rq_uclamp_idle, rq);
	}

	return SCHED_TP_HAND_OUT(uclamp, out, size, &known);
}
#else
#define sched_tp_rq_uclamp NULL
#endif

static notrace unsigned int sched_tp_task_identity(const struct task_struct *p,
						   struct sched_tp_task_identity *out,
						   unsigned int size)
{
	struct sched_tp_task_identity known = { 0 };

	if (p) {
		SCHED_TP_FILL(&known, task_identity, start_time, task_start_time, p);
		SCHED_TP_FILL(&known, task_identity, cgroup_id, task_cgroup_id, p);
		SCHED_TP_FILL(&known, task_identity, nvcsw, task_nvcsw, p);
		SCHED_TP_FILL(&known, task_identity, nivcsw, task_nivcsw, p);
		SCHED_TP_FILL(&known, task_identity, pid, task_pid, p);
		SCHED_TP_FILL(&known, task_identity, tgid, task_tgid, p);
		SCHED_TP_FILL(&known, task_identity, cpu, task_cpu, p);
		SCHED_TP_FILL(&known, task_identity, prio, task_prio, p);
		SCHED_TP_FILL(&known, task_identity, policy, task_policy, p);
		SCHED_TP_FILL(&known, task_identity, state, task_state, p);
		SCHED_TP_FILL(&known, task_identity, is_kthread, task_is_kthread, p);
		SCHED_TP_FILL(&known, task_identity, is_exiting, task_is_exiting, p);

		sched_tp_task_comm(p, known.comm, sizeof(known.comm));
		known.valid |= 1ULL << SCHED_TP_BIT_task_identity_comm;
	}

	return SCHED_TP_HAND_OUT(task_identity, out, size, &known);
}
