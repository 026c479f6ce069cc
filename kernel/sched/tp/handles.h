/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From one object to the next, as rq_of(), task_of() and the others of sched.h do, but
 * for const objects and without their assertions.
 *
 * getters.c includes this file. None of these takes NULL.
 */
#ifndef _KERNEL_SCHED_TP_HANDLES_H
#define _KERNEL_SCHED_TP_HANDLES_H

static __always_inline int sched_tp_cpu_of(const struct rq *rq)
{
#ifdef SCHED_TP_SMP
	return READ_ONCE(rq->cpu);
#else
	return 0;
#endif
}

static __always_inline const struct rq *sched_tp_rq_of(const struct cfs_rq *cfs_rq)
{
#ifdef CONFIG_FAIR_GROUP_SCHED
	return READ_ONCE(cfs_rq->rq);
#else
	return container_of(cfs_rq, struct rq, cfs);
#endif
}

/* NULL while the task's CPU is none that is possible, as no task's is. */
static __always_inline const struct rq *sched_tp_rq_of_task(const struct task_struct *p)
{
	return sched_tp_seam_rq_of_cpu(task_cpu(p));
}

static __always_inline bool sched_tp_is_task(const struct sched_entity *se)
{
#ifdef CONFIG_FAIR_GROUP_SCHED
	return !READ_ONCE(se->my_q);
#else
	return true;
#endif
}

/* Of an entity that is a task's. */
static __always_inline struct task_struct *sched_tp_task_of(const struct sched_entity *se)
{
	return container_of((struct sched_entity *)se, struct task_struct, se);
}

static __always_inline const struct cfs_rq *sched_tp_cfs_rq_of(const struct sched_entity *se)
{
#ifdef CONFIG_FAIR_GROUP_SCHED
	return READ_ONCE(se->cfs_rq);
#else
	const struct rq *rq = sched_tp_rq_of_task(sched_tp_task_of(se));

	return rq ? &rq->cfs : NULL;
#endif
}

#endif /* _KERNEL_SCHED_TP_HANDLES_H */
