/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Linux 7.3 with nothing that getters depend on: CONFIG_SMP=n too */
#include "release_7_3.h"

