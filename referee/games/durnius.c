/* referee/games/durnius.c - Durnius: whoever still has cards is the fool.
 *
 * Pieces are numbered rank * 4 + suit, ranks 6 7 8 9 T J Q K A and suits
 * C D H S.  So of any set the lowest piece is the house move's card, what is
 * higher in a suit is every fourth piece from there on, and the cards of a
 * rank stand side by side. */
#include <string.h>

#include "referee/game.h"
#include "referee/games/bag.h"
#include "referee/games/seats.h"

#define SEATS 6
#define SUITS 4
#define RANKS 9
#define DECK (RANKS * SUITS)
#define HAND 6
#define TALON_MAX (2 * DECK - 2 * HAND)
/* The attacking cards and as many in the defender's hand (R6) make two decks
 * at most. */
#define ATTACKS_MAX DECK
#define NOBODY (-1)

/* In the rules' order; choices in the order of their values. */
enum {
	OPTION_DECKS,
	OPTION_PASSING,
	OPTION_TRAVEL,
	OPTION_ADDING,
	OPTION_TEAMS,
	OPTION_START,
	OPTION_DEALER,
	OPTION_GAMES,
	OPTION_SCORING,
	OPTION_EPAULETTES,
};
enum { ADDING_ANY, ADDING_DEFENDED };
enum { TEAMS_NONE, TEAMS_PAIRS, TEAMS_THREES };
enum { START_TRUMP, START_RIGHT, START_WINNERS };
enum { DEALER_TURN, DEALER_FOOL };
enum { SCORING_FOOL, SCORING_FIRST, SCORING_ORDER };
enum { EPAULETTES_NONE, EPAULETTES_MARK, EPAULETTES_SCORE };

enum {
	VERB_ATTACK = VERB_PASS + 1,
	VERB_BEAT,
	VERB_TAKE,
	VERB_TRANSFER,
	VERB_SHOW,
	VERB_ADD,
};

enum phase { PHASE_ATTACK, PHASE_TABLE, PHASE_OVER };

struct durnius {
	struct bag hand[SEATS];
	struct bag table;    /* all cards on it */
	struct bag unbeaten; /* the attacking ones that are not beaten */
	card_set ranks;	     /* every card of a rank that is on the table */
	card_set trumps;

	uint8_t talon[TALON_MAX]; /* in drawing order, the trump card last */
	uint8_t talon_count, drawn;

	/* The attacking cards in the order played, and who played them. */
	uint8_t attack[ATTACKS_MAX], by[ATTACKS_MAX];
	uint8_t attacks, beaten;

	int16_t points[SEATS];
	uint8_t side[SEATS];  /* set: this seat and its partners */
	uint8_t left[SEATS];  /* who has left this game, in order */
	uint8_t empty[SEATS]; /* who has run out of cards in this turn */
	uint8_t shows[SEATS]; /* `show` moves in this turn */
	uint8_t lefts, empties;

	/* Sets of seats. */
	uint8_t in, chairs; /* chairs that are not empty */
	uint8_t holding;    /* a card or more */
	uint8_t adders;

	uint8_t seats, decks;
	uint8_t adding, teams, start, dealing, scoring, epaulettes;
	bool passing, travel;
	uint16_t games, game;
	uint8_t phase;
	uint8_t dealer;
	uint8_t attacker, defender;
	uint8_t attacker_chair, defender_chair;
	uint8_t limit; /* of attacking cards */
	uint8_t idle;  /* turns in a row without any change (R10.4) */
	uint16_t turn;
	int8_t fool; /* of the last game, or NOBODY */
};

GAME_STATE_FITS(struct durnius);

static const struct deck deck = {
	.count = DECK,
	.name = {
		"6C", "6D", "6H", "6S",
		"7C", "7D", "7H", "7S",
		"8C", "8D", "8H", "8S",
		"9C", "9D", "9H", "9S",
		"TC", "TD", "TH", "TS",
		"JC", "JD", "JH", "JS",
		"QC", "QD", "QH", "QS",
		"KC", "KD", "KH", "KS",
		"AC", "AD", "AH", "AS",
	},
};

