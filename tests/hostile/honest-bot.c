/* honest-bot.c [MICROSECONDS] - makes the house move after some work.
 *
 * The work is measured in its own processor time.  So its turns always take as
 * long on an idle machine, and longer if another process takes the processor
 * away: the tests of hostile bots look for that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long
used_us(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

int
main(int argc, char **argv)
{
	static char line[8200], move[8200];
	long work = argc > 1 ? strtol(argv[1], NULL, 10) : 0, until;
	unsigned long ask;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		if (strcmp(line, "bye\n") == 0)
			break;
		if (sscanf(line, "ask %lu %*u %8191s", &ask, move) != 2)
			continue;
		for (until = used_us() + work; used_us() < until;)
			;
		printf("do %lu %s\n", ask, move);
		fflush(stdout);
	}
	return 0;
}
