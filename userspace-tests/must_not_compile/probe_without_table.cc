// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A probe of the prototype that kernels without the table have.
// std: c++20
// expect-gcc: invalid conversion from 'void (*)(void*, cfs_rq*)'
// expect-clang: cannot initialize a parameter of type 'schedtp::mock::tracepoint
#include <schedtp/mock/mock.hpp>

#ifdef GOOD
void probe(void*, cfs_rq*, const sched_tp_callbacks*);
#else
void probe(void*, cfs_rq*);
#endif

int attach(schedtp::mock::kernel& k)
{
    return k.pelt_cfs.attach(&probe);
}
