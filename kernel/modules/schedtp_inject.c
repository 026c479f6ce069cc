// SPDX-License-Identifier: GPL-2.0
/*
 * schedtp_inject - make the kernel log a real fault, to test who scans the log
 *
 *	insmod schedtp_inject.ko kind=warn|bug|oops|lockdep|hung_task
 *
 * For throw-away guests only. bug and oops kill a kthread of this module, not the
 * guest, as long as panic_on_oops is 0. lockdep needs CONFIG_PROVE_LOCKING, and
 * that no fault before has switched lockdep off. hung_task blocks until the module
 * is unloaded: set kernel.hung_task_timeout_secs low, and wait.
 */

#include <linux/bug.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/task.h>
#include <linux/string.h>

static char *kind = "";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "warn, bug, oops, lockdep or hung_task");

static DEFINE_MUTEX(first);
static DEFINE_MUTEX(second);
static DECLARE_COMPLETION(unload);
static struct task_struct *sleeper;

static int inject_warn(void)
{
	WARN(1, "schedtp_inject: a warning on purpose\n");
	return 0;
}

/* Never at once, so nobody waits for ever; lockdep sees the order alone. */
static int inject_lockdep(void)
{
	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);

	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
	return 0;
}

static int bug_thread(void *unused)
{
	BUG();
	return 0;
}

static int oops_thread(void *unused)
{
	/* An address in the first page, which is never mapped. */
	return READ_ONCE(*(int *)0x40);
}

static int hung_thread(void *unused)
{
	wait_for_completion(&unload);
	return 0;
}

static int inject_bug(void)
{
	return PTR_ERR_OR_ZERO(kthread_run(bug_thread, NULL, "schedtp_bug"));
}

static int inject_oops(void)
{
	return PTR_ERR_OR_ZERO(kthread_run(oops_thread, NULL, "schedtp_oops"));
}

static int inject_hung_task(void)
{
	struct task_struct *p = kthread_run(hung_thread, NULL, "schedtp_hung");

	if (IS_ERR(p))
		return PTR_ERR(p);
	sleeper = get_task_struct(p);
	return 0;
}

static const struct {
	const char *name;
	int (*inject)(void);
} kinds[] = {
	{ "warn",	inject_warn },
	{ "bug",	inject_bug },
	{ "oops",	inject_oops },
	{ "lockdep",	inject_lockdep },
	{ "hung_task",	inject_hung_task },
};

static int __init schedtp_inject_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kind, kinds[i].name))
			return kinds[i].inject();
	}

	pr_err("schedtp_inject: unknown kind '%s': want warn, bug, oops, lockdep or hung_task\n",
	       kind);
	return -EINVAL;
}
module_init(schedtp_inject_init);

static void __exit schedtp_inject_exit(void)
{
	complete_all(&unload);
	if (sleeper) {
		kthread_stop(sleeper);
		put_task_struct(sleeper);
	}
}
module_exit(schedtp_inject_exit);

MODULE_DESCRIPTION("Makes the kernel log a fault on purpose: for tests of log scans");
MODULE_LICENSE("GPL");
