// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A result that may be absent is not a number.
// std: c++17
// expect-gcc: cannot convert 'schedtp::optional<unsigned int>' to 'const unsigned int'
// expect-clang: no viable conversion from
#include <schedtp/callbacks.hpp>

unsigned int probe(schedtp::table table, const sched_entity* se)
{
#ifdef GOOD
    const unsigned int util = table.se_util_est(se).value_or(0);
#else
    const unsigned int util = table.se_util_est(se);
#endif
    return util;
}