static card_set
piece(unsigned card)
{
	return (card_set)1 << card;
}

static card_set
suit_of(unsigned card)
{
	return (card_set)0x111111111 << card % SUITS;
}

static unsigned
rank(unsigned card)
{
	return card / SUITS;
}

static card_set
rank_of(unsigned card)
{
	return (card_set)0xf << rank(card) * SUITS;
}

/* Section 3: the cards that beat this one. */
static card_set
beaters(const struct durnius *d, unsigned card)
{
	card_set higher = suit_of(card) & ~(card_set)1 << card;

	return d->trumps & piece(card) ? higher : higher | d->trumps;
}

static unsigned
left_of(const struct durnius *d, unsigned seat)
{
	return seat_left(seat, d->seats);
}

/* ---- sides and chairs (R1) -------------------------------------------- */

static unsigned
side_of(unsigned teams, unsigned seat, unsigned seats)
{
	switch (teams) {
	case TEAMS_PAIRS:
		return 1u << seat | 1u << (seat + seats / 2) % seats;
	case TEAMS_THREES:
		return (1u << 0 | 1u << 2 | 1u << 4) << seat % 2;
	default:
		return 1u << seat;
	}
}

/* After `in` has changed: a chair is empty if all of its side have left. */
static void
settle_chairs(struct durnius *d)
{
	unsigned in = d->in;

	d->chairs = 0;
	while (in)
		d->chairs |= d->side[seats_take(&in)];
}

static unsigned
sides_in(const struct durnius *d)
{
	return cards_count(d->chairs) / cards_count(d->side[0]);
}

/* The first chair clockwise from `chair`, itself included, that is not empty.
 */
static unsigned
chair_from(const struct durnius *d, unsigned chair)
{
	return seats_first(d->chairs, chair, d->seats);
}

static unsigned
next_chair(const struct durnius *d, unsigned chair)
{
	return chair_from(d, left_of(d, chair));
}

/* The seat that plays a chair that is not empty. */
static unsigned
who_plays(const struct durnius *d, unsigned chair)
{
	return seats_first(d->in & d->side[chair], chair, d->seats);
}

/* ---- what is asked ---------------------------------------------------- */

/* R6, Q1, Q3 */
static unsigned
may_add(const struct durnius *d)
{
	if (d->attacks >= d->limit)
		return 0;
	if (d->adding == ADDING_DEFENDED && d->beaten == 0)
		return 0;
	return d->holding & ~(unsigned)d->side[d->defender];
}

/* R7; where nobody is left to ask, the turn has ended before. */
static void
decide_table(const struct durnius *d, struct decision *decision)
{
	unsigned adders = d->adders;

	if (!adders) {
		game_ask_one(decision, d->defender);
		return;
	}
	decision->kind = DECISION_OPEN;
	if (adders >> d->attacker & 1) {
		game_ask(decision, d->attacker);
		adders &= ~(1u << d->attacker);
	}
	while (adders)
		game_ask(decision,
			 seats_take_first(&adders, left_of(d, d->defender),
					  d->seats));
	decision->holder = NOBODY;
	if (d->unbeaten.one) {
		decision->holder = (int8_t)d->defender;
		game_ask(decision, d->defender);
	}
}

static void
durnius_decide(const void *state, struct decision *decision)
{
	const struct durnius *d = state;

	switch (d->phase) {
	case PHASE_ATTACK:
		game_ask_one(decision, d->attacker);
		break;
	case PHASE_TABLE:
		decide_table(d, decision);
		break;
	default:
		decision->kind = DECISION_OVER;
	}
}

/* This verb with each of the cards. */
static void
list_cards(struct legal *legal, uint8_t verb, card_set cards)
{
	while (cards)
		game_list(legal,
			  (struct move){
				  .verb = verb,
				  .piece[0] = (uint8_t)card_take_lowest(&cards),
			  });
}

/* R5; the house move is the lowest card that is not a trump, if there is
 * one. */
