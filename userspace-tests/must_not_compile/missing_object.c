// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A value for "absent" is not taken for the object.
// std: c11
// expect: too few arguments to function
#include <schedtp/callbacks.h>

unsigned long probe(const struct sched_tp_callbacks *cb, const struct rq *rq)
{
#ifdef GOOD
	return sched_tp_get(cb, rq_cpu_current_capacity, rq, 0);
#else
	(void)rq;
	return sched_tp_get(cb, rq_cpu_current_capacity, 0);
#endif
}
