/* referee/games/toepen-redeal.c - Toepen, dealt again except for what is known.
 *
 * The viewer knows its own hands and those that were revealed, and of the
 * others the cards that were played from them.  What is left of a hand is not
 * of a suit that its seat could not follow, nor lower than what the house
 * played for it. */
#include <string.h>

#include "referee/games/redeal.h"
#include "referee/games/toepen.h"

#define PLACES (TOEPEN_HANDS * TOEPEN_HAND)

unsigned
toepen_hidden(const void *state, uint8_t piece[HIDDEN_MAX])
{
	const struct toepen *t = state;

	memcpy(piece, t->dealt, (size_t)t->hands * TOEPEN_HAND);
	return t->hands * TOEPEN_HAND;
}

static bool
is_current(const struct toepen *t, unsigned hand)
{
	return t->last[t->owner[hand]] == hand;
}

/* Returns the cards of a hand that its seat has played. */
static uint32_t
played_of(const struct toepen *t, unsigned hand)
{
	if (!is_current(t, hand))
		return 0;
	return hand_set(t, hand) & ~t->hand[t->owner[hand]];
}

static bool
knows_hand(const struct toepen *t, int viewer, unsigned hand)
{
	return t->owner[hand] == viewer || t->open >> hand & 1;
}

/* Returns where a card may lie.  A card that was played came from its seat's hand;
 * another one may lie in the stock, in a hand that was laid down, and in those whose
 * seats' moves leave it possible. */
static place_set
places_of(const struct toepen *t, int viewer, unsigned card)
{
	place_set places = redeal_run(0, PLACES), run;

	for (unsigned hand = 0; hand < t->hands; hand++) {
		run = redeal_run(hand * TOEPEN_HAND, TOEPEN_HAND);
		if (knows_hand(t, viewer, hand))
			places &= ~run;
		else if (played_of(t, hand) >> card & 1)
			return run;
		else if (is_current(t, hand) &&
			 t->barred[t->owner[hand]] >> card & 1)
			places &= ~run;
	}
	return places;
}

/* Works out from other cards in the hands what of them is held, and the stock. */
static void
pick_up(struct toepen *t, const uint32_t played[TOEPEN_HANDS])
{
	t->stock = TOEPEN_CARDS;
	for (unsigned hand = 0; hand < t->hands; hand++) {
		t->stock &= ~hand_set(t, hand);
		if (is_current(t, hand))
			t->hand[t->owner[hand]] =
				hand_set(t, hand) & ~played[hand];
	}
}

void
toepen_resample(void *state, int viewer, struct draws *draws)
{
	uint32_t played[TOEPEN_HANDS], known = 0;
	struct toepen *t = state;
	uint8_t dealt[PLACES_MAX];
	struct redeal r;

	memcpy(dealt, t->dealt, sizeof(t->dealt));
	for (unsigned hand = 0; hand < t->hands; hand++) {
		played[hand] = played_of(t, hand);
		if (knows_hand(t, viewer, hand))
			known |= hand_set(t, hand);
	}
	redeal_begin(&r);
	for (unsigned card = 0; card < PLACES; card++)
		if (!(known >> card & 1))
			redeal_piece(&r, card, places_of(t, viewer, card));
	if (!redeal(&r, draws, dealt))
		bug("toepen: the actual deal counts as impossible");
	memcpy(t->dealt, dealt, (size_t)t->hands * TOEPEN_HAND);
	pick_up(t, played);
}
