/* referee/games/daumen-drauf-redeal.c - what a viewer cannot know, dealt again.
 *
 * A viewer does not know what the others drew, but for what they showed: each
 * such card came from one of its seat's places drawn before, and its fang may
 * be unknown.  Twins are alike in all but the house move: the lowest card of
 * the hand, so where the referee made it the seat held nothing lower then.
 *
 * So first each unknown fang is chosen, then the cards are laid.  Without
 * house moves of others the twins can always be exchanged, so either fang
 * leaves as many deals, and where cards may lie nests: each deal is equally
 * likely.  With such moves the first deal is only a possible one, and a walk
 * goes on from it among all possible deals, each step as likely as the one
 * back: in the end each is nearly equally likely. */
#include "referee/games/daumen-drauf.h"
#include "referee/games/redeal.h"

#define NEVER 63 /* for a show: later than any */
#define STEPS 16 /* of the walk, for each card and pair */

/* Holds a deal as it is made. */
struct deal {
	const struct daumen *d;
	card_set cards;		  /* that the viewer did not draw, */
	card_set open;		  /* and the places where they lie */
	card_set loose;		  /* non-toxic ones that could be their twins */
	unsigned fixed;		  /* numbers from 0 whose fangs are chosen */
	uint8_t card[PIECES_MAX]; /* of each show */
	uint8_t when[PIECES_MAX]; /* of each card: its show, or NEVER */
	uint8_t dealt[PLACES_MAX];
};

static unsigned
number_of(unsigned card)
{
	return card / NUMBER_PIECES;
}

static card_set
deck_of(const struct daumen *d)
{
	return piece(NUMBER_PIECES * (d->seats + 2u)) - 1;
}

/* Returns the places of the seat that made this show, as far as drawn then. */
static card_set
drawn_before(const struct daumen *d, unsigned show)
{
	return d->places[d->by[show]] & (piece(d->at[show]) - 1);
}

/* ---- what the viewer knows -------------------------------------------- */

static void
look_at_places(struct deal *deal, int viewer)
{
	const struct daumen *d = deal->d;
	card_set mine = viewer < 0 ? 0 : d->places[viewer];
	unsigned place;

	deal->cards = deal->open = deck_of(d);
	deal->open &= ~mine;
	while (mine) {
		place = card_take_lowest(&mine);
		deal->cards &= ~piece(d->dealt[place]);
	}
}

static void
set_show(struct deal *deal, unsigned show, unsigned card)
{
	deal->card[show] = (uint8_t)card;
	deal->when[card] = (uint8_t)show;
}

/* Looks at a show whose fang the viewer has not seen.  The fang that goes in is not
 * taken from the truth: the non-toxic one if both are possible. */
static void
look_at_unknown(struct deal *deal, unsigned show, card_set *known)
{
	unsigned harmless = deal->d->card[show], toxic;

	if (is_toxic(harmless))
		harmless = twin_of(harmless);
	toxic = twin_of(harmless);
	if (*known & piece(harmless)) {
		set_show(deal, show, toxic);
	} else {
		set_show(deal, show, harmless);
		*known |= piece(harmless);
		if (!(*known & piece(toxic)))
			deal->loose |= piece(harmless);
	}
}

static void
look_at_shows(struct deal *deal, int viewer)
{
	const struct daumen *d = deal->d;
	card_set known = ~deal->cards;

	memset(deal->when, NEVER, sizeof(deal->when));
	deal->loose = 0;
	for (unsigned show = 0; show < d->shown; show++) {
		if (!knows_fang(d, viewer, show))
			continue;
		set_show(deal, show, d->card[show]);
		known |= piece(d->card[show]);
	}
	for (unsigned show = 0; show < d->shown; show++)
		if (!knows_fang(d, viewer, show))
			look_at_unknown(deal, show, &known);
}

/* Returns true if there are house moves that tell something of a hand: not those of the
 * viewer. */
static bool
house_tells(const struct daumen *d, int viewer)
{
	card_set forced = d->forced;

	while (forced)
		if (d->by[card_take_lowest(&forced)] != viewer)
			return true;
	return false;
}

