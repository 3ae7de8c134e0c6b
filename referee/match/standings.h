/* referee/match/standings.h - how the bots of a match stand.
 *
 * Games may be told in any order; what comes out depends on their numbers
 * alone.  Seats of the same bot (none in a match) would count each. */
#ifndef REFEREE_STANDINGS_H
#define REFEREE_STANDINGS_H

#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/table/table.h"

/* What a bot has done in the match. */
struct match_standing {
	unsigned bot; /* its number in the setup */
	uint64_t games;
	uint64_t places; /* their sum */
	int64_t points;	 /* their sum */
	uint64_t wins;	 /* at place 1, shared or not */
	uint64_t faults, retired;
	double score;	   /* mean over games of the share of the other seats
			    * beaten, level ones as half */
	double error;	   /* half the width of the 95 % interval of score; 0
			    * without a game */
	int64_t elo_milli; /* folded in the order of the games, from
			    * LADDER_START_MILLI with LADDER_K_MILLI */
};

struct standings;

struct standings *standings_new(unsigned bots, unsigned seats) MUST_CHECK;
void standings_free(struct standings *standings);

/* Game `number` (from 1) was played by bot[seat]. */
void standings_add(struct standings *standings, uint64_t number,
		   const unsigned bot[SEATS_MAX],
		   const struct table_outcome *outcome);

/* One for each bot, best score first, equal ones by number; the caller's. */
struct match_standing *standings_make(struct standings *standings) MUST_CHECK;

#endif
