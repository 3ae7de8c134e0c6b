/* policy.h - how likely each move is to be made by somebody who knows the game
 * a little.  One file a game: what it says is a first guess, quick to make, and
 * the search finds out the rest. */
#ifndef POLICY_H
#define POLICY_H

#include "referee/games/game.h"

/* Writes to weight[i], above 0, how often entry i of the list is to be tried;
 * only the ratios count.  The list has no ranges.  All hands lie open here. */
typedef void policy_fn(const struct game *game, const struct legal *legal,
		       float *weight);

policy_fn policy_daumen_drauf, policy_daupun, policy_doubles_dread,
	policy_durnius, policy_toepen;

/* Returns true if a playout that began at `root` may end here, within a round; then
 * adds to points[s] what seat s has to expect of the round. */
typedef bool outlook_fn(const struct game *root, const struct game *game,
			double points[SEATS_MAX]);

outlook_fn outlook_daumen_drauf;

/* Returns the sort of a seat's cards, below SORTS_MAX.  Hands of one sort are alike to
 * answers that are good or bad by the hand alone. */
#define SORTS_MAX 32
typedef unsigned sort_fn(const struct game *game, unsigned seat);

sort_fn sort_daupun;

/* Returns true if a move does what `other` does, and keeps the better card for
 * later. */
typedef bool spares_fn(const struct game *game, const struct move *move,
		       const struct move *other);

spares_fn spares_durnius;

/* A policy holds what the search knows of one game. */
struct policy {
	const struct game_rules *rules; /* NULL: any other game */
	policy_fn *weigh;
	outlook_fn *outlook; /* or NULL: rounds are played to their end */
	sort_fn *sort;	     /* or NULL: one tree for all seats, else each has
			      * its own, in which the others' cards play no part
			      */
	spares_fn *spares;   /* or NULL: no move is known to */
	/* These were found by trial: how eager the search is to try what it knows
	 * little of, and how many playouts the weights are worth to it. */
	double explore, trust;
	bool blunt; /* the others go by the weights alone: what they hold says
		     * more than what they would learn without it */
	double spread; /* of the difference of two seats' points, in a round */
};

const struct policy *policy_of(const struct game_rules *rules);

/* Replaces each range in the list by some of its numbers. */
void policy_narrow(struct legal *legal);

#endif
