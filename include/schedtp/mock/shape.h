/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What shape.c offers of one shape to mock.hpp, which is what tests include.
 *
 * Objects are opaque here, since every shape has its own idea of them: an object
 * goes back to no other shape than the one that made it.
 */
#ifndef SCHEDTP_MOCK_SHAPE_H
#define SCHEDTP_MOCK_SHAPE_H

#include <schedtp/callbacks.h>

struct root_domain;
struct task_group;
struct task_struct;

#ifdef __cplusplus
extern "C" {
#endif

/* What the seams answer, for CPU 0 to @nr_cpus - 1. Of another CPU they know nothing. */
struct schedtp_mock_machine {
	unsigned int nr_cpus;
	const unsigned long *cpu_capacity;
	const unsigned long *freq_capacity;
	struct rq *const *rqs;
	const unsigned long *cpufreq_pressure;
	int no_util_est;
	int energy_aware;
	int uclamp_used;
};

/* The masks of a root domain. */
enum schedtp_mock_rd_mask {
	SCHEDTP_MOCK_RD_SPAN,
	SCHEDTP_MOCK_RD_ONLINE,
	SCHEDTP_MOCK_RD_RTO_MASK,
	SCHEDTP_MOCK_RD_DLO_MASK,
};

/* CPUs that a mask has room for. */
#define SCHEDTP_MOCK_NR_CPUS 8192u

struct schedtp_mock_vector {
	enum sched_tp_getter getter;
	const char *name;
};

struct schedtp_mock_shape {
	const char *name;

	/* The table that getters.c defines. */
	const struct sched_tp_callbacks *table;

	/*
	 * 1 if what the list's column `needs` may name, a Kconfig option or HAS_x, is
	 * there, 0 if not, -1 if unknown.
	 */
	int (*config)(const char *option);

	/* 1 if the shape has that tracepoint of the list, else 0. */
	int (*has_tracepoint)(const char *name);

	/* Let the seams read @machine until shut_down(); -EBUSY if they read another. */
	int (*boot)(const struct schedtp_mock_machine *machine);
	void (*shut_down)(void);

	/*
	 * Constructors: all zero but for what the arguments say and, of a rq, what the
	 * scheduler starts with: full capacity, no clamps, a core of its own. To be
	 * released with free(). NULL if there is no memory; new_root_domain() also
	 * where the shape has none.
	 */
	struct rq *(*new_rq)(int cpu);
	struct task_struct *(*new_task)(struct cfs_rq *on);
	struct root_domain *(*new_root_domain)(void);
	/* NULL also where the shape has no servers. */
	struct sched_dl_entity *(*new_dl_server)(struct rq *rq);

	/*
	 * A task group, while a kernel is booted: of a cgroup, with a parent, or an
	 * autogroup, with neither. NULL also where there are none. And the queue of a
	 * group on the CPU of @on, with its entity.
	 */
	struct task_group *(*new_task_group)(struct task_group *parent, const char *name,
					     unsigned long long id);
	struct task_group *(*new_autogroup)(unsigned long id);
	struct cfs_rq *(*new_group)(struct cfs_rq *on, struct task_group *tg);

	/* Parts of an object, that live as long as it does. */
	struct task_group *(*root_task_group)(void);
	struct sched_entity *(*group_se)(struct cfs_rq *of_group);
	struct cfs_rq *(*root_cfs_rq)(struct rq *rq);
	struct rq *(*rq_of)(struct cfs_rq *cfs_rq);
	struct sched_entity *(*task_se)(struct task_struct *task);
	struct sched_dl_entity *(*task_dl)(struct task_struct *task);
	struct rt_rq *(*rt_rq)(struct rq *rq);
	struct dl_rq *(*dl_rq)(struct rq *rq);

	/* Where a rq has its own copy of the capacity that the machine says: set that. */
	void (*set_capacity)(struct rq *rq, unsigned long capacity);
	/* Words of a mask, of SCHEDTP_MOCK_NR_CPUS bits, to write to. */
	unsigned long *(*rd_mask)(struct root_domain *rd, enum schedtp_mock_rd_mask which);

	/* A name, of which the first 15 bytes are kept. */
	void (*set_comm)(struct task_struct *task, const char *name);

	/* Setters of the fields: 0, or -ENOENT if the shape lacks the field. */
#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
	int (*set_##object##_##field)(struct object *object, type value);
#include "fields.def"

	/* The vectors that this shape compiles, 0 to nr_vectors - 1. */
	unsigned int nr_vectors;
	struct schedtp_mock_vector (*vector)(unsigned int index);

	/*
	 * Its result, on objects of its own, and what that should be. @cb is a table that
	 * has the getter.
	 */
	unsigned long long (*run_vector)(unsigned int index,
					 const struct sched_tp_callbacks *cb,
					 unsigned long long *expected);
};

#define SCHEDTP_MOCK_SHAPE(name) extern const struct schedtp_mock_shape schedtp_mock_##name;
#include "shapes.def"

#ifdef __cplusplus
}
#endif

#endif /* SCHEDTP_MOCK_SHAPE_H */
