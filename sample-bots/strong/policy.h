/* policy.h - how likely each move is to be made by somebody who knows the game
 * a little.  One file a game: what it says is a first guess, quick to make, and
 * the search finds out the rest. */
#ifndef POLICY_H
#define POLICY_H

#include "referee/game.h"

/* Writes to weight[i], above 0, how often entry i of the list is to be tried;
 * only the ratios count.  The list has no ranges.  All hands lie open here. */
typedef void policy_fn(const struct game *game, const struct legal *legal,
		       float *weight);

policy_fn policy_daumen_drauf, policy_daupun, policy_doubles_dread,
	policy_durnius, policy_toepen;

/* The policy of this game. */
policy_fn *policy_of(const struct game_rules *rules);

/* The list with each range in it replaced by some of its numbers. */
void policy_narrow(struct legal *legal);

#endif
