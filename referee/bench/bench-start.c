/* referee/bench/bench-start.c - measures how long a bot takes from the order to
 * its end, bare and in a sandbox.
 *
 * The program does nothing, so this is the cost of starting.  The two kinds
 * take turns, so that other work on the machine hits both. */
#include "referee/bench/bench.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/base/command.h"
#include "referee/base/loop.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner.h"

#define STARTS_MAX 2000

struct starting {
	bool started, over, failed;
	uint64_t started_us;
};

static void
on_started(void *arg, pid_t pid UNUSED)
{
	struct starting *starting = arg;

	starting->started = true;
	starting->started_us = clock_us();
}

static void
on_failed(void *arg, const char *step, int error)
{
	struct starting *starting = arg;

	note("cannot start a program: %s: %s", step, strerror(error));
	starting->failed = starting->over = true;
}

static void
on_ended(void *arg, const struct spawner_end *end UNUSED)
{
	struct starting *starting = arg;

	starting->over = true;
}

/* Starts a program and waits for its end.  Returns the microseconds until it
 * ran, or -1. */
static int64_t
start_one(struct spawner *spawner, const struct sandbox_box *box, int null)
{
	static const struct spawner_calls calls = { .started = on_started,
						    .failed = on_failed,
						    .ended = on_ended };
	char program[] = "true";
	char *argv[] = { program, NULL };
	const struct spawner_task task = { .argv = argv,
					   .box = box,
					   .fds = { null, null, null } };
	struct pollfd ready = { .fd = spawner_fd(spawner), .events = POLLIN };
	struct starting starting = { .started = false };
	const uint64_t from_us = clock_us();

	if (spawner_start(spawner, &task, &calls, &starting) == NULL)
		return -1;
	while (!starting.over) {
		poll(&ready, 1, -1);
		if (spawner_dispatch(spawner) < 0)
			return -1;
	}
	return starting.failed ? -1 : (int64_t)(starting.started_us - from_us);
}

static int
compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
print_row(const struct bench *bench, const char *name, int64_t *us,
	  unsigned count)
{
	double best, median, most;

	qsort(us, count, sizeof(*us), compare);
	best = (double)us[0] / 1000;
	median = (double)us[count / 2] / 1000;
	most = (double)us[count - 1 - count / 20] / 1000;
	if (bench->json)
		printf("{\"bench\":\"start\",\"kind\":\"%s\",\"starts\":%u,"
		       "\"best_ms\":%.3f,\"median_ms\":%.3f,"
		       "\"p95_ms\":%.3f}\n",
		       name, count, best, median, most);
	else
		printf("%-10s %8u %10.3f %10.3f %10.3f\n", name, count, best,
		       median, most);
}

static int
measure(const struct bench *bench, struct spawner *spawner,
	const struct sandbox_box *box)
{
	static int64_t bare[STARTS_MAX], boxed[STARTS_MAX];
	const uint64_t until_us = clock_us() + (uint64_t)(bench->seconds * 2e6);
	const bool has_box = box->tier >= SANDBOX_BOX;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	unsigned count = 0;
	int code = EXIT_DONE;

	if (null < 0)
		return complain_machine("/dev/null: %m");
	while (code == EXIT_DONE && count < STARTS_MAX &&
	       (count == 0 || clock_us() < until_us)) {
		bare[count] = start_one(spawner, NULL, null);
		boxed[count] = has_box ? start_one(spawner, box, null) : 0;
		if (bare[count] < 0 || boxed[count] < 0)
			code = EXIT_MACHINE;
		count++;
	}
	close(null);
	if (code != EXIT_DONE)
		return code;
	if (!bench->json)
		printf("%-10s %8s %10s %10s %10s\n", "start", "starts",
		       "best ms", "median ms", "p95 ms");
	print_row(bench, "bare", bare, count);
	if (has_box)
		print_row(bench, "sandbox", boxed, count);
	return EXIT_DONE;
}

int
bench_start(const struct bench *bench)
{
	struct sandbox_box box = { .limits = sandbox_limits_default };
	struct spawner *spawner;
	int code;

	box.tier = sandbox_probe()->tier;
	note("sandbox %s", sandbox_probe()->sentence);
	spawner = spawner_new();
	if (spawner == NULL)
		return complain_machine("cannot make the process that starts "
					"the bots: %m");
	code = measure(bench, spawner, &box);
	spawner_free(spawner);
	return code;
}
