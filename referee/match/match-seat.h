/* referee/match/match-seat.h - handles what is heard of a seat's program when
 * its game is over: how it ended, its standard error, its first fault; and
 * decides whether the match must end for that. */
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

/* Call it when the program of bot number `bot` has ended, or lives on and game
 * `number` is over.  `note` is its first fault in that game, or NULL. Prints
 * what is worth telling, and keeps it for the report.  Returns 0, or -1 if the
 * match must end for the error. */
int match_seat_hear(struct match_seats *seats, uint64_t number, unsigned bot,
		    unsigned seat, const struct fault_note *note,
		    const struct job_end *end, struct error *why) MUST_CHECK;
/* Sets the error for a bot whose program could not be started with the errno
 * `error`. */
void match_seat_not_started(const struct match_bot *bot, int error,
			    struct error *why);

#endif
