/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Stand-ins for what the getters and their vectors use of the kernel.
 *
 * Included by shape.c only: what a struct has depends on the shape that is compiled,
 * by the macros of shapes/NAME.h: CONFIG_x of a configuration, SCHED_TP_HAS_x of a
 * release. The fields have the kernel's names and types; their order and their
 * neighbours are nobody's business.
 */
#ifndef SCHEDTP_MOCK_KERNEL_TYPES_H
#define SCHEDTP_MOCK_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>

#if __SIZEOF_LONG__ == 8
#define CONFIG_64BIT 1
#endif

/* Whether the scheduler has its SMP members. */
#if defined(CONFIG_SMP) || defined(SCHED_TP_HAS_UNIFIED_SMP)
#define SCHED_TP_SMP 1
#endif

/* --- types and macros of the kernel at large --- */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

typedef s64 ktime_t;

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	long counter;
} atomic_long_t;

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define notrace
#define __percpu
#define __rcu
#undef __always_inline
#define __always_inline inline
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_long_read(v) READ_ONCE((v)->counter)
#define container_of(ptr, type, member) \
	((type *)((char *)(__typeof__(((type *)0)->member) *)(ptr) - offsetof(type, member)))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define __rcu
#define rcu_access_pointer(p) READ_ONCE(p)
#define RCU_INIT_POINTER(p, v) ((p) = (v))

#define rcu_dereference_raw(p) READ_ONCE(p)
#define RCU_INIT_POINTER(p, v) ((p) = (v))
#define rcu_read_lock_sched_notrace() ((void)0)
#define rcu_read_unlock_sched_notrace() ((void)0)

#define SCHED_CAPACITY_SHIFT 10
#define SCHED_CAPACITY_SCALE (1UL << SCHED_CAPACITY_SHIFT)

#define UTIL_AVG_UNCHANGED 0x80000000u

#define rcu_access_pointer(p) READ_ONCE(p)

#define BITS_PER_LONG (8 * __SIZEOF_LONG__)
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define BITMAP_LAST_WORD_MASK(bits) (~0UL >> (-(bits) & (BITS_PER_LONG - 1)))

/* --- struct cpumask: as big as the biggest kernels have it --- */

#define NR_CPUS 8192

struct cpumask {
	unsigned long bits[BITS_TO_LONGS(NR_CPUS)];
};

#define cpumask_bits(mask) ((mask)->bits)

/* In another struct it is the mask itself, or a pointer to one. */
#ifdef CONFIG_CPUMASK_OFFSTACK
typedef struct cpumask *cpumask_var_t;
#else
typedef struct cpumask cpumask_var_t[1];
#endif

static inline unsigned long cap_scale(unsigned long value, unsigned long scale)
{
	return value * scale / SCHED_CAPACITY_SCALE;
}

/* Weights are scaled up by 1024 on 64-bit kernels; scaled down they are 2 at least. */
struct load_weight {
	unsigned long weight;
	u32 inv_weight;
};

#ifdef CONFIG_64BIT
#define scale_load(w) ((w) << SCHED_CAPACITY_SHIFT)
#define scale_load_down(w) ((w) ? max(2UL, (w) >> SCHED_CAPACITY_SHIFT) : 0)
#else
#define scale_load(w) (w)
#define scale_load_down(w) (w)
#endif

enum uclamp_id {
	UCLAMP_MIN = 0,
	UCLAMP_MAX,
	UCLAMP_CNT
};

#ifdef CONFIG_UCLAMP_TASK
struct uclamp_se {
	unsigned int value : 11;
	unsigned int bucket_id : 3;
	unsigned int active : 1;
	unsigned int user_defined : 1;
};
#endif

struct cfs_rq;
struct rq;

/* --- cgroup, as far as ids and paths go --- */

struct kernfs_node {
#ifdef SCHED_TP_HAS_LOCKLESS_CGROUP_PATH
	struct kernfs_node __rcu *__parent;
	const char __rcu *name;
#else
	struct kernfs_node *parent;
	const char *name;
#endif
	u64 id;
};

