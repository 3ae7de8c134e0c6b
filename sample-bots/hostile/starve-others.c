/* starve-others.c - sets limits, priorities and processors of other processes:
 * so one ends an opponent, or the referee, by its processor time.
 *
 * Bound: it sets each to what it is, and takes nothing. */
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "strangers.h"

static bool
limits(pid_t pid)
{
	struct rlimit has;

	return prlimit(pid, RLIMIT_CPU, NULL, &has) == 0 &&
	       prlimit(pid, RLIMIT_CPU, &has, NULL) == 0;
}

static bool
priority(pid_t pid)
{
	int has;

	errno = 0;
	has = getpriority(PRIO_PROCESS, (id_t)pid);
	return errno == 0 && setpriority(PRIO_PROCESS, (id_t)pid, has) == 0;
}

static bool
processors(pid_t pid)
{
	cpu_set_t has;

	return sched_getaffinity(pid, sizeof(has), &has) == 0 &&
	       sched_setaffinity(pid, sizeof(has), &has) == 0;
}

static bool
disks(pid_t pid)
{
	long has = syscall(SYS_ioprio_get, 1, pid);

	return has >= 0 && syscall(SYS_ioprio_set, 1, pid, has) == 0;
}

static void
attack(char **args)
{
	(void)args;
	strangers_tell("limits of others", limits);
	strangers_tell("priorities of others", priority);
	strangers_tell("processors of others", processors);
	strangers_tell("disks of others", disks);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
