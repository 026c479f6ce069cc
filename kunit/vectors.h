/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conformance vectors: what to put into the objects, and what a getter then says.
 * They set up whatever types the includer has, and name no test framework.
 *
 *   SCHED_TP_VECTOR(getter, name, args, expected, { setup })
 *	a number. Of a type narrower than long long, expected is as wide and as signed
 *   SCHED_TP_VECTOR_PTR(getter, name, args, expected, { setup })
 *	a pointer
 *   SCHED_TP_VECTOR_OUT(getter, name, args, expected, result, { setup })
 *	a getter that fills a buffer, env->out: result is an expression of *env, read
 *	after the call, in which `returned` is what the getter returned
 *   SCHED_TP_VECTOR_VOID(getter, name, expected, { setup })
 *	a getter without arguments
 *
 *   args      what to call the getter with, SCHED_TP_ARGS(...), of *env
 *   expected  an expression, of *env if need be
 *   setup     statements on *env, whose objects are all zero before
 *
 * The includer has the types of the scheduler and callbacks.h, and gives env the
 * objects to use. The file that runs the vectors defines SCHED_TP_VECTORS_DEFINE.
 */
#ifndef SCHED_TP_VECTORS_H
#define SCHED_TP_VECTORS_H

/* CPUs that a vector may set. */
#define SCHED_TP_ENV_CPUS 4

/*
 * The objects of a vector: two of a kind where a getter might look at the wrong one.
 * Each is whole, all zero at first, and must be the same after the call.
 *
 *   SCHED_TP_ENV_OBJECT(tag, name)	struct tag *name
 */
#define SCHED_TP_ENV_OBJECTS_ALWAYS				\
	SCHED_TP_ENV_OBJECT(rq, rq)				\
	SCHED_TP_ENV_OBJECT(rq, other_rq)			\
	SCHED_TP_ENV_OBJECT(cfs_rq, cfs_rq)			\
	SCHED_TP_ENV_OBJECT(cfs_rq, other_cfs_rq)		\
	SCHED_TP_ENV_OBJECT(sched_entity, se)			\
	SCHED_TP_ENV_OBJECT(sched_entity, other_se)		\
	SCHED_TP_ENV_OBJECT(rt_rq, rt_rq)			\
	SCHED_TP_ENV_OBJECT(dl_rq, dl_rq)			\
	SCHED_TP_ENV_OBJECT(sched_dl_entity, dl_se)		\
	SCHED_TP_ENV_OBJECT(task_struct, task)			\
	SCHED_TP_ENV_OBJECT(task_struct, other_task)

#ifdef CONFIG_CGROUP_SCHED
#define SCHED_TP_ENV_OBJECTS_CGROUP				\
	SCHED_TP_ENV_OBJECT(task_group, tg)			\
	SCHED_TP_ENV_OBJECT(task_group, other_tg)		\
	SCHED_TP_ENV_OBJECT(cgroup, cgroup)			\
	SCHED_TP_ENV_OBJECT(kernfs_node, kernfs_node)		\
	SCHED_TP_ENV_OBJECT(kernfs_node, parent_kernfs_node)	\
	SCHED_TP_ENV_OBJECT(kernfs_node, root_kernfs_node)
#else
#define SCHED_TP_ENV_OBJECTS_CGROUP
#endif

#ifdef CONFIG_SCHED_AUTOGROUP
#define SCHED_TP_ENV_OBJECTS_AUTOGROUP SCHED_TP_ENV_OBJECT(autogroup, autogroup)
#else
#define SCHED_TP_ENV_OBJECTS_AUTOGROUP
#endif

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_CFS_TG_STATE)
#define SCHED_TP_ENV_OBJECTS_TG_STATE				\
	SCHED_TP_ENV_OBJECT(cfs_tg_state, tg_state)		\
	SCHED_TP_ENV_OBJECT(cfs_tg_state, other_tg_state)
#else
#define SCHED_TP_ENV_OBJECTS_TG_STATE
#endif

#ifdef SCHED_TP_SMP
#define SCHED_TP_ENV_OBJECTS_SMP				\
	SCHED_TP_ENV_OBJECT(root_domain, rd)			\
	SCHED_TP_ENV_OBJECT(cpumask, cpumask)
#else
#define SCHED_TP_ENV_OBJECTS_SMP
#endif

#define SCHED_TP_ENV_OBJECTS					\
	SCHED_TP_ENV_OBJECTS_ALWAYS				\
	SCHED_TP_ENV_OBJECTS_CGROUP				\
	SCHED_TP_ENV_OBJECTS_AUTOGROUP				\
	SCHED_TP_ENV_OBJECTS_TG_STATE				\
	SCHED_TP_ENV_OBJECTS_SMP

/* What getters fill: on both sides of what they are told of, it must stay as it was. */
struct sched_tp_env_out {
	union {
		unsigned char bytes[256];
		unsigned long words[256 / sizeof(unsigned long)];
		struct sched_tp_pelt pelt;
		struct sched_tp_rq_view rq_view;
		struct sched_tp_uclamp uclamp;
		struct sched_tp_task_identity task_identity;
	};
};

struct sched_tp_env {
#define SCHED_TP_ENV_OBJECT(tag, name) struct tag *name;
	SCHED_TP_ENV_OBJECTS
#undef SCHED_TP_ENV_OBJECT
	struct sched_tp_env_out *out;

