/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The seams of seams.def as functions: each the plain call, unless a test put its own
 * in its place.
 */
#ifndef _KERNEL_SCHED_TP_SEAMS_H
#define _KERNEL_SCHED_TP_SEAMS_H

#include <schedtp/callbacks.h>

/*
 * Replacements, for the task that set them and no other: a tracepoint that hits
 * elsewhere meanwhile sees the kernel's own values. All of them, or none.
 */
struct sched_tp_seams {
#define SCHED_TP_SEAM(ret_t, name, params, args, authority) ret_t (*name)(params);
#include "seams.def"
};

struct sched_tp_seams_override {
	const struct task_struct *owner;
	const struct sched_tp_seams *seams;
};

/* Defined with the tests only; without them no seam refers to it. */
extern struct sched_tp_seams_override sched_tp_seams_override;

#define sched_tp_seams_replaced()							\
	(IS_ENABLED(CONFIG_SCHED_TP_CALLBACKS_KUNIT_TEST) &&				\
	 READ_ONCE(sched_tp_seams_override.owner) == current)

#define SCHED_TP_SEAM(ret, name, params, args, authority)				\
	static __always_inline ret sched_tp_seam_##name(params)			\
	{										\
		if (sched_tp_seams_replaced())						\
			return sched_tp_seams_override.seams->name(args);		\
		return authority;							\
	}
#include "seams.def"

#endif /* _KERNEL_SCHED_TP_SEAMS_H */
