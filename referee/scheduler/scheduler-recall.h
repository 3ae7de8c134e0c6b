/* referee/scheduler/scheduler-recall.h - what a pairing must know of a ladder's
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

/* The pool that its games are rated in, but for the number. */
void scheduler_pool(const struct config_ladder *setup,
		    struct ladder_pool *pool);

/* The standings of a pool by name; zeroed: none. */
struct scheduler_standings {
	struct ladder_standing *of; /* owned */
	size_t count;
};

/* Reads those of this pool, which gets its number, if the ladder has it.  0, or -1
 * and an error. */
int scheduler_standings_read(struct ladder *ladder, struct ladder_pool *pool,
			     struct scheduler_standings *standings,
			     struct error *why) MUST_CHECK;
/* Returns how many seats of games they count. */
uint64_t scheduler_standings_seats(const struct scheduler_standings *standings);

/* Makes a pairing for this ladder with all bots that it has rated: their ratings,
 * games, seats, who has met of late, and where the kept fit has them.  None of
 * them offers a game yet.  Reads the standings that they have.  NULL and a
 * sentence. */
struct pairing *scheduler_recall(struct ladder *ladder,
				 const struct config_ladder *setup,
				 uint64_t seed,
				 struct scheduler_standings *standings,
				 struct error *why) MUST_CHECK;

/* Whether bots of one owner are kept apart there: two alone cannot help each
 * other. */
bool scheduler_apart(const struct config_ladder *setup);

#endif
