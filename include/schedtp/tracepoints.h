/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Probes of the bare tracepoints in a kernel module, in C:
 *
 *	static void on_util_est(void *data, struct sched_entity *se,
 *				const struct sched_tp_callbacks *cb);
 *
 *	err = sched_tp_register(sched_util_est_se, on_util_est, NULL);
 *	...
 *	sched_tp_unregister(sched_util_est_se, on_util_est, NULL);
 *	tracepoint_synchronize_unregister();
 *
 * tracepoints.def lists the names and says what their probes receive.
 *
 * The table alone is not enough to load safely: modules are matched to a kernel
 * by the checksums of symbols, and that of a tracepoint does not cover what it
 * passes. So every registration also refers to the accessor, which a kernel
 * without the table does not export: the loader then refuses the module.
 */
#ifndef SCHEDTP_TRACEPOINTS_H
#define SCHEDTP_TRACEPOINTS_H

#ifndef SCHED_TP_IN_TREE
#ifndef __KERNEL__
#error "schedtp/tracepoints.h is for kernel modules: in userspace use schedtp/mock/mock.hpp"
#include <schedtp/not_without_the_kernel.h>
#endif
#if !__has_include("linux/sched/tp_accessor.h")
#error "schedtp: this kernel tree is without the series: apply it first (make apply KDIR=...)"
/* A file that is nowhere ends the compilation, and so keeps this the one message. */
#include <schedtp/not_without_the_series.h>
#endif
#if defined(CONFIG_CC_IS_CLANG) && !defined(__clang__)
#error "schedtp: clang built this kernel, and another compiler builds the module: give make LLVM=1"
#include <schedtp/not_with_another_compiler.h>
#elif !defined(CONFIG_CC_IS_CLANG) && defined(__clang__)
#error "schedtp: gcc built this kernel, and clang builds the module: leave out LLVM=1 or CC=clang"
#include <schedtp/not_with_another_compiler.h>
#endif
#endif
#include <linux/sched/tp_accessor.h>

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include <schedtp/callbacks.h>

/**
 * sched_tp_has_tracepoint - whether this kernel has a tracepoint of the list
 * @name:	the tracepoint, as tracepoints.def lists it, in any kernel
 *
 * Return: 1 or 0, as a constant: one probe source serves kernels that differ.
 */
#define sched_tp_has_tracepoint(name)	(!__is_defined(SCHED_TP_LACKS_##name))

/* sched_tp_probe_NAME: the type of a probe of that tracepoint. */
#define SCHED_TP_TRACEPOINT(name, params, args)                      \
	typedef void (*sched_tp_probe_##name)(void *data, params,    \
					      const struct sched_tp_callbacks *cb);
#include <schedtp/tracepoints.def>

/* The condition is there to make a function a pointer, as it is when it is passed. */
#define SCHED_TP_CHECK_PROBE(name, probe)                                                    \
	static_assert(__builtin_types_compatible_p(__typeof__(1 ? (probe) : (probe)),        \
						   sched_tp_probe_##name),                   \
		      "schedtp: " #probe "() is no probe of " #name                          \
		      ": it takes void *data, the parameters that schedtp/tracepoints.def "  \
		      "lists, and last const struct sched_tp_callbacks *cb")

/**
 * sched_tp_register - call a probe whenever a bare tracepoint fires
 * @name:	the tracepoint, as tracepoints.def lists it
 * @probe:	a function; one of another prototype does not compile
 * @data:	what to give it as its first argument
 *
 * Return: 0; -EPROTONOSUPPORT if the kernel's table has another major version;
 * -EOPNOTSUPP if this kernel has no such tracepoint, see sched_tp_has_tracepoint();
 * else what tracepoint_probe_register() returns, as -EEXIST for a probe that is
 * registered already with that @data, of which the kernel also warns. Context: may
 * sleep.
 */
#define sched_tp_register(name, probe, data)                                                 \
	({                                                                                   \
		SCHED_TP_CHECK_PROBE(name, probe);                                           \
		sched_tp_accept(sched_tp_get_callbacks()) ?                                  \
			register_trace_##name##_tp(probe, data) : -EPROTONOSUPPORT;          \
	})

/**
 * sched_tp_unregister - undo sched_tp_register()
 * @name:	the tracepoint
 * @probe:	the function
 * @data:	the same pointer as at registration: it is part of the identity
 *
 * The probe may still be running when this returns. Call
 * tracepoint_synchronize_unregister() once after the last one, before anything
 * that the probes use goes away, the module's own text included.
 *
 * Return: 0; -ENOENT if nothing is registered at the tracepoint, or this kernel has
 * none of that name. A pair that is not
 * registered while others are is no error to the kernel. Context: may sleep.
 */
#define sched_tp_unregister(name, probe, data)                    \
	({                                                        \
		SCHED_TP_CHECK_PROBE(name, probe);                \
		unregister_trace_##name##_tp(probe, data);        \
	})

#endif /* SCHEDTP_TRACEPOINTS_H */
