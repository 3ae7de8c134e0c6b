/* referee/scheduler/scheduler-heirs.h - the rating that a bot enters a ladder
 * with: a new version of a bot continues from the version before it. */
#ifndef REFEREE_SCHEDULER_HEIRS_H
#define REFEREE_SCHEDULER_HEIRS_H

#include <stdint.h>

#include "ladder/pairing.h"
#include "referee/runner/participant.h"
#include "referee/scheduler/scheduler-ladder.h"

/* Returns the name of the bot whose rating it enters with: the latest of its
 * own earlier entries that has a rating in the pairing, or would enter this
 * season with one.  The name is borrowed from the participant; NULL if there is
 * none. */
const char *scheduler_heir_of(const struct pairing *pairing,
			      const struct scheduler_ladder *ladder,
			      const struct participant *participant);
/* Returns the rating that it enters with; `start_milli` is that of a bot that
 * is no heir. */
int64_t scheduler_heir_milli(const struct pairing *pairing,
			     const struct scheduler_ladder *ladder,
			     const struct participant *participant,
			     int64_t start_milli);
/* Gives the bot with this handle the fitted rating of the bot before it, if it
 * is in no fit yet. */
void scheduler_heir_fit(struct pairing *pairing,
			const struct scheduler_ladder *ladder,
			const struct participant *participant, int bot);

#endif