struct cgroup {
	struct kernfs_node *kn;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

#ifdef CONFIG_SCHED_AUTOGROUP
struct autogroup {
	unsigned long id;
};
#endif

/* --- struct sched_avg --- */

#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
struct util_est {
	unsigned int enqueued;
	unsigned int ewma;
} __attribute__((aligned(sizeof(u64))));

#define SCHEDTP_MOCK_ESTIMATE util_est.enqueued
#else
#define SCHEDTP_MOCK_ESTIMATE util_est
#endif

struct sched_avg {
	u64 last_update_time;
	u64 load_sum;
	u64 runnable_sum;
	u32 util_sum;
	unsigned long load_avg;
	unsigned long runnable_avg;
	unsigned long util_avg;
#ifdef SCHED_TP_HAS_UTIL_EST_STRUCT
	struct util_est util_est;
#else
	unsigned int util_est;
#endif
};

#ifdef SCHED_TP_HAS_RQ_AVG_HW
#define SCHEDTP_MOCK_HW_AVG avg_hw
#else
#define SCHEDTP_MOCK_HW_AVG avg_thermal
#endif

/* --- struct sched_entity --- */

struct sched_entity {
	struct load_weight load;
#ifdef SCHED_TP_HAS_SE_H_LOAD
	struct load_weight h_load;
#endif
#ifdef SCHED_TP_HAS_SE_DEADLINE
	u64 deadline;
	s64 vlag;
	u64 slice;
#endif
#ifdef SCHED_TP_HAS_SE_VPROT
	u64 vprot;
#endif
#ifdef SCHED_TP_HAS_SE_SCHED_DELAYED
	unsigned char on_rq;
	unsigned char sched_delayed;
#else
	unsigned int on_rq;
#endif
#ifdef SCHED_TP_HAS_SE_CUSTOM_SLICE
	unsigned char custom_slice;
#endif
	u64 exec_start;
	u64 sum_exec_runtime;
	u64 vruntime;
	u64 nr_migrations;
#ifdef CONFIG_FAIR_GROUP_SCHED
	int depth;
	struct sched_entity *parent;
	struct cfs_rq *cfs_rq;
	struct cfs_rq *my_q;
	unsigned long runnable_weight;
#endif
#ifdef SCHED_TP_SMP
	struct sched_avg avg;
#endif
};

/* --- struct sched_dl_entity --- */

struct sched_dl_entity {
	u64 dl_runtime;
	u64 dl_deadline;
	u64 dl_period;
	u64 dl_bw;
	s64 runtime;
	u64 deadline;
	unsigned int dl_throttled : 1;
	unsigned int dl_yielded : 1;
	unsigned int dl_non_contending : 1;
	unsigned int dl_overrun : 1;
#ifdef SCHED_TP_HAS_DL_SERVER
	unsigned int dl_server : 1;
#endif
#ifdef SCHED_TP_HAS_DL_SERVER_ACTIVE
	unsigned int dl_server_active : 1;
#endif
#ifdef SCHED_TP_HAS_DL_DEFER
	unsigned int dl_defer : 1;
	unsigned int dl_defer_armed : 1;
	unsigned int dl_defer_running : 1;
#endif
#ifdef SCHED_TP_HAS_DL_DEFER_IDLE
	unsigned int dl_defer_idle : 1;
#endif
#ifdef SCHED_TP_HAS_DL_BW_ATTACHED
	unsigned int dl_bw_attached : 1;
#endif
#ifdef SCHED_TP_HAS_DL_SERVER
	struct rq *rq;
#endif
#ifdef CONFIG_RT_MUTEXES
	struct sched_dl_entity *pi_se;
#endif
};

/* --- struct cfs_rq --- */

#ifdef SCHED_TP_HAS_CFS_RQ_NR_QUEUED
#define SCHEDTP_MOCK_NR_QUEUED nr_queued
#else
#define SCHEDTP_MOCK_NR_QUEUED nr_running
#endif

#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_QUEUED
#define SCHEDTP_MOCK_H_NR_QUEUED h_nr_queued
#else
#define SCHEDTP_MOCK_H_NR_QUEUED h_nr_running
#endif

/* Where nothing that sleeps stays queued, one number is both. */
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_RUNNABLE
#define SCHEDTP_MOCK_H_NR_RUNNABLE h_nr_runnable
#else
#define SCHEDTP_MOCK_H_NR_RUNNABLE SCHEDTP_MOCK_H_NR_QUEUED
#endif

#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_IDLE
#define SCHEDTP_MOCK_H_NR_IDLE h_nr_idle
#else
#define SCHEDTP_MOCK_H_NR_IDLE idle_h_nr_running
#endif

struct cfs_rq {
	struct load_weight load;
	unsigned int SCHEDTP_MOCK_NR_QUEUED;
	unsigned int SCHEDTP_MOCK_H_NR_QUEUED;
#ifdef SCHED_TP_HAS_CFS_RQ_H_NR_RUNNABLE
	unsigned int h_nr_runnable;
#endif
	unsigned int SCHEDTP_MOCK_H_NR_IDLE;
#ifdef SCHED_TP_HAS_CFS_RQ_MIN_VRUNTIME
	u64 min_vruntime;
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_ZERO_VRUNTIME
#ifdef SCHED_TP_HAS_CFS_RQ_SUM_WEIGHT
	s64 sum_w_vruntime;
	u64 sum_weight;
#else
	s64 avg_vruntime;
	u64 avg_load;
#endif
	u64 zero_vruntime;
#endif
#ifdef SCHED_TP_HAS_CFS_RQ_SUM_SHIFT
	unsigned int sum_shift;
#endif
	struct sched_entity *curr;
#ifdef SCHED_TP_HAS_CFS_RQ_H_CURR
	struct sched_entity *h_curr;
#endif
#ifdef SCHED_TP_SMP
	struct sched_avg avg;
#endif
#ifdef CONFIG_FAIR_GROUP_SCHED
#ifdef SCHED_TP_SMP
	unsigned long tg_load_avg_contrib;
	unsigned long h_load;
#endif
	struct rq *rq;
	struct task_group *tg;
	int idle;
#ifdef CONFIG_CFS_BANDWIDTH
	int runtime_enabled;
	s64 runtime_remaining;
#ifdef SCHED_TP_HAS_CFS_RQ_THROTTLED_BIT
	bool throttled : 1;
	bool pelt_clock_throttled : 1;
#else
	int throttled;
#endif
	int throttle_count;
#endif
#endif
};

#ifdef SCHED_TP_HAS_CFS_RQ_H_CURR
#define SCHEDTP_MOCK_CURR h_curr
#else
#define SCHEDTP_MOCK_CURR curr
#endif

#if defined(CONFIG_FAIR_GROUP_SCHED) && defined(SCHED_TP_HAS_CFS_TG_STATE)
struct cfs_tg_state {
	struct cfs_rq cfs_rq;
	struct sched_entity se;
};
#endif

/* --- struct rt_rq --- */

struct rt_rq {
	unsigned int rt_nr_running;
	unsigned int rr_nr_running;
#if defined(SCHED_TP_SMP) || defined(CONFIG_RT_GROUP_SCHED)
	struct {
		int curr;
#ifdef SCHED_TP_SMP
		int next;
#endif
	} highest_prio;
#endif
#ifdef SCHED_TP_SMP
	/* A bool in later releases: nothing but 0 and 1 is stored. */
	int overloaded;
#endif
	int rt_queued;
#if defined(CONFIG_RT_GROUP_SCHED) || defined(SCHED_TP_HAS_RT_BANDWIDTH)
	int rt_throttled;
	u64 rt_time;
	u64 rt_runtime;
#endif
#ifdef CONFIG_RT_GROUP_SCHED
	unsigned int rt_nr_boosted;
#endif
};

/* --- struct dl_rq --- */

/* Bandwidth is a fraction: 1 << BW_SHIFT is the whole of a CPU. */
#define BW_SHIFT 20

struct dl_rq {
	unsigned int dl_nr_running;
#ifdef SCHED_TP_SMP
	struct {
		u64 curr;
		u64 next;
	} earliest_dl;
	/* A bool in later releases: nothing but 0 and 1 is stored. */
	int overloaded;
#endif
#ifdef SCHED_TP_HAS_DL_RQ_CURR
	struct sched_dl_entity *curr;
#endif
	u64 running_bw;
	u64 this_bw;
	u64 extra_bw;
#ifdef SCHED_TP_HAS_DL_RQ_MAX_BW
	u64 max_bw;
#endif
	u64 bw_ratio;
};

/* --- struct root_domain --- */

#ifdef SCHED_TP_SMP
struct perf_domain;

struct dl_bw {
	u64 bw;
	u64 total_bw;
};

struct root_domain {
	atomic_t rto_count;
	cpumask_var_t span;
	cpumask_var_t online;
#ifdef SCHED_TP_HAS_RD_OVERLOAD
	int overload;
	int overutilized;
#define SCHEDTP_MOCK_OVERLOADED overload
#else
	bool overloaded;
	bool overutilized;
#define SCHEDTP_MOCK_OVERLOADED overloaded
#endif
	cpumask_var_t dlo_mask;
	atomic_t dlo_count;
	struct dl_bw dl_bw;
	cpumask_var_t rto_mask;
	struct perf_domain *pd;
};
#endif

/* --- struct rq --- */

#ifdef CONFIG_UCLAMP_TASK
#define UCLAMP_BUCKETS 5
#define UCLAMP_FLAG_IDLE 0x01

struct uclamp_bucket {
	unsigned long value : 11;
	unsigned long tasks : 8 * sizeof(long) - 11;
};

struct uclamp_rq {
	unsigned int value;
	struct uclamp_bucket bucket[UCLAMP_BUCKETS];
};
#endif

struct sched_info {
#ifdef CONFIG_SCHED_INFO
	unsigned long pcount;
	unsigned long long run_delay;
	unsigned long long last_arrival;
	unsigned long long last_queued;
#endif
};

#ifdef CONFIG_SCHED_CLASS_EXT
struct scx_rq {
	u32 nr_running;
	u32 flags;
};
#endif

struct rq {
	unsigned int nr_running;
	u64 nr_switches;
#ifdef SCHEDTP_MOCK_INT_NR_UNINTERRUPTIBLE
	unsigned int nr_uninterruptible;
#else
	unsigned long nr_uninterruptible;
#endif
	atomic_t nr_iowait;
	struct cfs_rq cfs;
	struct rt_rq rt;
	struct dl_rq dl;
#ifdef CONFIG_SCHED_CLASS_EXT
	struct scx_rq scx;
#endif
#if defined(SCHED_TP_HAS_RQ_DONOR) && !defined(CONFIG_SCHED_PROXY_EXEC)
	union {
		struct task_struct __rcu *donor;
		struct task_struct __rcu *curr;
	};
#else
#ifdef SCHED_TP_HAS_RQ_DONOR
	struct task_struct __rcu *donor;
#endif
	struct task_struct __rcu *curr;
#endif
	struct task_struct *idle;
	struct task_struct *stop;
	u64 clock;
	u64 clock_task;
	u64 clock_pelt;
	unsigned long lost_idle_time;
#ifdef CONFIG_NO_HZ_COMMON
	unsigned int nohz_tick_stopped;
#endif
#ifdef CONFIG_UCLAMP_TASK
	struct uclamp_rq uclamp[UCLAMP_CNT];
	unsigned int uclamp_flags;
#endif
#ifdef SCHED_TP_SMP
	struct root_domain *rd;
	struct sched_domain __rcu *sd;
	unsigned long cpu_capacity;
#ifdef SCHED_TP_HAS_RQ_CAPACITY_ORIG
	unsigned long cpu_capacity_orig;
#endif
	unsigned long misfit_task_load;
	unsigned int ttwu_pending;
	int cpu;
	int online;
	struct sched_avg avg_rt;
	struct sched_avg avg_dl;
#ifdef CONFIG_HAVE_SCHED_AVG_IRQ
	struct sched_avg avg_irq;
#endif
#if defined(CONFIG_SCHED_HW_PRESSURE) || defined(CONFIG_SCHED_THERMAL_PRESSURE)
	struct sched_avg SCHEDTP_MOCK_HW_AVG;
#endif
	u64 idle_stamp;
	u64 avg_idle;
	u64 max_idle_balance_cost;
#endif
#ifdef CONFIG_SCHEDSTATS
	struct sched_info rq_sched_info;
	unsigned long long rq_cpu_time;
	unsigned int yld_count;
	unsigned int sched_count;
	unsigned int sched_goidle;
	unsigned int ttwu_count;
	unsigned int ttwu_local;
#endif
#ifdef CONFIG_SCHED_CORE
	struct rq *core;
	unsigned long core_cookie;
	unsigned int core_forceidle_count;
#endif
};

/* --- struct task_struct --- */

#define TASK_COMM_LEN 16

#define PF_EXITING 0x00000004
#define PF_KTHREAD 0x00200000

struct thread_info {
	u32 cpu;
};

struct mutex;

struct task_struct {
	struct thread_info thread_info;
	unsigned int __state;
	unsigned int flags;
#ifdef SCHED_TP_HAS_UNIFIED_SMP
	u8 on_cpu;
	u8 on_rq;
#else
#ifdef CONFIG_SMP
	int on_cpu;
#endif
	int on_rq;
#endif
	int prio;
	int static_prio;
	int normal_prio;
	unsigned int rt_priority;
	struct sched_entity se;
	struct sched_dl_entity dl;
#ifdef CONFIG_SCHED_CORE
	unsigned long core_cookie;
#endif
#ifdef CONFIG_CGROUP_SCHED
	struct task_group *sched_task_group;
#endif
#if defined(SCHED_TP_HAS_TASK_THROTTLED) && defined(CONFIG_CFS_BANDWIDTH)
	bool throttled;
#endif
#ifdef CONFIG_UCLAMP_TASK
	struct uclamp_se uclamp_req[UCLAMP_CNT];
	struct uclamp_se uclamp[UCLAMP_CNT];
#endif
	unsigned int policy;
	struct sched_info sched_info;
	int pid;
	int tgid;
	unsigned long nvcsw;
	unsigned long nivcsw;
	u64 start_time;
	char comm[TASK_COMM_LEN];
#ifdef SCHED_TP_HAS_TASK_BLOCKED_ON
	struct mutex *blocked_on;
#endif
};

#define task_thread_info(task) (&(task)->thread_info)

static inline unsigned int task_cpu(const struct task_struct *p)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task_thread_info(p)->cpu);
#else
	return 0;
