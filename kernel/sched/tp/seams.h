/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Seams: what getters need and no object holds, each behind one function, so that a
 * test can put its own value there.
 */
#ifndef _KERNEL_SCHED_TP_SEAMS_H
#define _KERNEL_SCHED_TP_SEAMS_H

/*
 * Replacements, for the task that set them and no other: a tracepoint that hits
 * elsewhere meanwhile sees the kernel's own values. NULL is no replacement.
 */
struct sched_tp_seams {
	const struct task_struct *owner;
	unsigned long (*scale_cpu_capacity)(int cpu);
	unsigned long (*scale_freq_capacity)(int cpu);
};

/* Defined with the tests only; without them no seam refers to it. */
extern struct sched_tp_seams sched_tp_seams;

#define sched_tp_seam_replaced(name)						\
	(IS_ENABLED(CONFIG_SCHED_TP_CALLBACKS_KUNIT_TEST) &&			\
	 READ_ONCE(sched_tp_seams.owner) == current && sched_tp_seams.name)

/* Capacity of a CPU at its highest frequency. */
static __always_inline unsigned long sched_tp_seam_scale_cpu_capacity(int cpu)
{
	if (sched_tp_seam_replaced(scale_cpu_capacity))
		return sched_tp_seams.scale_cpu_capacity(cpu);

	return arch_scale_cpu_capacity(cpu);
}

/* Current over highest frequency, in 1024ths. */
static __always_inline unsigned long sched_tp_seam_scale_freq_capacity(int cpu)
{
	if (sched_tp_seam_replaced(scale_freq_capacity))
		return sched_tp_seams.scale_freq_capacity(cpu);

	return arch_scale_freq_capacity(cpu);
}

#endif /* _KERNEL_SCHED_TP_SEAMS_H */
