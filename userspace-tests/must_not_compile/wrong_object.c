// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// The getter of another object.
// std: c11
// expect: incompatible pointer type
// expect: const struct sched_entity *
#include <schedtp/callbacks.h>

unsigned int probe(const struct sched_tp_callbacks *cb, const struct sched_entity *se,
		   const struct cfs_rq *cfs_rq)
{
	(void)se;
	(void)cfs_rq;
#ifdef GOOD
	return sched_tp_get(cb, se_util_est, se, 0);
#else
	return sched_tp_get(cb, se_util_est, cfs_rq, 0);
#endif
}
