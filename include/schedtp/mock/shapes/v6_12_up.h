/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Linux 6.12 with nothing that getters depend on: CONFIG_SMP=n too */
#include "release_6_12.h"

