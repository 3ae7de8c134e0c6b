/* signals.c - sends signals to everybody.
 *
 * Bound: the null signal, which does nothing but say whether one may; and
 * SIGURG, which is ignored by default. */
#include <sys/syscall.h>

#include "strangers.h"

static bool
may_signal(pid_t pid)
{
	return kill(pid, 0) == 0;
}

static bool
may_signal_pidfd(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	bool got =
		fd >= 0 && syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) == 0;

	if (fd >= 0)
		close(fd);
	return got;
}

static bool
may_change(pid_t pid)
{
	return setpgid(pid, pid) == 0;
}

static void
attack(char **args)
{
	(void)args;
	strangers_tell("signal others", may_signal);
	strangers_tell("signal others by pidfd", may_signal_pidfd);
	strangers_tell("change others' groups", may_change);
	hostile_call("signal all at once", kill(-1, SIGURG));
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
