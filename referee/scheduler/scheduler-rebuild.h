/* referee/scheduler/scheduler-rebuild.h - a ladder made again from its records,
 * without games that are voided, or further along its log, while it is played.
 *
 * It is a job among the writer's others: games go on, and those that end
 * meanwhile are written after it. */
#ifndef REFEREE_SCHEDULER_REBUILD_H
#define REFEREE_SCHEDULER_REBUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/records/ladder-rebuild.h"
#include "referee/records/writer.h"
#include "referee/scheduler/fault-counts.h"

struct scheduler_rebuild;

/* What came of it; all of it is borrowed. */
struct scheduler_rebuild_result {
	const struct rebuild *what;
	const struct text *out;	 /* as of rebuild_do() */
	const struct error *why; /* NULL: it was done */
	/* The standings then, unless they could not be read. */
	bool known;
	bool more; /* of a ladder that follows its log: entries are left */
	const struct ladder_standing *standing;
	size_t standings;
};

/* After which the rebuild is gone. */
typedef void
scheduler_rebuild_done(void *arg,
		       const struct scheduler_rebuild_result *result);

/* Submits it to the writer, which is borrowed: done() follows.  `what` is
 * copied, with its folders, but for its file and stop: the ladder is in the
 * file `ladder`, and what counts in it is rated in this pool, whose number need
 * not be set. */
struct scheduler_rebuild *
scheduler_rebuild_begin(struct writer *writer, const struct rebuild *what,
			const char *ladder, const struct ladder_pool *pool,
			scheduler_rebuild_done *done, void *arg) MUST_CHECK;
/* Likewise lets a ladder that is behind follow a part of its log: then there are no
 * `what` and `out`. */
struct scheduler_rebuild *
scheduler_rebuild_follow(struct writer *writer, const struct ladder_pool *pool,
			 scheduler_rebuild_done *done, void *arg) MUST_CHECK;
/* It is to come back soon, and then has failed, unless it is done already. */
void scheduler_rebuild_stop(struct scheduler_rebuild *rebuild);

/* Tells pairing and faults the standings, which are known, and nothing else:
 * how many seats they count.  Of bots whose games are all voided none tells:
 * those are back at `start_milli`. */
uint64_t scheduler_rebuild_tell(const struct scheduler_rebuild_result *result,
				int64_t start_milli, struct pairing *pairing,
				struct fault_counts *faults);

#endif
