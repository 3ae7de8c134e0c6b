/* referee/queue/proof.h - whether a result is that of its job.
 *
 * What another machine reports counts only if its record proves itself, and is
 * the one of this game: its ID, bots, options, clocks, commitment and entropy
 * are those of the job.  The places are taken from the record. */
#ifndef REFEREE_PROOF_H
#define REFEREE_PROOF_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/runner/job.h"

#define PROOF_WHY_BYTES 1400

/* `job` has its secret and commitment, and what its bots gave as entropy.  False
 * and a sentence: the result is refused.  Takes as long as playing the game
 * without its bots.  Asks that do not hold are dropped: they are less than their
 * record, which stands without them. */
bool proof_holds(const struct job *job, struct job_result *result,
		 char why[PROOF_WHY_BYTES]) MUST_CHECK;
/* Of one that holds: the game ended then (since 1970), whatever the clock of its
 * worker says. */
void proof_date(struct job_result *result, int64_t seconds);

#endif
