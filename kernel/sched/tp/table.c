// SPDX-License-Identifier: GPL-2.0
/*
 * The table that the bare tracepoints of the scheduler hand to their probes.
 */

/* sched.h leaves this one to who includes it. */
#include <linux/mmu_context.h>

#include "../sched.h"
#include "seams.h"

#ifdef CONFIG_SCHED_TP_CALLBACKS_KUNIT_TEST
struct sched_tp_seams sched_tp_seams;
#endif

#include "getters.c"
