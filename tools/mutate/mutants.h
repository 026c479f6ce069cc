/* SPDX-License-Identifier: GPL-2.0 */
/* The broken getters of one shape, as tools/buildlib/mutants.py writes them. */
#ifndef SCHEDTP_MUTANTS_H
#define SCHEDTP_MUTANTS_H

struct schedtp_mutant {
	unsigned int number;
	unsigned int getter;
	void (*function)(void);
};

extern const struct schedtp_mutant schedtp_mutants[];
extern const unsigned int schedtp_nr_mutants;

#endif
