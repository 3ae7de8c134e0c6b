/* referee/games/durnius-redeal.c - Durnius: what a viewer cannot know.
 *
 * A viewer knows the cards that were dealt to it or that it drew, and the
 * trump card.  Of the others it knows what all know: which the moves showed,
 * and from when on they can have been in the hand they came from; what
 * `lowest` says of the first hands; and that a seat for which the referee moved
 * held nothing that the house plays sooner.  After a card has been shown once
 * its way is public, so `known` needs no second look. */
#include <string.h>

#include "referee/games/durnius.h"
#include "referee/games/redeal.h"

#define REDEALS 64 /* tried until equal cards lie in order */

/* ---- bars ------------------------------------------------------------- */

void
durnius_bar(struct durnius *d, unsigned seat, card_set cards)
{
	if (!d->bars)
		memset(d->bar, 0, sizeof(d->bar));
	d->bars |= (uint8_t)(1u << seat);
	for (unsigned i = 0; i < d->dealt; i++)
		if (d->owner[i] == seat)
			d->bar[i] |= cards;
}

/* A later bar holds for the earlier places, too, so those that bar the card
 * are the first ones of the seat. */
unsigned
durnius_behind_bars(const struct durnius *d, unsigned seat, unsigned card)
{
	unsigned i;

	for (i = d->dealt; i > 0; i--)
		if (d->owner[i - 1] == seat && d->bar[i - 1] & piece(card))
			break;
	return i;
}

void
durnius_card_leaves(struct durnius *d, unsigned seat, unsigned card)
{
	card_leaves_from(d, seat, card, durnius_behind_bars(d, seat, card));
}

/* ---- places ----------------------------------------------------------- */

_Static_assert(PLACES_MAX == 2 * DECK, "redeal() writes the shuffled order");

struct view {
	const struct durnius *d;
	int viewer;
	place_set of[DURNIUS_SEATS]; /* whose places are whose */
	place_set open;		     /* what the viewer does not know */
	uint8_t copies[DECK];	     /* that lie there */
};

static void
view_init(struct view *view, const struct durnius *d, int viewer)
{
	memset(view, 0, sizeof(*view));
	view->d = d;
	view->viewer = viewer;
	for (unsigned i = 0; i < d->dealt; i++)
		view->of[d->owner[i]] |= redeal_run(i, 1);
	view->open = redeal_run(0, d->places - 1u);
	if (viewer >= 0)
		view->open &= ~view->of[viewer];
	for (unsigned i = 0; i < d->places; i++)
		view->copies[d->card[i]] += view->open >> i & 1;
}

/* Returns the open places that `lowest` leaves to this card. */
static place_set
by_lowest(const struct view *view, unsigned card)
{
	const struct durnius *d = view->d;
	place_set places = view->open;

	if (d->absent & piece(card))
		places &= ~redeal_run(0, (unsigned)d->seats * HAND);
	if (d->lowest == card)
		places &= ~redeal_run(0, d->lowest_at);
	return places;
}

/* Returns where a card may lie that no seat has seen. */
static place_set
places_unseen(const struct view *view, unsigned card)
{
	const struct durnius *d = view->d;
	place_set places = by_lowest(view, card);

	if (!d->bars)
		return places;
	for (unsigned i = 0; i < d->dealt; i++)
		if (d->bars >> d->owner[i] & 1 && d->bar[i] & piece(card))
			places &= ~redeal_run(i, 1);
	return places;
}

static place_set
places_seen(const struct view *view, const struct sight *sight)
{
	place_set run =
		redeal_run(sight->from, (unsigned)(sight->upto - sight->from));

	return by_lowest(view, sight->card) & view->of[sight->seat] & run;
}

/* ---- the deal --------------------------------------------------------- */

static void
put_in(struct view *view, struct redeal *r)
{
	const struct durnius *d = view->d;
	const struct sight *sight;

	redeal_begin(r);
	for (sight = d->sight; sight < d->sight + d->sights; sight++) {
		if (sight->seat == view->viewer)
			continue;
		redeal_piece(r, sight->card, places_seen(view, sight));
		view->copies[sight->card]--;
	}
	for (unsigned card = 0; card < DECK; card++)
		for (unsigned n = view->copies[card]; n > 0; n--)
			redeal_piece(r, card, places_unseen(view, card));
}

/* Returns true if two equal cards with different places are in order: where they could
 * change them, one deal comes in two ways, and only one of these counts. */
static bool
copies_in_order(const struct redeal *r)
{
	uint8_t first[DECK];
	unsigned k;

	memset(first, PLACES_MAX, sizeof(first));
	for (unsigned i = 0; i < r->count; i++) {
		k = first[r->piece[i]];
		if (k == PLACES_MAX)
			first[r->piece[i]] = (uint8_t)i;
		else if (r->where[i] != r->where[k] &&
			 r->place[i] < r->place[k] &&
			 r->where[i] >> r->place[k] & 1 &&
			 r->where[k] >> r->place[i] & 1)
			return false;
	}
	return true;
}

/* Takes up what was dealt or drawn and not seen since, and what is known. */
static void
take_up(struct durnius *d)
{
	const struct sight *sight;

	memset(d->hand, 0, sizeof(d->hand));
	for (unsigned i = 0; i < d->dealt && i < d->places - 1u; i++)
		bag_add(&d->hand[d->owner[i]], d->card[i]);
	for (sight = d->sight; sight < d->sight + d->sights; sight++)
		bag_take(&d->hand[sight->seat], sight->card);
	for (unsigned seat = 0; seat < d->seats; seat++)
		bag_join(&d->hand[seat], &d->known[seat]);
}

void
durnius_resample(void *state, int viewer, struct draws *draws)
{
	struct durnius *d = state;
	struct view view;
	struct redeal r;
	unsigned tries = REDEALS;

	view_init(&view, d, viewer);
	put_in(&view, &r);
	do
		if (!redeal(&r, draws, d->card))
			bug("durnius: the actual deal counts as impossible");
	while (!copies_in_order(&r) && --tries > 0);
	take_up(d);
}

unsigned
durnius_hidden(const void *state, uint8_t piece[HIDDEN_MAX])
{
	const struct durnius *d = state;

	memcpy(piece, d->card, d->places - 1u);
	return d->places - 1u;
}
