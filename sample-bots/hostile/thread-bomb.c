/* thread-bomb.c - as many threads as it can have.
 *
 * Bound: 1000 threads of 64 KiB of stack, 300 seconds. */
#include <pthread.h>

#include "hostile.h"

#define THREADS 1000
#define STACK_BYTES 65536
#define SECONDS 300

static void *
idle(void *unused)
{
	(void)unused;
	hostile_stay();
}

static void
attack(char **args)
{
	pthread_attr_t attr;
	pthread_t thread;
	int error = 0, count = 0;

	(void)args;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	while (count < THREADS &&
	       (error = pthread_create(&thread, &attr, idle, NULL)) == 0)
		count++;
	hostile_counted("threads", count, THREADS, error);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