/* ---- where a card may lie --------------------------------------------- */

/* Returns true if a house move bars the card.  While not all fangs are chosen, those of
 * one number do not yet tell. */
static bool
is_barred(const struct deal *deal, unsigned card, unsigned house)
{
	unsigned number = number_of(card);

	return deal->card[house] > card &&
	       (number < deal->fixed || number != number_of(deal->card[house]));
}

static card_set
where(const struct deal *deal, unsigned card)
{
	const struct daumen *d = deal->d;
	unsigned when = deal->when[card], house;
	card_set forced = d->forced & (piece(when) - 1), places = deal->open;

	if (when != NEVER)
		places &= drawn_before(d, when);
	while (forced) {
		house = card_take_lowest(&forced);
		if (is_barred(deal, card, house))
			places &= ~drawn_before(d, house);
	}
	return places;
}

/* ---- the fangs -------------------------------------------------------- */

/* Exchanges the two cards among the shows. */
static void
exchange_twins(struct deal *deal, unsigned card)
{
	unsigned twin = twin_of(card), when = deal->when[card];

	deal->when[card] = deal->when[twin];
	deal->when[twin] = (uint8_t)when;
	if (deal->when[card] != NEVER)
		deal->card[deal->when[card]] = (uint8_t)card;
	if (deal->when[twin] != NEVER)
		deal->card[deal->when[twin]] = (uint8_t)twin;
}

static void
choose_fangs(struct deal *deal, struct draws *draws)
{
	card_set loose = deal->loose;
	unsigned card;

	while (loose) {
		card = card_take_lowest(&loose);
		if (draws_below(draws, 2))
			exchange_twins(deal, card);
	}
}

static void
put_in(const struct deal *deal, struct redeal *r)
{
	card_set cards = deal->cards;
	unsigned card;

	redeal_begin(r);
	r->open = deal->open; /* also where nothing may lie */
	while (cards) {
		card = card_take_lowest(&cards);
		redeal_piece(r, card, where(deal, card));
	}
}

static bool
is_possible(const struct deal *deal)
{
	struct redeal r;

	put_in(deal, &r);
	return redeal_possible(&r);
}

/* Goes on until the fangs of this number and of those above leave a deal
 * possible; whatever was chosen for those below.  All ways are tried, first
 * the one that is there. */
static bool
mend_fangs(struct deal *deal, unsigned number)
{
	card_set loose = deal->loose >> number * NUMBER_PIECES &
			 (piece(NUMBER_PIECES) - 1);
	unsigned ways = 1u << cards_count(loose), way;
	card_set change;

	if (number == deal->d->seats + 2u)
		return true;
	for (way = 1; way <= ways; way++) {
		deal->fixed = number + 1;
		if (is_possible(deal) && mend_fangs(deal, number + 1))
			return true;
		/* Counts up as a binary counter does; at last all is as it was. */
		for (change = loose; change; change &= change - 1) {
			exchange_twins(deal, number * NUMBER_PIECES +
						     card_lowest(change));
			if (way >> (cards_count(loose) - cards_count(change)) &
			    1)
				break;
		}
	}
	deal->fixed = number;
	return false;
}

/* ---- the walk --------------------------------------------------------- */

struct walk {
	struct deal *deal;
	card_set where[PIECES_MAX];
	uint8_t place[PIECES_MAX];
};

static void
lay(struct walk *walk, unsigned card, unsigned place)
{
	walk->place[card] = (uint8_t)place;
	walk->deal->dealt[place] = (uint8_t)card;
}

static void
change_places(struct walk *walk, unsigned card, unsigned other)
{
	unsigned place = walk->place[card];

	lay(walk, card, walk->place[other]);
	lay(walk, other, place);
}

static bool
lies_well(const struct walk *walk, unsigned card)
{
	return walk->where[card] >> walk->place[card] & 1;
}

/* Moves a card to one of the places where it may lie, if the one there may lie where it
 * came from. */
static void
move_card(struct walk *walk, unsigned card, struct draws *draws)
{
	card_set to = walk->where[card];
	unsigned place = card_nth(to, draws_below(draws, cards_count(to)));
	unsigned other = walk->deal->dealt[place];

	if (walk->where[other] >> walk->place[card] & 1)
		change_places(walk, card, other);
}

