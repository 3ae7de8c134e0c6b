/* close-all.c - closes all that it has, stays, and is deaf to SIGTERM.
 *
 * Bound: 300 seconds. */
#include "hostile.h"

static void
attack(char **args)
{
	(void)args;
	hostile_say("close all descriptors: got it");
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	hostile_stay();
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(HOSTILE_SECONDS, attack, argv);
}
