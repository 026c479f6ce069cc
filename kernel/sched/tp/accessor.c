// SPDX-License-Identifier: GPL-2.0
/*
 * The accessor, exported by a file that sees the tag of the table and no member:
 * its symbol version then stays the same when getters are added, and size and
 * version of the table say what there is.
 */

#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/sched/tp_accessor.h>

extern const struct sched_tp_callbacks sched_tp_callbacks;

/**
 * sched_tp_get_callbacks - the table of getters
 *
 * Return: the table that the bare tracepoints pass, never NULL and constant while
 * the kernel runs. With CONFIG_SCHED_TP_CALLBACKS=n it has a header and no slot.
 * Context: any, NMI included.
 */
notrace const struct sched_tp_callbacks *sched_tp_get_callbacks(void)
{
	return &sched_tp_callbacks;
}
EXPORT_SYMBOL_GPL(sched_tp_get_callbacks);