static void
legal_attack(const struct durnius *d, unsigned seat, struct legal *legal)
{
	card_set hand = d->hand[seat].one, plain = hand & ~d->trumps;

	list_cards(legal, VERB_ATTACK, plain);
	list_cards(legal, VERB_ATTACK, hand ^ plain);
}

/* R8: `transfer` and `show`, while no card is beaten (Q6), to the seat that
 * would be the next defender (Q8). */
static void
legal_passing(const struct durnius *d, struct legal *legal)
{
	const struct bag *hand = &d->hand[d->defender];
	unsigned next = who_plays(d, next_chair(d, d->defender_chair));
	unsigned room = bag_count(&d->hand[next]);
	card_set same = hand->one & rank_of(d->attack[0]);
	card_set document = same & d->trumps;

	/* Q9: what has travelled in this turn does not travel again. */
	if (document &&
	    bag_copies(hand, card_lowest(document)) <= d->shows[d->defender]) {
		same ^= document;
		document = 0;
	}
	if (room >= d->attacks + 1u)
		list_cards(legal, VERB_TRANSFER, same);
	if (d->travel && room >= d->attacks)
		list_cards(legal, VERB_SHOW, document);
}

/* R8 */
static void
legal_defence(const struct durnius *d, struct legal *legal)
{
	card_set attacks = d->unbeaten.one, cards;
	unsigned attack;

	game_list(legal, (struct move){ .verb = VERB_TAKE }); /* Q4 */
	while (attacks) {
		attack = card_take_lowest(&attacks);
		cards = d->hand[d->defender].one & beaters(d, attack);
		while (cards)
			game_list(legal,
				  (struct move){
					  .verb = VERB_BEAT,
					  .piece[0] = (uint8_t)attack,
					  .piece[1] = (uint8_t)card_take_lowest(
						  &cards),
				  });
	}
	if (d->passing && d->beaten == 0)
		legal_passing(d, legal);
}

static void
durnius_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct durnius *d = state;

	if (d->phase == PHASE_ATTACK) {
		legal_attack(d, seat, legal);
	} else if (seat == d->defender) {
		legal_defence(d, legal);
	} else { /* R9 */
		game_list(legal, (struct move){ .verb = VERB_PASS });
		list_cards(legal, VERB_ADD, d->hand[seat].one & d->ranks);
	}
}

/* ---- lines ------------------------------------------------------------ */

/* `VERB N` */
static void
line_number(struct events *ev, const char *verb, unsigned number)
{
	event_begin(ev, verb);
	event_number(ev, number);
	event_end(ev);
}

/* `VERB A D`, with teams `VERB A D CA CD`; begun by the caller. */
static void
end_with_roles(const struct durnius *d, struct events *ev)
{
	event_number(ev, d->attacker);
	event_number(ev, d->defender);
	if (d->teams != TEAMS_NONE) {
		event_number(ev, d->attacker_chair);
		event_number(ev, d->defender_chair);
	}
	event_end(ev);
}

/* ---- a game begins ---------------------------------------------------- */

/* Draws a card; the line of the caller shows it. */
static unsigned
draw_card(struct bag *stock, struct chance *chance, struct events *ev)
{
	unsigned card = chance_copy(chance, ev, stock->one, stock->two, &deck);

	bag_take(stock, card);
	event_word(ev, deck.name[card]);
	return card;
}

/* R2.2; returns the card dealt last.  `open`: everybody sees it (Q10). */
static unsigned
deal_hand(struct durnius *d, unsigned seat, bool open, struct bag *stock,
	  struct chance *chance, struct events *ev)
{
	unsigned i, card = 0;

	memset(&d->hand[seat], 0, sizeof(d->hand[seat]));
	event_begin(ev, "deal");
	event_number(ev, seat);
	event_hide(ev);
	for (i = 1; i <= HAND; i++) {
		if (open && i == HAND)
			event_seen_by(ev, 1u << seat);
		card = draw_card(stock, chance, ev);
		bag_add(&d->hand[seat], card);
	}
	if (!open)
		event_seen_by(ev, 1u << seat);
	event_end(ev);
	return card;
}

