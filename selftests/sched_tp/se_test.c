// SPDX-License-Identifier: GPL-2.0
/*
 * se_util_est: what the getter says of a task is what /proc/PID/sched says of it.
 *
 * Tasks work and sleep in bursts that differ, so that their estimates do. While a
 * task sleeps its estimate stands still, and three readings are taken: the module's,
 * the oracle's, the module's again. If the task was not asleep before and after, or
 * the module saw an event in between, the sample is taken anew.
 */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "sched_tp.h"

#define NR_TASKS	4
#define NR_ROUNDS	12
#define NR_CYCLES	5
#define NR_RETRIES	20

/* Fewer than these, and the comparison proves nothing. */
#define MIN_SAMPLES	20
#define MIN_DISTINCT	10
#define MIN_UTIL	50
#define MAX_UTIL	1000

#define ORACLE_UTIL	"/proc/PID/sched se.avg.util_est"

struct worker {
	pid_t pid;
	int order;		/* to write a struct burst to */
	int done;		/* to read a byte from after it */
};

/* The process se_oracle: a pid to it, a number back. */
struct oracle {
	pid_t pid;
	FILE *ask;
	FILE *answer;
};

struct burst {
	unsigned int busy_ms;
	unsigned int idle_ms;
};

/* The module's line on a task. */
struct seen {
	unsigned int events;
	unsigned int util_est;
};

static unsigned long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

static void sleep_ms(unsigned int ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&ts, NULL);
}

static void work_on_order(int order, int done)
{
	struct burst burst;

	while (read(order, &burst, sizeof(burst)) == sizeof(burst)) {
		for (int cycle = 0; cycle < NR_CYCLES; cycle++) {
			unsigned long long end = now_ms() + burst.busy_ms;

			while (now_ms() < end)
				;
			sleep_ms(burst.idle_ms);
		}
		if (write(done, "", 1) != 1)
			break;
	}
	_exit(0);
}

/*
 * Rounds and tasks differ in how long and how much they work: 2 to 120 ms at a
 * time, a tenth to nine tenths of the time.
 */
static struct burst burst_of(unsigned int round, unsigned int task)
{
	static const unsigned int busy_ms[] = { 2, 10, 120, 25, 60, 5, 90, 40 };
	static const unsigned int percent[] = { 50, 20, 80, 35, 10, 65, 90 };
	unsigned int busy = busy_ms[(round + 3 * task) % ARRAY_SIZE(busy_ms)];
	unsigned int share = percent[(round * 2 + task) % ARRAY_SIZE(percent)];
	unsigned int idle = busy * (100 - share) / share;

	return (struct burst) { .busy_ms = busy, .idle_ms = idle < 100 ? idle + 1 : 100 };
}

/* False if the module has no line on the task, or no value in it. */
static bool read_module(pid_t pid, struct seen *seen)
{
	bool found = false;
	char line[128];
	FILE *f;

	f = fopen(PROBE_DIR "util_est", "r");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f)) {
		int owner;

		found = sscanf(line, "%d %u %u", &owner, &seen->events,
			       &seen->util_est) == 3 && owner == pid;
	}
	fclose(f);

	return found;
}

FIXTURE(se)
{
	struct worker workers[NR_TASKS];
	struct oracle oracle;
};

