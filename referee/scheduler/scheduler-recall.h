/* referee/scheduler/scheduler-recall.h - makes a pairing that knows a ladder's
 * past. */
#ifndef REFEREE_SCHEDULER_RECALL_H
#define REFEREE_SCHEDULER_RECALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"

/* Fills in the pool that its games are rated in, without its number. */
void scheduler_pool(const struct config_ladder *setup,
		    struct ladder_pool *pool);

/* The standings of a pool, sorted by name; zeroed: none. */
struct scheduler_standings {
	struct ladder_standing *of; /* owned */
	size_t count;
};

/* Reads the standings of this pool, which gets its number, if the ladder has
 * the pool.  Returns 0, or -1 and an error. */
int scheduler_standings_read(struct ladder *ladder, struct ladder_pool *pool,
			     struct scheduler_standings *standings,
			     struct error *why) MUST_CHECK;
/* Returns the number of seats in games that they count. */
uint64_t scheduler_standings_seats(const struct scheduler_standings *standings);

/* Makes a pairing for this ladder with all bots that it has rated: their
 * ratings, games and seats, which of them have met recently, and their places
 * in the kept fit.  None of them offers a game yet.  It also reads their
 * standings.  Returns NULL and an error if that fails. */
struct pairing *scheduler_recall(struct ladder *ladder,
				 const struct config_ladder *setup,
				 uint64_t seed,
				 struct scheduler_standings *standings,
				 struct error *why) MUST_CHECK;

/* Returns true if bots of one owner are kept apart on this ladder.  At a table
 * for two they cannot help each other. */
bool scheduler_apart(const struct config_ladder *setup);

#endif
