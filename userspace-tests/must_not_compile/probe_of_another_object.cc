// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A probe that takes another object than the tracepoint passes.
// std: c++20
// expect-gcc: invalid conversion from 'void (*)(void*, rq*, const sched_tp_callbacks*)'
// expect-clang: cannot initialize a parameter of type 'schedtp::mock::tracepoint
#include <schedtp/mock/mock.hpp>

void on_cfs_rq(void*, cfs_rq*, const sched_tp_callbacks*);
void on_rq(void*, rq*, const sched_tp_callbacks*);

int attach(schedtp::mock::kernel& k)
{
#ifdef GOOD
    return k.pelt_rt.attach(&on_rq) + k.pelt_cfs.attach(&on_cfs_rq);
#else
    return k.pelt_rt.attach(&on_rq) + k.pelt_cfs.attach(&on_rq);
#endif
}
