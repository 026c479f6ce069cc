// SPDX-License-Identifier: GPL-2.0
/*
 * schedtp_probe - a consumer of the getters, built from headers alone
 *
 * It attaches to four of the scheduler's bare tracepoints, reads what it is given
 * through the table, and publishes in debugfs, directory schedtp_probe:
 *
 *	events		how often each tracepoint was hit
 *	util_est	per task that went to sleep: its pid, how many events of
 *			sched_util_est_se it had, and se_util_est at the last one
 *	capacity	rq_cpu_current_capacity as sched_cpu_capacity saw it
 *	getters		the table: its size, its version, what it has
 *
 * What the kernel does not have is reported as absent, never as 0.
 *
 * Probes run under scheduler locks with interrupts off. So all memory is there
 * before the first one, and the only lock is a raw spinlock that nothing is taken
 * under.
 */

#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>

#include <schedtp/tracepoints.h>

/* Values that no getter returns: its slot was absent. */
#define ABSENT_UTIL	UINT_MAX
#define ABSENT_CAPACITY	ULONG_MAX

/* Places looked at for a task, so that a full table costs a probe no more. */
#define MAX_STEPS	16

static unsigned int tasks = 1024;
module_param(tasks, uint, 0444);
MODULE_PARM_DESC(tasks, "tasks that util_est holds, rounded up to a power of two");

enum event {
	EVENT_PELT_CFS,
	EVENT_PELT_SE,
	EVENT_SCHED_UTIL_EST_SE,
	EVENT_SCHED_CPU_CAPACITY,
	NR_EVENTS
};

static const char * const event_names[NR_EVENTS] = {
	[EVENT_PELT_CFS]		= "pelt_cfs",
	[EVENT_PELT_SE]			= "pelt_se",
	[EVENT_SCHED_UTIL_EST_SE]	= "sched_util_est_se",
	[EVENT_SCHED_CPU_CAPACITY]	= "sched_cpu_capacity",
};

struct event_counts {
	u64 hits[NR_EVENTS];
};

/* A slot of util_est belongs to the first task that claims it, for good. */
struct task_slot {
	atomic_t pid;		/* 0: free, and the idle task never sleeps */
	atomic64_t last;	/* events << 32 | se_util_est: read as one */
};

struct capacity {
	raw_spinlock_t lock;
	u64 hits;
	unsigned long last;
	unsigned long min;
	unsigned long max;
};

struct probe_state {
	struct event_counts __percpu *counts;
	struct capacity capacity;
	atomic64_t no_room;
	unsigned int bits;
	struct task_slot *slots;
};

static struct probe_state state;
static struct dentry *dir;

static void count(struct probe_state *st, enum event event)
{
	this_cpu_inc(st->counts->hits[event]);
}

static struct task_slot *find_slot(struct probe_state *st, pid_t pid)
{
	unsigned int mask = BIT(st->bits) - 1;
	unsigned int i = hash_32(pid, st->bits);
	unsigned int step;

	for (step = 0; step < MAX_STEPS && step <= mask; step++) {
		struct task_slot *slot = &st->slots[(i + step) & mask];
		int owner = atomic_read(&slot->pid);

		if (!owner)
			owner = atomic_cmpxchg(&slot->pid, 0, pid) ?: pid;
		if (owner == pid)
			return slot;
	}

	return NULL;
}

static void on_pelt_cfs(void *data, struct cfs_rq *cfs_rq,
			const struct sched_tp_callbacks *cb)
{
	count(data, EVENT_PELT_CFS);
}

/* The entity may be a group: there is no task around it then. */
static void on_pelt_se(void *data, struct sched_entity *se,
		       const struct sched_tp_callbacks *cb)
{
	count(data, EVENT_PELT_SE);
}

/* Here it is always a task, whose rq is locked: no other event of it at once. */
static void on_util_est_se(void *data, struct sched_entity *se,
			   const struct sched_tp_callbacks *cb)
{
	const struct task_struct *p = container_of(se, struct task_struct, se);
	unsigned int util = sched_tp_get(cb, se_util_est, se, ABSENT_UTIL);
	struct probe_state *st = data;
	struct task_slot *slot;
	u64 events;

	count(st, EVENT_SCHED_UTIL_EST_SE);

	slot = find_slot(st, p->pid);
	if (!slot) {
		atomic64_inc(&st->no_room);
		return;
	}

	events = upper_32_bits(atomic64_read(&slot->last)) + 1;
	atomic64_set(&slot->last, events << 32 | util);
}

/* No rq lock here, so two CPUs may come at once. */
static void on_cpu_capacity(void *data, struct rq *rq,
			    const struct sched_tp_callbacks *cb)
{
	unsigned long now = sched_tp_get(cb, rq_cpu_current_capacity, rq, ABSENT_CAPACITY);
	struct probe_state *st = data;
	struct capacity *c = &st->capacity;
	unsigned long flags;

	count(st, EVENT_SCHED_CPU_CAPACITY);
	if (now == ABSENT_CAPACITY)
		return;

	raw_spin_lock_irqsave(&c->lock, flags);
	c->last = now;
	c->min = c->hits ? min(c->min, now) : now;
	c->max = c->hits ? max(c->max, now) : now;
	c->hits++;
	raw_spin_unlock_irqrestore(&c->lock, flags);
}

