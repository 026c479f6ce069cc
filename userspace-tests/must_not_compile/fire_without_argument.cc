// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A tracepoint fires with all its arguments.
// std: c++20
// expect-gcc: no matching function for call to
// expect-clang: too few arguments to function call
#include <schedtp/mock/mock.hpp>

void fire(schedtp::mock::kernel& k)
{
#ifdef GOOD
    k.sched_update_nr_running.fire(k.cpu(0), 1);
#else
    k.sched_update_nr_running.fire(k.cpu(0));
#endif
}
