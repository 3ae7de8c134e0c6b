/* referee/scheduler/scheduler-prune.h - prunes records that have been kept long
 * enough.
 *
 * It works in a thread of its own, because it reads and syncs files.  It
 * changes only old records, and each file by a rename, so nothing else must
 * wait.  It prunes the old records of closed packs (ladder/pack.h); an open
 * pack must be closed first.
 *
 * No single date decides which records go, because a clock may be wrong for a
 * while.  A record's age is the sum of the gaps between the ends of the
 * ladder's rated games, from its own to the last one.  A gap counts at most
 * SCHEDULER_PRUNE_GAP_S, and nothing if it is negative.  In addition the record
 * must be as old by the clock.  So a ladder that has rested ages only when it
 * is played again, and then by a week. */
#ifndef REFEREE_SCHEDULER_PRUNE_H
#define REFEREE_SCHEDULER_PRUNE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/base/loop.h"

#define SCHEDULER_PRUNE_GAP_S 604800 /* seven days */
#define SCHEDULER_PRUNE_LEAST 1000   /* records that one run may always prune */

/* The ending of the file with a record's pruned form.  Only one program may
 * prune a folder at a time. */
#define SCHEDULER_PRUNE_HALF ".prune"

struct scheduler_prune;

/* The order of one run. */
struct scheduler_prune_order {
	const char *ladder;	 /* the file of the ladder */
	const char *dir;	 /* the folder of its records */
	unsigned days;		 /* days that records are kept; at least 1 */
	int64_t now;		 /* the time in seconds since 1970 */
	unsigned least;		 /* SCHEDULER_PRUNE_LEAST */
	const atomic_bool *stop; /* the run ends when it is true; or NULL */
};

/* The outcome of a run, valid even if the run has failed. */
struct scheduler_prune_done {
	unsigned pruned; /* pruned or removed records */
	unsigned limit;	 /* the most that the run might prune */
	bool more;	 /* others are due and wait for the next run */
	bool failed;
	struct error why; /* set if it has failed */
};

/* Returns how many records a run may prune if the ladder has ended `games`
 * games in `age_s` seconds: twice the games of a day, but at least `least`. */
unsigned scheduler_prune_limit(unsigned least, uint64_t games, int64_t age_s);

/* Makes one run.  Records of aborted games are removed, as are half-pruned
 * files that an interrupted run has left.  It waits for the disk. */
void scheduler_prune_now(const struct scheduler_prune_order *order,
			 struct scheduler_prune_done *done);

/* The loop calls this with the outcome of a run, which is borrowed. */
typedef void scheduler_prune_told(void *arg,
				  const struct scheduler_prune_done *done);

/* Makes a thread that prunes the records of this ladder, once
 * scheduler_prune_set() has said what is old.  Returns NULL and sets errno if
 * that fails. */
struct scheduler_prune *scheduler_prune_new(struct loop *loop,
					    const char *ladder, const char *dir,
					    scheduler_prune_told *told,
					    void *arg) MUST_CHECK;
/* After this the loop is told nothing more.  Call it before
 * scheduler_prune_free(), which waits for the file that is being pruned and may
 * be called in any thread.  NULL is allowed for both. */
void scheduler_prune_close_events(struct scheduler_prune *prune);
void scheduler_prune_free(struct scheduler_prune *prune);
/* Prunes at once and every few hours the records that are older than `days`
 * days; 0 prunes nothing.  An unchanged number does nothing.  NULL is allowed. */
void scheduler_prune_set(struct scheduler_prune *prune, unsigned days);

#endif