static int events_show(struct seq_file *m, void *unused)
{
	unsigned int event;
	int cpu;

	for (event = 0; event < NR_EVENTS; event++) {
		u64 hits = 0;

		for_each_possible_cpu(cpu)
			hits += READ_ONCE(per_cpu_ptr(state.counts, cpu)->hits[event]);
		seq_printf(m, "%s %llu\n", event_names[event], hits);
	}

	return 0;
}
DEFINE_SHOW_ATTRIBUTE(events);

static int util_est_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	seq_puts(m, "# pid events se_util_est\n");
	for (i = 0; i < BIT(state.bits); i++) {
		u64 last = atomic64_read(&state.slots[i].last);
		int pid = atomic_read(&state.slots[i].pid);

		/* Claimed an instant ago, and nothing stored yet. */
		if (!last)
			continue;
		if (lower_32_bits(last) == ABSENT_UTIL)
			seq_printf(m, "%d %u absent\n", pid, upper_32_bits(last));
		else
			seq_printf(m, "%d %u %u\n", pid, upper_32_bits(last),
				   lower_32_bits(last));
	}
	seq_printf(m, "# events of tasks without room: %lld\n",
		   atomic64_read(&state.no_room));

	return 0;
}
DEFINE_SHOW_ATTRIBUTE(util_est);

static int capacity_show(struct seq_file *m, void *unused)
{
	struct capacity *c = &state.capacity;
	unsigned long last, least, most;
	u64 hits;

	raw_spin_lock_irq(&c->lock);
	hits = c->hits;
	last = c->last;
	least = c->min;
	most = c->max;
	raw_spin_unlock_irq(&c->lock);

	if (!sched_tp_has(sched_tp_get_callbacks(), rq_cpu_current_capacity))
		seq_puts(m, "rq_cpu_current_capacity absent\n");
	else if (!hits)
		seq_puts(m, "hits 0\n");
	else
		seq_printf(m, "hits %llu\nlast %lu\nmin %lu\nmax %lu\n",
			   hits, last, least, most);

	return 0;
}
DEFINE_SHOW_ATTRIBUTE(capacity);

static int getters_show(struct seq_file *m, void *unused)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();

	seq_printf(m, "size %u\nversion %u.%u\n", cb->size,
		   cb->version >> 16, cb->version & 0xffff);

#define SCHED_TP_GETTER_VOID(since, ret, name, needs)				\
	seq_printf(m, "%s %s\n", #name,						\
		   sched_tp_has(cb, name) ? "available" : "absent");
#define SCHED_TP_GETTER(since, ret, name, params, args, needs)			\
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include <schedtp/getters.def>

	return 0;
}
DEFINE_SHOW_ATTRIBUTE(getters);

static int probe_state_init(struct probe_state *st)
{
	st->bits = order_base_2(clamp(tasks, 2U, 1U << 16));
	raw_spin_lock_init(&st->capacity.lock);

	st->counts = alloc_percpu(struct event_counts);
	if (!st->counts)
		return -ENOMEM;

	st->slots = kvcalloc(BIT(st->bits), sizeof(*st->slots), GFP_KERNEL);
	if (!st->slots) {
		free_percpu(st->counts);
		return -ENOMEM;
	}

	return 0;
}

static void probe_state_free(struct probe_state *st)
{
	kvfree(st->slots);
	free_percpu(st->counts);
}

static int __init schedtp_probe_init(void)
{
	int err;

	err = probe_state_init(&state);
	if (err)
		return err;

	err = sched_tp_register(pelt_cfs, on_pelt_cfs, &state);
	if (err)
		goto err_free;

	err = sched_tp_register(pelt_se, on_pelt_se, &state);
	if (err)
		goto err_pelt_cfs;

	err = sched_tp_register(sched_util_est_se, on_util_est_se, &state);
	if (err)
		goto err_pelt_se;

	err = sched_tp_register(sched_cpu_capacity, on_cpu_capacity, &state);
	if (err)
		goto err_util_est_se;

	/* As everywhere, a module works without its debugfs files. */
	dir = debugfs_create_dir("schedtp_probe", NULL);
	debugfs_create_file("events", 0444, dir, NULL, &events_fops);
	debugfs_create_file("util_est", 0444, dir, NULL, &util_est_fops);
	debugfs_create_file("capacity", 0444, dir, NULL, &capacity_fops);
	debugfs_create_file("getters", 0444, dir, NULL, &getters_fops);

	return 0;

err_util_est_se:
	sched_tp_unregister(sched_util_est_se, on_util_est_se, &state);
err_pelt_se:
	sched_tp_unregister(pelt_se, on_pelt_se, &state);
err_pelt_cfs:
	sched_tp_unregister(pelt_cfs, on_pelt_cfs, &state);
	/* The probes that were attached may still run. */
	tracepoint_synchronize_unregister();
err_free:
	probe_state_free(&state);
	pr_err("schedtp_probe: cannot attach: %d\n", err);
	return err;
}
module_init(schedtp_probe_init);

static void __exit schedtp_probe_exit(void)
{
	debugfs_remove(dir);

	sched_tp_unregister(sched_cpu_capacity, on_cpu_capacity, &state);
	sched_tp_unregister(sched_util_est_se, on_util_est_se, &state);
	sched_tp_unregister(pelt_se, on_pelt_se, &state);
	sched_tp_unregister(pelt_cfs, on_pelt_cfs, &state);
	tracepoint_synchronize_unregister();

	probe_state_free(&state);
}
module_exit(schedtp_probe_exit);

MODULE_DESCRIPTION("Probes of the scheduler's bare tracepoints that read through the getters");
MODULE_LICENSE("GPL");
