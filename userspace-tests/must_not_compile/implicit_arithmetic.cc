// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// Nor is it one when added or compared: its being there is not a 1.
// std: c++17
// expect-gcc: no match for 'operator+'
// expect-gcc: no match for 'operator>'
// expect-clang: invalid operands to binary expression
#include <schedtp/callbacks.hpp>

bool probe(schedtp::table table, const sched_entity* se)
{
    const auto util = table.se_util_est(se);
#ifdef GOOD
    return util && *util + 1 > 512;
#else
    return util + 1 > 512 || util > 512;
#endif
}
