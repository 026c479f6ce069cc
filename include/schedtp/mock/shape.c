// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * One shape of the mock: the getters of kernel/sched/tp, as they are, compiled
 * over stand-ins of the scheduler's structures.
 *
 * Compiled once for each line of shapes.def, with
 *
 *   SCHEDTP_MOCK_NAME  the name in that line
 *
 * the configuration of shapes/NAME.h, and an include path on which getters.c and vectors.h are found.
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

struct sched_tp_seams {
#define SCHED_TP_SEAM(ret, name, params, args, authority) ret (*name)(params);
#include "seams.def"
};

/* Who answers now: the machine of the test's kernel, or the vector that runs. */
static const struct sched_tp_seams *seams;

#define SCHED_TP_SEAM(ret, name, params, args, authority)				\
	static inline ret sched_tp_seam_##name(params)					\
	{										\
		return seams->name(args);						\
	}
#include "seams.def"

/*
 * Every shape has a table of that name, in one program: so each gets a symbol of
 * its own. No macro can rename it, since the tag of its type is the same word.
 */
extern const struct sched_tp_callbacks sched_tp_callbacks
	__asm__("schedtp_mock_table_" TEXT(SCHEDTP_MOCK_NAME));

#include "getters.c"

#define SCHED_TP_VECTORS_DEFINE
#include "vectors.h"

#include "env_seams.h"

static const struct schedtp_mock_machine *machine;

static bool machine_has(int cpu)
{
	return machine && (unsigned int)cpu < machine->nr_cpus;
}

static unsigned long machine_scale_cpu_capacity(int cpu)
{
	return machine_has(cpu) ? machine->cpu_capacity[cpu] : 0;
}

static unsigned long machine_scale_freq_capacity(int cpu)
{
	return machine_has(cpu) ? machine->freq_capacity[cpu] : 0;
}

static const struct rq *machine_rq_of_cpu(int cpu)
{
	return machine_has(cpu) ? machine->rqs[cpu] : NULL;
}

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_CFS_TG_STATE)
static const struct cfs_rq *machine_cfs_rq_on_cpu(const struct cfs_rq *queues, int cpu)
{
	return machine_has(cpu) ? ((struct cfs_rq *const *)queues)[cpu] : NULL;
}
#endif

#ifdef SCHED_TP_SMP
static bool machine_feat_util_est(void)
{
	return machine && !machine->no_util_est;
}

static bool machine_energy_aware(void)
{
	return machine && machine->energy_aware;
}

#ifdef SCHED_TP_HAS_CPUFREQ_PRESSURE
static unsigned long machine_cpufreq_pressure(int cpu)
{
	return machine_has(cpu) ? machine->cpufreq_pressure[cpu] : 0;
}
#endif
#endif

#ifdef CONFIG_UCLAMP_TASK
static bool machine_uclamp_used(void)
{
	return machine && machine->uclamp_used;
}
#endif

static unsigned int machine_cpu_ids(void)
{
	return machine ? machine->nr_cpus : 0;
}

/* As the kernel says it where neither the group nor the system has limits. */
static unsigned long machine_uclamp_eff(const struct task_struct *p, int id)
{
#ifdef CONFIG_UCLAMP_TASK
	return p->uclamp[id].active ? p->uclamp[id].value : p->uclamp_req[id].value;
#else
	return id == UCLAMP_MIN ? 0 : SCHED_CAPACITY_SCALE;
#endif
}

#ifdef SCHED_TP_HAS_TASK_BLOCKED_ON
static bool machine_proxy_exec(void)
{
	return true;
}
#endif

static const struct sched_tp_seams machine_seams = {
#define SCHED_TP_SEAM(ret, name, params, args, authority) .name = machine_##name,
#include "seams.def"
};

static const struct sched_tp_seams *seams = &machine_seams;

/* 1 for a macro that is defined as 1, else 0. */
#define IS_ON(macro) IS_ON_PASTED(macro)
#define IS_ON_PASTED(value) IS_ON_CHOSEN(IS_ON_COMMA_##value 1, 0, 0)
#define IS_ON_COMMA_1 0,
#define IS_ON_CHOSEN(...) IS_ON_SECOND(__VA_ARGS__)
#define IS_ON_SECOND(ignored, value, ...) value

