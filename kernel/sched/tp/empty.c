// SPDX-License-Identifier: GPL-2.0
/*
 * The table without CONFIG_SCHED_TP_CALLBACKS: a header and no slot. Tracepoints
 * have one prototype whatever the configuration, and their last argument is never
 * NULL: BPF may follow it.
 */

#include <linux/compiler.h>

#include <schedtp/callbacks.h>

static const struct {
	unsigned int size;
	unsigned int version;
} sched_tp_header = {
	.size = SCHED_TP_HEADER_SIZE,
	.version = SCHED_TP_VERSION,
};

/* Readers stop at size, so the slots that the type also has need not exist. */
extern const struct sched_tp_callbacks sched_tp_callbacks __alias(sched_tp_header);
