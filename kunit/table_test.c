// SPDX-License-Identifier: GPL-2.0
/*
 * The table itself, and what is made of one that is shorter, emptier or foreign.
 */

#include "env.h"

#include <asm/sections.h>

/* Whether a table has a getter, by the getter's position in the list. */
static bool has(const struct sched_tp_callbacks *cb, enum sched_tp_getter getter)
{
	switch (getter) {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs)					\
	case SCHED_TP_GETTER_##name:							\
		return sched_tp_has(cb, name);
#define SCHED_TP_GETTER(since, ret, name, params, args, needs)				\
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>
	case SCHED_TP_NR_GETTERS:
		break;
	}
	return false;
}

static const char *const needs_of[] = {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) needs,
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) needs,
#include <schedtp/getters.def>
};

/* What a module has no access to. */
#ifndef MODULE
static void accessor_gives_the_table(struct kunit *test)
{
	KUNIT_EXPECT_PTR_EQ(test, &sched_tp_callbacks, sched_tp_get_callbacks());
}

static void table_is_read_only(struct kunit *test)
{
	unsigned long start = (unsigned long)sched_tp_get_callbacks();

	KUNIT_EXPECT_GE(test, start, (unsigned long)__start_rodata);
	KUNIT_EXPECT_LE(test, start + sizeof(struct sched_tp_callbacks),
			(unsigned long)__end_rodata);
}
#endif

static void header_is_of_this_version(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();

	KUNIT_EXPECT_EQ(test, cb->size, sizeof(struct sched_tp_callbacks));
	KUNIT_EXPECT_EQ(test, cb->version, SCHED_TP_VERSION);
	KUNIT_EXPECT_PTR_EQ(test, cb, sched_tp_accept(cb));
}

/* Whether this kernel has an option that the list names. */
static bool enabled(struct kunit *test, const char *option, size_t length)
{
	static const struct {
		const char *name;
		bool on;
	} options[] = {
#define SCHED_TP_OPTION(name) { #name, IS_ENABLED(CONFIG_##name) },
#include "options.def"
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (strlen(options[i].name) == length &&
		    !strncmp(options[i].name, option, length))
			return options[i].on;
	KUNIT_FAIL(test, "options.def does not have %.*s", (int)length, option);
	return false;
}

/* Whether it has what the column `needs` says: nothing, "!" for never, or A && B || C. */
static bool configured(struct kunit *test, const char *needs)
{
	bool all = true;

	if (!*needs || !strcmp(needs, "!"))
		return !*needs;
	for (;;) {
		size_t length = strcspn(needs, " ");

		all = enabled(test, needs, length) && all;
		needs += length;
		if (!*needs)
			return all;
		if (!strncmp(needs, " || ", 4)) {
			if (all)
				return true;
			all = true;
		}
		needs += 4;
	}
}

/* Absent means what the list says, and there is no other reason. */
static void slots_are_empty_where_the_list_says(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int getter;

	for (getter = 0; getter < SCHED_TP_NR_GETTERS; getter++)
		KUNIT_EXPECT_EQ_MSG(test, configured(test, needs_of[getter]), has(cb, getter),
				    "slot %u needs '%s'", getter, needs_of[getter]);
}

/*
 * A copy cut short at every length has the getters that fit. It is as long as it
 * says, but for the header, so that KASAN sees a look beyond it.
 */
static void truncated_table_has_what_fits(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int size, getter;

	for (size = 0; size <= sizeof(*cb); size++) {
		size_t bytes = max(size, SCHED_TP_HEADER_SIZE);
		struct sched_tp_callbacks *copy = kunit_kmalloc(test, bytes, GFP_KERNEL);

		KUNIT_ASSERT_NOT_NULL(test, copy);
		memcpy(copy, cb, bytes);
		copy->size = size;

		for (getter = 0; getter < SCHED_TP_NR_GETTERS; getter++) {
			unsigned int end = SCHED_TP_HEADER_SIZE +
					   (getter + 1) * SCHED_TP_SLOT_SIZE;

			KUNIT_EXPECT_EQ(test, size >= end && has(cb, getter),
					has(copy, getter));
		}
		KUNIT_EXPECT_EQ(test, size < SCHED_TP_HEADER_SIZE, !sched_tp_accept(copy));
		kunit_kfree(test, copy);
	}
}

static void absent_getter_gives_what_the_caller_said(struct kunit *test)
{
	struct sched_tp_callbacks empty = {
		.size = sizeof(empty),
		.version = SCHED_TP_VERSION,
	};

	KUNIT_EXPECT_EQ(test, 77, sched_tp_get(&empty, se_util_est, &current->se, 77));
	KUNIT_EXPECT_EQ(test, 78, sched_tp_get(&empty, errata, 78));
	KUNIT_EXPECT_EQ(test, 79,
			sched_tp_get((const struct sched_tp_callbacks *)NULL,
				     rq_cpu_current_capacity, NULL, 79));
}

static void foreign_table_is_refused(struct kunit *test)
{
	struct sched_tp_callbacks copy = *sched_tp_get_callbacks();

	/* A newer minor version is welcome, another major is not. */
	copy.version = SCHED_TP_VERSION_MAJOR << 16 | 0xffff;
	KUNIT_EXPECT_PTR_EQ(test, &copy, sched_tp_accept(&copy));
	copy.size = U32_MAX;
	KUNIT_EXPECT_PTR_EQ(test, &copy, sched_tp_accept(&copy));
	copy.version = (SCHED_TP_VERSION_MAJOR + 1) << 16;
	KUNIT_EXPECT_NULL(test, sched_tp_accept(&copy));
	copy.version = 0;
	KUNIT_EXPECT_NULL(test, sched_tp_accept(&copy));
	KUNIT_EXPECT_NULL(test, sched_tp_accept(NULL));
}

static struct kunit_case table_cases[] = {
#ifndef MODULE
	KUNIT_CASE(accessor_gives_the_table),
	KUNIT_CASE(table_is_read_only),
#endif
	KUNIT_CASE(header_is_of_this_version),
	KUNIT_CASE(slots_are_empty_where_the_list_says),
	KUNIT_CASE(truncated_table_has_what_fits),
	KUNIT_CASE(absent_getter_gives_what_the_caller_said),
	KUNIT_CASE(foreign_table_is_refused),
	{}
};

static struct kunit_suite table_suite = {
	.name = "sched_tp_table",
	.test_cases = table_cases,
};

kunit_test_suite(table_suite);
