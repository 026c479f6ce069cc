// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct task_group, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file, before those that ask the group of another object. What
 * each getter means is said in the list of getters.
 */

#ifdef CONFIG_CGROUP_SCHED
/* NULL of an autogroup, and of the root group while there are no cgroups yet. */
static __always_inline const struct kernfs_node *
sched_tp_tg_node(const struct task_group *tg)
{
	const struct cgroup *cgroup = READ_ONCE(tg->css.cgroup);

	return cgroup ? READ_ONCE(cgroup->kn) : NULL;
}

static notrace unsigned long long sched_tp_tg_cgroup_id(const struct task_group *tg)
{
	const struct kernfs_node *node;

	if (!tg)
		return 0;

	/* An id never changes, so it cannot tear on a 32-bit kernel either. */
	node = sched_tp_tg_node(tg);

	return node ? node->id : 0;
}
#else
#define sched_tp_tg_cgroup_id NULL
#endif

#ifdef CONFIG_SCHED_AUTOGROUP
static notrace SCHED_TP_BOOL sched_tp_tg_is_autogroup(const struct task_group *tg)
{
	return tg && READ_ONCE(tg->autogroup);
}
#else
#define sched_tp_tg_is_autogroup NULL
#endif

#if defined(CONFIG_CGROUP_SCHED) && defined(SCHED_TP_HAS_LOCKLESS_CGROUP_PATH)
/* A path as it grows: what does not fit is counted and not written. */
struct sched_tp_path {
	unsigned char *buf;
	unsigned int size;
	unsigned int length;
};

static __always_inline void sched_tp_path_add(struct sched_tp_path *path, char byte)
{
	if (path->length < path->size)
		path->buf[path->length] = byte;
	path->length++;
}

static __always_inline void sched_tp_path_add_text(struct sched_tp_path *path,
						   const char *text)
{
	while (*text)
		sched_tp_path_add(path, *text++);
}

static __always_inline void sched_tp_path_add_number(struct sched_tp_path *path,
						     unsigned long number)
{
	unsigned long unit = 1;

	while (number / unit >= 10)
		unit *= 10;
	for (; unit; unit /= 10)
		sched_tp_path_add(path, '0' + number / unit % 10);
}

/* Of cgroups: a node never gets another parent, and names go by RCU. */
static __always_inline void sched_tp_path_add_node(struct sched_tp_path *path,
						   const struct kernfs_node *leaf)
{
	const struct kernfs_node *node, *parent;
	unsigned int depth = 0, up;

	rcu_read_lock_sched_notrace();
	for (node = leaf; (parent = rcu_dereference_raw(node->__parent)); node = parent)
		depth++;
	/* The root has no name. */
	if (!depth)
		sched_tp_path_add(path, '/');
	while (depth--) {
		for (node = leaf, up = depth; up; up--)
			node = rcu_dereference_raw(node->__parent);
		sched_tp_path_add(path, '/');
		sched_tp_path_add_text(path, rcu_dereference_raw(node->name));
	}
	rcu_read_unlock_sched_notrace();
}

static notrace int sched_tp_tg_path(const struct task_group *tg, unsigned char *buf,
				    unsigned int size)
{
	struct sched_tp_path path = { .buf = buf, .size = buf ? size : 0 };
	const struct kernfs_node *node = tg ? sched_tp_tg_node(tg) : NULL;
#ifdef CONFIG_SCHED_AUTOGROUP
	const struct autogroup *autogroup = tg ? READ_ONCE(tg->autogroup) : NULL;

	if (autogroup) {
		sched_tp_path_add_text(&path, "/autogroup-");
		sched_tp_path_add_number(&path, READ_ONCE(autogroup->id));
		node = NULL;
	}
#endif

	if (node)
		sched_tp_path_add_node(&path, node);
	/* In place of the last byte, if all are taken. */
	if (path.size)
		path.buf[min(path.length, path.size - 1)] = '\0';

	return path.length;
}
#else
#define sched_tp_tg_path NULL
#endif

