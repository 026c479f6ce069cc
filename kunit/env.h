/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects that vectors are set up on, in the kernel: the real types, zeroed,
 * known to nobody but the test, and seams that answer for this task alone.
 */
#ifndef SCHED_TP_ENV_H
#define SCHED_TP_ENV_H

#include <kunit/test.h>
#include <linux/sched/tp_accessor.h>

#include "../internal.h"
#include "../seams.h"

#include <schedtp/callbacks.h>

#include "vectors.h"

/* Objects for a test, freed at its end, and the seams replaced until then. */
struct sched_tp_env *sched_tp_env_create(struct kunit *test);

/* What suites that use an env name as .exit: the seams are the kernel's again. */
void sched_tp_env_exit(struct kunit *test);

#endif /* SCHED_TP_ENV_H */
