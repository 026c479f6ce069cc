// SPDX-License-Identifier: GPL-2.0
/*
 * Getters of struct root_domain, for the table of struct sched_tp_callbacks.
 *
 * getters.c includes this file. What each getter means is said in the list of
 * getters.
 */

#ifdef SCHED_TP_SMP
/*
 * A mask has a bit for each CPU number, whatever it was compiled for: what lies beyond
 * is not read, and beyond the last CPU nothing is set.
 */
static notrace unsigned int sched_tp_copy_mask(const struct cpumask *cpus,
					       unsigned long *mask, unsigned int words)
{
	unsigned int bits = cpus ? sched_tp_seam_cpu_ids() : 0;
	unsigned int needed = BITS_TO_LONGS(bits);
	unsigned int i;

	if (!mask)
		return needed;

	for (i = 0; i < words; i++) {
		unsigned long word = 0;

		if (i < needed)
			word = READ_ONCE(cpumask_bits(cpus)[i]);
		if (i + 1 == needed)
			word &= BITMAP_LAST_WORD_MASK(bits);
		mask[i] = word;
	}

	return needed;
}

static notrace unsigned int sched_tp_rd_span(const struct root_domain *rd,
					     unsigned long *mask, unsigned int words)
{
	return sched_tp_copy_mask(rd ? rd->span : NULL, mask, words);
}

static notrace unsigned int sched_tp_rd_online(const struct root_domain *rd,
					       unsigned long *mask, unsigned int words)
{
	return sched_tp_copy_mask(rd ? rd->online : NULL, mask, words);
}

static notrace unsigned int sched_tp_rd_rto_mask(const struct root_domain *rd,
						 unsigned long *mask, unsigned int words)
{
	return sched_tp_copy_mask(rd ? rd->rto_mask : NULL, mask, words);
}

static notrace unsigned int sched_tp_rd_dlo_mask(const struct root_domain *rd,
						 unsigned long *mask, unsigned int words)
{
	return sched_tp_copy_mask(rd ? rd->dlo_mask : NULL, mask, words);
}

/* A number other than 0 and 1 in some kernels. */
static notrace bool sched_tp_rd_overutilized(const struct root_domain *rd)
{
	if (!rd)
		return false;

	return !!READ_ONCE(rd->overutilized);
}

static notrace bool sched_tp_rd_overloaded(const struct root_domain *rd)
{
	if (!rd)
		return false;

#ifdef SCHED_TP_HAS_RD_OVERLOAD
	return !!READ_ONCE(rd->overload);
#else
	return READ_ONCE(rd->overloaded);
#endif
}

static notrace int sched_tp_rd_rto_count(const struct root_domain *rd)
{
	if (!rd)
		return 0;

	return atomic_read(&rd->rto_count);
}

static notrace int sched_tp_rd_dlo_count(const struct root_domain *rd)
{
	if (!rd)
		return 0;

	return atomic_read(&rd->dlo_count);
}
#else
#define sched_tp_rd_span NULL
#define sched_tp_rd_online NULL
#define sched_tp_rd_rto_mask NULL
#define sched_tp_rd_dlo_mask NULL
#define sched_tp_rd_overutilized NULL
#define sched_tp_rd_overloaded NULL
#define sched_tp_rd_rto_count NULL
#define sched_tp_rd_dlo_count NULL
#endif

/* Two reads on 32 bit. */
#if defined(SCHED_TP_SMP) && defined(CONFIG_64BIT)
static notrace unsigned long long sched_tp_rd_dl_bw(const struct root_domain *rd)
{
	if (!rd)
		return 0;

	return READ_ONCE(rd->dl_bw.bw);
}

static notrace unsigned long long sched_tp_rd_dl_total_bw(const struct root_domain *rd)
{
	if (!rd)
		return 0;

	return READ_ONCE(rd->dl_bw.total_bw);
}
#else
#define sched_tp_rd_dl_bw NULL
#define sched_tp_rd_dl_total_bw NULL
#endif

/* Without these options the pointer is there, and nobody ever sets it. */
#if defined(SCHED_TP_SMP) && defined(CONFIG_ENERGY_MODEL) && defined(CONFIG_CPU_FREQ_GOV_SCHEDUTIL)
static notrace bool sched_tp_rd_has_pd(const struct root_domain *rd)
{
	if (!rd)
		return false;

	return !!rcu_access_pointer(rd->pd);
}
#else
#define sched_tp_rd_has_pd NULL
#endif
