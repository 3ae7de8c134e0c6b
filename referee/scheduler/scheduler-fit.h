/* referee/scheduler/scheduler-fit.h - tells the pairing where a ladder's bots
 * stand by the fit that is kept beside it, as opponents are chosen by that. */
#ifndef REFEREE_SCHEDULER_FIT_H
#define REFEREE_SCHEDULER_FIT_H

#include <stdint.h>

#include "ladder/fit-kept.h"
#include "ladder/pairing.h"
#include "ladder/store.h"
#include "protocol/util.h"

/* Returns the fit of this pool, whatever its age, or NULL if there is none.
 * `*pool` was filled by scheduler_pool() and gets its number.  May be called in
 * any thread. */
struct fit_kept *scheduler_fit_read(struct ladder *ladder,
				    struct ladder_pool *pool) MUST_CHECK;
/* Tells the pairing where its bots stand by a fit; NULL tells it nothing.  Bots
 * enter the ladder with `start_milli`.  Returns how many bots of the pairing
 * are in the fit. */
unsigned scheduler_fit_tell(struct pairing *pairing, int64_t start_milli,
			    const struct fit_kept *kept);

#endif
