/* policy-daupun.c - three low cards and two high ones, 25 together. */
#include "policy.h"

#include <math.h>

#include "referee/games/daupun.h"

/* How good five cards are: 25 first, then that the lowest three are low. */
static float
worth(card_set hand)
{
	unsigned sum = 0, low = 0, i, value;

	for (i = 0; hand; i++) {
		value = daupun_value(card_take_lowest(&hand));
		sum += value;
		if (i < 3)
			low += value;
	}
	if (sum < DAUPUN_GOAL)
		return -(float)(DAUPUN_GOAL - sum) * 0.5f - 0.2f * (float)low -
		       3;
	return -0.4f * (float)low - 0.05f * (float)(sum - DAUPUN_GOAL);
}

static card_set
without(card_set hand, unsigned card)
{
	return hand & ~piece(card);
}

static float
weigh(const struct daupun *d, unsigned seat, const struct move *move)
{
	card_set hand = d->hand[seat];
	bool reached = d->sum[seat] >= DAUPUN_GOAL;

	switch (move->verb) {
	case DAUPUN_DISCARD:
		return expf(1.5f * worth(without(hand, move->piece[0]))) +
		       1e-4f;
	case DAUPUN_DISCARD_STAY:
		return 0.5f * expf(1.5f * worth(without(hand, move->piece[0])));
	case DAUPUN_SWAP:
		return expf(1.5f * worth(without(hand, move->piece[0]) |
					 piece(move->piece[1]))) +
		       1e-4f;
	case DAUPUN_KEEP:
		return 2 * expf(1.5f * worth(hand)) + 1e-4f;
	case DAUPUN_STAKE:
	case DAUPUN_STAKE_TO:
		return 1e-3f;
	case DAUPUN_RAISE:
		return 0.05f;
	case DAUPUN_IN:
		return 2;
	case DAUPUN_STAY:
		if (d->phase == PHASE_EXCHANGE)
			return 2 * expf(1.5f * worth(hand)) + 1e-4f;
		return reached ? 2 : 0.1f;
	case DAUPUN_LEAVE:
		return reached ? 0.3f : 1;
	default: /* out */
		return 0.5f;
	}
}

void
policy_daupun(const struct game *game, const struct legal *legal, float *weight)
{
	const struct daupun *d = (const void *)game->state;
	unsigned i;

	for (i = 0; i < legal->count; i++)
		weight[i] = weigh(d, legal->seat, &legal->move[i]);
}
