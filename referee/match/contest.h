/* referee/match/contest.h - compares the first two bots of a match after each
 * unit.  A unit is a set of games with the same bots, as many as there are
 * seats, in which each bot sits once in every seat.
 *
 * A unit counts if both bots sit in it and all its games count.  Only whole
 * units are looked at, in the order of their numbers, so the outcome is the
 * same for any number of games at a time. */
#ifndef REFEREE_CONTEST_H
#define REFEREE_CONTEST_H

#include <stdbool.h>

#include "referee/match/anytime.h"
#include "referee/match/match-source.h"
#include "referee/match/sprt.h"

enum contest_rule {
	CONTEST_NONE,	    /* never stops */
	CONTEST_SPRT,	    /* stops when the test has its verdict */
	CONTEST_UNTIL_SURE, /* stops when both ends of the interval lie on one
			     * side of 0 */
};

struct contest {
	enum contest_rule rule;
	struct sprt
		sprt; /* `seats` and `games` of a unit are set for every rule */
	struct sprt_sums sums;
	struct anytime anytime; /* the interval for v of sprt.h */
	enum sprt_verdict verdict;
	bool enough;
	/* The unit whose games are being told: */
	uint64_t unit;
	unsigned heard; /* games that count and have both bots */
	int difference; /* what sprt_add() takes */
};

/* Makes a contest ready for tables of `seats`.  The caller has set the rule,
 * and has filled `sprt` with sprt_parse() if the rule is CONTEST_SPRT; all else
 * is 0. */
void contest_begin(struct contest *contest, unsigned seats);
/* Returns the rule that a match asks after each game whether it may stop.  The
 * rule points to the contest. */
struct match_rule contest_rule(struct contest *contest) MUST_CHECK;
/* Sets the 95 % interval for the difference between the mean shares of the
 * first bot and the second, from -1 to 1.  It is valid at any time. */
void contest_lead(const struct contest *contest, double *low, double *high);
/* Writes the rule as text for the plan of a match; "" without a rule. */
#define CONTEST_TEXT_BYTES (SPRT_TEXT_BYTES + 16)
void contest_write(const struct contest *contest,
		   char text[CONTEST_TEXT_BYTES]);

#endif
