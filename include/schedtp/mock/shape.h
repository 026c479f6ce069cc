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
struct task_struct;

#ifdef __cplusplus
extern "C" {
#endif

/* What the seams answer, for CPU 0 to @nr_cpus - 1. For another CPU: 0. */
struct schedtp_mock_scales {
	unsigned int nr_cpus;
	const unsigned long *cpu_capacity;
	const unsigned long *freq_capacity;
};

struct schedtp_mock_vector {
	enum sched_tp_getter getter;
	const char *name;
	unsigned long long expected;
};

struct schedtp_mock_shape {
	const char *name;

	/* The table that getters.c defines. */
	const struct sched_tp_callbacks *table;

	/* 1 if the Kconfig option (no CONFIG_ before it) is on, 0 if off, -1 if unknown. */
	int (*config)(const char *option);

	/* Let the seams read @scales until shut_down(); -EBUSY if they read others. */
	int (*boot)(const struct schedtp_mock_scales *scales);
	void (*shut_down)(void);

	/*
	 * Constructors: all zero but for what the arguments say. To be released
	 * with free(). NULL if there is no memory; new_root_domain() also where
	 * the shape has none.
	 */
	struct rq *(*new_rq)(int cpu);
	struct cfs_rq *(*new_cfs_rq)(struct rq *rq);
	struct task_struct *(*new_task)(struct cfs_rq *on);
	struct sched_entity *(*new_group_se)(struct cfs_rq *on, struct cfs_rq *my_q);
	struct root_domain *(*new_root_domain)(void);

	/* Parts of an object, that live as long as it does. */
	struct cfs_rq *(*root_cfs_rq)(struct rq *rq);
	struct rq *(*rq_of)(struct cfs_rq *cfs_rq);
	struct sched_entity *(*task_se)(struct task_struct *task);

	/* Setters of the fields: 0, or -ENOENT if the shape lacks the field. */
#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
	int (*set_##object##_##field)(struct object *object, type value);
#include "fields.def"

	/* The vectors that this shape compiles, 0 to nr_vectors - 1. */
	unsigned int nr_vectors;
	struct schedtp_mock_vector (*vector)(unsigned int index);

	/* Its result, on objects of its own. @cb is a table that has the getter. */
	unsigned long long (*run_vector)(unsigned int index,
					 const struct sched_tp_callbacks *cb);
};

#define SCHEDTP_MOCK_SHAPE(name) extern const struct schedtp_mock_shape schedtp_mock_##name;
#include "shapes.def"

#ifdef __cplusplus
}
#endif

#endif /* SCHEDTP_MOCK_SHAPE_H */