/* R2.3, R2.4; `card` is the trump card where there is no talon. */
static void
lay_talon(struct durnius *d, unsigned card, struct bag *stock,
	  struct chance *chance, struct events *ev)
{
	unsigned i;

	event_begin(ev, "trump");
	if (d->talon_count == 0)
		event_word(ev, deck.name[card]);
	else
		card = draw_card(stock, chance, ev);
	event_end(ev);
	d->trumps = suit_of(card);
	if (d->talon_count == 0)
		return;
	event_begin(ev, "talon");
	event_hide(ev);
	for (i = 0; i < d->talon_count - 1u; i++)
		d->talon[i] = (uint8_t)draw_card(stock, chance, ev);
	event_seen_by(ev, 0);
	event_end(ev);
	d->talon[i] = (uint8_t)card;
}

/* R2 */
static void
deal(struct durnius *d, struct chance *chance, struct events *ev)
{
	struct bag stock = { .one = piece(DECK) - 1 };
	unsigned seat = d->dealer, card;

	if (d->decks == 2)
		stock.two = stock.one;
	d->talon_count = (uint8_t)(d->decks * DECK - d->seats * HAND);
	d->drawn = 0;
	do {
		seat = left_of(d, seat);
		card = deal_hand(d, seat,
				 seat == d->dealer && d->talon_count == 0,
				 &stock, chance, ev);
	} while (seat != d->dealer);
	lay_talon(d, card, &stock, chance, ev);
}

/* R4 */
static void
take_chairs(struct durnius *d, unsigned attacker_chair)
{
	d->attacker_chair = (uint8_t)attacker_chair;
	d->defender_chair = (uint8_t)next_chair(d, attacker_chair);
	d->attacker = (uint8_t)who_plays(d, d->attacker_chair);
	d->defender = (uint8_t)who_plays(d, d->defender_chair);
	d->limit = (uint8_t)bag_count(&d->hand[d->defender]);
}

static void
begin_turn(struct durnius *d, unsigned attacker_chair, struct events *ev)
{
	d->turn++;
	take_chairs(d, attacker_chair);
	event_begin(ev, "turn");
	event_number(ev, d->turn);
	end_with_roles(d, ev);

	memset(&d->table, 0, sizeof(d->table));
	memset(&d->unbeaten, 0, sizeof(d->unbeaten));
	memset(d->shows, 0, sizeof(d->shows));
	d->ranks = 0;
	d->attacks = d->beaten = 0;
	d->empties = 0;
	d->holding = d->in;
	d->phase = PHASE_ATTACK;
}

/* The side that was out first in this game: its seats, or none. */
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

/* R3: who attacks first by the previous game, or NOBODY: the lowest trump. */
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

/* R3, Q11 */
static unsigned
show_lowest(const struct durnius *d, struct events *ev)
{
	unsigned seat, lowest, holder = left_of(d, d->dealer);
	card_set held = 0;

	for (seat = 0; seat < d->seats; seat++)
		held |= d->hand[seat].one & d->trumps;
	event_begin(ev, "lowest");
	if (!held) {
		event_word(ev, "none");
		event_end(ev);
		return holder;
	}
	lowest = card_lowest(held);
	while (!(d->hand[holder].one & piece(lowest)))
		holder = left_of(d, holder);
	event_number(ev, holder);
	event_word(ev, deck.name[lowest]);
	event_end(ev);
	return holder;
}

/* R2: after a game. */
static unsigned
next_dealer(const struct durnius *d)
{
	if (d->dealing == DEALER_FOOL && d->fool != NOBODY)
		return (unsigned)d->fool;
	return left_of(d, d->dealer);
}

