/* referee/scheduler/scheduler-recall.h - what a pairing must know of a ladder's
 * past. */
#ifndef REFEREE_SCHEDULER_RECALL_H
#define REFEREE_SCHEDULER_RECALL_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"
#include "referee/scheduler/fault-counts.h"

/* The pool that its games are rated in, but for the number. */
void scheduler_pool(const struct config_ladder *setup,
		    struct ladder_pool *pool);

/* A pairing for this ladder with all bots that it has rated: their ratings,
 * games, seats, who has met of late, and where the kept fit has them.  None of
 * them offers a game yet.  `faults` gets theirs, `*count` how many games count.
 *  NULL and a sentence. */
struct pairing *scheduler_recall(struct ladder *ladder,
				 const struct config_ladder *setup,
				 uint64_t seed, unsigned met,
				 struct fault_counts *faults, uint64_t *count,
				 struct error *why) MUST_CHECK;

/* Whether bots of one owner are kept apart there: two alone cannot help each
 * other. */
bool scheduler_apart(const struct config_ladder *setup);

#endif
