/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Linux 7.3 as distributions configure it, with every option of a getter */
#include "release_7_3.h"

#define CONFIG_CFS_BANDWIDTH 1
#define CONFIG_CGROUP_SCHED 1
#define CONFIG_CPU_FREQ_GOV_SCHEDUTIL 1
#define CONFIG_ENERGY_MODEL 1
#define CONFIG_FAIR_GROUP_SCHED 1
#define CONFIG_HAVE_SCHED_AVG_IRQ 1
#define CONFIG_NO_HZ_COMMON 1
#define CONFIG_RT_MUTEXES 1
#define CONFIG_SCHEDSTATS 1
#define CONFIG_SCHED_AUTOGROUP 1
#define CONFIG_SCHED_CORE 1
#define CONFIG_SCHED_HW_PRESSURE 1
#define CONFIG_SCHED_INFO 1
#define CONFIG_SCHED_PROXY_EXEC 1
#define CONFIG_SMP 1
#define CONFIG_UCLAMP_TASK 1
#define CONFIG_UCLAMP_TASK_GROUP 1
