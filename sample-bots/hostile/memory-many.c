/* memory-many.c - takes memory in many processes, none of which takes much.
 *
 * Bound: 12 processes of 64 MiB each (768 MiB), 10 seconds.  Those that got
 * their share keep it until all have had their turn; who was killed does not
 * count. */
#include <poll.h>

#include "memory.h"

#define PROCESSES 12
#define MIB 64

static _Noreturn void
eat(int report)
{
	memory_take(memory_private, MIB, report);
	hostile_put(report, "full", 4);
	hostile_stay();
}

/* Returns how much a process has, once it has said that it is full or has died. */
static long
share_of(int report)
{
	struct pollfd waits = { .fd = report, .events = POLLIN };
	char bytes[MIB + 4];
	size_t used = 0;
	ssize_t n;

	while (used < sizeof(bytes) &&
	       (n = read(report, bytes + used, sizeof(bytes) - used)) > 0)
		used += (size_t)n;
	/* The end of the pipe comes with its death. */
	return poll(&waits, 1, 0) == 0 ? MIB : 0;
}

static void
attack(char **args)
{
	int report[PROCESSES][2];
	long had[PROCESSES], count = 0;

	(void)args;
	for (int i = 0; i < PROCESSES; i++) {
		if (pipe(report[i]) < 0)
			return;
		if (hostile_fork(MEMORY_SECONDS) == 0)
			eat(report[i][1]);
		close(report[i][1]);
	}
	/* Once to wait for all, and again to see who lives. */
	for (int i = 0; i < PROCESSES; i++)
		had[i] = share_of(report[i][0]);
	for (int i = 0; i < PROCESSES; i++) {
		struct pollfd dead = { .fd = report[i][0], .events = POLLIN };

		if (had[i] > 0 && poll(&dead, 1, 0) == 0)
			count += had[i];
	}
	hostile_counted("MiB in many processes", count, PROCESSES * MIB, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(MEMORY_SECONDS, attack, argv);
}
