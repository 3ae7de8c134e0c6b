/* referee/match/match-done.h - games of a match that were played before. */
#ifndef REFEREE_MATCH_DONE_H
#define REFEREE_MATCH_DONE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/text.h"
#include "referee/match/match-faults.h"
#include "referee/match/standings.h"

/* What a record tells of a game. */
struct match_done {
	uint64_t number;
	unsigned bot[SEATS_MAX]; /* by seat */
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	bool retired[SEATS_MAX];
	struct text faults; /* owned: the `fault` lines */
};

struct match_resume {
	bool *is_done;		 /* owned; by number, from 1 */
	struct match_done *done; /* owned; by number */
	uint64_t count;
};

/* Adds them to what the match has; `faults` is by bot. */
void match_resume_tell(const struct match_resume *resume, unsigned seats,
		       struct standings *standings,
		       struct match_faults faults[]);
void match_resume_release(struct match_resume *resume);

#endif
