// SPDX-License-Identifier: GPL-2.0
/*
 * The table that the bare tracepoints of the scheduler hand to their probes.
 */

#include "internal.h"
#include "seams.h"

#if IS_ENABLED(CONFIG_SCHED_TP_CALLBACKS_KUNIT_TEST)
struct sched_tp_seams_override sched_tp_seams_override;
#endif
#if IS_MODULE(CONFIG_SCHED_TP_CALLBACKS_KUNIT_TEST)
EXPORT_SYMBOL_GPL(sched_tp_seams_override);
#endif

#include "getters.c"
