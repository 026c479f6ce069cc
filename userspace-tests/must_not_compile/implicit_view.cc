// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A pointer becomes a view, with the check of its version, where that is written.
// std: c++17
// expect-gcc: could not convert 'cb'
// expect-clang: no known conversion from 'const sched_tp_callbacks *' to 'schedtp::table'
#include <schedtp/callbacks.hpp>

bool use(schedtp::table table);

bool probe(const sched_tp_callbacks* cb)
{
#ifdef GOOD
    return use(schedtp::table{cb});
#else
    return use(cb);
#endif
}
