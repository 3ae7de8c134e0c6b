/* fork-bomb.c - forks as fast as it can, and so do its children.
 *
 * Bound: 1000 processes, 300 seconds each. */
#include <sys/mman.h>

#include "hostile.h"

#define PROCESSES 1000
#define SECONDS 300
#define BOOM_MS 300 /* until it counts again */
#define SAME 5	    /* counts that find no more: that is all it gets */

/* Every process that comes out of a fork here forks on. */
static _Noreturn void
spread(long *count)
{
	while (__atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST) < PROCESSES)
		if (hostile_fork(SECONDS) < 0)
			break;
	__atomic_fetch_sub(count, 1, __ATOMIC_SEQ_CST);
	hostile_stay();
}

static void
attack(char **args)
{
	long *count = hostile_shared(), last = -1, now = 0;

	(void)args;
	if (count == NULL)
		return;
	if (hostile_fork(SECONDS) == 0)
		spread(count);
	/* On a busy machine it takes its time. */
	for (int same = 0; same < SAME && now < PROCESSES;
	     same = now == last ? same + 1 : 0) {
		last = now;
		hostile_nap(BOOM_MS);
		now = __atomic_load_n(count, __ATOMIC_SEQ_CST);
		/* One more is there while a process finds that all are. */
		now = now < PROCESSES ? now : PROCESSES;
	}
	hostile_counted("forks", now, PROCESSES, 0);
}

int
main(int argc, char **argv)
{
	(void)argc;
	return hostile_run(SECONDS, attack, argv);
}
