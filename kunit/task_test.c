// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct task_struct, on live tasks, against the kernel's helpers.
 */

#include <linux/sched/task.h>

#include "env.h"

/* What a getter said while the locks were held, and what a helper did. */
struct seen {
	const char *getter;
	unsigned long long said;
	unsigned long long is;
};

#define NOTE(getter, helper)								\
	(seen[nr++] = (struct seen){							\
		#getter, (unsigned long long)sched_tp_get(cb, getter, p, 0),		\
		(unsigned long long)(helper) })
#define NOTE_PTR(getter, helper)							\
	(seen[nr++] = (struct seen){							\
		#getter, (unsigned long)sched_tp_get(cb, getter, p, NULL),		\
		(unsigned long)(helper) })

/* Its prio, class, clamps, group and CPU do not change while the task's rq is locked. */
static unsigned int look_at(struct task_struct *p, struct seen *seen)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned int nr = 0;
	struct rq_flags rf;
	struct rq *rq;

	rq = task_rq_lock(p, &rf);
	NOTE(task_pid, task_pid_nr(p));
	NOTE(task_tgid, task_tgid_nr(p));
	NOTE(task_prio, task_prio(p) + MAX_RT_PRIO);
	NOTE(task_static_prio, NICE_TO_PRIO(task_nice(p)));
	NOTE(task_normal_prio, p->normal_prio);
	NOTE(task_policy, p->policy);
	NOTE(task_state, READ_ONCE(p->__state));
	NOTE(task_is_kthread, !!(p->flags & PF_KTHREAD));
	NOTE(task_is_exiting, !!(p->flags & PF_EXITING));
	NOTE(task_nvcsw, p->nvcsw);
	NOTE(task_nivcsw, p->nivcsw);
	NOTE(task_cpu, task_cpu(p));
	NOTE(task_on_rq, task_on_rq_queued(p) ? TASK_ON_RQ_QUEUED : p->on_rq);
	NOTE_PTR(task_rq, rq);
	NOTE_PTR(task_se, &p->se);
	NOTE_PTR(task_dl, &p->dl);
#ifdef CONFIG_64BIT
	NOTE(task_start_time, p->start_time);
#endif
#ifdef SCHED_TP_SMP
	NOTE(task_on_cpu, !!p->on_cpu);
	NOTE(task_util, READ_ONCE(p->se.avg.util_avg));
#endif
#ifdef CONFIG_UCLAMP_TASK
	NOTE(task_uclamp_eff_min, uclamp_eff_value(p, UCLAMP_MIN));
	NOTE(task_uclamp_eff_max, uclamp_eff_value(p, UCLAMP_MAX));
	NOTE(task_uclamp_req_min, p->uclamp_req[UCLAMP_MIN].value);
	NOTE(task_uclamp_req_max, p->uclamp_req[UCLAMP_MAX].value);
	NOTE(task_uclamp_active_min, p->uclamp[UCLAMP_MIN].active);
	NOTE(task_uclamp_active_max, p->uclamp[UCLAMP_MAX].active);
#endif
#ifdef CONFIG_CGROUP_SCHED
	NOTE_PTR(task_group, task_group(p));
	NOTE(task_cgroup_id, task_group(p)->css.cgroup ?
			     cgroup_id(task_group(p)->css.cgroup) : 0);
#endif
#ifdef CONFIG_SCHED_INFO
	NOTE(task_pcount, p->sched_info.pcount);
#ifdef CONFIG_64BIT
	NOTE(task_last_arrival, p->sched_info.last_arrival);
	NOTE(task_run_delay, p->sched_info.run_delay);
#endif
#endif
#ifdef CONFIG_SCHED_CORE
	NOTE(task_core_cookie, p->core_cookie);
#endif
#if defined(CONFIG_CFS_BANDWIDTH) && defined(SCHED_TP_HAS_TASK_THROTTLED)
	NOTE(task_throttled, p->throttled);
#endif
#if defined(CONFIG_SCHED_PROXY_EXEC) && defined(SCHED_TP_HAS_TASK_BLOCKED_ON)
	NOTE(task_is_blocked, task_is_blocked(p));
#endif
	task_rq_unlock(rq, p, &rf);

	return nr;
}

static void expect_same(struct kunit *test, struct task_struct *p)
{
	struct seen *seen = kunit_kcalloc(test, 64, sizeof(*seen), GFP_KERNEL);
	unsigned int nr;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	nr = look_at(p, seen);
	while (nr--)
		KUNIT_EXPECT_EQ_MSG(test, seen[nr].said, seen[nr].is, "%s", seen[nr].getter);
}

static void getters_of_current(struct kunit *test)
{
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();

	expect_same(test, current);
	/* Tests run in a thread of the kernel, that is just running. */
	KUNIT_EXPECT_TRUE(test, sched_tp_get(cb, task_is_kthread, current, false));
	KUNIT_EXPECT_FALSE(test, sched_tp_get(cb, task_is_exiting, current, true));
	KUNIT_EXPECT_EQ(test, 0, sched_tp_get(cb, task_state, current, 77));
	KUNIT_EXPECT_EQ(test, 1, sched_tp_get(cb, task_on_rq, current, 77));
#ifdef SCHED_TP_SMP
	KUNIT_EXPECT_TRUE(test, sched_tp_get(cb, task_on_cpu, current, false));
#endif
}

/* One that sleeps, or about to: process 1 waits for the tests to end. */
static void getters_of_process_1(struct kunit *test)
{
	struct pid *pid = find_get_pid(1);
	struct task_struct *p = get_pid_task(pid, PIDTYPE_PID);

	put_pid(pid);
	KUNIT_ASSERT_NOT_NULL(test, p);
	expect_same(test, p);
	put_task_struct(p);
}

/* A name is the one of now, to the last byte. */
static void name_of_current(struct kunit *test)
{
	/* As long as the kernel's own: some trees' set_task_comm() insists. */
	static const char names[][TASK_COMM_LEN] = {
		"", "x", "a b=\n\xc3\xff", "123456789012345",
	};
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	unsigned char name[TASK_COMM_LEN + 1];
	char before[TASK_COMM_LEN], now[TASK_COMM_LEN];
	unsigned int length, i;

	get_task_comm(before, current);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		set_task_comm(current, names[i]);
		get_task_comm(now, current);
		KUNIT_EXPECT_STREQ(test, now, names[i]);
		memset(name, 0x5a, sizeof(name));
		length = sched_tp_get(cb, task_comm, current, name, sizeof(name), 77);
		KUNIT_EXPECT_EQ(test, length, (unsigned int)strlen(now));
		KUNIT_EXPECT_STREQ(test, (char *)name, now);
		KUNIT_EXPECT_EQ(test, name[TASK_COMM_LEN], 0x5a);
	}
	set_task_comm(current, before);
}

static struct kunit_case task_cases[] = {
	KUNIT_CASE(getters_of_current),
	KUNIT_CASE(getters_of_process_1),
	KUNIT_CASE(name_of_current),
	{}
};

static struct kunit_suite task_suite = {
	.name = "sched_tp_task",
	.test_cases = task_cases,
};

kunit_test_suite(task_suite);
