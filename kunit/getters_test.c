// SPDX-License-Identifier: GPL-2.0
/*
 * Every getter of the list, over its vectors.
 *
 * The cases are made from the list: one a getter, one parameter a vector.
 */

#define SCHED_TP_VECTORS_DEFINE
#include "env.h"

static struct sched_tp_env *seam_env;

static unsigned long env_cpu_capacity(int cpu)
{
	return cpu >= 0 && cpu < SCHED_TP_ENV_CPUS ? seam_env->cpu_capacity[cpu] : 0;
}

static unsigned long env_freq_capacity(int cpu)
{
	return cpu >= 0 && cpu < SCHED_TP_ENV_CPUS ? seam_env->freq_capacity[cpu] : 0;
}

struct sched_tp_env *sched_tp_env_create(struct kunit *test)
{
	struct sched_tp_env *env = kunit_kzalloc(test, sizeof(*env), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, env);
	env->rq = kunit_kzalloc(test, sizeof(*env->rq), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, env->rq);
	env->cfs_rq = kunit_kzalloc(test, sizeof(*env->cfs_rq), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, env->cfs_rq);
	env->se = kunit_kzalloc(test, sizeof(*env->se), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, env->se);

	seam_env = env;
	sched_tp_seams.scale_cpu_capacity = env_cpu_capacity;
	sched_tp_seams.scale_freq_capacity = env_freq_capacity;
	WRITE_ONCE(sched_tp_seams.owner, current);

	return env;
}

void sched_tp_env_exit(struct kunit *test)
{
	WRITE_ONCE(sched_tp_seams.owner, NULL);
	sched_tp_seams.scale_cpu_capacity = NULL;
	sched_tp_seams.scale_freq_capacity = NULL;
	seam_env = NULL;
}

static const void *next_vector(const void *prev, char *desc, enum sched_tp_getter getter)
{
	const struct sched_tp_vector *vector = prev;
	const struct sched_tp_vector *end = sched_tp_vectors + SCHED_TP_NR_VECTORS;

	for (vector = vector ? vector + 1 : sched_tp_vectors; vector < end; vector++) {
		if (vector->getter != getter)
			continue;
		strscpy(desc, vector->name, KUNIT_PARAM_DESC_SIZE);
		return vector;
	}
	return NULL;
}

static void run_vector(struct kunit *test, int has, const char *needs)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct sched_tp_vector *vector = test->param_value;

	if (!has) {
		kunit_skip(test, "absent: needs %s", needs);
		return;
	}
	KUNIT_EXPECT_EQ(test, vector->expected, vector->run(sched_tp_env_create(test), cb));
}

#define SCHED_TP_GETTER_VOID(since, ret, name, needs)					\
	static const void *name##_vectors(const void *prev, char *desc)		\
	{										\
		return next_vector(prev, desc, SCHED_TP_GETTER_##name);			\
	}										\
	static void name##_test(struct kunit *test)					\
	{										\
		run_vector(test, sched_tp_has(sched_tp_get_callbacks(), name), needs);	\
	}
#define SCHED_TP_GETTER(since, ret, name, params, args, needs)				\
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>

/* A getter that a table has and no vector covers would pass untested. */
static void every_getter_has_a_vector(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	char desc[KUNIT_PARAM_DESC_SIZE];

#define SCHED_TP_GETTER_VOID(since, ret, name, needs)					\
	if (sched_tp_has(cb, name))							\
		KUNIT_EXPECT_NOT_NULL_MSG(test,						\
					  next_vector(NULL, desc, SCHED_TP_GETTER_##name), \
					  #name " has no vector: add one to kunit/");
#define SCHED_TP_GETTER(since, ret, name, params, args, needs)				\
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
}

static struct kunit_case getters_cases[] = {
	KUNIT_CASE(every_getter_has_a_vector),
#define SCHED_TP_GETTER_VOID(since, ret, name, needs)					\
	KUNIT_CASE_PARAM(name##_test, name##_vectors),
#define SCHED_TP_GETTER(since, ret, name, params, args, needs)				\
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
	{}
};

static struct kunit_suite getters_suite = {
	.name = "sched_tp_getters",
	.test_cases = getters_cases,
	.exit = sched_tp_env_exit,
};

kunit_test_suite(getters_suite);
