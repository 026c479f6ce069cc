// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// The arguments in the wrong order.
// std: c11
// expect: incompatible pointer type
#include <schedtp/callbacks.h>

unsigned int probe(const struct sched_tp_callbacks *cb, const struct sched_entity *se)
{
#ifdef GOOD
	return sched_tp_get(cb, se_util_est, se, 0);
#else
	return sched_tp_get(se, se_util_est, cb, 0);
#endif
}
