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
#include "referee/base/loop.h"

#define SCHEDULER_PRUNE_LEAST 1000 /* that one run may prune in any case */

/* Behind a record's name: its pruned form.  Only one may prune a folder.
 */
#define SCHEDULER_PRUNE_HALF ".prune"

struct scheduler_prune;

/* What one run is to do. */
struct scheduler_prune_order {
	const char *ladder;	 /* its file */
	const char *dir;	 /* its records */
	unsigned days;		 /* that they are kept; at least 1 */
	int64_t now;		 /* by the clock: seconds since 1970 */
	unsigned least;		 /* SCHEDULER_PRUNE_LEAST */
	const atomic_bool *stop; /* when it is true the rest is left; or NULL */
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

/* Tells by the loop what came of a run; borrowed. */
typedef void scheduler_prune_told(void *arg,
				  const struct scheduler_prune_done *done);

/* Prunes the records of this ladder by a thread of its own, once
 * scheduler_prune_set() has said what is old.  NULL and errno. */
struct scheduler_prune *scheduler_prune_new(struct loop *loop,
					    const char *ladder, const char *dir,
					    scheduler_prune_told *told,
					    void *arg) MUST_CHECK;
/* Tells nothing any more; before scheduler_prune_free(), which waits for the one file
 * that is under way, in any thread.  NULL is fine for both. */
void scheduler_prune_close_events(struct scheduler_prune *prune);
void scheduler_prune_free(struct scheduler_prune *prune);
/* Prunes at once and every few hours what is older than so many days (0: nothing); the
 * same as before changes nothing.  NULL is fine. */
void scheduler_prune_set(struct scheduler_prune *prune, unsigned days);

#endif
