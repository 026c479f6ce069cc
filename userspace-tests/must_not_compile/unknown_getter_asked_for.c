// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A getter that these headers do not have, asked for.
// std: c11
// expect: implicit declaration of function 'sched_tp_has_se_util_guess'
#include <schedtp/callbacks.h>

int probe(const struct sched_tp_callbacks *cb)
{
#ifdef GOOD
	return sched_tp_has(cb, se_util_est);
#else
	return sched_tp_has(cb, se_util_guess);
#endif
}
