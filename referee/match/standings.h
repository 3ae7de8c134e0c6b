/* referee/match/standings.h - how the bots of a match stand.
 *
 * The games of a set follow one another: set k (from 0) has the games k * seats
 * + 1 to (k + 1) * seats, all with the same bots.  Some may be missing.  Games
 * may be told in any order; what comes out depends on their numbers
 * alone.  Seats of the same bot (none in a match) would count each. */
#ifndef REFEREE_STANDINGS_H
#define REFEREE_STANDINGS_H

#include <stdint.h>

#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/match/match-source.h"

/* With fewer games than so many sets have, errors are not known. */
#define STANDING_SETS 10

/* What a bot has done in the match. */
struct match_standing {
	unsigned bot; /* its number in the setup */
	uint64_t games;
	uint64_t places; /* their sum */
	int64_t points;	 /* their sum */
	uint64_t wins;	 /* at place 1, shared or not */
	uint64_t faults, retired;
	double score;	/* mean over games of the share of the other seats
			    * beaten, level ones as half */
	double error;	/* half the width of the 95 % interval of score; NAN
			    * below STANDING_SETS sets */
	double vs_next; /* score less that of the next one in the table; NAN
			    * for the last one and without a game */
	double vs_next_error; /* half the width of its 95 % interval; NAN if one
			       * of the two has fewer than STANDING_SETS sets,
			       * or all sets came out alike */
};

struct standings;

struct standings *standings_new(unsigned bots, unsigned seats) MUST_CHECK;
/* Its units are blocks: games that are not independent of each other, also where
 * sets would be taken apart. */
void standings_use_blocks(struct standings *standings);
void standings_free(struct standings *standings);

/* 2 for each other seat that seat `s` has beaten, 1 for each that is level. */
unsigned standings_halves(const int place[], unsigned seats,
			  unsigned s) MUST_CHECK;

/* A game that counts. */
void standings_add(struct standings *standings,
		   const struct match_result *result);

/* One for each bot, in the order of `order`, or if that is NULL best score
 * first, equal ones by number; the caller's. */
struct match_standing *standings_make(struct standings *standings,
				      const unsigned order[]) MUST_CHECK;
/* Half the width of the 95 % interval of the score of bot `a` less that of bot
 * `b`; NAN as vs_next_error.  After standings_make(). */
double standings_error(const struct standings *standings, unsigned a,
		       unsigned b) MUST_CHECK;

/* Where Student's distribution with so many degrees of freedom, at least 1,
 * reaches 97.5 %. */
double student_t(double freedom) MUST_CHECK;

#endif
