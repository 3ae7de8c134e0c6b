/* referee/scheduler/scheduler-fit.h - where a ladder's bots stand by the fit that is
 * kept beside it: the pairing looks for opponents there. */
#ifndef REFEREE_SCHEDULER_FIT_H
#define REFEREE_SCHEDULER_FIT_H

#include <stdint.h>

#include "ladder/fit-kept.h"
#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/util.h"

/* The fit of this pool, whatever its age; NULL: there is none.  `*pool` is as of
 * scheduler_pool() and gets its number.  In any thread. */
struct fit_kept *scheduler_fit_read(struct ladder *ladder,
				    struct ladder_pool *pool) MUST_CHECK;
/* Tells the pairing where its bots stand by it; NULL tells nothing.  How many
 * of them are in it.  Bots enter the ladder with `start_milli`. */
unsigned scheduler_fit_tell(struct pairing *pairing, int64_t start_milli,
			    const struct fit_kept *kept);

#endif