#endif
}

/* --- struct task_group --- */

#ifdef CONFIG_CGROUP_SCHED
struct cfs_bandwidth {
#ifdef CONFIG_CFS_BANDWIDTH
	ktime_t period;
	u64 quota;
	u64 burst;
#else
	char nothing;
#endif
};

struct task_group {
	struct cgroup_subsys_state css;
#ifdef CONFIG_FAIR_GROUP_SCHED
#ifdef SCHED_TP_HAS_CFS_TG_STATE
	/* Here a per-CPU pointer is to an array of pointers: see the seam cfs_rq_on_cpu. */
	struct cfs_rq __percpu *cfs_rq;
#else
	struct sched_entity **se;
	struct cfs_rq **cfs_rq;
#endif
	unsigned long shares;
#ifdef SCHED_TP_SMP
	atomic_long_t load_avg;
#endif
#ifdef SCHED_TP_HAS_TG_RUNNABLE_AVG
	atomic_long_t runnable_avg;
#endif
#endif
#ifdef CONFIG_SCHED_AUTOGROUP
	struct autogroup *autogroup;
#endif
	struct cfs_bandwidth cfs_bandwidth;
#ifdef CONFIG_UCLAMP_TASK_GROUP
	struct uclamp_se uclamp_req[UCLAMP_CNT];
	struct uclamp_se uclamp[UCLAMP_CNT];
#endif
};

/* The one that is there without being made, per shape. */
__attribute__((unused)) static struct task_group root_task_group;
#endif

#endif /* SCHEDTP_MOCK_KERNEL_TYPES_H */