	/* What the seams answer for each CPU. Of another CPU they know nothing: 0. */
	unsigned long cpu_capacity[SCHED_TP_ENV_CPUS];
	unsigned long freq_capacity[SCHED_TP_ENV_CPUS];
	struct rq *rq_of_cpu[SCHED_TP_ENV_CPUS];

	/* A group's arrays, or what its per-CPU queues are taken for. */
	struct cfs_rq *cfs_rq_of_cpu[SCHED_TP_ENV_CPUS];
	struct sched_entity *se_of_cpu[SCHED_TP_ENV_CPUS];
	unsigned long cpufreq_pressure[SCHED_TP_ENV_CPUS];
	bool feat_util_est;
	bool energy_aware;
	bool uclamp_used;

	/* What they answer else: for the CPUs in all, for @task, and for the kernel. */
	unsigned int cpu_ids;
	unsigned long uclamp_eff[UCLAMP_CNT];
	bool proxy_exec;
};

/* Give an object bytes of which no two words nearby are the same. */
static inline void sched_tp_env_scatter(void *object, unsigned int size)
{
	unsigned char *bytes = object;
	unsigned int i;

	for (i = 0; i < size; i++)
		bytes[i] = i * 167 + (i >> 8) * 13 + 1;
}

/* Whether the buffer has nothing but a byte, from one place up to another, or to its end. */
static inline bool sched_tp_env_filled_to(const struct sched_tp_env *env, unsigned int from,
					  unsigned int to, unsigned char byte)
{
	unsigned int i;

	for (i = from; i < to; i++)
		if (env->out->bytes[i] != byte)
			return false;
	return true;
}

static inline bool sched_tp_env_filled(const struct sched_tp_env *env, unsigned int from,
				       unsigned char byte)
{
	return sched_tp_env_filled_to(env, from, sizeof(*env->out), byte);
}

struct sched_tp_vector {
	enum sched_tp_getter getter;
	const char *name;
	void (*setup)(struct sched_tp_env *env);
	/* Calls the getter, if the table has it; it must leave what @env has as it is. */
	unsigned long long (*get)(const struct sched_tp_env *env,
				  const struct sched_tp_callbacks *cb);
	unsigned long long (*expected)(const struct sched_tp_env *env);
};

#endif /* SCHED_TP_VECTORS_H */

/* The vectors themselves, for the file that runs them. */
#ifdef SCHED_TP_VECTORS_DEFINE
#undef SCHED_TP_VECTORS_DEFINE

#define SCHED_TP_VECTOR_FUNCTIONS(getter, name, get, expect, ...)			\
	static void sched_tp_setup_##getter##_##name(struct sched_tp_env *env)		\
	{										\
		(void)env;								\
		__VA_ARGS__								\
	}										\
	static unsigned long long							\
	sched_tp_get_##getter##_##name(const struct sched_tp_env *env,			\
				       const struct sched_tp_callbacks *cb)		\
	{										\
		(void)env;								\
		return get;								\
	}										\
	static unsigned long long							\
	sched_tp_expected_##getter##_##name(const struct sched_tp_env *env)		\
	{										\
		(void)env;								\
		return expect;								\
	}
#define SCHED_TP_VECTOR(getter, name, args, expected, ...)				\
	SCHED_TP_VECTOR_FUNCTIONS(getter, name, sched_tp_get(cb, getter, args, 0),	\
				  expected, __VA_ARGS__)
#define SCHED_TP_VECTOR_PTR(getter, name, args, expected, ...)				\
	SCHED_TP_VECTOR_FUNCTIONS(getter, name,						\
		(unsigned long)sched_tp_get(cb, getter, args, (void *)-1L),		\
		(unsigned long)(expected), __VA_ARGS__)
#define SCHED_TP_VECTOR_OUT(getter, name, args, expected, result, ...)			\
	SCHED_TP_VECTOR_FUNCTIONS(getter, name, ({					\
		long long returned = sched_tp_get(cb, getter, args, 0);			\
											\
		(void)returned;								\
		result;									\
		}), expected, __VA_ARGS__)
#define SCHED_TP_VECTOR_VOID(getter, name, expected, ...)				\
	SCHED_TP_VECTOR_FUNCTIONS(getter, name, sched_tp_get(cb, getter, 0),		\
				  expected, __VA_ARGS__)
#include "vectors.def"

#undef SCHED_TP_VECTOR_FUNCTIONS

static const struct sched_tp_vector sched_tp_vectors[] = {
#define SCHED_TP_VECTOR(of, title, args, wanted, ...)					\
	{										\
		.getter = SCHED_TP_GETTER_##of,						\
		.name = #title,								\
		.setup = sched_tp_setup_##of##_##title,					\
		.get = sched_tp_get_##of##_##title,					\
		.expected = sched_tp_expected_##of##_##title,				\
	},
#define SCHED_TP_VECTOR_PTR SCHED_TP_VECTOR
#define SCHED_TP_VECTOR_OUT SCHED_TP_VECTOR
#define SCHED_TP_VECTOR_VOID SCHED_TP_VECTOR
#include "vectors.def"
};

#define SCHED_TP_NR_VECTORS ARRAY_SIZE(sched_tp_vectors)

#endif
