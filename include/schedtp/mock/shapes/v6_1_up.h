/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Linux 6.1 with nothing that getters depend on: CONFIG_SMP=n too */
#include "release_6_1.h"

