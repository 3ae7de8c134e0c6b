/* daemon.c - leaves a daemon: a grandchild in a session of its own, deaf to all
 * signals that one can be deaf to, with another name, holding on to the bot's
 * output.
 *
 * Bound: one process, 300 seconds. */
#include <sys/prctl.h>

#include "hostile.h"

static _Noreturn void
live_on(void)
{
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_IGN);
	prctl(PR_SET_NAME, "hostile-daemon");
	prctl(PR_SET_PDEATHSIG, 0);
	hostile_stay();
}

static void
attack(char **args)
{
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		setsid();
		if (hostile_fork(HOSTILE_SECONDS) == 0)
			live_on();
		_exit(0);
	}
	hostile_tried("leave a daemon", pid > 0 && hostile_wait(pid) == 0, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
