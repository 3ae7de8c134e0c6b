/* raise-limits.c - gives itself more than it was given: limits, priority, a
 * scheduler that is never interrupted, all processors, locked memory.
 *
 * Bound: it does nothing with what it gets, and a child tries the schedulers.
 * */
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "hostile.h"

static const struct limit {
	const char *name;
	int number;
} limits[] = {
	{ "more processes", RLIMIT_NPROC },
	{ "more memory", RLIMIT_DATA },
	{ "more descriptors", RLIMIT_NOFILE },
	{ "larger files", RLIMIT_FSIZE },
	{ "more processor time", RLIMIT_CPU },
	{ "core files", RLIMIT_CORE },
	{ "locked memory", RLIMIT_MEMLOCK },
	{ "message queues", RLIMIT_MSGQUEUE },
};

/* One that has no limit has got it already. */
static void
raise_limit(const struct limit *limit)
{
	struct rlimit now, more = { RLIM_INFINITY, RLIM_INFINITY };

	if (limit->number == RLIMIT_NOFILE)
		more = (struct rlimit){ 1 << 20, 1 << 20 };
	if (getrlimit(limit->number, &now) == 0 &&
	    now.rlim_max >= more.rlim_max)
		hostile_tried(limit->name, true, 0);
	else
		hostile_call(limit->name, setrlimit(limit->number, &more));
}

static long
schedule(int policy)
{
	struct sched_param param = { .sched_priority = 1 };
	pid_t pid = hostile_fork(5);

	if (pid == 0)
		_exit(sched_setscheduler(0, policy, &param) < 0 ? errno : 0);
	errno = WEXITSTATUS(hostile_wait(pid));
	return errno == 0 ? 0 : -1;
}

static long
better_nice(void)
{
	pid_t pid = hostile_fork(5);

	if (pid == 0)
		_exit(setpriority(PRIO_PROCESS, 0, -10) < 0 ? errno : 0);
	errno = WEXITSTATUS(hostile_wait(pid));
	return errno == 0 ? 0 : -1;
}

static void
attack(char **args)
{
	(void)args;
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		raise_limit(&limits[i]);
	hostile_call("a better priority", better_nice());
	hostile_call("the scheduler fifo", schedule(SCHED_FIFO));
	hostile_call("the scheduler rr", schedule(SCHED_RR));
	/* Class 1 is real time: (1 << 13). */
	hostile_call("disks in real time",
		     syscall(SYS_ioprio_set, 1, 0, 1 << 13));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
