// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct task_group, on live groups and directories.
 */

#include "env.h"

#ifdef CONFIG_CGROUP_SCHED
static void root_group(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const struct task_group *tg = &root_task_group;

	KUNIT_EXPECT_EQ(test, cgroup_id(tg->css.cgroup), sched_tp_get(cb, tg_cgroup_id, tg, 0));
#ifdef CONFIG_FAIR_GROUP_SCHED
	KUNIT_EXPECT_EQ(test, 1024, sched_tp_get(cb, tg_shares, tg, 0));
#endif
#ifdef CONFIG_SCHED_AUTOGROUP
	KUNIT_EXPECT_FALSE(test, sched_tp_get(cb, tg_is_autogroup, tg, true));
#endif
#if defined(CONFIG_CFS_BANDWIDTH) && defined(CONFIG_64BIT)
	KUNIT_EXPECT_EQ(test, RUNTIME_INF, sched_tp_get(cb, tg_quota, tg, 0));
	KUNIT_EXPECT_EQ(test, ktime_to_ns(tg->cfs_bandwidth.period),
			sched_tp_get(cb, tg_period, tg, 0));
	KUNIT_EXPECT_EQ(test, 0, sched_tp_get(cb, tg_burst, tg, 1));
#endif
#ifdef CONFIG_UCLAMP_TASK_GROUP
	KUNIT_EXPECT_EQ(test, (unsigned int)tg->uclamp[UCLAMP_MIN].value,
			sched_tp_get(cb, tg_uclamp_eff_min, tg, UINT_MAX));
	KUNIT_EXPECT_EQ(test, (unsigned int)tg->uclamp[UCLAMP_MAX].value,
			sched_tp_get(cb, tg_uclamp_eff_max, tg, UINT_MAX));
#endif
}

#ifdef CONFIG_FAIR_GROUP_SCHED
static const struct cfs_rq *queue_of(struct task_group *tg, int cpu)
{
#ifdef SCHED_TP_HAS_CFS_TG_STATE
	return tg_cfs_rq(tg, cpu);
#else
	return tg->cfs_rq[cpu];
#endif
}

static const struct sched_entity *entity_of(struct task_group *tg, int cpu)
{
#ifdef SCHED_TP_HAS_CFS_TG_STATE
	return tg_se(tg, cpu);
#else
	return tg->se[cpu];
#endif
}

static void on_each_cpu_of(struct kunit *test, struct task_group *tg)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	const int nowhere[] = { -1, INT_MIN, INT_MAX, nr_cpu_ids };
	int cpu, i;

	for_each_possible_cpu(cpu) {
		KUNIT_EXPECT_PTR_EQ(test, queue_of(tg, cpu),
				    sched_tp_get(cb, tg_cfs_rq, tg, cpu, NULL));
		KUNIT_EXPECT_PTR_EQ(test, entity_of(tg, cpu),
				    sched_tp_get(cb, tg_se, tg, cpu,
						 (const struct sched_entity *)test));
	}
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		KUNIT_EXPECT_NULL(test, sched_tp_get(cb, tg_cfs_rq, tg, nowhere[i],
						     (const struct cfs_rq *)test));
		KUNIT_EXPECT_NULL(test, sched_tp_get(cb, tg_se, tg, nowhere[i],
						     (const struct sched_entity *)test));
	}
}

static void queues_of_the_root_group(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	int cpu;

	on_each_cpu_of(test, &root_task_group);
	for_each_possible_cpu(cpu)
		KUNIT_EXPECT_PTR_EQ(test, (const struct cfs_rq *)&cpu_rq(cpu)->cfs,
				    sched_tp_get(cb, tg_cfs_rq, &root_task_group, cpu, NULL));
}

static void group_with_a_weight(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	struct task_group *tg = sched_create_group(&root_task_group);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, tg);
	sched_online_group(tg, &root_task_group);

	KUNIT_EXPECT_EQ(test, 1024, sched_tp_get(cb, tg_shares, tg, 0));
	KUNIT_EXPECT_EQ(test, 0, sched_group_set_shares(tg, scale_load(2048)));
	KUNIT_EXPECT_EQ(test, 2048, sched_tp_get(cb, tg_shares, tg, 0));
	KUNIT_EXPECT_EQ(test, 0, sched_tp_get(cb, tg_cgroup_id, tg, 1));
	on_each_cpu_of(test, tg);

	sched_release_group(tg);
	sched_destroy_group(tg);
}
#endif