/* R2, R3 */
static void
begin_game(struct durnius *d, struct chance *chance, struct events *ev)
{
	int first = opener(d);

	d->game++;
	event_begin(ev, "round");
	event_number(ev, d->game);
	if (d->game == 1)
		d->dealer = (uint8_t)chance_number(chance, ev, d->seats);
	else
		d->dealer = (uint8_t)next_dealer(d);
	event_number(ev, d->dealer);
	event_end(ev);
	chance_round(chance, d->game);

	deal(d, chance, ev);
	d->in = (uint8_t)((1u << d->seats) - 1);
	settle_chairs(d);
	d->lefts = 0;
	d->idle = 0;
	d->turn = 0;
	if (first == NOBODY)
		first = (int)show_lowest(d, ev);
	begin_turn(d, (unsigned)first, ev);
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

/* `epaulette S c`, with two cards if `first` is none of them. */
static void
line_epaulette(const struct durnius *d, const uint8_t *card, unsigned n,
	       struct events *ev)
{
	unsigned i;

	event_begin(ev, "epaulette");
	event_number(ev, d->fool);
	for (i = 0; i < n; i++)
		event_word(ev, deck.name[card[i]]);
	event_end(ev);
}

/* R12: the last of F is a six; the last two sixes are worn. */
static void
mark_epaulette(const struct durnius *d, const uint8_t *card, unsigned n,
	       struct events *ev)
{
	uint8_t worn[2] = { 0, card[n - 1] };
	unsigned i = n - 1;

	if (rank(worn[1]) != 0)
		return;
	while (i > 0 && rank(card[i - 1]) != 0)
		i--;
	if (i == 0) {
		line_epaulette(d, worn + 1, 1, ev);
		return;
	}
	worn[0] = card[i - 1];
	line_epaulette(d, worn, 2, ev);
}

/* R12: the points are minus the epaulettes, so they tell the rank of the next
 * one.  Returns whether it was the ace. */
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

/* R12.2, Q19.  Returns whether it ends the match. */
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
static void
end_game(struct durnius *d, int fool, struct chance *chance, struct events *ev)
{
	bool ends;
	unsigned seat;

	d->fool = (int8_t)fool;
	event_begin(ev, "fool");
	if (fool == NOBODY)
		event_word(ev, "none");
	else
		event_number(ev, fool);
	event_end(ev);
	ends = give_epaulette(d, ev) || d->game == d->games;
	score_game(d);
	for (seat = 0; seat < d->seats; seat++) {
		event_begin(ev, "score");
		event_number(ev, seat);
		event_number(ev, d->points[seat]);
		event_end(ev);
	}
	if (ends)
		d->phase = PHASE_OVER;
	else
		begin_game(d, chance, ev);
}

/* ---- a turn ends (R10) ------------------------------------------------ */

/* R10.1 */
static void
clear_table(struct durnius *d, bool taken, struct events *ev)
{
	if (taken) {
		bag_join(&d->hand[d->defender], &d->table);
		event_begin(ev, "pickup");
		event_number(ev, d->defender);
	} else {
		event_begin(ev, "discard");
	}
	event_number(ev, d->attacks + d->beaten);
	event_end(ev);
}

/* R10.2, for one seat.  Everybody sees who takes the trump card (Q13). */
static void
draw_up(struct durnius *d, unsigned seat, struct events *ev)
{
	unsigned held = bag_count(&d->hand[seat]);
	unsigned trump_at = d->talon_count - 1u;

	if (held >= HAND || d->drawn == d->talon_count)
		return;
	event_begin(ev, "draw");
	event_number(ev, seat);
	if (d->drawn < trump_at)
		event_hide(ev);
	for (; held < HAND && d->drawn < trump_at; held++) {
		event_word(ev, deck.name[d->talon[d->drawn]]);
		bag_add(&d->hand[seat], d->talon[d->drawn++]);
		if (held == HAND - 1 || d->drawn == trump_at)
			event_seen_by(ev, 1u << seat);
	}
	if (held < HAND) {
		event_word(ev, deck.name[d->talon[trump_at]]);
		bag_add(&d->hand[seat], d->talon[d->drawn++]);
	}
	event_end(ev);
}

/* R10.2, Q12.  While the talon lasts, nobody has left. */
static void
draw_all(struct durnius *d, struct events *ev)
{
	unsigned seat = d->attacker;

	if (d->drawn == d->talon_count)
		return;
	do {
		if (seat != d->defender)
			draw_up(d, seat, ev);
		seat = left_of(d, seat);
	} while (seat != d->attacker);
	draw_up(d, d->defender, ev);
}

/* R13, `scoring order`: the sides that these seats were the last of. */
static void
score_order(struct durnius *d, unsigned leaving)
{
	unsigned seat, side;

	for (seat = 0; seat < d->seats; seat++) {
		side = d->side[seat];
		if (side & leaving && !(side & d->in))
			d->points[seat] += (int16_t)sides_in(d);
	}
}

/* R10.3, Q14, Q15.  Returns who leaves. */
static unsigned
leave(struct durnius *d, struct events *ev)
{
	unsigned i, seat, leaving = 0;

	for (i = 0; i < d->empties; i++) {
		seat = d->empty[i];
		if (d->hand[seat].one)
			continue;
		leaving |= 1u << seat;
		d->left[d->lefts++] = (uint8_t)seat;
		line_number(ev, "out", seat);
	}
	if (!leaving)
		return 0;
	d->in &= (uint8_t)~leaving;
	settle_chairs(d);
	if (d->scoring == SCORING_ORDER)
		score_order(d, leaving);
	return leaving;
}

/* R10, R11 */
static void
end_turn(struct durnius *d, bool taken, struct chance *chance,
	 struct events *ev)
{
	unsigned drawn = d->drawn, leaving, chair = d->defender_chair;

	clear_table(d, taken, ev);
	draw_all(d, ev);
	leaving = leave(d, ev);
	if (taken && drawn == d->drawn && !leaving)
		d->idle++;
	else
		d->idle = 0;
	if (!d->in) {
		end_game(d, NOBODY, chance, ev);
	} else if (sides_in(d) == 1) {
		end_game(d, (int)seats_first(d->in, d->defender, d->seats),
			 chance, ev);
	} else if (d->idle == d->decks * DECK) {
		event_begin(ev, "stall"); /* Q21 */
		event_end(ev);
		end_game(d, NOBODY, chance, ev);
	} else {
		begin_turn(d,
			   taken ? next_chair(d, chair) : chair_from(d, chair),
			   ev);
	}
}

/* ---- what happens ----------------------------------------------------- */

/* A card leaves the hand and lies on the table. */
static void
lay_down(struct durnius *d, unsigned seat, unsigned card)
{
	bag_take(&d->hand[seat], card);
	bag_add(&d->table, card);
	d->ranks |= rank_of(card);
	if (d->hand[seat].one)
		return;
	d->holding &= (uint8_t) ~(1u << seat);
	d->empty[d->empties++] = (uint8_t)seat;
}

/* R5, R8, R9: one more attacking card. */
static void
attack(struct durnius *d, unsigned seat, unsigned card)
{
	lay_down(d, seat, card);
	bag_add(&d->unbeaten, card);
	d->attack[d->attacks] = (uint8_t)card;
	d->by[d->attacks++] = (uint8_t)seat;
}

/* R8; which of two equal cards is covered makes no difference. */
static void
beat(struct durnius *d, unsigned attacked, unsigned card)
{
	lay_down(d, d->defender, card);
	bag_take(&d->unbeaten, attacked);
	d->beaten++;
}

/* R8, Q7 */
static void
shift(struct durnius *d, struct events *ev)
{
	take_chairs(d, d->defender_chair);
	event_begin(ev, "shift");
	end_with_roles(d, ev);
}

static void
durnius_play(void *state, unsigned seat, struct move move,
	     struct chance *chance, struct events *ev)
{
	struct durnius *d = state;

	game_move_event(ev, &game_durnius, seat, move);
	event_end(ev);
	switch (move.verb) {
	case VERB_ATTACK:
	case VERB_ADD:
		attack(d, seat, move.piece[0]);
		break;
	case VERB_BEAT:
		beat(d, move.piece[0], move.piece[1]);
		break;
	case VERB_TRANSFER:
		attack(d, seat, move.piece[0]);
		shift(d, ev);
		break;
	case VERB_SHOW:
		d->shows[seat]++;
		shift(d, ev);
		break;
	default:
		end_turn(d, true, chance, ev);
		return;
	}
	d->phase = PHASE_TABLE;
	d->adders = (uint8_t)may_add(d);
	if (!d->adders && !d->unbeaten.one) /* R7.1 */
		end_turn(d, false, chance, ev);
}

/* R7.2 */
static void
durnius_quiet(void *state, struct chance *chance, struct events *ev)
{
	event_begin(ev, "quiet");
	event_end(ev);
	end_turn(state, false, chance, ev);
}

static void
durnius_start(void *state, const struct game_setup *setup,
	      struct chance *chance, struct events *ev)
{
	const int16_t *option = setup->option;
	struct durnius *d = state;
	unsigned seat;

	d->seats = setup->seats;
	d->decks = (uint8_t)(1 + option[OPTION_DECKS]);
	d->passing = option[OPTION_PASSING];
	d->travel = option[OPTION_TRAVEL];
	d->adding = (uint8_t)option[OPTION_ADDING];
	d->teams = (uint8_t)option[OPTION_TEAMS];
	d->start = (uint8_t)option[OPTION_START];
	d->dealing = (uint8_t)option[OPTION_DEALER];
	d->games = (uint16_t)option[OPTION_GAMES];
	d->scoring = (uint8_t)option[OPTION_SCORING];
	d->epaulettes = (uint8_t)option[OPTION_EPAULETTES];
	for (seat = 0; seat < d->seats; seat++)
		d->side[seat] = (uint8_t)side_of(d->teams, seat, d->seats);
	begin_game(d, chance, ev);
}

static void
durnius_result(const void *state, struct game_score score[SEATS_MAX])
{
	const struct durnius *d = state;
	unsigned seat;

	for (seat = 0; seat < d->seats; seat++)
		score[seat].points = d->points[seat];
	game_places_by_points(d->seats, score);
}

/* ---- the table -------------------------------------------------------- */

static const char *const decks_values[] = { "1", "2", NULL };
static const char *const no_yes[] = { "no", "yes", NULL };
static const char *const adding_values[] = { "any", "defended", NULL };
static const char *const teams_values[] = { "none", "pairs", "threes", NULL };
static const char *const start_values[] = { "trump", "right", "winners", NULL };
static const char *const dealer_values[] = { "turn", "fool", NULL };
static const char *const scoring_values[] = { "fool", "first", "order", NULL };
static const char *const epaulettes_values[] = { "none", "mark", "score",
						 NULL };

static const struct game_option options[] = {
	[OPTION_DECKS] = {
		.name = "decks",
		.kind = OPTION_CHOICE,
		.values = decks_values,
		.must = "option decks must be one of: 1 2",
		.brief = "decks of 36 cards",
	},
	[OPTION_PASSING] = {
		.name = "passing",
		.kind = OPTION_CHOICE,
		.values = no_yes,
		.must = "option passing must be one of: no yes",
		.brief = "an attack may be passed on with a card of its rank",
	},
	[OPTION_TRAVEL] = {
		.name = "travel",
		.kind = OPTION_CHOICE,
		.values = no_yes,
		.must = "option travel must be one of: no yes",
		.brief = "showing the trump of that rank passes it on, too",
	},
	[OPTION_ADDING] = {
		.name = "adding",
		.kind = OPTION_CHOICE,
		.values = adding_values,
		.must = "option adding must be one of: any defended",
		.brief = "cards are added from the start, or once one is beaten",
	},
	[OPTION_TEAMS] = {
		.name = "teams",
		.kind = OPTION_CHOICE,
		.values = teams_values,
		.must = "option teams must be one of: none pairs threes",
		.brief = "teams of two or two teams of three",
	},
	[OPTION_START] = {
		.name = "start",
		.kind = OPTION_CHOICE,
		.values = start_values,
		.must = "option start must be one of: trump right winners",
		.brief = "who attacks first in later games",
	},
	[OPTION_DEALER] = {
		.name = "dealer",
		.kind = OPTION_CHOICE,
		.values = dealer_values,
		.must = "option dealer must be one of: turn fool",
		.brief = "who deals later games: in turn, or the fool",
	},
	[OPTION_GAMES] = {
		.name = "games",
		.kind = OPTION_INTEGER,
		.min = 1,
		.max = 1000,
		.preset = 1,
		.must = "option games must be an integer from 1 to 1000",
		.brief = "games played; the points decide",
	},
	[OPTION_SCORING] = {
		.name = "scoring",
		.kind = OPTION_CHOICE,
		.values = scoring_values,
		.must = "option scoring must be one of: fool first order",
		.brief = "the fool loses a point; also who is out first, or all",
	},
	[OPTION_EPAULETTES] = {
		.name = "epaulettes",
		.kind = OPTION_CHOICE,
		.values = epaulettes_values,
		.must = "option epaulettes must be one of: none mark score",
		.brief = "sixes on the fool's shoulders; a race up to the ace",
	},
	{ .name = NULL },
};

/* Section 2, in its order. */
static const char *
durnius_invalid(const struct game_setup *setup)
{
	const int16_t *option = setup->option;
	int teams = option[OPTION_TEAMS];

	if (option[OPTION_TRAVEL] && !option[OPTION_PASSING])
		return "travel yes needs passing yes";
	if (teams == TEAMS_PAIRS && setup->seats != 4 && setup->seats != 6)
		return "teams pairs needs 4 or 6 seats";
	if (teams == TEAMS_THREES && setup->seats != 6)
		return "teams threes needs 6 seats";
	if (option[OPTION_START] == START_WINNERS && teams == TEAMS_NONE)
		return "start winners needs teams pairs or threes";
	if (option[OPTION_EPAULETTES] == EPAULETTES_SCORE &&
	    option[OPTION_SCORING] != SCORING_FOOL)
		return "epaulettes score needs scoring fool";
	return NULL;
}

/* The classes of R7: who adds goes before the defender (Q2). */
static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass", .brief = "add nothing now" },
	[VERB_ATTACK] = {
		.name = "attack",
		.deck = { &deck },
		.brief = "open the attack with this card",
	},
	[VERB_BEAT] = {
		.name = "beat",
		.deck = { &deck, &deck },
		.priority = 2,
		.brief = "beat the first card with the second",
	},
	[VERB_TAKE] = {
		.name = "take",
		.priority = 2,
		.brief = "pick up all cards of the table",
	},
	[VERB_TRANSFER] = {
		.name = "transfer",
		.deck = { &deck },
		.priority = 2,
		.brief = "pass the attack on with this card of its rank",
	},
	[VERB_SHOW] = {
		.name = "show",
		.deck = { &deck },
		.priority = 2,
		.brief = "pass the attack on by showing this trump",
	},
	[VERB_ADD] = {
		.name = "add",
		.deck = { &deck },
		.priority = 1,
		.brief = "add this card to the attack",
	},
	{ .name = NULL },
};

