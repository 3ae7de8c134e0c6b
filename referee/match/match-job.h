/* referee/match/match-job.h - makes a game of a match a job for a worker.  The
 * job depends on the arguments and the date alone. */
#ifndef REFEREE_MATCH_JOB_H
#define REFEREE_MATCH_JOB_H

#include <stdint.h>

#include "referee/match/match-terms.h"
#include "referee/runner/job.h"

/* Fills in the job for game `number` with these bots.  The job borrows from the
 * setup. */
void match_job(const struct match_setup *setup, uint64_t number,
	       const struct match_game *game, struct job *job);

#endif
