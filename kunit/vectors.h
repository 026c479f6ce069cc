/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conformance vectors: what to put into the objects, and what a getter then says.
 * They set up whatever types the includer has, and name no test framework.
 *
 *   SCHED_TP_VECTOR(getter, name, args, expected, { setup })
 *   SCHED_TP_VECTOR_VOID(getter, name, expected, { setup })
 *
 *   args    what to call the getter with, SCHED_TP_ARGS(...)
 *   setup   statements on *env, whose objects are all zero before
 *
 * The includer has the types of the scheduler and callbacks.h, and gives env the
 * objects to use. The file that runs the vectors defines SCHED_TP_VECTORS_DEFINE.
 */
#ifndef SCHED_TP_VECTORS_H
#define SCHED_TP_VECTORS_H

/* CPUs that a vector may set. */
#define SCHED_TP_ENV_CPUS 4

struct sched_tp_env {
	struct rq *rq;
	struct cfs_rq *cfs_rq;
	struct sched_entity *se;
	/* What the seams answer for each CPU. Of another CPU they know nothing: 0. */
	unsigned long cpu_capacity[SCHED_TP_ENV_CPUS];
	unsigned long freq_capacity[SCHED_TP_ENV_CPUS];
};

struct sched_tp_vector {
	enum sched_tp_getter getter;
	const char *name;
	void (*setup)(struct sched_tp_env *env);
	/* Calls the getter, if the table has it; it must leave what @env has as it is. */
	unsigned long long (*get)(const struct sched_tp_env *env,
				  const struct sched_tp_callbacks *cb);
	unsigned long long expected;
};

#endif /* SCHED_TP_VECTORS_H */

/* The vectors themselves, for the file that runs them. */
#ifdef SCHED_TP_VECTORS_DEFINE
#undef SCHED_TP_VECTORS_DEFINE

#define SCHED_TP_SETUP(getter, name, ...)						\
	static void sched_tp_setup_##getter##_##name(struct sched_tp_env *env)		\
	{										\
		(void)env;								\
		__VA_ARGS__								\
	}
#define SCHED_TP_VECTOR(getter, name, args, expected, ...)				\
	SCHED_TP_SETUP(getter, name, __VA_ARGS__)					\
	static unsigned long long							\
	sched_tp_get_##getter##_##name(const struct sched_tp_env *env,			\
				       const struct sched_tp_callbacks *cb)		\
	{										\
		(void)env;								\
		return sched_tp_get(cb, getter, args, 0);				\
	}
#define SCHED_TP_VECTOR_VOID(getter, name, expected, ...)				\
	SCHED_TP_SETUP(getter, name, __VA_ARGS__)					\
	static unsigned long long							\
	sched_tp_get_##getter##_##name(const struct sched_tp_env *env,			\
				       const struct sched_tp_callbacks *cb)		\
	{										\
		(void)env;								\
		return sched_tp_get(cb, getter, 0);					\
	}
#include "vectors.def"

static const struct sched_tp_vector sched_tp_vectors[] = {
#define SCHED_TP_VECTOR(getter, name, args, expected, ...)				\
	{ SCHED_TP_GETTER_##getter, #name, sched_tp_setup_##getter##_##name,		\
	  sched_tp_get_##getter##_##name, expected },
#define SCHED_TP_VECTOR_VOID(getter, name, expected, ...)				\
	SCHED_TP_VECTOR(getter, name, SCHED_TP_ARGS(), expected)
#include "vectors.def"
};

#define SCHED_TP_NR_VECTORS ARRAY_SIZE(sched_tp_vectors)

#endif
