// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the vectors of each broken getter of one shape, SCHEDTP_MOCK_NAME: with the
 * table as it is, but for that getter's slot. Prints a line a mutant, its number and
 * what came of it: survived, killed or crashed.
 *
 * Every mutant runs in a process of its own, for it may follow any pointer, write
 * anywhere and never return.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <schedtp/mock/shape.h>

#include "mutants.h"

#define PASTE2(a, b)	a##b
#define PASTE(a, b)	PASTE2(a, b)

/* Vectors take microseconds. Not of a clock: the machine may be busy. */
static const struct rlimit one_second_of_cpu = { .rlim_cur = 1, .rlim_max = 1 };

static const struct schedtp_mock_shape *const shape = &PASTE(schedtp_mock_, SCHEDTP_MOCK_NAME);

static const char *const names[] = {
#define SCHED_TP_GETTER_VOID(since, ret, name, needs) #name,
#define SCHED_TP_GETTER(since, ret, name, params, args, needs) #name,
#include <schedtp/getters.def>
};

/* So that what a mutant reads beside its own variables is not by chance what it should be. */
static __attribute__((__noinline__)) void scribble_on_the_stack(void)
{
	volatile unsigned char below[4096];

	for (unsigned int i = 0; i < sizeof(below); i++)
		below[i] = 0xa5;
}

static int notices(const struct sched_tp_callbacks *cb, unsigned int index)
{
	unsigned long long expected = 0;

	scribble_on_the_stack();
	return shape->run_vector(index, cb, &expected) != expected;
}

/* The vectors say nothing of a mutant, if they say it of the getters too. */
static int whole_getters_fail(void)
{
	int failed = 0;

	for (unsigned int index = 0; index < shape->nr_vectors; index++) {
		struct schedtp_mock_vector vector = shape->vector(index);

		if (!notices(shape->table, index))
			continue;
		fprintf(stderr, "%s_%s fails with the getter as it is\n", names[vector.getter],
			vector.name);
		failed = 1;
	}
	return failed;
}

static const char *run(const struct schedtp_mutant *mutant)
{
	struct sched_tp_callbacks table = *shape->table;
	char *slots = (char *)&table + SCHED_TP_HEADER_SIZE;
	int status;
	pid_t child;

	memcpy(slots + mutant->getter * SCHED_TP_SLOT_SIZE, &mutant->function, SCHED_TP_SLOT_SIZE);
	child = fork();
	if (child < 0) {
		perror("fork");
		exit(2);
	}
	if (child == 0) {
		if (setrlimit(RLIMIT_CPU, &one_second_of_cpu))
			_exit(2);
		for (unsigned int index = 0; index < shape->nr_vectors; index++)
			if (shape->vector(index).getter == mutant->getter && notices(&table, index))
				_exit(1);
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child) {
		perror("waitpid");
		exit(2);
	}
	if (!WIFEXITED(status))
		return "crashed";
	if (WEXITSTATUS(status) > 1) {
		fprintf(stderr, "setrlimit failed\n");
		exit(2);
	}
	return WEXITSTATUS(status) ? "killed" : "survived";
}

int main(void)
{
	if (whole_getters_fail())
		return 1;
	for (unsigned int at = 0; at < schedtp_nr_mutants; at++)
		printf("%u %s\n", schedtp_mutants[at].number, run(&schedtp_mutants[at]));
	return 0;
}