/* Looks again at the cards of one number, as their fangs are now; returns true if all
 * lie well. */
static bool
look_again(struct walk *walk, unsigned number)
{
	card_set cards = walk->deal->cards & (piece(NUMBER_PIECES) - 1)
						     << number * NUMBER_PIECES;
	bool well = true;
	unsigned card;

	while (cards) {
		card = card_take_lowest(&cards);
		walk->where[card] = where(walk->deal, card);
		well &= lies_well(walk, card);
	}
	return well;
}

/* Moves each of the twins to where the other is, in the hands and among the shows.
 * That changes nothing for other numbers. */
static void
turn_pair(struct walk *walk, unsigned card)
{
	unsigned twin = twin_of(card), number = number_of(card);

	exchange_twins(walk->deal, card);
	change_places(walk, card, twin);
	if (look_again(walk, number))
		return;
	exchange_twins(walk->deal, card);
	change_places(walk, card, twin);
	look_again(walk, number);
}

static void
go_for_a_walk(struct deal *deal, struct draws *draws)
{
	unsigned cards = cards_count(deal->cards);
	unsigned all = cards + cards_count(deal->loose), steps, which, place;
	struct walk walk = { .deal = deal };
	card_set open = deal->open;

	while (open) {
		place = card_take_lowest(&open);
		lay(&walk, deal->dealt[place], place);
	}
	for (which = 0; which < deal->d->seats + 2u; which++)
		look_again(&walk, which);
	for (steps = STEPS * all; steps > 0; steps--) {
		which = draws_below(draws, all);
		if (which < cards)
			move_card(&walk, card_nth(deal->cards, which), draws);
		else
			turn_pair(&walk, card_nth(deal->loose, which - cards));
	}
}

/* ---- all together ----------------------------------------------------- */

/* Takes over from the deal: cards shown, hands, covered cards and stock. */
static void
pick_up(struct daumen *d, const struct deal *deal)
{
	card_set open = deal->open & (piece(d->drawn) - 1);
	unsigned place;

	while (open) {
		place = card_take_lowest(&open);
		d->dealt[place] = deal->dealt[place];
	}
	memcpy(d->card, deal->card, d->shown);
	d->stock = deck_of(d);
	for (unsigned seat = 0; seat < d->seats; seat++) {
		d->hand[seat] = 0;
		for (open = d->places[seat]; open;)
			d->hand[seat] |=
				piece(d->dealt[card_take_lowest(&open)]);
		d->stock ^= d->hand[seat];
	}
	d->covered = 0;
	for (unsigned show = 0; show < d->shown; show++)
		if (show < d->turn_from || d->open >> show & 1)
			d->hand[d->by[show]] ^= piece(d->card[show]);
		else
			d->covered |= piece(d->card[show]);
}

void
daumen_resample(void *state, int viewer, struct draws *draws)
{
	struct daumen *d = state;
	struct deal deal = { .d = d };
	bool tells = house_tells(d, viewer);
	struct redeal r;

	look_at_places(&deal, viewer);
	look_at_shows(&deal, viewer);
	choose_fangs(&deal, draws);
	deal.fixed = d->seats + 2u;
	if (tells && !is_possible(&deal) && !mend_fangs(&deal, 0))
		bug("daumen-drauf: no fangs are possible");
	put_in(&deal, &r);
	if (!redeal(&r, draws, deal.dealt))
		bug("daumen-drauf: the actual deal counts as impossible");
	if (tells)
		go_for_a_walk(&deal, draws);
	pick_up(d, &deal);
}

/* Lists for each show what was drawn before it, then the card shown. */
unsigned
daumen_hidden(const void *state, uint8_t card[HIDDEN_MAX])
{
	const struct daumen *d = state;
	unsigned n = 0, place = 0, show;

	for (show = 0; show < d->shown; show++) {
		while (place < d->at[show])
			card[n++] = d->dealt[place++];
		card[n++] = d->card[show];
	}
	while (place < d->drawn)
		card[n++] = d->dealt[place++];
	return n;
}
