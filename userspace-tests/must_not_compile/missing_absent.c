// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// What to answer where the table lacks the getter is not to be forgotten.
// std: c11
// expect: too few arguments to function
#include <schedtp/callbacks.h>

unsigned int probe(const struct sched_tp_callbacks *cb, const struct sched_entity *se)
{
#ifdef GOOD
	return sched_tp_get(cb, se_util_est, se, 0);
#else
	return sched_tp_get(cb, se_util_est, se);
#endif
}
