/* referee/match/standings.h - computes how the bots of a match stand.
 *
 * The games of a set follow one another: set k (from 0) has the games k * seats
 * + 1 to (k + 1) * seats, all with the same bots.  Some games may be missing.
 * Games may be added in any order; the result does not depend on it.  If a bot
 * sat in two seats of a game (it does not in a match), each seat would count. */
#ifndef REFEREE_STANDINGS_H
#define REFEREE_STANDINGS_H

#include <stdint.h>

#include "protocol/util.h"
#include "referee/match/match-source.h"

/* A bot with fewer games than this many sets have gets no error. */
#define STANDING_SETS 10

/* A bot's results in the match. */
struct match_standing {
	unsigned bot; /* number of the bot in the setup */
	uint64_t games;
	uint64_t places; /* sum over its games */
	int64_t points;	 /* sum over its games */
	uint64_t wins;	 /* games at place 1, shared or not */
	uint64_t faults, retired;
	double score;	/* mean share of the other seats that it beat; a level
			 * seat counts as half */
	double error;	/* half the width of its 95 % interval; NAN below
			 * STANDING_SETS sets */
	double vs_next; /* score less that of the next bot in the table; NAN for
			 * the last bot and without a game */
	double vs_next_error; /* half the width of the 95 % interval of vs_next;
			       * NAN if one of the two bots has fewer than
			       * STANDING_SETS sets, or if all sets came out
			       * alike */
};

struct standings;

struct standings *standings_new(unsigned bots, unsigned seats) MUST_CHECK;
/* Makes the sets blocks: their games are not independent of each other, so they
 * stay together even where sets would be taken apart. */
void standings_use_blocks(struct standings *standings);
void standings_free(struct standings *standings);

/* Returns 2 for each other seat that seat `s` has beaten, plus 1 for each that
 * is level. */
unsigned standings_halves(const int place[], unsigned seats,
			  unsigned s) MUST_CHECK;

/* Adds a game that counts. */
void standings_add(struct standings *standings,
		   const struct match_result *result);

/* Returns the standing of each bot in the order of `order`, or if that is NULL
 * by score, the best first and equal ones by number.  The caller owns the
 * array. */
struct match_standing *standings_make(struct standings *standings,
				      const unsigned order[]) MUST_CHECK;
/* Returns half the width of the 95 % interval of the score of bot `a` less the
 * score of bot `b`; NAN in the cases of vs_next_error.  Call standings_make()
 * first. */
double standings_error(const struct standings *standings, unsigned a,
		       unsigned b) MUST_CHECK;

/* Returns the point where Student's distribution with `freedom` degrees of
 * freedom, at least 1, reaches 97.5 %. */
double student_t(double freedom) MUST_CHECK;

#endif
