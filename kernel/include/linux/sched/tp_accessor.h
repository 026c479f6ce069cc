/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table for who is not handed it: probes of other tracepoints, and modules
 * that look at load time what this kernel offers.
 *
 * Modules also find here whether a tree has the table as a tracepoint argument:
 * this file came with it.
 */
#ifndef _LINUX_SCHED_TP_ACCESSOR_H
#define _LINUX_SCHED_TP_ACCESSOR_H

struct sched_tp_callbacks;

const struct sched_tp_callbacks *sched_tp_get_callbacks(void);

#endif /* _LINUX_SCHED_TP_ACCESSOR_H */
