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

#include <stdint.h>

struct spawner_luck {
	/* So many of 1000 starts fail: by the machine's fault, by the bot's, if it
	 * is not honest. */
	unsigned machine_fails, bot_fails;
	/* So many of 1000 bots that crash have had too much memory. */
	unsigned over;
	/* The usual times from the request to the exec, and from the end of a program
	 * until it is told. */
	uint64_t start_us, end_us;
};
extern struct spawner_luck spawner_luck;

struct spawners_counts {
	uint64_t starts, failed, ended, killed;
	unsigned running; /* programs now */
};
extern struct spawners_counts spawners_counts;

#endif
