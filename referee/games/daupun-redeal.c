/* referee/games/daupun-redeal.c - Daupun, dealt again except for what is known.
 *
 * The viewer knows its own places, and every card that has lain face up.  Of
 * such a card of the opponent it knows when it appeared, so in which places it
 * can have been: those which were dealt to the opponent by then.  Of all other
 * cards it knows nothing, except that the seat that says *I stay* has 25. */
#include <string.h>

#include "referee/games/daupun.h"
#include "referee/games/redeal.h"

#define TRIES 256

unsigned
daupun_hidden(const void *state, uint8_t piece[HIDDEN_MAX])
{
	const struct daupun *d = state;

	memcpy(piece, d->dealt, d->places);
	return d->places;
}

/* Returns the seat whose card lay in a place. */
static unsigned
owner_of(const struct daupun *d, unsigned place)
{
	if (place < DAUPUN_SEATS * DAUPUN_HAND)
		return place / DAUPUN_HAND;
	return d->first ^ (place & 1);
}

/* Returns the first `n` places, without those of others. */
static place_set
places_of(const struct daupun *d, unsigned seat, unsigned n)
{
	place_set places = 0;

	for (unsigned place = 0; place < n; place++)
		if (owner_of(d, place) == seat)
			places |= redeal_run(place, 1);
	return places;
}

static place_set
known_places(const struct daupun *d, int viewer)
{
	place_set places = d->bare;

	if (viewer >= 0)
		places |= places_of(d, (unsigned)viewer, d->places);
	return places;
}

/* Returns how many places there were when a card was first seen.  A card that was not
 * discarded came up in an exchange or a battle, when all had been dealt. */
static unsigned
seen_at(const struct daupun *d, unsigned card)
{
	for (unsigned turn = 0; turn < DAUPUN_TURNS; turn++)
		if (d->discarded[turn] == card)
			return DAUPUN_SEATS * DAUPUN_HAND + turn + 1;
	return d->places;
}

/* Returns the seat to which a card was dealt. */
static unsigned
dealt_to(const struct daupun *d, unsigned card)
{
	unsigned place = 0;

	while (d->dealt[place] != card)
		place++;
	return owner_of(d, place);
}

/* Returns the cards that lay in these places. */
static card_set
cards_in(const struct daupun *d, place_set places)
{
	card_set cards = 0;

	for (unsigned place = 0; place < d->places; place++)
		if (places >> place & 1)
			cards |= piece(d->dealt[place]);
	return cards;
}

/* Returns the seat that has said *I stay* and waits for an answer, or DAUPUN_NOBODY. */
static unsigned
caller(const struct daupun *d)
{
	return d->phase == PHASE_ANSWER ? on_turn(d) : DAUPUN_NOBODY;
}

/* Gathers the cards that the viewer cannot place.  `forced`: cards that are to
 * lie in the caller's hand. */
static void
gather(const struct daupun *d, place_set known, card_set forced,
       struct redeal *r)
{
	card_set cards = DAUPUN_CARDS & ~cards_in(d, known);
	place_set where;
	unsigned card;

	redeal_begin(r);
	while (cards) {
		card = card_take_lowest(&cards);
		where = redeal_run(0, 40);
		if (d->seen >> card & 1)
			where = places_of(d, dealt_to(d, card),
					  seen_at(d, card));
		else if (forced >> card & 1)
			where = places_of(d, caller(d), d->places);
		redeal_piece(r, card, where & ~known);
	}
}

/* Works out all that follows from other cards in the places. */
static void
settle(struct daupun *d)
{
	card_set hand;

	for (unsigned seat = 0; seat < DAUPUN_SEATS; seat++) {
		hand = cards_in(d, places_of(d, seat, d->places)) & ~d->seen;
		hand |= d->hand[seat] & d->seen;
		d->hand[seat] = hand;
		d->sum[seat] = 0;
		while (hand)
			d->sum[seat] = (uint8_t)(d->sum[seat] +
						 daupun_value(card_take_lowest(
							 &hand)));
	}
	d->pile = DAUPUN_CARDS & ~cards_in(d, redeal_run(0, d->places));
	d->drawn = d->dealt[d->places - 1];
}

static void
deal_anew(struct daupun *d, struct redeal *r, struct draws *draws)
{
	uint8_t dealt[PLACES_MAX];

	memcpy(dealt, d->dealt, sizeof(d->dealt));
	if (!redeal(r, draws, dealt))
		bug("daupun: the actual deal counts as impossible");
	memcpy(d->dealt, dealt, d->places);
	settle(d);
}

/* Returns the highest cards that the caller can hold where no seat has seen them. */
static card_set
highest(const struct daupun *d, place_set known)
{
	unsigned due = cards_count(d->hand[caller(d)] & ~d->seen);
	card_set cards = DAUPUN_CARDS & ~d->seen & ~cards_in(d, known);

	while (cards_count(cards) > due)
		card_take_lowest(&cards);
	return cards;
}

/* Deals until a caller has 25 or more, so that every deal in which it has is
 * equally likely.  Where that is so rare that it does not come in a good
 * while, the caller gets the highest cards that there are. */
void
daupun_resample(void *state, int viewer, struct draws *draws)
{
	struct daupun *d = state;
	place_set known = known_places(d, viewer);
	unsigned speaker = caller(d), tries;
	struct redeal r;

	gather(d, known, 0, &r);
	for (tries = 0; tries < TRIES; tries++) {
		deal_anew(d, &r, draws);
		if (speaker == DAUPUN_NOBODY || (int)speaker == viewer ||
		    d->sum[speaker] >= DAUPUN_GOAL)
			return;
	}
	gather(d, known, highest(d, known), &r);
	deal_anew(d, &r, draws);
}
