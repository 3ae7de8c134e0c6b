/* pid-creep.c - fills the table of processes slowly, one daemon at a time, each
 * in a session of its own.
 *
 * Bound: 600 processes, 300 seconds each. */
#include "hostile.h"

#define PROCESSES 600
#define SECONDS 300

/* Starts a daemon; returns true if it was started. */
static bool
drop_daemon(void)
{
	pid_t pid = fork(), daemon;

	if (pid != 0)
		return pid > 0 && hostile_wait(pid) == 0;
	setsid();
	daemon = hostile_fork(SECONDS);
	if (daemon == 0)
		hostile_stay();
	_exit(daemon < 0);
}

static void
attack(char **args)
{
	long count = 0;

	(void)args;
	for (int i = 0; i < PROCESSES; i++) {
		count += drop_daemon();
		hostile_nap(1);
	}
	hostile_counted("daemons one by one", count, PROCESSES, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
