// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * One shape of the mock: the getters of kernel/sched/tp, as they are, compiled
 * over stand-ins of the scheduler's structures.
 *
 * Compiled once for each line of shapes.def, with
 *
 *   SCHEDTP_MOCK_NAME  the name in that line
 *   CONFIG_*           the configuration
 *
 * and an include path on which getters.c and vectors.h are found.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_types.h"
#include "shape.h"

#define PASTE2(a, b)	a##b
#define PASTE(a, b)	PASTE2(a, b)
#define TEXT2(a)	#a
#define TEXT(a)		TEXT2(a)

/* What the seams answer from; a vector puts its own here while it runs. */
static const struct schedtp_mock_scales *scales;

static unsigned long sched_tp_seam_scale_cpu_capacity(int cpu)
{
	return scales && (unsigned int)cpu < scales->nr_cpus ? scales->cpu_capacity[cpu] : 0;
}

static unsigned long sched_tp_seam_scale_freq_capacity(int cpu)
{
	return scales && (unsigned int)cpu < scales->nr_cpus ? scales->freq_capacity[cpu] : 0;
}

/*
 * Every shape has a table of that name, in one program: so each gets a symbol of
 * its own. No macro can rename it, since the tag of its type is the same word.
 */
extern const struct sched_tp_callbacks sched_tp_callbacks
	__asm__("schedtp_mock_table_" TEXT(SCHEDTP_MOCK_NAME));

#include "getters.c"

#define SCHED_TP_VECTORS_DEFINE
#include "vectors.h"

static int shape_config(const char *option)
{
	static const struct {
		const char *option;
		int on;
	} known[] = {
#ifdef CONFIG_SMP
		{ "SMP", 1 },
#else
		{ "SMP", 0 },
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
		{ "FAIR_GROUP_SCHED", 1 },
#else
		{ "FAIR_GROUP_SCHED", 0 },
#endif
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].option, option) == 0)
			return known[i].on;
	return -1;
}

static int shape_boot(const struct schedtp_mock_scales *of_kernel)
{
	if (scales)
		return -EBUSY;
	scales = of_kernel;
	return 0;
}

static void shape_shut_down(void)
{
	scales = NULL;
}

static struct rq *shape_new_rq(int cpu)
{
	struct rq *rq = calloc(1, sizeof(*rq));

	if (!rq)
		return NULL;
#ifdef CONFIG_SMP
	rq->cpu = cpu;
#else
	(void)cpu;
#endif
	rq->cfs.rq = rq;
	return rq;
}

static struct cfs_rq *shape_new_cfs_rq(struct rq *rq)
{
	struct cfs_rq *cfs_rq = calloc(1, sizeof(*cfs_rq));

	if (cfs_rq)
		cfs_rq->rq = rq;
	return cfs_rq;
}

static struct task_struct *shape_new_task(struct cfs_rq *on)
{
	struct task_struct *task = calloc(1, sizeof(*task));

	if (task)
		task->se.cfs_rq = on;
	return task;
}

static struct sched_entity *shape_new_group_se(struct cfs_rq *on, struct cfs_rq *my_q)
{
	struct sched_entity *se = calloc(1, sizeof(*se));

	if (!se)
		return NULL;
	se->cfs_rq = on;
	se->my_q = my_q;
	return se;
}

static struct root_domain *shape_new_root_domain(void)
{
#ifdef CONFIG_SMP
	return calloc(1, sizeof(struct root_domain));
#else
	return NULL;
#endif
}

static struct cfs_rq *shape_root_cfs_rq(struct rq *rq)
{
	return &rq->cfs;
}

static struct rq *shape_rq_of(struct cfs_rq *cfs_rq)
{
	return cfs_rq->rq;
}

static struct sched_entity *shape_task_se(struct task_struct *task)
{
	return &task->se;
}

#ifdef CONFIG_SMP
#define STORE_SMP(object, member, value) ((object)->member = (value), 0)
#else
#define STORE_SMP(object, member, value) ((void)(object), (void)(value), -ENOENT)
#endif

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs)				\
	static int shape_set_##object##_##field(struct object *object, type value)	\
	{										\
		return STORE_##needs(object, member, value);				\
	}
#include "fields.def"

static struct schedtp_mock_vector shape_vector(unsigned int index)
{
	const struct sched_tp_vector *vector = &sched_tp_vectors[index];

	return (struct schedtp_mock_vector){
		.getter = vector->getter,
		.name = vector->name,
		.expected = vector->expected,
	};
}

static unsigned long long shape_run_vector(unsigned int index,
					   const struct sched_tp_callbacks *cb)
{
	const struct schedtp_mock_scales *of_kernel = scales;
	struct rq rq = { 0 };
	struct cfs_rq cfs_rq = { 0 };
	struct sched_entity se = { 0 };
	struct sched_tp_env env = { .rq = &rq, .cfs_rq = &cfs_rq, .se = &se };
	const struct schedtp_mock_scales of_vector = {
		.nr_cpus = SCHED_TP_ENV_CPUS,
		.cpu_capacity = env.cpu_capacity,
		.freq_capacity = env.freq_capacity,
	};
	unsigned long long result;
	struct cfs_rq cfs_rq_before;
	struct sched_entity se_before;
	struct rq rq_before;

	scales = &of_vector;
	sched_tp_vectors[index].setup(&env);
	/* Whole, with what lies between members, for memcmp(). */
	memcpy(&rq_before, &rq, sizeof(rq));
	memcpy(&cfs_rq_before, &cfs_rq, sizeof(cfs_rq));
	memcpy(&se_before, &se, sizeof(se));
	result = sched_tp_vectors[index].get(&env, cb);
	scales = of_kernel;

	/* A getter only reads: one that wrote has no result that anything expects. */
	if (memcmp(&rq_before, &rq, sizeof(rq)) ||
	    memcmp(&cfs_rq_before, &cfs_rq, sizeof(cfs_rq)) ||
	    memcmp(&se_before, &se, sizeof(se)))
		return ~sched_tp_vectors[index].expected;
	return result;
}

const struct schedtp_mock_shape PASTE(schedtp_mock_, SCHEDTP_MOCK_NAME) = {
	.name = TEXT(SCHEDTP_MOCK_NAME),
	.table = &sched_tp_callbacks,
	.config = shape_config,
	.boot = shape_boot,
	.shut_down = shape_shut_down,
	.new_rq = shape_new_rq,
	.new_cfs_rq = shape_new_cfs_rq,
	.new_task = shape_new_task,
	.new_group_se = shape_new_group_se,
	.new_root_domain = shape_new_root_domain,
	.root_cfs_rq = shape_root_cfs_rq,
	.rq_of = shape_rq_of,
	.task_se = shape_task_se,
#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
	.set_##object##_##field = shape_set_##object##_##field,
#include "fields.def"
	.nr_vectors = SCHED_TP_NR_VECTORS,
	.vector = shape_vector,
	.run_vector = shape_run_vector,
};
