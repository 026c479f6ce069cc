// SPDX-License-Identifier: GPL-2.0
/*
 * Probes on the real tracepoints: that each takes the prototype of the list, and
 * that what arrives is the table.
 */

#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include <schedtp/tracepoints.h>

#include "env.h"

enum tracepoint_id {
#define SCHED_TP_TRACEPOINT(name, params, args) ID_##name,
#include <schedtp/tracepoints.def>
	NR_IDS
};

static const char *const names[] = {
#define SCHED_TP_TRACEPOINT(name, params, args) #name,
#include <schedtp/tracepoints.def>
};

static atomic_t hits[NR_IDS];
static atomic_t strangers[NR_IDS];

static void count(enum tracepoint_id id, const struct sched_tp_callbacks *cb)
{
	atomic_inc(&hits[id]);
	if (cb != sched_tp_get_callbacks())
		atomic_inc(&strangers[id]);
}

/* The compiler compares these with the declarations in trace/events/sched.h. */
#define SCHED_TP_TRACEPOINT(name, params, args)						\
	static void probe_##name(void *data, params, const struct sched_tp_callbacks *cb) \
	{										\
		count(ID_##name, cb);							\
	}
#include <schedtp/tracepoints.def>

static void unregister_probes(void)
{
#define SCHED_TP_TRACEPOINT(name, params, args)						\
	unregister_trace_##name##_tp(probe_##name, NULL);
#include <schedtp/tracepoints.def>
	tracepoint_synchronize_unregister();
}

/* Works and sleeps, so that its estimate moves. */
static int work_and_sleep(void *unused)
{
	while (!kthread_should_stop()) {
		unsigned long end = jiffies + msecs_to_jiffies(3);

		while (time_before(jiffies, end))
			cpu_relax();
		usleep_range(3000, 4000);
	}
	return 0;
}

static struct task_struct *start_worker(struct kunit *test, const char *name)
{
	struct task_struct *worker = kthread_run(work_and_sleep, NULL, "sched_tp_%s", name);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, worker);
	return worker;
}

/* Tracepoints that CFS tasks which come and go must hit, whatever the machine. */
static const enum tracepoint_id busy[] = {
#ifdef SCHED_TP_SMP
	ID_pelt_cfs,
	ID_pelt_se,
	ID_sched_util_est_cfs,
	ID_sched_util_est_se,
#endif
	ID_sched_update_nr_running,
};

static bool all_busy_hit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(busy); i++)
		if (!atomic_read(&hits[busy[i]]))
			return false;
	return true;
}

static void every_tracepoint_passes_the_table(struct kunit *test)
{
	struct task_struct *worker;
	int i, tries = 100;

	memset(hits, 0, sizeof(hits));
	memset(strangers, 0, sizeof(strangers));

#define SCHED_TP_TRACEPOINT(name, params, args)						\
	KUNIT_EXPECT_EQ(test, sched_tp_has_tracepoint(name) ? 0 : -EOPNOTSUPP,		\
			register_trace_##name##_tp(probe_##name, NULL));
#include <schedtp/tracepoints.def>

	worker = start_worker(test, "passes");
	do {
		msleep(20);
	} while (!all_busy_hit() && --tries);
	kthread_stop(worker);
	unregister_probes();

	for (i = 0; i < ARRAY_SIZE(busy); i++)
		KUNIT_EXPECT_GT_MSG(test, atomic_read(&hits[busy[i]]), 0, "%s never fired",
				    names[busy[i]]);
	for (i = 0; i < NR_IDS; i++) {
		kunit_info(test, "%s: %d hits", names[i], atomic_read(&hits[i]));
		KUNIT_EXPECT_EQ_MSG(test, atomic_read(&strangers[i]), 0,
				    "%s passed another table", names[i]);
	}
}

#ifdef SCHED_TP_SMP
struct estimate {
	atomic_t seen;
	atomic_t flagged;
	atomic_t wrong;
};

static void probe_estimate(void *data, struct sched_entity *se,
			   const struct sched_tp_callbacks *cb)
{
	unsigned int util = sched_tp_get(cb, se_util_est, se, UINT_MAX);
#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	unsigned int raw = se->avg.util_est.enqueued;
	unsigned int wanted = max(se->avg.util_est.ewma, raw & ~UTIL_AVG_UNCHANGED);
#else
	unsigned int raw = se->avg.util_est;
	unsigned int wanted = raw & ~UTIL_AVG_UNCHANGED;
#endif
	struct estimate *estimate = data;

	atomic_inc(&estimate->seen);
	if (raw & UTIL_AVG_UNCHANGED)
		atomic_inc(&estimate->flagged);
	if (util != wanted || util > SCHED_CAPACITY_SCALE)
		atomic_inc(&estimate->wrong);
}

/* Where tools in the field print 2^31 and more: the flag is set at every hit. */
static void se_util_est_is_clean_where_the_flag_is_set(struct kunit *test)
{
	struct estimate *estimate = kunit_kzalloc(test, sizeof(*estimate), GFP_KERNEL);
	struct task_struct *worker;
	int tries = 100;

	KUNIT_ASSERT_NOT_NULL(test, estimate);
	KUNIT_ASSERT_EQ(test, 0,
			register_trace_sched_util_est_se_tp(probe_estimate, estimate));
	worker = start_worker(test, "clean");
	do {
		msleep(20);
	} while (atomic_read(&estimate->seen) < 10 && --tries);
	kthread_stop(worker);
	unregister_trace_sched_util_est_se_tp(probe_estimate, estimate);
	tracepoint_synchronize_unregister();

	KUNIT_EXPECT_GE(test, atomic_read(&estimate->seen), 10);
	KUNIT_EXPECT_EQ(test, atomic_read(&estimate->flagged), atomic_read(&estimate->seen));
	KUNIT_EXPECT_EQ(test, atomic_read(&estimate->wrong), 0);
}
#endif /* SCHED_TP_SMP */

static struct kunit_case tracepoints_cases[] = {
	KUNIT_CASE(every_tracepoint_passes_the_table),
#ifdef SCHED_TP_SMP
	KUNIT_CASE(se_util_est_is_clean_where_the_flag_is_set),
#endif
	{}
};

static struct kunit_suite tracepoints_suite = {
	.name = "sched_tp_tracepoints",
	.test_cases = tracepoints_cases,
};

kunit_test_suite(tracepoints_suite);
