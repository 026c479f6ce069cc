/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Getters on live objects: what each said and what the kernel has, noted while a lock
 * holds the objects still, and compared when it is dropped, since KUnit prints.
 *
 *	notes.nr = 0;
 *	lock
 *	SCHED_TP_NOTE(&notes, rt_rq_nr_running, rt_rq, rt_rq->rt_nr_running);
 *	unlock
 *	sched_tp_notes_compare(test, &notes);
 */
#ifndef SCHED_TP_LIVE_H
#define SCHED_TP_LIVE_H

#include "env.h"

/* Too big for a stack: static in its test, which sets nr to 0. */
struct sched_tp_notes {
	unsigned int nr;
	struct sched_tp_note {
		const char *getter;
		bool has;
		unsigned long long said;
		unsigned long long is;
	} note[64];
};

static inline void sched_tp_note(struct sched_tp_notes *notes, const char *getter, bool has,
				 unsigned long long said, unsigned long long is)
{
	/* What does not fit is counted, and compare() refuses it. */
	if (notes->nr < ARRAY_SIZE(notes->note))
		notes->note[notes->nr] = (struct sched_tp_note){ getter, has, said, is };
	notes->nr++;
}

#define SCHED_TP_NOTE(notes, getter, object, value)					\
	sched_tp_note(notes, #getter, sched_tp_has(sched_tp_get_callbacks(), getter),	\
		      sched_tp_get(sched_tp_get_callbacks(), getter, object, 0), value)

#define SCHED_TP_NOTE_PTR(notes, getter, object, value)					\
	sched_tp_note(notes, #getter, sched_tp_has(sched_tp_get_callbacks(), getter),	\
		      (unsigned long)sched_tp_get(sched_tp_get_callbacks(), getter,	\
						  object, NULL), (unsigned long)(value))

static inline void sched_tp_notes_compare(struct kunit *test, const struct sched_tp_notes *notes)
{
	unsigned int i;

	KUNIT_ASSERT_GT(test, notes->nr, 0);
	KUNIT_ASSERT_LE(test, notes->nr, ARRAY_SIZE(notes->note));
	for (i = 0; i < notes->nr; i++) {
		const struct sched_tp_note *note = &notes->note[i];

		KUNIT_EXPECT_TRUE_MSG(test, note->has, "%s is absent", note->getter);
		KUNIT_EXPECT_EQ_MSG(test, note->said, note->is, "%s", note->getter);
	}
}

#endif /* SCHED_TP_LIVE_H */
