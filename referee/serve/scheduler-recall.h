/* referee/serve/scheduler-recall.h - what a pairing must know of a ladder's
 * past.
 */
#ifndef REFEREE_SCHEDULER_RECALL_H
#define REFEREE_SCHEDULER_RECALL_H

#include <stdint.h>

#include <stdbool.h>

#include "ladder/fit-kept.h"
#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/config/serve-config.h"
#include "referee/serve/fault-counts.h"

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

/* The fit that is kept beside the ladder, of this pool, whatever its age; NULL:
 * there is none.  `*pool` is as of scheduler_pool() and gets its number. */
struct fit_kept *scheduler_fit_read(struct ladder *ladder,
				    struct ladder_pool *pool) MUST_CHECK;
/* Tells the pairing where its bots stand by it; NULL tells nothing.  How many
 * of them are in it. */
unsigned scheduler_fit_tell(struct pairing *pairing,
			    const struct config_ladder *setup,
			    const struct fit_kept *kept);

/* Whether bots of one owner are kept apart there: two alone cannot help each
 * other. */
bool scheduler_apart(const struct config_ladder *setup);

#endif
