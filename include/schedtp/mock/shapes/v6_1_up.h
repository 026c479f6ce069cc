/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Linux 6.1 with nothing that getters depend on: CONFIG_SMP=n too */
#include "release_6_1.h"

/* As it was before 6.16, and before stable releases took that over. */
#define SCHEDTP_MOCK_INT_NR_UNINTERRUPTIBLE 1