#ifdef SCHED_TP_HAS_LOCKLESS_CGROUP_PATH
/* Whatever room there is: what was needed, and the start of it, ended. */
static void expect_path(struct kunit *test, const struct task_group *tg, const char *path)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int length = strlen(path), size;
	unsigned char said[64];

	KUNIT_ASSERT_LT(test, length + 2, sizeof(said));
	for (size = 0; size <= length + 2; size++) {
		unsigned int written = min(size, length + 1);

		memset(said, 'Z', sizeof(said));
		KUNIT_EXPECT_EQ(test, length, sched_tp_get(cb, tg_path, tg, said, size, -1));
		if (written) {
			KUNIT_EXPECT_EQ(test, 0, memcmp(said, path, written - 1));
			KUNIT_EXPECT_EQ(test, 0, said[written - 1]);
		}
		KUNIT_EXPECT_EQ(test, 'Z', said[written]);
	}
}

/* Directories as a cgroup's are, and what kernfs says of their paths. */
static void path_as_kernfs_says(struct kunit *test)
{
	static const char * const names[] = { "user.slice", "a", "with space" };
	struct task_group *tg = kunit_kzalloc(test, sizeof(*tg), GFP_KERNEL);
	struct cgroup *cgroup = kunit_kzalloc(test, sizeof(*cgroup), GFP_KERNEL);
	struct kernfs_root *root;
	struct kernfs_node *node;
	char path[64];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, tg);
	KUNIT_ASSERT_NOT_NULL(test, cgroup);
	root = kernfs_create_root(NULL, KERNFS_ROOT_INVARIANT_PARENT, NULL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, root);

	tg->css.cgroup = cgroup;
	node = kernfs_root_to_node(root);
	for (i = 0; i <= ARRAY_SIZE(names); i++) {
		cgroup->kn = node;
		kernfs_path(node, path, sizeof(path));
		expect_path(test, tg, path);
		if (i == ARRAY_SIZE(names))
			break;
		node = kernfs_create_dir(node, names[i], 0755, NULL);
		KUNIT_EXPECT_FALSE(test, IS_ERR(node));
		if (IS_ERR(node))
			break;
	}
	kernfs_destroy_root(root);
}

static void path_of_the_root_group(struct kunit *test)
{
	char path[64];

	cgroup_path(root_task_group.css.cgroup, path, sizeof(path));
	expect_path(test, &root_task_group, path);
}

#ifdef CONFIG_SCHED_AUTOGROUP
static void path_of_an_autogroup(struct kunit *test)
{
	static const unsigned long ids[] = { 0, 1, 9, 10, 1000, INT_MAX };
	struct task_group *tg = kunit_kzalloc(test, sizeof(*tg), GFP_KERNEL);
	struct autogroup *autogroup = kunit_kzalloc(test, sizeof(*autogroup), GFP_KERNEL);
	char path[64];
	int i;

	KUNIT_ASSERT_NOT_NULL(test, tg);
	KUNIT_ASSERT_NOT_NULL(test, autogroup);
	tg->autogroup = autogroup;
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		autogroup->id = ids[i];
		autogroup_path(tg, path, sizeof(path));
		expect_path(test, tg, path);
	}
}
#endif
#endif
#endif /* CONFIG_CGROUP_SCHED */

/* Without groups there is nothing to say of any. */
static void absent_without_groups(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();

	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_CGROUP_SCHED), sched_tp_has(cb, tg_cgroup_id));
	KUNIT_EXPECT_EQ(test, IS_ENABLED(CONFIG_FAIR_GROUP_SCHED), sched_tp_has(cb, tg_shares));
}

static struct kunit_case tg_cases[] = {
#ifdef CONFIG_CGROUP_SCHED
	KUNIT_CASE(root_group),
#ifdef CONFIG_FAIR_GROUP_SCHED
	KUNIT_CASE(queues_of_the_root_group),
	KUNIT_CASE(group_with_a_weight),
#endif
#ifdef SCHED_TP_HAS_LOCKLESS_CGROUP_PATH
	KUNIT_CASE(path_as_kernfs_says),
	KUNIT_CASE(path_of_the_root_group),
#ifdef CONFIG_SCHED_AUTOGROUP
	KUNIT_CASE(path_of_an_autogroup),
#endif
#endif
#endif
	KUNIT_CASE(absent_without_groups),
	{}
};

static struct kunit_suite tg_suite = {
	.name = "sched_tp_tg",
	.test_cases = tg_cases,
};

kunit_test_suite(tg_suite);
