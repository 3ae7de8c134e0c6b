/* referee/games/durnius-game.c - how a game of Durnius begins and ends. */
#include <string.h>

#include "referee/games/durnius.h"

/* ---- a game begins ---------------------------------------------------- */

/* Draws a card; the line of the caller shows it. */
static unsigned
draw_card(struct bag *stock, struct chance *chance, struct events *ev)
{
	unsigned card = chance_two_decks(chance, ev, stock->one, stock->two,
					 &durnius_deck);

	bag_take(stock, card);
	event_word(ev, durnius_deck.name[card]);
	return card;
}

/* R2.2.  `open`: everybody sees the last card, which is the trump card (Q10).
 */
static void
deal_hand(struct durnius *d, unsigned seat, bool open, struct bag *stock,
	  struct chance *chance, struct events *ev)
{
	unsigned i, card = 0;

	memset(&d->hand[seat], 0, sizeof(d->hand[seat]));
	memset(&d->known[seat], 0, sizeof(d->known[seat]));
	event_begin_of(ev, "deal", seat);
	event_hide(ev);
	for (i = 1; i <= HAND; i++) {
		if (open && i == HAND)
			event_seen_by(ev, 1u << seat);
		card = draw_card(stock, chance, ev);
		bag_add(&d->hand[seat], card);
		d->owner[d->dealt] = (uint8_t)seat;
		d->card[d->dealt++] = (uint8_t)card;
	}
	if (open)
		bag_add(&d->known[seat], card);
	else
		event_seen_by(ev, 1u << seat);
	event_end(ev);
}

/* R2.3, R2.4; where there is no talon, the trump card has been dealt. */
static void
lay_talon(struct durnius *d, struct bag *stock, struct chance *chance,
	  struct events *ev)
{
	unsigned last = d->places - 1u, i;

	event_begin(ev, "trump");
	if (d->dealt == d->places)
		event_word(ev, durnius_deck.name[d->card[last]]);
	else
		d->card[last] = (uint8_t)draw_card(stock, chance, ev);
	event_end(ev);
	d->trumps = suit_of(d->card[last]);
	if (d->dealt == d->places)
		return;
	event_begin(ev, "talon");
	event_hide(ev);
	for (i = d->dealt; i < last; i++)
		d->card[i] = (uint8_t)draw_card(stock, chance, ev);
	event_seen_by(ev, 0);
	event_end(ev);
}

/* R2 */
static void
deal(struct durnius *d, struct chance *chance, struct events *ev)
{
	struct bag stock = { .one = piece(DECK) - 1 };
	bool talon = d->decks * DECK > d->seats * HAND;
	unsigned seat = d->dealer;

	if (d->decks == 2)
		stock.two = stock.one;
	d->places = (uint8_t)(d->decks * DECK);
	d->dealt = 0;
	do {
		seat = seat_left(seat, d->seats);
		deal_hand(d, seat, seat == d->dealer && !talon, &stock, chance,
			  ev);
	} while (seat != d->dealer);
	lay_talon(d, &stock, chance, ev);
}

/* Returns the seats of the side that was out first in this game, or none. */
static unsigned
first_out(const struct durnius *d)
{
	unsigned gone = 0, i, side;

	for (i = 0; i < d->lefts; i++) {
		gone |= 1u << d->left[i];
		side = d->side[d->left[i]];
		if (!(side & ~gone))
			return side;
	}
	return 0;
}

/* R3: returns the seat that attacks first by the previous game, or NOBODY: the lowest
 * trump. */
static int
opener(const struct durnius *d)
{
	unsigned side = first_out(d), i = 0;

	if (d->game == 0 || d->fool == NOBODY || d->start == START_TRUMP)
		return NOBODY;
	if (d->start == START_RIGHT)
		return (d->fool + d->seats - 1) % d->seats;
	while (!(side >> d->left[i] & 1)) /* Q17 */
		i++;
	return d->left[i];
}

/* Notes what all seats learn from this card: its holder has it, the seats that the
 * search passed do not have it, and no seat has a lower one. */
static void
learn_lowest(struct durnius *d, unsigned holder, unsigned lowest)
{
	show_copies(d, holder, lowest, 1);
	d->absent = d->trumps & (piece(lowest) - 1);
	d->lowest = (uint8_t)lowest;
	d->lowest_at = 0;
	while (d->owner[d->lowest_at] != holder)
		d->lowest_at += HAND;
}

/* R3, Q11 */
static unsigned
show_lowest(struct durnius *d, struct events *ev)
{
	unsigned seat, lowest, holder = seat_left(d->dealer, d->seats);
	card_set held = 0;

	for (seat = 0; seat < d->seats; seat++)
		held |= d->hand[seat].one & d->trumps;
	event_begin(ev, "lowest");
	if (!held) {
		event_word(ev, "none");
		event_end(ev);
		d->absent = d->trumps;
		return holder;
	}
	lowest = card_lowest(held);
	while (!(d->hand[holder].one & piece(lowest)))
		holder = seat_left(holder, d->seats);
	event_number(ev, holder);
	event_word(ev, durnius_deck.name[lowest]);
	event_end(ev);
	learn_lowest(d, holder, lowest);
	return holder;
}

