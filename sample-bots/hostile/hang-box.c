/* hang-box.c - takes from the first process of its box what that needs to wait,
 * to watch and to end it: descriptors, priority, processors.
 *
 * Bound: where process 1 is not its parent, and so no box's, it takes nothing
 * but core files from it; one processor is left. */
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "hostile.h"

#define FIRST 1
#define IDLE (3 << 13) /* the class of ioprio_set */

static void
attack(char **args)
{
	const struct rlimit none = { 0, 0 };
	const struct sched_param normal = { .sched_priority = 0 };
	int what = getppid() == FIRST ? RLIMIT_NOFILE : RLIMIT_CORE;
	cpu_set_t one;

	(void)args;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	hostile_call("limits of process 1", prlimit(FIRST, what, &none, NULL));
	hostile_call("priority of process 1",
		     setpriority(PRIO_PROCESS, FIRST, 19));
	hostile_call("scheduler of process 1",
		     sched_setscheduler(FIRST, SCHED_IDLE, &normal));
	hostile_call("processors of process 1",
		     sched_setaffinity(FIRST, sizeof(one), &one));
	hostile_call("disks of process 1",
		     syscall(SYS_ioprio_set, 1, FIRST, IDLE));
	hostile_call("priority of its whole group",
		     setpriority(PRIO_PGRP, 0, 19));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
