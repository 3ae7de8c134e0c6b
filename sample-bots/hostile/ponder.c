/* ponder.c - thinks while it is not its turn, on all processors.
 *
 * Bound: 4 threads, 300 seconds.  At the end it says how long they ran while it
 * had no ask. */
#include <pthread.h>

#include "hostile.h"

#define THREADS 4
#define SECONDS 300

static volatile bool goes_on = true;

static void *
think(void *unused)
{
	while (goes_on)
		;
	return unused;
}

static double
used_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

int
main(void)
{
	static struct hostile_ask ask;
	pthread_t thread;
	double aside = 0, since;
	long asks = 0;

	hostile_end(SECONDS);
	if (!hostile_next(&ask))
		return 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, think, NULL);
	do {
		if (++asks % 4 == 0)
			hostile_say("thinking aside: %.0f ms by ask %ld", aside,
				    asks);
		hostile_answer(&ask);
		since = used_ms();
		if (!hostile_next(&ask))
			break;
		aside += used_ms() - since;
	} while (asks < 100000);
	return 0;
}
