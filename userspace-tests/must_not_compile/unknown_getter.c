// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A getter that these headers do not have, called.
// std: c11
// expect: implicit declaration of function 'sched_tp_get_se_util_guess'
#include <schedtp/callbacks.h>

unsigned int probe(const struct sched_tp_callbacks *cb, const struct sched_entity *se)
{
#ifdef GOOD
	return sched_tp_get(cb, se_util_est, se, 0);
#else
	return sched_tp_get(cb, se_util_guess, se, 0);
#endif
}
