/* ponder-aside.c - thinks while it is not its turn, in a process that has left
 * the bot's group and session, where a signal to the group does not reach it.
 *
 * Bound: 2 processes, 300 seconds. */
#include <sys/mman.h>

#include "hostile.h"

#define PROCESSES 2
#define SECONDS 300

static _Noreturn void
think(long *turns)
{
	setsid();
	for (;;)
		__atomic_add_fetch(turns, 1, __ATOMIC_RELAXED);
}

int
main(void)
{
	static struct hostile_ask ask;
	long *turns = hostile_shared();
	long asks = 0, aside = 0, since;

	hostile_end(SECONDS);
	if (turns == NULL || !hostile_next(&ask))
		return 0;
	for (int i = 0; i < PROCESSES; i++)
		if (hostile_fork(SECONDS) == 0)
			think(turns);
	do {
		if (++asks % 4 == 0)
			hostile_say("thinking aside: %ld kturns by ask %ld",
				    aside / 1000, asks);
		hostile_answer(&ask);
		since = __atomic_load_n(turns, __ATOMIC_RELAXED);
		if (!hostile_next(&ask))
			break;
		aside += __atomic_load_n(turns, __ATOMIC_RELAXED) - since;
	} while (asks < 100000);
	return 0;
}
