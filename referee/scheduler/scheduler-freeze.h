/* referee/scheduler/scheduler-freeze.h - keeps a ladder as it was when its standings
 * froze.
 *
 * DIR/frozen-SECONDS.db is a copy of ladder.db of that moment, with a fit beside it
 * (ladder/fit-kept.h).  It has the games that ended before, and no others, and the
 * marks of the bots from the roster of that moment.  Public lists and standings read it
 * in place of ladder.db until the freeze ends.  A daemon that starts without the file
 * makes it again, with the marks of now and the voids made until now. */
#ifndef REFEREE_SCHEDULER_FREEZE_H
#define REFEREE_SCHEDULER_FREEZE_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

/* Writes the path of the copy for a freeze at this second. */
void scheduler_freeze_path(const char *dir, int64_t freezes,
			   char path[LADDER_PATH_BYTES]);
/* Makes the copy.  If it is there, adds the games that ended before the freeze, but
 * were rated since the copy was made: machines of a queue report late, and disks fail.
 * Waits for the disk; for a big ladder that takes seconds.  `data` is the folder of the
 * roster, `pool` the pool that is fitted.  Returns 0, or -1 and an error. */
int scheduler_freeze_make(struct ladder *ladder, const char *data,
			  const char *dir, int64_t freezes,
			  const struct ladder_pool *pool,
			  struct error *why) MUST_CHECK;
/* Removes all copies but that of a freeze at this second; 0: all. */
void scheduler_freeze_clean(const char *dir, int64_t freezes);

#endif
