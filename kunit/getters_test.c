// SPDX-License-Identifier: GPL-2.0
/*
 * Every getter of the list, over its vectors.
 *
 * The cases are made from the list: one a getter, one parameter a vector.
 */

#define SCHED_TP_VECTORS_DEFINE
#include "env.h"

#include "env_seams.h"

struct sched_tp_env *sched_tp_env_create(struct kunit *test)
{
	struct sched_tp_env *env = kunit_kzalloc(test, sizeof(*env), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, env);
#define SCHED_TP_ENV_OBJECT(tag, name)							\
	env->name = kunit_kzalloc(test, sizeof(*env->name), GFP_KERNEL);		\
	KUNIT_ASSERT_NOT_NULL(test, env->name);
	SCHED_TP_ENV_OBJECTS
#undef SCHED_TP_ENV_OBJECT
	env->out = kunit_kzalloc(test, sizeof(*env->out), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, env->out);

	sched_tp_env = env;
	sched_tp_seams_override.seams = &sched_tp_env_seams;
	WRITE_ONCE(sched_tp_seams_override.owner, current);

	return env;
}

void sched_tp_env_exit(struct kunit *test)
{
	WRITE_ONCE(sched_tp_seams_override.owner, NULL);
	sched_tp_seams_override.seams = NULL;
	sched_tp_env = NULL;
}

/*
 * What a getter has that has no vector: a case that says so, and whether that is for the
 * reason that the table has it not. By its name, as old releases report no skipped one.
 */
static const struct sched_tp_vector no_vector = { .name = "no_vector" };

static const void *next_vector(const void *prev, char *desc, enum sched_tp_getter getter,
			       int has)
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
	strscpy(desc, has ? vector->name : "absent", KUNIT_PARAM_DESC_SIZE);
	return vector;
}

static void *copy(struct kunit *test, const void *object, size_t size)
{
	void *same = kunit_kmalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, same);
	return memcpy(same, object, size);
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
#define SCHED_TP_ENV_OBJECT(tag, name)							\
	before.name = copy(test, env->name, sizeof(*env->name));
	SCHED_TP_ENV_OBJECTS
#undef SCHED_TP_ENV_OBJECT
	KUNIT_EXPECT_EQ(test, vector->expected(env), vector->get(env, cb));

	/* A getter only reads. */
#define SCHED_TP_ENV_OBJECT(tag, name)							\
	KUNIT_EXPECT_EQ(test, 0, memcmp(env->name, before.name, sizeof(*env->name)));
	SCHED_TP_ENV_OBJECTS
#undef SCHED_TP_ENV_OBJECT
}

/* What KUnit passes to a generator of parameters, in front of the last one. */
#ifdef SCHED_TP_HAS_KUNIT_GENERATOR_TEST
#define GENERATOR_PARAMS struct kunit *test, const void *prev, char *desc
#else
#define GENERATOR_PARAMS const void *prev, char *desc
#endif

#define SCHED_TP_GETTER_VOID(since, ret, name, needs)					\
	static const void *name##_vectors(GENERATOR_PARAMS)		\
	{										\
		return next_vector(prev, desc, SCHED_TP_GETTER_##name,			\
				   sched_tp_has(sched_tp_get_callbacks(), name));	\
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

MODULE_DESCRIPTION("KUnit tests of the getters for probes of the scheduler's tracepoints");
MODULE_LICENSE("GPL");
