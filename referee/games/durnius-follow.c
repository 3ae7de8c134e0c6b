/* referee/games/durnius-follow.c - Durnius, as a viewer is told of it.
 *
 * What the viewer does not know of the shuffled order is a guess; here it is
 * made to agree with the lines of a step: a card that is played, or that the
 * viewer draws, changes places with one that nobody has seen either.  Equal
 * cards are the same, so of those of a seat it never matters which one. */
#include <string.h>

#include "referee/games/durnius.h"
#include "referee/games/redeal.h"
#include "referee/games/told.h"

struct heeding {
	struct durnius *d;
	int viewer;
	place_set pinned; /* places of the talon that are known now */
	int mover, card;  /* who has to keep which card, or -1 */
};

static struct bag
unseen_of(const struct durnius *d, unsigned seat)
{
	struct bag bag = d->hand[seat], known = d->known[seat];
	unsigned card;

	while (known.one) {
		card = card_lowest(known.one);
		bag_take(&known, card);
		bag_take(&bag, card);
	}
	return bag;
}

/* Whether the viewer cannot know what lies in this place. */
static bool
is_open(const struct heeding *h, unsigned place)
{
	const struct durnius *d = h->d;
	struct bag unseen;

	if (place >= d->places - 1u)
		return false;
	if (place >= d->dealt)
		return !(h->pinned >> place & 1);
	if (d->owner[place] == h->viewer ||
	    (d->owner[place] == h->mover && d->card[place] == h->card))
		return false;
	unseen = unseen_of(d, d->owner[place]);
	return unseen.one >> d->card[place] & 1;
}

/* The two places' cards change places, in the hands, too. */
static void
exchange(struct durnius *d, unsigned place, unsigned other)
{
	unsigned card = d->card[place];

	if (place < d->dealt) {
		bag_take(&d->hand[d->owner[place]], card);
		bag_add(&d->hand[d->owner[place]], d->card[other]);
	}
	if (other < d->dealt) {
		bag_take(&d->hand[d->owner[other]], d->card[other]);
		bag_add(&d->hand[d->owner[other]], card);
	}
	d->card[place] = d->card[other];
	d->card[other] = (uint8_t)card;
}

/* An open place that holds the card and is not of this seat, or -1. */
static int
find_elsewhere(const struct heeding *h, unsigned seat, unsigned card)
{
	const struct durnius *d = h->d;
	unsigned place;

	for (place = 0; place < d->places - 1u; place++)
		if (d->card[place] == card && is_open(h, place) &&
		    (place >= d->dealt || d->owner[place] != seat))
			return (int)place;
	return -1;
}

/* The seat holds one more copy of the card, in place of some other one. */
static bool
bring(struct heeding *h, unsigned seat, unsigned card)
{
	struct durnius *d = h->d;
	int from = find_elsewhere(h, seat, card);
	unsigned place;

	if (from < 0)
		return false;
	for (place = 0; place < d->dealt; place++)
		if (d->owner[place] == seat && d->card[place] != card &&
		    is_open(h, place)) {
			exchange(d, place, (unsigned)from);
			return true;
		}
	return false;
}

/* The seat plays or shows this card.  One copy is enough: a second one that
 * travelling proves is counted by what it leaves behind. */
static bool
heed_card(struct heeding *h, unsigned seat, const struct move *move)
{
	unsigned card = move->piece[move->verb == VERB_BEAT];

	if (!(h->d->hand[seat].one >> card & 1) && !bring(h, seat, card))
		return false;
	h->mover = (int)seat;
	h->card = (int)card;
	return true;
}

/* `draw S c ...`: what lies from place `place` on; returns where the next draw
 * goes on, or 0 if that cannot be. */
static unsigned
heed_draw(struct heeding *h, const struct told *step, unsigned line,
	  unsigned place)
{
	struct durnius *d = h->d;
	unsigned i;
	int card, from;

	for (i = 2; i < told_count(step, line); i++, place++) {
		card = told_piece(step, line, i, &durnius_deck);
		if (place >= d->places)
			return 0;
		if (card < 0)
			continue;
		if (d->card[place] != card) {
			from = find_elsewhere(h, DURNIUS_SEATS, (unsigned)card);
			if (from < 0)
				return 0;
			exchange(d, place, (unsigned)from);
		}
		h->pinned |= redeal_run(place, 1);
	}
	return place;
}

bool
durnius_heed(void *state, int viewer, const struct told *step,
	     struct move *move)
{
	struct durnius *d = state;
	struct heeding h = { .d = d, .viewer = viewer, .mover = -1 };
	unsigned end = told_round(step), place = d->dealt, line;

	if (move->verb != VERB_PASS && move->verb != VERB_TAKE &&
	    !heed_card(&h, told_seat(step, 0), move))
		return false;
	for (line = 1; line < end; line++) {
		if (!told_is(step, line, "draw"))
			continue;
		place = heed_draw(&h, step, line, place);
		if (place == 0)
			return false;
	}
	return true;
}

/* ---- a game begins ---------------------------------------------------- */

/* Of the lines from the last `round` on the one with this verb. */
static unsigned
find_line(const struct told *step, const char *verb)
{
	unsigned line = step->lines;

	while (line > 0 && !told_is(step, line - 1, verb))
		line--;
	return line > 0 ? line - 1 : step->lines;
}

/* What `lowest` says of the first hands: no lower trump is dealt, and the one
 * that it names is the first card of its seat, unless the viewer sees it
 * there. */
card_set
durnius_foresee(const struct told *step, unsigned line, unsigned word)
{
	unsigned at = find_line(step, "lowest"), round = told_round(step);
	int trump =
		told_piece(step, find_line(step, "trump"), 1, &durnius_deck);
	int lowest = told_piece(step, at, 2, &durnius_deck);

	if (!told_is(step, line, "deal") || at >= step->lines || at < round ||
	    trump < 0)
		return ~(card_set)0;
	if (lowest < 0) /* none */
		return ~suit_of((unsigned)trump);
	if (told_seat(step, at) == told_seat(step, line) && word == 2 &&
	    !(told_pieces(step, line, 2, &durnius_deck) >> lowest & 1))
		return piece((unsigned)lowest);
	return ~(suit_of((unsigned)trump) & (piece((unsigned)lowest + 1) - 1));
}
