// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A view is made of a table, and of nothing else that a probe receives.
// std: c++17
// expect-gcc: no matching function for call to 'schedtp::table::table
// expect-clang: no matching constructor for initialization of 'schedtp::table'
#include <schedtp/callbacks.hpp>

bool probe(void* data, const sched_entity* se, const sched_tp_callbacks* cb)
{
    (void)data;
    (void)se;
#ifdef GOOD
    return static_cast<bool>(schedtp::table{cb});
#else
    (void)cb;
    return static_cast<bool>(schedtp::table{se}) || static_cast<bool>(schedtp::table{data});
#endif
}
