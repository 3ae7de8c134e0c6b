/* tests/world/spawner-luck.h - how the spawner of the world fares.
 *
 * spawner.c stands in place of the product's.  It knows two programs:
 *
 *	world-bot NATURE	a bot of bots.h
 *	world-build OUTCOME	a build of an upload: ok, fail, full, lie
 *
 * `sh` may stand before them, for those who look whether a program exists.
 * Any other program does not exist. */
#ifndef TESTS_WORLD_SPAWNER_LUCK_H
#define TESTS_WORLD_SPAWNER_LUCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol/util.h"

/* Processes of the world have numbers that no real process can have, so that one who
 * looks at it or signals it finds none. */
#define SPAWNER_FIRST_PID (1 << 28)

struct spawner_luck {
	/* So many of 1000 starts fail: by the machine's fault, by the bot's, if it
	 * is not honest. */
	unsigned machine_fails, bot_fails;
	/* So many of 1000 bots that crash have had too much memory. */
	unsigned over;
	/* The process that starts them dies after so long, unless this is 0.  Then
	 * `died` is called: the daemon stops. */
	uint64_t dies_us;
	void (*died)(void);
	/* The usual times from the request to the exec, and from the end of a program
	 * until it is told. */
	uint64_t start_us, end_us;
};
extern struct spawner_luck spawner_luck;

struct spawners_counts {
	uint64_t starts, failed, ended, killed;
	unsigned running; /* programs now */
	bool died;	  /* that of the daemon */
};
extern struct spawners_counts spawners_counts;

/* Begins what was drawn for the spawner of the daemon. */
void spawner_luck_begin(void);

/* Signals the program of this number.  It knows SIGSTOP and SIGCONT.  Returns false if
 * there is no such program. */
bool spawner_signal(pid_t pid, int number) MUST_CHECK;

#endif