static const char *const lines[] = {
	"round N S",
	"deal S {c c c c c c}S",
	"deal S {c c c c c}S c",
	"trump c",
	"talon {c ...}",
	"lowest S c",
	"lowest none",
	"turn T A D",
	"turn T A D CA CD",
	"move S attack:c",
	"move S add:c",
	"move S beat:a:d",
	"move S transfer:c",
	"move S show:c",
	"move S take",
	"shift A D",
	"shift A D CA CD",
	"quiet",
	"pickup S n",
	"discard n",
	"draw S {c ...}S",
	"draw S {c ...}S t",
	"draw S t",
	"out S",
	"stall",
	"fool S",
	"fool none",
	"epaulette S c",
	"epaulette S c c",
	"score S n",
	"fault S why",
	"result S place points",
	NULL,
};

const struct game_rules game_durnius = {
	.name = "durnius",
	.title = "Durnius",
	.brief = "attack, beat or take; the last one with cards is the fool",
	.version = 1,
	.min_seats = 2,
	.max_seats = SEATS,
	.seats_must = "needs 2 to 6 seats",
	.state_bytes = sizeof(struct durnius),
	.options = options,
	.verbs = verbs,
	.lines = lines,
	.invalid = durnius_invalid,
	.start = durnius_start,
	.decide = durnius_decide,
	.legal = durnius_legal,
	.play = durnius_play,
	.quiet = durnius_quiet,
	.result = durnius_result,
};
