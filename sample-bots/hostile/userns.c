/* userns.c - makes namespaces of its own, where it would be root and the kernel
 * has more to say to it.
 *
 * Bound: a child for each, which ends at once. */
#include <sched.h>
#include <sys/syscall.h>

#include "hostile.h"

static const struct space {
	const char *name;
	int flag;
} spaces[] = {
	{ "user", CLONE_NEWUSER },     { "mount", CLONE_NEWNS },
	{ "network", CLONE_NEWNET },   { "process", CLONE_NEWPID },
	{ "ipc", CLONE_NEWIPC },       { "name", CLONE_NEWUTS },
	{ "cgroup", CLONE_NEWCGROUP }, { "time", CLONE_NEWTIME },
};

static int
child_of(pid_t pid)
{
	if (pid == 0)
		_exit(0);
	return pid < 0 ? -1 : hostile_wait(pid);
}

static long
by_unshare(int flags)
{
	pid_t pid = hostile_fork(5);

	if (pid == 0)
		_exit(unshare(flags) < 0 ? errno : 0);
	errno = WEXITSTATUS(hostile_wait(pid));
	return errno == 0 ? 0 : -1;
}

/* The kernel's own interface, of x86 and most others: flags, then the stack. */
static long
by_clone(int flags)
{
	return child_of((pid_t)syscall(SYS_clone, (long)flags | SIGCHLD, NULL,
				       NULL, NULL, NULL));
}

static long
by_clone3(int flags)
{
	unsigned long long args[8] = { (unsigned)flags, 0, 0, 0, SIGCHLD };

	return child_of((pid_t)syscall(SYS_clone3, args, sizeof(args)));
}

static void
attack(char **args)
{
	char what[60];

	(void)args;
	for (size_t i = 0; i < sizeof(spaces) / sizeof(*spaces); i++) {
		int flags = spaces[i].flag;

		snprintf(what, sizeof(what), "%s namespace", spaces[i].name);
		hostile_call(what, by_unshare(flags));
		snprintf(what, sizeof(what), "%s namespace below a user's",
			 spaces[i].name);
		hostile_call(what, by_unshare(flags | CLONE_NEWUSER));
	}
	hostile_call("user namespace by clone", by_clone(CLONE_NEWUSER));
	hostile_call("user namespace by clone3", by_clone3(CLONE_NEWUSER));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
