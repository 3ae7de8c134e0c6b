/* referee/queue/proof.h - proves that a result is that of its job.
 *
 * A result from another machine counts only if its record proves itself and
 * belongs to this game: its ID, bots, options, clocks, commitment and entropy
 * must be those of the job.  The places are taken from the record. */
#ifndef REFEREE_PROOF_H
#define REFEREE_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/runner/job.h"

#define PROOF_WHY_BYTES 1400

/* Returns true if the result holds; if not, false and a sentence.  `job` has
 * its secret, its commitment and the entropy of its bots.  It takes as long as
 * playing the game without its bots.  Asks that do not hold are dropped,
 * because the record counts without them. */
bool proof_holds(const struct job *job, struct job_result *result,
		 char why[PROOF_WHY_BYTES]) MUST_CHECK;
/* Sets the date at which the game of a proved result ended, in seconds since
 * 1970, whatever the clock of its machine says. */
void proof_date(struct job_result *result, int64_t seconds);

#endif