static int shape_config(const char *option)
{
	static const struct {
		const char *option;
		int on;
	} known[] = {
		{ "SMP", IS_ON(SCHED_TP_SMP) },
#define SCHED_TP_OPTION(name) { #name, IS_ON(CONFIG_##name) },
#define SCHED_TP_PROBE(name) { "HAS_" #name, IS_ON(SCHED_TP_HAS_##name) },
#include "options.def"
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].option, option) == 0)
			return known[i].on;
	return -1;
}

/* A release says which it lacks as the accessor's header of such a tree does. */
static int shape_has_tracepoint(const char *name)
{
	static const struct {
		const char *name;
		int lacks;
	} known[] = {
#define SCHED_TP_TRACEPOINT(name, params, args) { #name, IS_ON(SCHED_TP_LACKS_##name) },
#include <schedtp/tracepoints.def>
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0)
			return !known[i].lacks;
	return 0;
}

#ifdef CONFIG_CGROUP_SCHED
/* What a cgroup is made of, and the arrays of its task group. */
struct new_task_group {
	struct task_group tg;
	struct cgroup cgroup;
	struct kernfs_node node;
#ifdef CONFIG_SCHED_AUTOGROUP
	struct autogroup autogroup;
#endif
	struct sched_entity **se;
	void *pointers[];
};

static struct new_task_group *root_group;

/* With room for an array of queues, one of entities, and a name. */
static struct new_task_group *alloc_task_group(const char *name)
{
	struct new_task_group *group;
	size_t arrays = 2 * machine->nr_cpus * sizeof(void *);

	group = calloc(1, sizeof(*group) + arrays + strlen(name) + 1);
	if (!group)
		return NULL;
	group->node.name = strcpy((char *)group->pointers + arrays, name);
	group->cgroup.kn = &group->node;
#ifdef CONFIG_FAIR_GROUP_SCHED
	group->tg.cfs_rq = (void *)group->pointers;
	group->se = (void *)(group->pointers + machine->nr_cpus);
#ifndef SCHED_TP_HAS_CFS_TG_STATE
	group->tg.se = group->se;
#endif
#endif
	return group;
}

static struct task_group *shape_root_task_group(void)
{
	return &root_task_group;
}

static struct task_group *shape_new_task_group(struct task_group *parent, const char *name,
					       unsigned long long id)
{
	struct new_task_group *group = alloc_task_group(name);

	if (!group)
		return NULL;
	group->tg.css.cgroup = &group->cgroup;
	group->node.id = id;
#ifdef SCHED_TP_HAS_LOCKLESS_CGROUP_PATH
	group->node.__parent = parent->css.cgroup->kn;
#else
	group->node.parent = parent->css.cgroup->kn;
#endif
	return &group->tg;
}

static struct task_group *shape_new_autogroup(unsigned long id)
{
#ifdef CONFIG_SCHED_AUTOGROUP
	struct new_task_group *group = alloc_task_group("");

	if (!group)
		return NULL;
	group->autogroup.id = id;
	group->tg.autogroup = &group->autogroup;
	return &group->tg;
#else
	return NULL;
#endif
}

static int boot_root_task_group(void)
{
	root_group = alloc_task_group("");
	if (!root_group)
		return -ENOMEM;
	root_group->node.id = 1;
	root_task_group = root_group->tg;
	root_task_group.css.cgroup = &root_group->cgroup;
#ifdef CONFIG_FAIR_GROUP_SCHED
	for (unsigned int cpu = 0; cpu < machine->nr_cpus; cpu++)
		root_group->pointers[cpu] = &machine->rqs[cpu]->cfs;
#endif
	return 0;
}

static void shut_down_root_task_group(void)
{
	free(root_group);
	memset(&root_task_group, 0, sizeof(root_task_group));
}
#else
static struct task_group *shape_root_task_group(void)
{
	return NULL;
}

static struct task_group *shape_new_task_group(struct task_group *parent, const char *name,
					       unsigned long long id)
{
	return NULL;
}

