/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What the getters fill that give many values in one call.
 *
 *	struct sched_tp_pelt pelt;
 *
 *	sched_tp_get(cb, cfs_rq_pelt, cfs_rq, &pelt, sizeof(pelt), 0);
 *	if (sched_tp_valid(&pelt, pelt, util_avg))
 *		use(pelt.util_avg);
 *
 * Where the table lacks such a getter, sched_tp_get() leaves the struct as it was:
 * zero it before, or look at what sched_tp_get() returns.
 *
 * The first member of each struct, valid, has a bit for each of the others. The bit
 * is clear, and the member 0, where this kernel or its configuration has no such
 * value, where a value is none of this kind of object, and where the caller's struct
 * ends before it. A member has the value that the getter of the same meaning gives,
 * in the unit that getters.def says.
 *
 * A struct grows at its end only. A caller passes the size of its own: the kernel
 * fills what both have, zeroes what only the caller has, and returns the size of its
 * own. A size of 0 or a NULL struct fills nothing.
 */
#ifndef _LINUX_SCHED_TP_BULK_H
#define _LINUX_SCHED_TP_BULK_H

#ifdef SCHED_TP_IN_TREE
#include <linux/build_bug.h>

#define SCHED_TP_STATIC_ASSERT	static_assert
#else /* SCHED_TP_IN_TREE is only ever defined to make the copy for a kernel tree */
#ifdef __cplusplus
#define SCHED_TP_STATIC_ASSERT	static_assert
#else
#define SCHED_TP_STATIC_ASSERT	_Static_assert
#endif
#endif

/*
 * The members, each list in the order of its struct:
 *
 *   FIELD(tag, type, name, dim)	dim is SCHED_TP_ONE, or [N] of an array
 *
 * Types are as wide everywhere, and none is padded: a 32-bit program has the layout
 * of a 64-bit kernel, and C++ that of C. So a list grows by multiples of 8 bytes.
 */
#define SCHED_TP_ONE

/*
 * struct sched_tp_pelt - averages of a cfs_rq or a sched_entity
 * @load_avg, @runnable_avg, @util_avg, @util_est: cfs_rq_load_avg, se_load_avg and so on
 * @last_update_time: cfs_rq_last_update_time, se_last_update_time
 * @load_weight: cfs_rq_load_weight, se_load_weight
 * @cpu: cfs_rq_cpu, se_cpu
 * @is_root: cfs_rq_is_root; of a cfs_rq only
 * @is_task: se_is_task; of a sched_entity only
 * @nr_queued, @h_nr_queued, @h_nr_runnable, @h_nr_idle: cfs_rq_nr_queued and so on; of a
 *	cfs_rq only
 */
#define SCHED_TP_PELT_FIELDS(FIELD)							\
	FIELD(pelt, unsigned long long, load_avg, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned long long, runnable_avg, SCHED_TP_ONE)			\
	FIELD(pelt, unsigned long long, util_avg, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned long long, last_update_time, SCHED_TP_ONE)			\
	FIELD(pelt, unsigned long long, load_weight, SCHED_TP_ONE)			\
	FIELD(pelt, unsigned int, util_est, SCHED_TP_ONE)				\
	FIELD(pelt, int, cpu, SCHED_TP_ONE)						\
	FIELD(pelt, unsigned int, is_root, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned int, is_task, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned int, nr_queued, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned int, h_nr_queued, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned int, h_nr_runnable, SCHED_TP_ONE)				\
	FIELD(pelt, unsigned int, h_nr_idle, SCHED_TP_ONE)

/*
 * struct sched_tp_rq_view - a CPU at a glance
 * @clock: rq_clock
 * @cpu_capacity, @cpu_capacity_orig, @cpu_current_capacity, @cpu_actual_capacity: rq_cpu_capacity
 *	and so on
 * @util_cfs, @rt_util_avg, @dl_util_avg, @irq_util_avg, @hw_load_avg: rq_util_cfs and so on
 * @uclamp_min, @uclamp_max: rq_uclamp_min, rq_uclamp_max
 * @cpu, @nr_running: rq_cpu, rq_nr_running
 * @cfs_h_nr_queued: cfs_rq_h_nr_queued of the CPU's root cfs_rq
 * @rt_nr_running, @dl_nr_running: rt_rq_nr_running, dl_rq_nr_running of the CPU's queues
 * @reserved: never valid
 */
#define SCHED_TP_RQ_VIEW_FIELDS(FIELD)							\
	FIELD(rq_view, unsigned long long, clock, SCHED_TP_ONE)				\
	FIELD(rq_view, unsigned long long, cpu_capacity, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, cpu_capacity_orig, SCHED_TP_ONE)		\
	FIELD(rq_view, unsigned long long, cpu_current_capacity, SCHED_TP_ONE)		\
	FIELD(rq_view, unsigned long long, cpu_actual_capacity, SCHED_TP_ONE)		\
	FIELD(rq_view, unsigned long long, util_cfs, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, rt_util_avg, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, dl_util_avg, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, irq_util_avg, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, hw_load_avg, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, uclamp_min, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned long long, uclamp_max, SCHED_TP_ONE)			\
	FIELD(rq_view, int, cpu, SCHED_TP_ONE)						\
	FIELD(rq_view, unsigned int, nr_running, SCHED_TP_ONE)				\
	FIELD(rq_view, unsigned int, cfs_h_nr_queued, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned int, rt_nr_running, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned int, dl_nr_running, SCHED_TP_ONE)			\
	FIELD(rq_view, unsigned int, reserved, SCHED_TP_ONE)

