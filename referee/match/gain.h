/* referee/match/gain.h - estimates what duplicate deals have gained in a match.
 *
 * The gain D is the variance of the mean of n independent games, in which a bot
 * sits once in each seat, divided by the variance of the mean of a block.  A
 * match without duplicate deals needs D times as many games for the same
 * precision. */
#ifndef REFEREE_GAIN_H
#define REFEREE_GAIN_H

#include "protocol/util.h"
#include "referee/match/match-source.h"

struct gain {
	double gain;  /* NAN below STANDING_SETS blocks or if all are alike */
	double error; /* half the width of its 95 % interval; or NAN */
};

struct gain_blocks;

struct gain_blocks *gain_new(unsigned seats) MUST_CHECK;
/* Frees the blocks; NULL is allowed. */
void gain_free(struct gain_blocks *blocks);
/* Adds a game that counts.  The games of a block must come one after another. */
void gain_add(struct gain_blocks *blocks, const struct match_result *result);
/* Returns the gain without bias; NAN for NULL. */
struct gain gain_make(struct gain_blocks *blocks) MUST_CHECK;

#endif
