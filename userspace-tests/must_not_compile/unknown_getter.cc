// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A getter that these headers do not have, called and asked for.
// std: c++17
// expect-gcc: 'class schedtp::table' has no member named 'se_util_guess'
// expect-gcc: 'se_util_guess' is not a member of 'schedtp::getter'
// expect-clang: no member named 'se_util_guess' in 'schedtp::table'
// expect-clang: no member named 'se_util_guess' in 'schedtp::getter'
#include <schedtp/callbacks.hpp>

bool probe(schedtp::table table, const sched_entity* se)
{
#ifdef GOOD
    return table.has(schedtp::getter::se_util_est) && table.se_util_est(se);
#else
    return table.has(schedtp::getter::se_util_guess) && table.se_util_guess(se);
#endif
}
