/* policy-toepen.c - a seat with cards that no other beats stays and knocks;
 * others fold. */
#include "policy.h"

#include "referee/games/seats.h"
#include "referee/games/toepen.h"

static uint32_t
suit_of(unsigned card)
{
	return 0x11111111u << card % 4;
}

static uint32_t
higher(unsigned card)
{
	return suit_of(card) & ~(uint32_t)1 << card;
}

/* Returns the cards that the other seats in the round hold or have played to this
 * trick. */
static uint32_t
held_by_others(const struct toepen *t, unsigned seat)
{
	unsigned in = t->in & ~(1u << seat), other;
	uint32_t cards = 0;

	while (in) {
		other = seats_take(&in);
		cards |= t->hand[other];
		if (t->played >> other & 1)
			cards |= 1u << t->card[other];
	}
	return cards;
}

/* Returns from 0 to 1 how much of the hand is not beaten. */
static float
strength(const struct toepen *t, unsigned seat)
{
	uint32_t others = held_by_others(t, seat);
	card_set hand = t->hand[seat];
	unsigned masters = 0, n = cards_count(hand);

	if (t->played >> seat & 1) {
		hand |= 1u << t->card[seat];
		n++;
	}
	if (n == 0)
		return 0.5f;
	while (hand)
		masters += !(higher(card_take_lowest(&hand)) & others);
	return (float)masters / (float)n;
}

/* Returns the best card of the trick so far, of those who are in, or -1. */
static int
best_of_trick(const struct toepen *t)
{
	unsigned in = t->in & t->played;
	unsigned first;
	uint32_t suit, cards = 0;

	if (!t->played)
		return -1;
	first = seats_first(t->played, t->leader, t->seats);
	suit = suit_of(t->card[first]);
	while (in)
		cards |= 1u << t->card[seats_take(&in)];
	cards &= suit;
	return cards ? 31 - __builtin_clz(cards) : -1;
}

static float
weigh_card(const struct toepen *t, unsigned card, int best)
{
	float rank = (float)(card / 4);

	if (!t->played)
		return 1;
	if (best >= 0 && higher((unsigned)best) >> card & 1)
		return 2;
	return 2 - rank * 0.2f;
}

static float
weigh_mulligan(const struct toepen *t, unsigned seat, float strong)
{
	bool cheats = t->hand[seat] & 0xffff0000u;

	return strong > 0.3f ? 0.001f : cheats ? 0.03f : 0.3f;
}

void
policy_toepen(const struct game *game, const struct legal *legal, float *weight)
{
	const struct toepen *t = (const void *)game->state;
	unsigned seat = legal->seat, i;
	float strong = strength(t, seat);
	int best = best_of_trick(t);

	for (i = 0; i < legal->count; i++) {
		switch (legal->move[i].verb) {
		case TOEPEN_KNOCK:
			weight[i] = 0.01f + 0.1f * strong * strong;
			break;
		case TOEPEN_MULLIGAN:
			weight[i] = weigh_mulligan(t, seat, strong);
			break;
		case TOEPEN_PLAY:
			weight[i] =
				weigh_card(t, legal->move[i].piece[0], best);
			break;
		case TOEPEN_STAY:
			weight[i] = 0.3f + 3 * strong;
			break;
		case TOEPEN_CHALLENGE:
			weight[i] = 0.1f;
			break;
		default:
			weight[i] = 1;
		}
	}
}
