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

/* What a getter has that has no vector: a case that says so. */
static const struct sched_tp_vector no_vector = { .name = "no_vector" };

static const void *next_vector(const void *prev, char *desc, enum sched_tp_getter getter)
{
	const struct sched_tp_vector *vector = prev;
	const struct sched_tp_vector *end = sched_tp_vectors + SCHED_TP_NR_VECTORS;

	if (prev == &no_vector)
		return NULL;
	vector = vector ? vector + 1 : sched_tp_vectors;
	while (vector < end && vector->getter != getter)
		vector++;
	if (vector == end) {
		if (prev)
			return NULL;
		vector = &no_vector;
	}
	strscpy(desc, vector->name, KUNIT_PARAM_DESC_SIZE);
	return vector;
}

static void *copy(struct kunit *test, const void *object, size_t size)
{
	void *same = kunit_kmalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, same);
	return memcpy(same, object, size);
}

static struct sched_tp_env copy_env(struct kunit *test, const struct sched_tp_env *env)
{
	return (struct sched_tp_env) {
		.rq = copy(test, env->rq, sizeof(*env->rq)),
		.cfs_rq = copy(test, env->cfs_rq, sizeof(*env->cfs_rq)),
		.se = copy(test, env->se, sizeof(*env->se)),
	};
}

static void run_vector(struct kunit *test, int has, const char *needs)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct sched_tp_vector *vector = test->param_value;
	struct sched_tp_env *env, before;

	if (!has) {
		kunit_skip(test, "absent: needs %s", needs);
		return;
	}
	if (vector == &no_vector) {
		KUNIT_FAIL(test, "this getter has no vector");
		return;
	}
	env = sched_tp_env_create(test);
	vector->setup(env);
	before = copy_env(test, env);
	KUNIT_EXPECT_EQ(test, vector->expected, vector->get(env, cb));

	/* A getter only reads. */
	KUNIT_EXPECT_MEMEQ(test, env->rq, before.rq, sizeof(*env->rq));
	KUNIT_EXPECT_MEMEQ(test, env->cfs_rq, before.cfs_rq, sizeof(*env->cfs_rq));
	KUNIT_EXPECT_MEMEQ(test, env->se, before.se, sizeof(*env->se));
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

static struct kunit_case getters_cases[] = {
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