#ifdef CONFIG_FAIR_GROUP_SCHED
static notrace unsigned long sched_tp_tg_shares(const struct task_group *tg)
{
	if (!tg)
		return 0;

	return scale_load_down(READ_ONCE(tg->shares));
}

static const notrace struct cfs_rq *sched_tp_tg_cfs_rq(const struct task_group *tg, int cpu)
{
#ifdef SCHED_TP_HAS_CFS_TG_STATE
	const struct cfs_rq __percpu *queues;
#else
	struct cfs_rq **queues;
#endif

	/* Of a CPU that is not possible there is no rq, and no queue of a group either. */
	if (!tg || !sched_tp_seam_rq_of_cpu(cpu))
		return NULL;

	queues = READ_ONCE(tg->cfs_rq);
	if (!queues)
		return NULL;

#ifdef SCHED_TP_HAS_CFS_TG_STATE
	return sched_tp_seam_cfs_rq_on_cpu(queues, cpu);
#else
	return READ_ONCE(queues[cpu]);
#endif
}

static const notrace struct sched_entity *sched_tp_tg_se(const struct task_group *tg, int cpu)
{
#ifdef SCHED_TP_HAS_CFS_TG_STATE
	const struct cfs_rq *cfs_rq;

	/* Its queues are in struct rq, and no entity is beside them. */
	if (tg == &root_task_group)
		return NULL;

	cfs_rq = sched_tp_tg_cfs_rq(tg, cpu);

	return cfs_rq ? &container_of(cfs_rq, struct cfs_tg_state, cfs_rq)->se : NULL;
#else
	struct sched_entity **entities;

	if (!tg || !sched_tp_seam_rq_of_cpu(cpu))
		return NULL;

	entities = READ_ONCE(tg->se);

	return entities ? READ_ONCE(entities[cpu]) : NULL;
#endif
}
#else
#define sched_tp_tg_shares NULL
#define sched_tp_tg_cfs_rq NULL
#define sched_tp_tg_se NULL
#endif

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_SMP)
static notrace long sched_tp_tg_load_avg(const struct task_group *tg)
{
	return tg ? atomic_long_read(&tg->load_avg) : 0;
}
#else
#define sched_tp_tg_load_avg NULL
#endif

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_TG_RUNNABLE_AVG)
static notrace long sched_tp_tg_runnable_avg(const struct task_group *tg)
{
	return tg ? atomic_long_read(&tg->runnable_avg) : 0;
}
#else
#define sched_tp_tg_runnable_avg NULL
#endif

#if defined(CONFIG_CFS_BANDWIDTH) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_tg_quota(const struct task_group *tg)
{
	return tg ? READ_ONCE(tg->cfs_bandwidth.quota) : 0;
}

static notrace unsigned long long sched_tp_tg_period(const struct task_group *tg)
{
	return tg ? READ_ONCE(tg->cfs_bandwidth.period) : 0;
}

static notrace unsigned long long sched_tp_tg_burst(const struct task_group *tg)
{
	return tg ? READ_ONCE(tg->cfs_bandwidth.burst) : 0;
}
#else
#define sched_tp_tg_quota NULL
#define sched_tp_tg_period NULL
#define sched_tp_tg_burst NULL
#endif

#ifdef CONFIG_UCLAMP_TASK_GROUP
/* Bit fields: no READ_ONCE(). */
static notrace unsigned int sched_tp_tg_uclamp_eff_min(const struct task_group *tg)
{
	return tg ? tg->uclamp[UCLAMP_MIN].value : 0;
}

static notrace unsigned int sched_tp_tg_uclamp_eff_max(const struct task_group *tg)
{
	return tg ? tg->uclamp[UCLAMP_MAX].value : 0;
}
#else
#define sched_tp_tg_uclamp_eff_min NULL
#define sched_tp_tg_uclamp_eff_max NULL
#endif
