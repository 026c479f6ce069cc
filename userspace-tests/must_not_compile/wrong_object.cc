// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// The getter of another object.
// std: c++17
// expect-gcc: cannot convert
// expect-clang: cannot initialize a parameter of type 'const struct sched_entity *'
#include <schedtp/callbacks.hpp>

bool probe(schedtp::table table, const sched_entity* se, const cfs_rq* cfs_rq)
{
#ifdef GOOD
    return table.se_util_est(se) && table.cfs_rq_util_est(cfs_rq);
#else
    return table.se_util_est(cfs_rq) && table.cfs_rq_util_est(se);
#endif
}
