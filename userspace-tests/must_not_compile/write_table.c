// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
// A probe must not write the table, which all probes share.
// std: c11
// expect-gcc: assignment of member 'size' in read-only object
// expect-clang: cannot assign to variable 'cb' with const-qualified type
#include <schedtp/callbacks.h>

unsigned int probe(const struct sched_tp_callbacks *cb)
{
#ifndef GOOD
	cb->size = 0;
#endif
	return cb->size;
}
