// SPDX-License-Identifier: GPL-2.0
/*
 * Which getters this kernel has, and why not the others: the file sched_tp/getters of
 * debugfs. What is off could be there with another configuration; what is absent, with
 * none of this kernel's.
 */

#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/sched/tp_accessor.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include <schedtp/callbacks.h>

/* The column `needs` of the list, A && B || C, in words. */
static void show_needs(struct seq_file *m, const char *needs)
{
	for (;;) {
		size_t length = strcspn(needs, " ");

		seq_printf(m, "CONFIG_%.*s", (int)length, needs);
		needs += length;
		if (!*needs)
			return;
		seq_puts(m, needs[1] == '&' ? " and " : " or ");
		needs += strlen(" && ");
	}
}

static int getters_show(struct seq_file *m, void *unused)
{
	/* In the order of the list, which is that of the slots. */
	static const struct {
		const char *name;
		const char *needs;
	} list[] = {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) { #name, needs },
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) { #name, needs },
#include <schedtp/getters.def>
	};
	const struct sched_tp_callbacks *cb = sched_tp_get_callbacks();
	void *const *slots = (void *const *)((const char *)cb + SCHED_TP_HEADER_SIZE);
	unsigned int getter;

	seq_printf(m, "# version %u.%u, %u bytes, %u getters\n", cb->version >> 16,
		   cb->version & 0xffff, cb->size, SCHED_TP_NR_GETTERS);
	for (getter = 0; getter < SCHED_TP_NR_GETTERS; getter++) {
		const char *needs = list[getter].needs;

		seq_printf(m, "%s\t", list[getter].name);
		if (slots[getter]) {
			seq_puts(m, "available");
		} else if (!*needs || *needs == '!') {
			seq_puts(m, "absent in this kernel");
		} else {
			seq_puts(m, "off: needs ");
			show_needs(m, needs);
		}
		seq_putc(m, '\n');
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(getters);

static int __init sched_tp_debugfs_init(void)
{
	debugfs_create_file("getters", 0444, debugfs_create_dir("sched_tp", NULL), NULL,
			    &getters_fops);
	return 0;
}
late_initcall(sched_tp_debugfs_init);
