/* ptrace.c - traces others, and takes descriptors out of them.
 *
 * Bound: it stops no process, and a tracer that ends lets go of all. */
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "strangers.h"

static bool
trace(pid_t pid)
{
	return ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0;
}

static bool
take_input(pid_t pid)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0), fd = -1;

	if (process >= 0) {
		fd = (int)syscall(SYS_pidfd_getfd, process, 0, 0);
		close(process);
	}
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void
attack(char **args)
{
	pid_t tracer = hostile_fork(5);

	(void)args;
	if (tracer == 0) {
		strangers_tell("trace others", trace);
		_exit(0);
	}
	hostile_wait(tracer);
	strangers_tell("take descriptors of others", take_input);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
