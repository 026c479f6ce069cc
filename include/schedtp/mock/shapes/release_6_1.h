/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What Linux 6.1 has: the probes of kernel/series/probes.toml that it passes. */
#define SCHED_TP_HAS_CFS_RQ_MIN_VRUNTIME 1
#define SCHED_TP_HAS_EAGER_DEQUEUE 1
#define SCHED_TP_HAS_RD_OVERLOAD 1
#define SCHED_TP_HAS_RQ_CAPACITY_ORIG 1
#define SCHED_TP_HAS_RT_BANDWIDTH 1
#define SCHED_TP_HAS_UTIL_EST_STRUCT 1
#define SCHED_TP_HAS_OPTION_SCHED_THERMAL_PRESSURE 1

/* Of the list of tracepoints, what it has not. */
#define SCHED_TP_LACKS_sched_compute_energy 1
