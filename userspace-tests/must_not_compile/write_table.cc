// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// Nor through the pointer that the view gives.
// std: c++17
// expect-gcc: assignment of member 'sched_tp_callbacks::version' in read-only object
// expect-clang: cannot assign to return value because function 'get' returns a const value
#include <schedtp/callbacks.hpp>

unsigned int probe(schedtp::table table)
{
#ifndef GOOD
    table.get()->version = 0;
#endif
    return table.get()->version;
}