static struct task_group *shape_new_autogroup(unsigned long id)
{
	return NULL;
}

static int boot_root_task_group(void)
{
	return 0;
}

static void shut_down_root_task_group(void)
{
}
#endif

static int shape_boot(const struct schedtp_mock_machine *of_kernel)
{
	int error;

	if (machine)
		return -EBUSY;
	machine = of_kernel;
	error = boot_root_task_group();
	if (error)
		machine = NULL;
	return error;
}

static void shape_shut_down(void)
{
	shut_down_root_task_group();
	machine = NULL;
}

static struct rq *shape_new_rq(int cpu)
{
	struct rq *rq = calloc(1, sizeof(*rq));

	if (!rq)
		return NULL;
#ifdef SCHED_TP_SMP
	rq->cpu = cpu;
	rq->cpu_capacity = SCHED_CAPACITY_SCALE;
#ifdef SCHED_TP_HAS_RQ_CAPACITY_ORIG
	rq->cpu_capacity_orig = SCHED_CAPACITY_SCALE;
#endif
#else
	(void)cpu;
#endif
#ifdef CONFIG_UCLAMP_TASK
	rq->uclamp[UCLAMP_MAX].value = SCHED_CAPACITY_SCALE;
	rq->uclamp_flags = UCLAMP_FLAG_IDLE;
#endif
#ifdef CONFIG_SCHED_CORE
	rq->core = rq;
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
	rq->cfs.rq = rq;
	rq->cfs.tg = &root_task_group;
#endif
	return rq;
}

#ifdef CONFIG_FAIR_GROUP_SCHED
#ifndef SCHED_TP_HAS_CFS_TG_STATE
struct cfs_tg_state {
	struct cfs_rq cfs_rq;
	struct sched_entity se;
};
#endif

static struct cfs_rq *shape_new_group(struct cfs_rq *on, struct task_group *tg)
{
	struct new_task_group *group = container_of(tg, struct new_task_group, tg);
	struct cfs_tg_state *state = calloc(1, sizeof(*state));
	unsigned int cpu = 0;

	if (!state)
		return NULL;
	while (machine->rqs[cpu] != on->rq)
		cpu++;
	state->cfs_rq.rq = on->rq;
	state->cfs_rq.tg = tg;
	state->se.cfs_rq = on;
	state->se.my_q = &state->cfs_rq;
	group->pointers[cpu] = &state->cfs_rq;
	group->se[cpu] = &state->se;
	return &state->cfs_rq;
}

static struct sched_entity *shape_group_se(struct cfs_rq *of_group)
{
	return &container_of(of_group, struct cfs_tg_state, cfs_rq)->se;
}
#else
static struct cfs_rq *shape_new_group(struct cfs_rq *on, struct task_group *tg)
{
	return NULL;
}

static struct sched_entity *shape_group_se(struct cfs_rq *of_group)
{
	return NULL;
}
#endif

static struct rq *shape_rq_of(struct cfs_rq *cfs_rq)
{
#ifdef CONFIG_FAIR_GROUP_SCHED
	return cfs_rq->rq;
#else
	return container_of(cfs_rq, struct rq, cfs);
#endif
}

static struct task_struct *shape_new_task(struct cfs_rq *on)
{
	struct task_struct *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
#ifdef CONFIG_FAIR_GROUP_SCHED
	task->se.cfs_rq = on;
	task->sched_task_group = on->tg;
#endif
#ifdef SCHED_TP_SMP
	task_thread_info(task)->cpu = shape_rq_of(on)->cpu;
#endif
	return task;
}

/* With its masks, in one piece: whoever has it frees one thing. */
static struct root_domain *shape_new_root_domain(void)
{
#ifdef SCHED_TP_SMP
	struct {
		struct root_domain rd;
		struct cpumask masks[4];
	} *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
#ifdef CONFIG_CPUMASK_OFFSTACK
	made->rd.span = &made->masks[0];
	made->rd.online = &made->masks[1];
	made->rd.rto_mask = &made->masks[2];
	made->rd.dlo_mask = &made->masks[3];
#endif
	return &made->rd;
#else
	return NULL;
#endif
}

