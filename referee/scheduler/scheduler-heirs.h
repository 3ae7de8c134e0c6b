/* referee/scheduler/scheduler-heirs.h - with what a bot enters a ladder: a new
 * version of a bot goes on from the version before it. */
#ifndef REFEREE_SCHEDULER_HEIRS_H
#define REFEREE_SCHEDULER_HEIRS_H

#include <stdint.h>

#include "ladder/pairing.h"
#include "referee/runner/participant.h"
#include "referee/scheduler/scheduler-ladder.h"

/* Whose rating it enters with: of its own earlier entries the latest that has a
 * rating in the pairing, or would enter this season with one; borrowed from the
 * participant.  NULL: none. */
const char *scheduler_heir_of(const struct pairing *pairing,
			      const struct scheduler_ladder *ladder,
			      const struct participant *participant);
/* With what rating that is; `start_milli`: of a bot that is no heir. */
int64_t scheduler_heir_milli(const struct pairing *pairing,
			     const struct scheduler_ladder *ladder,
			     const struct participant *participant,
			     int64_t start_milli);
/* If it, which has this handle, is in no fit yet, it stands where the bot before
 * it does. */
void scheduler_heir_fit(struct pairing *pairing,
			const struct scheduler_ladder *ladder,
			const struct participant *participant, int bot);

#endif
