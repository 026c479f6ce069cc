/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Getters for probes of the scheduler's bare tracepoints.
 *
 * A bare tracepoint hands its probes objects whose types modules cannot see:
 * struct cfs_rq, struct rq, struct root_domain. Its last argument is a table of
 * functions that read them, struct sched_tp_callbacks, and this is all a probe
 * needs to know of it:
 *
 *	static void probe(void *data, struct sched_entity *se,
 *			  const struct sched_tp_callbacks *cb)
 *	{
 *		unsigned int util = sched_tp_get(cb, se_util_est, se, 0);
 *		...
 *	}
 *
 * The table is for tracing and debugging. It is no ABI towards userspace. Towards
 * modules it is versioned: within a major version it only grows, at the end, so
 * that a module and a kernel of different minor versions work together, each
 * with what the other has.
 *
 * The getters are listed, and documented one by one, in getters.def.
 */
#ifndef _LINUX_SCHED_TP_CALLBACKS_H
#define _LINUX_SCHED_TP_CALLBACKS_H

#ifdef SCHED_TP_IN_TREE
#include <linux/compiler_types.h>
#include <linux/types.h>
#else /* SCHED_TP_IN_TREE is only ever defined to make the copy for a kernel tree */
#ifdef __cplusplus
#define SCHED_TP_BOOL		bool
#else
#define SCHED_TP_BOOL		_Bool
#endif

#ifndef __no_randomize_layout
#define __no_randomize_layout
#endif
#endif

#include "bulk.h"

#define SCHED_TP_VERSION_MAJOR	1u
#define SCHED_TP_VERSION_MINOR	1u
#define SCHED_TP_VERSION	(SCHED_TP_VERSION_MAJOR << 16 | SCHED_TP_VERSION_MINOR)

#define SCHED_TP_PARAMS(...)	__VA_ARGS__
#define SCHED_TP_ARGS(...)	__VA_ARGS__

#ifdef __cplusplus
extern "C" {
#endif

struct cfs_rq;
struct dl_rq;
struct root_domain;
struct rq;
struct rt_rq;
struct sched_dl_entity;
struct sched_domain;
struct sched_entity;
struct task_group;
struct task_struct;

/**
 * struct sched_tp_callbacks - the table of getters
 * @size:	bytes of the table as the kernel has it. A getter whose slot ends
 *		beyond it is not there, and must not even be looked at.
 * @version:	major version in the upper 16 bits, minor in the lower. Another
 *		major means another layout: see sched_tp_accept().
 *
 * The rest are the slots, in the order of the list. A slot is NULL where this
 * kernel, or its configuration, cannot answer. Call a slot through
 * sched_tp_get() only, which tests all this.
 *
 * The table is constant and lives as long as the kernel: the pointer may be kept
 * and used from any context.
 */
struct sched_tp_callbacks {
	unsigned int size;
	unsigned int version;
#define SCHED_TP_GETTER_VOID(since, ret_t, name, needs) ret_t (*name)(void);
#define SCHED_TP_GETTER(since, ret_t, name, params, args, needs) ret_t (*name)(params);
#include "getters.def"
} __no_randomize_layout;

/*
 * Identifiers of the getters: positions in the list, and so the order of the
 * slots. SCHED_TP_NR_GETTERS is how many these headers know.
 */
enum sched_tp_getter {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) SCHED_TP_GETTER_##name,
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) SCHED_TP_GETTER_##name,
#include "getters.def"
	SCHED_TP_NR_GETTERS
};

/* Bytes of the header, which never grows, and of one slot. */
#define SCHED_TP_HEADER_SIZE	8u
#define SCHED_TP_SLOT_SIZE	((unsigned int)sizeof(void (*)(void)))