static unsigned long *shape_rd_mask(struct root_domain *rd, enum schedtp_mock_rd_mask which)
{
#ifdef SCHED_TP_SMP
	switch (which) {
	case SCHEDTP_MOCK_RD_SPAN:
		return cpumask_bits(rd->span);
	case SCHEDTP_MOCK_RD_ONLINE:
		return cpumask_bits(rd->online);
	case SCHEDTP_MOCK_RD_RTO_MASK:
		return cpumask_bits(rd->rto_mask);
	case SCHEDTP_MOCK_RD_DLO_MASK:
		return cpumask_bits(rd->dlo_mask);
	}
#endif
	return NULL;
}

static void shape_set_comm(struct task_struct *task, const char *name)
{
	strncpy(task->comm, name, sizeof(task->comm) - 1);
}

static struct cfs_rq *shape_root_cfs_rq(struct rq *rq)
{
	return &rq->cfs;
}

static void shape_set_capacity(struct rq *rq, unsigned long capacity)
{
#if defined(SCHED_TP_SMP) && defined(SCHED_TP_HAS_RQ_CAPACITY_ORIG)
	rq->cpu_capacity_orig = capacity;
#else
	(void)rq;
	(void)capacity;
#endif
}

static struct sched_entity *shape_task_se(struct task_struct *task)
{
	return &task->se;
}

static struct sched_dl_entity *shape_task_dl(struct task_struct *task)
{
	return &task->dl;
}

static struct rt_rq *shape_rt_rq(struct rq *rq)
{
	return &rq->rt;
}

static struct dl_rq *shape_dl_rq(struct rq *rq)
{
	return &rq->dl;
}

/* The kernel's is part of the rq; what getters do with it is the same. */
static struct sched_dl_entity *shape_new_dl_server(struct rq *rq)
{
#ifdef SCHED_TP_HAS_DL_SERVER
	struct sched_dl_entity *server = calloc(1, sizeof(*server));

	if (!server)
		return NULL;
	server->dl_server = 1;
	server->rq = rq;
	return server;
#else
	return NULL;
#endif
}

#define STORE(object, member, value) ((object)->member = (value), 0)
#define LACK(object, member, value) ((void)(object), (void)(value), -ENOENT)

#define STORE_ALWAYS STORE
#ifdef SCHED_TP_SMP
#define STORE_SMP STORE
#else
#define STORE_SMP LACK
#endif
#ifdef CONFIG_HAVE_SCHED_AVG_IRQ
#define STORE_HAVE_SCHED_AVG_IRQ STORE
#else
#define STORE_HAVE_SCHED_AVG_IRQ LACK
#endif
#if defined(CONFIG_SCHED_HW_PRESSURE) || defined(CONFIG_SCHED_THERMAL_PRESSURE)
#define STORE_SCHED_HW_PRESSURE STORE
#else
#define STORE_SCHED_HW_PRESSURE LACK
#endif
#ifdef CONFIG_UCLAMP_TASK
#define STORE_UCLAMP_TASK STORE
#else
#define STORE_UCLAMP_TASK LACK
#endif
#ifdef CONFIG_RT_MUTEXES
#define STORE_RT_MUTEXES STORE
#else
#define STORE_RT_MUTEXES LACK
#endif
#ifdef CONFIG_SCHED_CORE
#define STORE_SCHED_CORE STORE
#else
#define STORE_SCHED_CORE LACK
#endif
#ifdef CONFIG_SCHEDSTATS
#define STORE_SCHEDSTATS STORE
#else
#define STORE_SCHEDSTATS LACK
#endif
#ifdef CONFIG_NO_HZ_COMMON
#define STORE_NO_HZ_COMMON STORE
#else
#define STORE_NO_HZ_COMMON LACK
#endif
#ifdef CONFIG_SCHED_CLASS_EXT
#define STORE_SCHED_CLASS_EXT STORE
#else
#define STORE_SCHED_CLASS_EXT LACK
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
#define STORE_FAIR_GROUP_SCHED STORE
#else
#define STORE_FAIR_GROUP_SCHED LACK
#endif
#ifdef CONFIG_CFS_BANDWIDTH
#define STORE_CFS_BANDWIDTH STORE
#else
#define STORE_CFS_BANDWIDTH LACK
#endif
#ifdef SCHED_TP_HAS_SE_SCHED_DELAYED
#define STORE_HAS_SE_SCHED_DELAYED STORE
#else
#define STORE_HAS_SE_SCHED_DELAYED LACK
#endif
#ifdef SCHED_TP_HAS_SE_DEADLINE
#define STORE_HAS_SE_DEADLINE STORE
#else
#define STORE_HAS_SE_DEADLINE LACK
#endif

