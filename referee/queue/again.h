/* referee/queue/again.h - a game that was played again, with the same cards,
 * entropy and bots, by another worker.
 *
 * A record proves its cards, and that each move was legal; not that the bot made
 * it.  A bot that plays without chance and without a clock makes the same moves
 * again, so a machine on which it makes others than everywhere else is broken,
 * or lies.  Which bots these are is learned from the same comparisons: one that
 * draws lots differs between all machines alike, and says nothing. */
#ifndef REFEREE_AGAIN_H
#define REFEREE_AGAIN_H

#include <stddef.h>

#include "protocol/util.h"

enum again {
	AGAIN_SAME,
	AGAIN_OTHER, /* the bot of `*seat` moves otherwise, the first to do so */
	AGAIN_UNKNOWN, /* time was lost, or the first record is not whole */
};

/* The whole record of the first game, and the body of the second one's. */
enum again again_compare(const char *record, size_t n, const char *body,
			 size_t m, unsigned *seat) MUST_CHECK;

/* What is known of a bot. */
struct again_bot {
	double other; /* comparisons in which it differed, */
	double here;  /* of these with the worker in question */
	double share; /* of all its comparisons, those with that worker */
};

/* The chance that so many differences or more have the worker in them, if it is
 * as the others: for each bot Chernoff's bound for a draw without replacement,
 * as in residuals.h, and all of them together by Fisher's sum of logarithms. */
double again_chance(const struct again_bot bot[], size_t n) MUST_CHECK;

#endif
