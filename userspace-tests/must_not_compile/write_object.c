// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A getter that writes its object is no getter: the slot's parameter is const.
// std: c11
// expect: incompatible
// expect: unsigned int (*
#include <schedtp/callbacks.h>

#ifdef GOOD
unsigned int getter(const struct sched_entity *se);
#else
unsigned int getter(struct sched_entity *se);
#endif

const struct sched_tp_callbacks table = {
	.size = sizeof(table),
	.version = SCHED_TP_VERSION,
	.se_util_est = getter,
};