FIXTURE_SETUP(se)
{
	char here[PATH_MAX] = "", program[PATH_MAX + 16];
	struct oracle *oracle = &self->oracle;
	int to[2], from[2];

	/* Writing to a task or oracle that died shall fail the test, not kill it. */
	signal(SIGPIPE, SIG_IGN);

	/* It lies beside this program. */
	ASSERT_LT(0, readlink("/proc/self/exe", here, sizeof(here) - 1));
	*strrchr(here, '/') = '\0';
	snprintf(program, sizeof(program), "%s/se_oracle", here);

	ASSERT_EQ(0, pipe(to));
	ASSERT_EQ(0, pipe(from));
	oracle->pid = fork();
	ASSERT_GE(oracle->pid, 0);
	if (!oracle->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		close(to[1]);
		close(from[0]);
		execl(program, program, NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	oracle->ask = fdopen(to[1], "w");
	oracle->answer = fdopen(from[0], "r");
	ASSERT_NE(NULL, oracle->ask);
	ASSERT_NE(NULL, oracle->answer);

	for (int i = 0; i < NR_TASKS; i++) {
		struct worker *w = &self->workers[i];

		ASSERT_EQ(0, pipe(to));
		ASSERT_EQ(0, pipe(from));
		w->pid = fork();
		ASSERT_GE(w->pid, 0);
		if (!w->pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			close(to[1]);
			close(from[0]);
			work_on_order(to[0], from[1]);
		}
		close(to[0]);
		close(from[1]);
		w->order = to[1];
		w->done = from[0];
	}
}

FIXTURE_TEARDOWN(se)
{
	for (int i = 0; i < NR_TASKS; i++) {
		kill(self->workers[i].pid, SIGKILL);
		waitpid(self->workers[i].pid, NULL, 0);
	}
	kill(self->oracle.pid, SIGKILL);
	waitpid(self->oracle.pid, NULL, 0);
}

static long ask_oracle(struct oracle *oracle, pid_t pid)
{
	long util_est;

	fprintf(oracle->ask, "%d\n", pid);
	fflush(oracle->ask);

	return fscanf(oracle->answer, "%ld", &util_est) == 1 ? util_est : -1;
}

static bool asleep(pid_t pid)
{
	char path[64], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);

	return state == 'S';
}

/* One sample of a task that sleeps. False if it was not let alone long enough. */
static bool take_sample(struct oracle *oracle, pid_t pid, struct seen *seen,
			long *answer)
{
	for (int retry = 0; retry < NR_RETRIES; retry++) {
		struct seen before;

		/* From its answer to its next sleep a task has some way to go. */
		sleep_ms(10);
		if (!asleep(pid) || !read_module(pid, &before))
			continue;
		*answer = ask_oracle(oracle, pid);
		if (read_module(pid, seen) && seen->events == before.events && asleep(pid))
			return true;
	}

	return false;
}

TEST_F_TIMEOUT(se, util_est, 200)
{
	bool met[MAX_UTIL + 1] = { false };
	unsigned long long samples = 0, mismatches = 0;
	unsigned int distinct = 0;

	if (!getter_available("se_util_est"))
		SKIP(return, "se_util_est is absent in this kernel");

	for (unsigned int round = 0; round < NR_ROUNDS; round++) {
		for (unsigned int i = 0; i < NR_TASKS; i++) {
			struct burst burst = burst_of(round, i);

			ASSERT_EQ(sizeof(burst), write(self->workers[i].order, &burst,
						       sizeof(burst)));
		}
		for (unsigned int i = 0; i < NR_TASKS; i++) {
			struct worker *w = &self->workers[i];
			struct seen seen;
			long answer;
			char byte;

			ASSERT_EQ(1, read(w->done, &byte, 1));
			ASSERT_TRUE(take_sample(&self->oracle, w->pid, &seen, &answer))
				TH_LOG("no steady sample of task %d", w->pid);
			samples++;
			mismatches += answer != (long)seen.util_est;
			ksft_print_msg("sample %llu: task %d, %u events, getter %u, oracle %ld%s\n",
				       samples, w->pid, seen.events, seen.util_est, answer,
				       answer == (long)seen.util_est ? "" : ": MISMATCH");
			if (seen.util_est > MIN_UTIL && seen.util_est < MAX_UTIL &&
			    !met[seen.util_est]) {
				met[seen.util_est] = true;
				distinct++;
			}
		}
	}

	ksft_print_msg(ROW, "getter", "oracle", "tasks", "samples", "distinct", "mismatches");
	ksft_print_msg(ROW_OF_NUMBERS, "se_util_est", ORACLE_UTIL, NR_TASKS, samples,
		       distinct, mismatches);

	EXPECT_EQ(0, mismatches);
	EXPECT_GE(samples, MIN_SAMPLES);
	EXPECT_GE(distinct, MIN_DISTINCT)
		TH_LOG("too few values between %d and %d", MIN_UTIL, MAX_UTIL);
}

int main(int argc, char **argv)
{
	need_module();
	return test_harness_run(argc, argv);
}
