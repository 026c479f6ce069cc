// SPDX-License-Identifier: GPL-2.0
/*
 * The getters and the table of them.
 *
 * Included by a file that has the scheduler's types and the seams, as table.c. It
 * includes nothing else, so that a test can compile it over types of its own: there
 * is one source of what a getter means.
 */

#include <schedtp/callbacks.h>

#include "handles.h"

#include "errata.c"
#include "tg.c"
#include "cfs_rq.c"
#include "se.c"
#include "rq.c"
#include "rq_uclamp.c"
#include "rq_capacity.c"
#include "rt_rq.c"
#include "dl_rq.c"
#include "dl_se.c"
#include "rd.c"
#include "task.c"
#include "bulk.c"

#define SCHED_TP_GETTER_VOID(since, ret, name, needs) .name = sched_tp_##name,
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) .name = sched_tp_##name,

const struct sched_tp_callbacks sched_tp_callbacks = {
	.size = sizeof(struct sched_tp_callbacks),
	.version = SCHED_TP_VERSION,
#include <schedtp/getters.def>
};
