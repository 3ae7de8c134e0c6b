/* core-dump.c - dies with a large core, again and again.
 *
 * Bound: 3 children of 64 MiB. */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "hostile.h"

#define CHILDREN 3
#define MIB 64

static _Noreturn void
crash(void)
{
	struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	char *bytes = mmap(NULL, (size_t)MIB << 20, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	setrlimit(RLIMIT_CORE, &all);
	prctl(PR_SET_DUMPABLE, 1);
	if (bytes != MAP_FAILED)
		memset(bytes, 'c', (size_t)MIB << 20);
	raise(SIGQUIT);
	_exit(0);
}

static void
attack(char **args)
{
	long cores = 0;

	(void)args;
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = hostile_fork(5);
		int status;

		if (pid == 0)
			crash();
		status = hostile_wait(pid);
		cores +=
			status >= 0 && WIFSIGNALED(status) && WCOREDUMP(status);
	}
	hostile_tried("core files", cores > 0, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