#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs)				\
	static int shape_set_##object##_##field(struct object *object, type value)	\
	{										\
		return STORE_##needs(object, member, value);				\
	}
#include "fields.def"

static struct schedtp_mock_vector shape_vector(unsigned int index)
{
	return (struct schedtp_mock_vector){
		.getter = sched_tp_vectors[index].getter,
		.name = sched_tp_vectors[index].name,
	};
}

/* Objects of a vector, in one piece to compare: zeroed whole, holes included. */
struct vector_objects {
#define SCHED_TP_ENV_OBJECT(tag, name) struct tag name;
	SCHED_TP_ENV_OBJECTS
#undef SCHED_TP_ENV_OBJECT
};

static unsigned long long shape_run_vector(unsigned int index,
					   const struct sched_tp_callbacks *cb,
					   unsigned long long *expected)
{
	const struct sched_tp_vector *vector = &sched_tp_vectors[index];
	static struct vector_objects objects, before;
	struct sched_tp_env_out out = { .bytes = { 0 } };
	struct sched_tp_env env = {
#define SCHED_TP_ENV_OBJECT(tag, name) .name = &objects.name,
		SCHED_TP_ENV_OBJECTS
#undef SCHED_TP_ENV_OBJECT
		.out = &out,
	};
	unsigned long long result;

	memset(&objects, 0, sizeof(objects));
#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_CFS_TG_STATE)
	/* The root group has queues, booted or not. */
	struct cfs_rq *root_queues = root_task_group.cfs_rq;

	root_task_group.cfs_rq = (void *)env.cfs_rq_of_cpu;
#endif
	sched_tp_env = &env;
	seams = &sched_tp_env_seams;
	vector->setup(&env);
	memcpy(&before, &objects, sizeof(objects));
	*expected = vector->expected(&env);
	result = vector->get(&env, cb);
	seams = &machine_seams;
	sched_tp_env = NULL;
#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_CFS_TG_STATE)
	root_task_group.cfs_rq = root_queues;
#endif

	/* A getter only reads: one that wrote has no result that anything expects. */
	if (memcmp(&before, &objects, sizeof(objects)))
		return ~*expected;
	return result;
}

const struct schedtp_mock_shape PASTE(schedtp_mock_, SCHEDTP_MOCK_NAME) = {
	.name = TEXT(SCHEDTP_MOCK_NAME),
	.table = &sched_tp_callbacks,
	.config = shape_config,
	.has_tracepoint = shape_has_tracepoint,
	.boot = shape_boot,
	.shut_down = shape_shut_down,
	.new_rq = shape_new_rq,
	.new_task = shape_new_task,
	.new_task_group = shape_new_task_group,
	.new_autogroup = shape_new_autogroup,
	.new_group = shape_new_group,
	.root_task_group = shape_root_task_group,
	.group_se = shape_group_se,
	.new_root_domain = shape_new_root_domain,
	.new_dl_server = shape_new_dl_server,
	.rd_mask = shape_rd_mask,
	.set_comm = shape_set_comm,
	.root_cfs_rq = shape_root_cfs_rq,
	.rq_of = shape_rq_of,
	.task_se = shape_task_se,
	.task_dl = shape_task_dl,
	.rt_rq = shape_rt_rq,
	.dl_rq = shape_dl_rq,
	.set_capacity = shape_set_capacity,
#define SCHEDTP_MOCK_FIELD(object, field, member, type, needs) \
	.set_##object##_##field = shape_set_##object##_##field,
#include "fields.def"
	.nr_vectors = SCHED_TP_NR_VECTORS,
	.vector = shape_vector,
	.run_vector = shape_run_vector,
};
