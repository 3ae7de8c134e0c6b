/* referee/games/toepen-redeal.c - Toepen, dealt anew but for what is known.
 *
 * The viewer knows its own hands and those that were revealed, and of the
 * others the cards that were played from them.  What is left of a hand is not
 * of a suit that its seat could not follow, nor lower than what the house
 * played for it. */
#include <string.h>

#include "referee/games/redeal.h"
#include "referee/games/toepen.h"
#include "referee/games/told.h"

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

/* The cards of a hand that its seat has played. */
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

/* A card that was played came from its seat's hand; another one may lie in
 * the stock, in a hand that was laid down, and in those whose seats' moves
 * leave it possible. */
static place_set
places_of(const struct toepen *t, int viewer, unsigned card)
{
	place_set places = redeal_run(0, PLACES), run;
	unsigned hand;

	for (hand = 0; hand < t->hands; hand++) {
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

/* After other cards lie in the hands: what of them is held, and the stock. */
static void
pick_up(struct toepen *t, const uint32_t played[TOEPEN_HANDS])
{
	unsigned hand;

	t->stock = TOEPEN_CARDS;
	for (hand = 0; hand < t->hands; hand++) {
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
	unsigned hand, card;

	memcpy(dealt, t->dealt, sizeof(t->dealt));
	for (hand = 0; hand < t->hands; hand++) {
		played[hand] = played_of(t, hand);
		if (knows_hand(t, viewer, hand))
			known |= hand_set(t, hand);
	}
	redeal_begin(&r);
	for (card = 0; card < PLACES; card++)
		if (!(known >> card & 1))
			redeal_piece(&r, card, places_of(t, viewer, card));
	if (!redeal(&r, draws, dealt))
		bug("toepen: a deal that was is not possible");
	memcpy(t->dealt, dealt, (size_t)t->hands * TOEPEN_HAND);
	pick_up(t, played);
}

/* ---- what a viewer is told -------------------------------------------- */

/* A step as it is being heeded. */
struct heeding {
	struct toepen *t;
	int viewer;
	uint32_t fixed; /* cards that lie where they are known to */
};

static uint32_t
known_cards(const struct toepen *t, int viewer)
{
	uint32_t known = 0;
	unsigned hand;

	for (hand = 0; hand < t->hands; hand++)
		known |= knows_hand(t, viewer, hand) ? hand_set(t, hand)
						     : played_of(t, hand);
	return known;
}

static void
exchange_in(uint32_t *set, unsigned card, unsigned other)
{
	if ((*set >> card ^ *set >> other) & 1)
		*set ^= 1u << card | 1u << other;
}

/* Each of the two lies where the other was. */
static void
exchange(struct toepen *t, unsigned card, unsigned other)
{
	unsigned seat, i;
	uint8_t *dealt = t->dealt[0];

	exchange_in(&t->stock, card, other);
	for (seat = 0; seat < t->seats; seat++)
		exchange_in(&t->hand[seat], card, other);
	for (i = 0; i < t->hands * TOEPEN_HAND; i++) {
		if (dealt[i] == card)
			dealt[i] = (uint8_t)other;
		else if (dealt[i] == other)
			dealt[i] = (uint8_t)card;
	}
}

/* The card lies in one of the places where the cards `to` are. */
static bool
bring(struct heeding *h, unsigned card, uint32_t to)
{
	uint32_t room = to & ~h->fixed;

	if (!(to >> card & 1)) {
		if (h->fixed >> card & 1 || !room)
			return false;
		exchange(h->t, card, card_lowest(room));
	}
	h->fixed |= 1u << card;
	return true;
}

/* `deal S c c c c` of the viewer's own. */
static bool
heed_deal(struct heeding *h, card_set cards)
{
	while (cards)
		if (!bring(h, card_take_lowest(&cards), h->t->stock))
			return false;
	return true;
}

/* `reveal S c c c c`: the cards, and in which order they were dealt. */
static bool
heed_reveal(struct heeding *h, const struct told *step, unsigned line)
{
	struct toepen *t = h->t;
	int card[TOEPEN_HAND];
	unsigned i;

	if (knows_hand(t, h->viewer, t->laid))
		return true;
	for (i = 0; i < TOEPEN_HAND; i++) {
		card[i] = told_piece(step, line, 2 + i, &toepen_deck);
		if (card[i] < 0 ||
		    !bring(h, (unsigned)card[i], hand_set(t, t->laid)))
			return false;
	}
	for (i = 0; i < TOEPEN_HAND; i++)
		t->dealt[t->laid][i] = (uint8_t)card[i];
	return true;
}

bool
toepen_heed(void *state, int viewer, const struct told *step, struct move *move)
{
	struct heeding h = { .t = state, .viewer = viewer };
	unsigned end = told_round(step), line;

	h.fixed = known_cards(h.t, viewer);
	if (move->verb == TOEPEN_PLAY &&
	    !(h.t->hand[told_seat(step, 0)] >> move->piece[0] & 1) &&
	    !bring(&h, move->piece[0], h.t->hand[told_seat(step, 0)]))
		return false;
	for (line = 1; line < end; line++) {
		if (told_is(step, line, "reveal") &&
		    !heed_reveal(&h, step, line))
			return false;
		if (told_is(step, line, "deal") &&
		    !heed_deal(&h, told_pieces(step, line, 2, &toepen_deck)))
			return false;
	}
	return true;
}
