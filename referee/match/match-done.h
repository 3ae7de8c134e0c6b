/* referee/match/match-done.h - games of a match that were played before. */
#ifndef REFEREE_MATCH_DONE_H
#define REFEREE_MATCH_DONE_H

#include <stdint.h>

#include "protocol/text.h"
#include "referee/match/match-source.h"

/* A game as its record tells it. */
struct match_done {
	struct match_result result;
	struct text faults; /* owned: the `fault` lines */
};

struct match_resume {
	struct match_done *done; /* owned; by number */
	uint64_t count;
};

/* Returns game `number`; NULL if it was not played before or `resume` is NULL. */
const struct match_done *match_resume_find(const struct match_resume *resume,
					   uint64_t number);
void match_resume_release(struct match_resume *resume);

#endif
