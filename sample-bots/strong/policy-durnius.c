/* policy-durnius.c - give away what is cheap, keep trumps. */
#include "policy.h"

#include <math.h>

#include "referee/games/durnius.h"

/* 0 for a six to 17 for the trump ace. */
static float
cost(const struct durnius *d, unsigned card)
{
	float trump = d->trumps & piece(card) ? RANKS : 0;

	return (float)rank(card) + trump;
}

/* Returns the card that a move gives away, or -1. */
static int
given(const struct move *move)
{
	switch (move->verb) {
	case VERB_BEAT:
		return move->piece[1];
	case VERB_ATTACK:
	case VERB_ADD:
	case VERB_TRANSFER:
		return move->piece[0];
	default:
		return -1;
	}
}

/* Returns true for a lower card of the suit, or one that is no trump in place of one
 * that is. */
bool
spares_durnius(const struct game *game, const struct move *move,
	       const struct move *other)
{
	const struct durnius *d = (const void *)game->state;
	int card = given(move), dear = given(other);

	if (move->verb != other->verb || card < 0)
		return false;
	if (move->verb == VERB_BEAT && move->piece[0] != other->piece[0])
		return false;
	if (suit_of((unsigned)card) == suit_of((unsigned)dear))
		return rank((unsigned)card) < rank((unsigned)dear);
	return d->trumps & piece((unsigned)dear);
}

/* Returns how much cards are worth keeping: late in the game they are there to be got
 * rid of. */
static float
thrift(const struct durnius *d)
{
	return d->dealt == d->places ? 0.15f : 0.4f;
}

void
policy_durnius(const struct game *game, const struct legal *legal,
	       float *weight)
{
	const struct durnius *d = (const void *)game->state;
	float thrifty = thrift(d);
	unsigned i;

	for (i = 0; i < legal->count; i++) {
		const struct move *move = &legal->move[i];

		switch (move->verb) {
		case VERB_ATTACK:
			weight[i] = expf(-0.4f * cost(d, move->piece[0]));
			break;
		case VERB_BEAT:
			weight[i] = expf(-thrifty * cost(d, move->piece[1]));
			break;
		case VERB_TRANSFER:
			weight[i] = expf(1 - thrifty * cost(d, move->piece[0]));
			break;
		case VERB_SHOW:
			weight[i] = 2;
			break;
		case VERB_ADD:
			weight[i] = expf(1 - thrifty * cost(d, move->piece[0]));
			break;
		case VERB_TAKE:
			weight[i] = expf(-thrifty * 12);
			break;
		default: /* pass */
			weight[i] = expf(-thrifty * 6);
		}
		weight[i] += 1e-6f;
	}
}
