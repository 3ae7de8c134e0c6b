/* referee/match/match-seat.h - what is heard of a seat's program when its game is
 * over: how it ended, its standard error, what it was charged with; and whether
 * the match must end for that. */
#ifndef REFEREE_MATCH_SEAT_H
#define REFEREE_MATCH_SEAT_H

#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/match/match-terms.h"
#include "referee/runner/complaints.h"
#include "referee/runner/job.h"

struct match_seats {
	const struct match_setup *setup;
	struct match_report *report;
	struct complaints complaints;
};

/* The program of bot number `bot` has ended, or lives and game `number` is over;
 * `note`: what it was charged with there first, or NULL.  It is told and kept.
 * -1: the match ends for this error. */
int match_seat_hear(struct match_seats *seats, uint64_t number, unsigned bot,
		    unsigned seat, const struct fault_note *note,
		    const struct job_end *end, struct error *why) MUST_CHECK;
/* The error of a bot whose program could not be started; `error`: its errno. */
void match_seat_not_started(const struct match_bot *bot, int error,
			    struct error *why);

#endif
