// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// What to answer where the table lacks the getter is not to be forgotten.
// std: c++17
// expect-gcc: too few arguments to function
// expect-clang: no matching function for call to 'sched_tp_get_se_util_est'
#include <schedtp/callbacks.h>

unsigned int probe(const sched_tp_callbacks* cb, const sched_entity* se)
{
#ifdef GOOD
    return sched_tp_get(cb, se_util_est, se, 0);
#else
    return sched_tp_get(cb, se_util_est, se);
#endif
}