/*
 * struct sched_tp_uclamp - clamps of a CPU
 * @min, @max: rq_uclamp_min, rq_uclamp_max
 * @idle: rq_uclamp_idle
 * @reserved: never valid
 */
#define SCHED_TP_UCLAMP_FIELDS(FIELD)							\
	FIELD(uclamp, unsigned long long, min, SCHED_TP_ONE)				\
	FIELD(uclamp, unsigned long long, max, SCHED_TP_ONE)				\
	FIELD(uclamp, unsigned int, idle, SCHED_TP_ONE)					\
	FIELD(uclamp, unsigned int, reserved, SCHED_TP_ONE)

/*
 * struct sched_tp_task_identity - who a task is
 * @start_time, @cgroup_id, @nvcsw, @nivcsw: task_start_time and so on
 * @comm: task_comm, NUL-terminated, and zero behind
 * @pid, @tgid, @cpu, @prio, @policy, @state: task_pid and so on
 * @is_kthread, @is_exiting: task_is_kthread, task_is_exiting
 */
#define SCHED_TP_TASK_IDENTITY_FIELDS(FIELD)						\
	FIELD(task_identity, unsigned long long, start_time, SCHED_TP_ONE)		\
	FIELD(task_identity, unsigned long long, cgroup_id, SCHED_TP_ONE)		\
	FIELD(task_identity, unsigned long long, nvcsw, SCHED_TP_ONE)			\
	FIELD(task_identity, unsigned long long, nivcsw, SCHED_TP_ONE)			\
	FIELD(task_identity, unsigned char, comm, [16])					\
	FIELD(task_identity, int, pid, SCHED_TP_ONE)					\
	FIELD(task_identity, int, tgid, SCHED_TP_ONE)					\
	FIELD(task_identity, int, cpu, SCHED_TP_ONE)					\
	FIELD(task_identity, int, prio, SCHED_TP_ONE)					\
	FIELD(task_identity, unsigned int, policy, SCHED_TP_ONE)			\
	FIELD(task_identity, unsigned int, state, SCHED_TP_ONE)				\
	FIELD(task_identity, unsigned int, is_kthread, SCHED_TP_ONE)			\
	FIELD(task_identity, unsigned int, is_exiting, SCHED_TP_ONE)

/* All of them: STRUCT(tag, FIELDS), where the struct is sched_tp_TAG. */
#define SCHED_TP_BULK_STRUCTS(STRUCT)					\
	STRUCT(pelt, SCHED_TP_PELT_FIELDS)				\
	STRUCT(rq_view, SCHED_TP_RQ_VIEW_FIELDS)			\
	STRUCT(uclamp, SCHED_TP_UCLAMP_FIELDS)				\
	STRUCT(task_identity, SCHED_TP_TASK_IDENTITY_FIELDS)

/* The bit of each member in valid: SCHED_TP_BIT_TAG_MEMBER, its place in the list. */
#define SCHED_TP_BULK_BIT(tag, type, name, dim) SCHED_TP_BIT_##tag##_##name,
#define SCHED_TP_BULK_MEMBER(tag, type, name, dim) type name dim;
#define SCHED_TP_BULK_DEFINE(tag, fields)				\
	enum sched_tp_##tag##_bit {					\
		fields(SCHED_TP_BULK_BIT)				\
		SCHED_TP_NR_BITS_##tag					\
	};								\
	struct sched_tp_##tag {						\
		unsigned long long valid;				\
		fields(SCHED_TP_BULK_MEMBER)				\
	};
SCHED_TP_BULK_STRUCTS(SCHED_TP_BULK_DEFINE)

/* Where a member ends: a struct of so many bytes has it whole. */
#define SCHED_TP_BULK_END(tag, name)					\
	(__builtin_offsetof(struct sched_tp_##tag, name) +		\
	 sizeof(((struct sched_tp_##tag *)0)->name))

#define SCHED_TP_BULK_SIZE(tag, type, name, dim) + sizeof(type dim)
#define SCHED_TP_BULK_ALIGNED(tag, type, name, dim)					\
	SCHED_TP_STATIC_ASSERT(__builtin_offsetof(struct sched_tp_##tag, name) %	\
				       sizeof(type) == 0,				\
			       #tag "." #name ": aligned by itself");
#define SCHED_TP_BULK_CHECK(tag, fields)						\
	SCHED_TP_STATIC_ASSERT(sizeof(struct sched_tp_##tag) ==				\
				       sizeof(unsigned long long)			\
					       fields(SCHED_TP_BULK_SIZE),		\
			       #tag ": no hole");					\
	SCHED_TP_STATIC_ASSERT(sizeof(struct sched_tp_##tag) % 8 == 0,			\
			       #tag ": no padding, on 32 bit either");			\
	SCHED_TP_STATIC_ASSERT(SCHED_TP_NR_BITS_##tag <= 64,				\
			       #tag ": a bit for each member");				\
	fields(SCHED_TP_BULK_ALIGNED)
SCHED_TP_BULK_STRUCTS(SCHED_TP_BULK_CHECK)

/**
 * sched_tp_valid - did the kernel fill a member?
 * @out:	pointer to the struct
 * @tag:	which struct: pelt, rq_view, uclamp or task_identity
 * @member:	the member's name
 *
 * Return: 1 if so; 0 if not, and the member is then 0.
 */
#define sched_tp_valid(out, tag, member) \
	((int)((out)->valid >> SCHED_TP_BIT_##tag##_##member & 1u))

#endif /* _LINUX_SCHED_TP_BULK_H */
