/* referee/scheduler/scheduler-prune.h - records that have been kept long enough.
 *
 * Works in a thread of its own, for it reads and syncs files; it touches only
 * what is older, and each file by a rename, so nothing else must wait.  Of closed
 * packs (ladder/pack.h) those records are pruned that are old; an open one must be
 * closed first.
 *
 * No single date decides what goes, for a clock may be wrong for a while.  A
 * record's age is the sum of the gaps between the ends of the ladder's rated
 * games from its own on to the last one, each counted as SCHEDULER_AGE_GAP_S
 * at most and as nothing if it goes back.  Beyond that the record must be as
 * old by the clock.  So a ladder that has rested ages only when it is played
 * again, and then by a week. */
#ifndef REFEREE_SCHEDULER_PRUNE_H
#define REFEREE_SCHEDULER_PRUNE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

#define SCHEDULER_PRUNE_LEAST 1000 /* that one run may prune in any case */

/* Behind a record's name: its pruned form.  Only one may prune a folder.
 */
#define SCHEDULER_PRUNE_HALF ".prune"

struct scheduler_prune;

/* What one run is to do. */
struct scheduler_prune_order {
	const char *ladder; /* its file */
	const char *dir;    /* its records */
	unsigned days;	    /* that they are kept; at least 1 */
	int64_t now;	    /* by the clock: seconds since 1970 */
	unsigned least;	    /* SCHEDULER_PRUNE_LEAST */
	/* When this is another number the rest is left; or NULL. */
	const atomic_uint *orders;
	unsigned number;
};

/* The outcome of a run; it holds in any case. */
struct scheduler_prune_done {
	unsigned pruned; /* records, those included that are gone */
	unsigned limit;	 /* it may have been no more */
	bool more;	 /* others are due, and wait for the next run */
	bool failed;
	struct error why; /* a sentence */
};

/* How many a run may prune of a ladder that has ended `games` games in `age_s`
 * seconds: twice what it plays a day, but at least `least`. */
unsigned scheduler_prune_limit(unsigned least, uint64_t games, int64_t age_s);

/* One run: aborted records go as a whole, and so does what a cut has left
 * half-pruned.  Waits for the disk. */
void scheduler_prune_now(const struct scheduler_prune_order *order,
			 struct scheduler_prune_done *done);

/* Runs at once and every few hours, for what is older than `days` (0: not now),
 * until scheduler_prune_free(), which waits for the one file that is under way.
 * NULL and errno. */
struct scheduler_prune *scheduler_prune_new(const char *ladder, const char *dir,
					    unsigned days) MUST_CHECK;
void scheduler_prune_free(struct scheduler_prune *prune); /* NULL is fine */
/* Other days, from now on; a run follows if they have changed. */
void scheduler_prune_set(struct scheduler_prune *prune, unsigned days);

/* Can be read when a run is over. */
int scheduler_prune_fd(const struct scheduler_prune *prune);
/* Tells what became of the last run.  False: none was over since the last call. */
bool scheduler_prune_told(struct scheduler_prune *prune,
			  struct scheduler_prune_done *done) MUST_CHECK;

#endif