/* Bytes a table must have to hold @getter: where its slot ends. */
#define SCHED_TP_SIZE_WITH(getter) \
	(SCHED_TP_HEADER_SIZE + (SCHED_TP_GETTER_##getter + 1u) * SCHED_TP_SLOT_SIZE)

/* What each minor version published: a table of that version is so big. */
#define SCHED_TP_SIZE_VER0	SCHED_TP_SIZE_WITH(rq_cpu_current_capacity)
#define SCHED_TP_SIZE_VER1	SCHED_TP_SIZE_WITH(task_identity)

SCHED_TP_STATIC_ASSERT(__builtin_offsetof(struct sched_tp_callbacks, size) == 0,
		       "size is first");
SCHED_TP_STATIC_ASSERT(__builtin_offsetof(struct sched_tp_callbacks, version) == 4,
		       "version is second");
SCHED_TP_STATIC_ASSERT(__builtin_offsetof(struct sched_tp_callbacks, errata) ==
			       SCHED_TP_HEADER_SIZE,
		       "errata is slot 0, at the end of the header");
SCHED_TP_STATIC_ASSERT(sizeof(struct sched_tp_callbacks) ==
			       SCHED_TP_HEADER_SIZE +
				       SCHED_TP_NR_GETTERS * SCHED_TP_SLOT_SIZE,
		       "slots only, and no hole between them");
SCHED_TP_STATIC_ASSERT(SCHED_TP_SIZE_VER0 ==
			       SCHED_TP_HEADER_SIZE + 4 * SCHED_TP_SLOT_SIZE,
		       "version 0 was published with 4 slots");
SCHED_TP_STATIC_ASSERT(SCHED_TP_SIZE_VER1 ==
			       SCHED_TP_HEADER_SIZE + 220 * SCHED_TP_SLOT_SIZE,
		       "version 1 was published with 220 slots");
#define SCHED_TP_GETTER_VOID(since, ret, name, needs)                                        \
	SCHED_TP_STATIC_ASSERT(__builtin_offsetof(struct sched_tp_callbacks, name) ==        \
				       SCHED_TP_SIZE_WITH(name) - SCHED_TP_SLOT_SIZE,        \
			       #name ": its slot is where its place in the list says");      \
	SCHED_TP_STATIC_ASSERT((since) <= SCHED_TP_VERSION_MINOR,                            \
			       #name ": a getter of a minor version yet to come: raise it");
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include "getters.def"

/**
 * sched_tp_accept - check once that a table is of a kind this code can read
 * @cb: a table, or NULL
 *
 * Return: @cb if it has the header and the major version of these headers, else
 * NULL, of which sched_tp_has() says that it has nothing. The registration macro
 * of schedtp/tracepoints.h does this before any probe sees the table; who gets a
 * table some other way does it itself. Any context.
 */
static inline const struct sched_tp_callbacks *
sched_tp_accept(const struct sched_tp_callbacks *cb)
{
	if (cb && cb->size >= SCHED_TP_HEADER_SIZE &&
	    cb->version >> 16 == SCHED_TP_VERSION_MAJOR)
		return cb;
#ifdef __cplusplus
	return nullptr;
#else
	return (void *)0;
#endif
}

/*
 * For each getter:
 *
 *   sched_tp_has_GETTER(cb)
 *	1 if the table has it, 0 if this kernel or its configuration has not, or
 *	@cb is NULL. Not a question about an object.
 *
 *   sched_tp_get_GETTER(cb, ..., absent)
 *	What it says of the object, or @absent where the table has it not. One
 *	size test, one load of the slot, one call.
 *
 * Neither looks at a slot beyond cb->size. @cb is a table that sched_tp_accept()
 * accepted. Any context, NMI included. A slot is called in parentheses, as some getters
 * have the name of a macro of the scheduler: task_rq().
 */
#define SCHED_TP_GETTER_VOID(since, ret, name, needs)                                        \
	static inline int sched_tp_has_##name(const struct sched_tp_callbacks *cb)           \
	{                                                                                    \
		return cb && cb->size >= SCHED_TP_SIZE_WITH(name) && cb->name;               \
	}
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) \
	SCHED_TP_GETTER_VOID(since, ret, name, needs)
#include "getters.def"

#define SCHED_TP_GETTER_VOID(since, ret, name, needs)                                        \
	static inline ret sched_tp_get_##name(const struct sched_tp_callbacks *cb,           \
					      ret absent)                                    \
	{                                                                                    \
		return sched_tp_has_##name(cb) ? (*cb->name)() : absent;                        \
	}
#define SCHED_TP_GETTER(since, ret, name, params, args, needs)                               \
	static inline ret sched_tp_get_##name(const struct sched_tp_callbacks *cb, params,   \
					      ret absent)                                    \
	{                                                                                    \
		return sched_tp_has_##name(cb) ? (*cb->name)(args) : absent;                    \
	}
#include "getters.def"

/**
 * sched_tp_has - does the table have a getter?
 * @cb:		the table
 * @getter:	its name in the list, as se_util_est
 *
 * Return: 1 if so, else 0.
 */
#define sched_tp_has(cb, getter)	sched_tp_has_##getter(cb)

/**
 * sched_tp_get - call a getter, guarded
 * @cb:		the table
 * @getter:	its name in the list, as se_util_est
 * @...:	its arguments, then the value to give where the table lacks it
 *
 * Return: what the getter returns, or the last argument.
 */
#define sched_tp_get(cb, getter, ...)	sched_tp_get_##getter(cb, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif /* _LINUX_SCHED_TP_CALLBACKS_H */