/* R2: returns the dealer after a game. */
static unsigned
next_dealer(const struct durnius *d)
{
	if (d->dealing == DEALER_FOOL && d->fool != NOBODY)
		return (unsigned)d->fool;
	return seat_left(d->dealer, d->seats);
}

/* R2, R3 */
void
durnius_begin_game(struct durnius *d, struct chance *chance, struct events *ev)
{
	int first = opener(d);

	d->game++;
	event_begin_of(ev, "round", d->game);
	if (d->game == 1)
		d->dealer = (uint8_t)chance_number(chance, ev, 0, d->seats);
	else
		d->dealer = (uint8_t)next_dealer(d);
	event_number(ev, d->dealer);
	event_end(ev);
	chance_round(chance, d->game);

	deal(d, chance, ev);
	d->sights = d->bars = 0;
	d->absent = 0;
	d->lowest = DECK;
	d->lowest_at = 0;
	d->in = (uint8_t)((1u << d->seats) - 1);
	settle_chairs(d);
	d->lefts = 0;
	d->idle = 0;
	d->turn = 0;
	if (first == NOBODY)
		first = (int)show_lowest(d, ev);
	durnius_begin_turn(d, (unsigned)first, ev);
}

/* ---- a game ends ------------------------------------------------------ */

static void
add_points(struct durnius *d, unsigned side, int points)
{
	while (side)
		d->points[seats_take(&side)] += (int16_t)points;
}

/* R12: F, the attacking cards that the fool's side did not play; returns how
 * many. */
static unsigned
foreign_attacks(const struct durnius *d, uint8_t card[ATTACKS_MAX])
{
	unsigned side = d->side[d->fool], i, n = 0;

	for (i = 0; i < d->attacks; i++)
		if (!(side >> d->by[i] & 1))
			card[n++] = d->attack[i];
	return n;
}

/* `epaulette S c …` */
static void
line_epaulette(const struct durnius *d, const uint8_t *card, unsigned n,
	       struct events *ev)
{
	event_begin_of(ev, "epaulette", d->fool);
	for (unsigned i = 0; i < n; i++)
		event_word(ev, durnius_deck.name[card[i]]);
	event_end(ev);
}

/* R12: if the last of F is a six, the last two sixes of F, or the only one. */
static void
mark_epaulette(const struct durnius *d, const uint8_t *card, unsigned n,
	       struct events *ev)
{
	uint8_t six[ATTACKS_MAX];
	unsigned i, sixes = 0;

	if (rank(card[n - 1]) != 0)
		return;
	for (i = 0; i < n; i++)
		if (rank(card[i]) == 0)
			six[sixes++] = card[i];
	if (sixes == 1)
		line_epaulette(d, six, 1, ev);
	else
		line_epaulette(d, &six[sixes - 2], 2, ev);
}

/* R12: the points are minus the epaulettes, so they tell the rank of the next one.
 * Returns true if it was the ace. */
static bool
score_epaulette(struct durnius *d, const uint8_t *card, unsigned n,
		struct events *ev)
{
	unsigned next = (unsigned)-d->points[d->fool], i;
	card_set cards = 0;

	for (i = 0; i < n; i++)
		cards |= piece(card[i]);
	if (rank(card[n - 1]) != next || !(cards & ~d->trumps))
		return false;
	line_epaulette(d, &card[n - 1], 1, ev);
	add_points(d, d->side[d->fool], -1);
	return next == RANKS - 1;
}

/* R12.2, Q19.  Returns true if it ends the match. */
static bool
give_epaulette(struct durnius *d, struct events *ev)
{
	uint8_t card[ATTACKS_MAX];
	unsigned n;

	if (d->epaulettes == EPAULETTES_NONE || d->fool != d->defender)
		return false;
	n = foreign_attacks(d, card);
	if (n == 0)
		return false;
	if (d->epaulettes == EPAULETTES_SCORE)
		return score_epaulette(d, card, n, ev);
	mark_epaulette(d, card, n, ev);
	return false;
}

/* R13; `scoring order` has given its points when sides left. */
static void
score_game(struct durnius *d)
{
	if (d->epaulettes == EPAULETTES_SCORE || d->scoring == SCORING_ORDER)
		return;
	if (d->fool != NOBODY)
		add_points(d, d->side[d->fool], -1);
	if (d->scoring == SCORING_FIRST)
		add_points(d, first_out(d), 1);
}

/* R12 */
void
durnius_end_game(struct durnius *d, int fool, struct chance *chance,
		 struct events *ev)
{
	bool ends;

	d->fool = (int8_t)fool;
	event_begin(ev, "fool");
	if (fool == NOBODY)
		event_word(ev, "none");
	else
		event_number(ev, fool);
	event_end(ev);
	ends = give_epaulette(d, ev) || d->game == d->games;
	score_game(d);
	for (unsigned seat = 0; seat < d->seats; seat++)
		EVENT_LINE(ev, "score", seat, d->points[seat]);
	if (ends)
		d->phase = PHASE_OVER;
	else
		durnius_begin_game(d, chance, ev);
}
