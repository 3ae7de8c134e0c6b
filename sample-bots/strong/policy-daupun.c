/* policy-daupun.c - three low cards and two high ones, 25 together. */
#include "policy.h"

#include <math.h>

#include "referee/games/daupun.h"

#define SURE 4 /* stones that make a decision fairly clear */

/* Returns how good five cards are: 25 first, then that the lowest three are low. */
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

/* Returns the best five of six cards. */
static card_set
best_five(card_set hand)
{
	card_set cards = hand, best = hand;
	float most = -1e9f, now;
	unsigned card;

	if (cards_count(hand) == DAUPUN_HAND)
		return hand;
	while (cards) {
		card = card_take_lowest(&cards);
		now = worth(without(hand, card));
		if (now > most) {
			most = now;
			best = without(hand, card);
		}
	}
	return best;
}

/* Returns how many points more than the other seat a battle would bring this seat
 * now. */
static float
battle(const struct daupun *d, unsigned seat, card_set hand, unsigned pot)
{
	static struct events quiet; /* not wanted */
	card_set hands[DAUPUN_SEATS];
	struct daupun_end end;
	float gain;

	hands[seat] = best_five(hand);
	hands[!seat] = best_five(d->hand[!seat]);
	end = daupun_battle(hands, d->by_position, &quiet);
	gain = (float)end.gain[seat] - (float)end.gain[!seat];
	if (end.winner == DAUPUN_NOBODY)
		return gain;
	return end.winner == seat ? gain + (float)pot : gain - (float)pot;
}

/* Returns from 0 to 1 how readily somebody risks what may bring so much.  No seat knows
 * it so well, so it is never certain. */
static float
nerve(float gain)
{
	return 0.1f + 0.8f / (1 + expf(-gain / SURE));
}

static float
weigh(const struct daupun *d, unsigned seat, const struct move *move)
{
	card_set hand = d->hand[seat], left;

	switch (move->verb) {
	case DAUPUN_DISCARD:
		return expf(1.5f * worth(without(hand, move->piece[0]))) +
		       1e-4f;
	case DAUPUN_DISCARD_STAY:
		left = without(hand, move->piece[0]);
		return expf(1.5f * worth(left)) *
		       nerve(battle(d, seat, left, d->pot));
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
		return 0.03f * nerve(battle(d, seat, hand, (unsigned)move->n));
	case DAUPUN_IN:
		return nerve(battle(d, seat, hand, d->offer) + d->pot + 2);
	case DAUPUN_OUT:
		return 1 - nerve(battle(d, seat, hand, d->offer) + d->pot + 2);
	case DAUPUN_STAY:
		if (d->phase == PHASE_EXCHANGE)
			return 2 * expf(1.5f * worth(hand)) + 1e-4f;
		return nerve(battle(d, seat, hand, d->pot) + d->pot + 1);
	default: /* leave */
		return 1 - nerve(battle(d, seat, hand, d->pot) + d->pot + 1);
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

/* Returns the sort of the seat's hand by the worth of its best five cards. */
unsigned
sort_daupun(const struct game *game, unsigned seat)
{
	const struct daupun *d = (const void *)game->state;
	float value = worth(best_five(d->hand[seat]));

	if (value < -6)
		return 0;
	return 1 + (unsigned)((value + 6) * 1.5f);
}
