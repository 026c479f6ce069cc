/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Stand-ins for what the getters and their vectors use of the kernel.
 *
 * Included by shape.c only: what a struct has depends on the shape that is
 * compiled, by the CONFIG_ macros of a real configuration. The fields have the
 * kernel's names and types, their order and their neighbours are nobody's
 * business.
 */
#ifndef SCHEDTP_MOCK_KERNEL_TYPES_H
#define SCHEDTP_MOCK_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>

typedef unsigned int u32;
typedef unsigned long long u64;

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define notrace
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))

#define SCHED_CAPACITY_SHIFT 10
#define SCHED_CAPACITY_SCALE (1UL << SCHED_CAPACITY_SHIFT)

#define UTIL_AVG_UNCHANGED 0x80000000u

static inline unsigned long cap_scale(unsigned long value, unsigned long scale)
{
	return value * scale / SCHED_CAPACITY_SCALE;
}

struct cfs_rq;
struct rq;

struct sched_avg {
	u64 last_update_time;
	u64 load_sum;
	u64 runnable_sum;
	u32 util_sum;
	unsigned long load_avg;
	unsigned long runnable_avg;
	unsigned long util_avg;
	unsigned int util_est;
};

struct sched_entity {
	u64 vruntime;
#ifdef CONFIG_FAIR_GROUP_SCHED
	struct cfs_rq *cfs_rq;
	struct cfs_rq *my_q;
#endif
#ifdef CONFIG_SMP
	struct sched_avg avg;
#endif
};

struct cfs_rq {
	struct sched_entity *curr;
#ifdef CONFIG_SMP
	struct sched_avg avg;
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
	struct rq *rq;
#endif
};

#ifdef CONFIG_SMP
struct root_domain {
	bool overutilized;
};
#endif

struct rq {
	struct cfs_rq cfs;
#ifdef CONFIG_SMP
	struct root_domain *rd;
	unsigned long cpu_capacity;
	int cpu;
#endif
};

struct task_struct {
	struct sched_entity se;
};

#endif /* SCHEDTP_MOCK_KERNEL_TYPES_H */
