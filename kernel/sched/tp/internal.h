/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of the scheduler, and what its header leaves to whoever includes it.
 */
#ifndef _KERNEL_SCHED_TP_INTERNAL_H
#define _KERNEL_SCHED_TP_INTERNAL_H

#include <linux/mmu_context.h>
#include <linux/sched/cputime.h>

#include "../sched.h"
#include "../autogroup.h"

#endif /* _KERNEL_SCHED_TP_INTERNAL_H */
