/* referee/games/durnius.c - Durnius: the last seat with cards is the fool.
 *
 * Here: a turn, from its first attack to who attacks next. */
#include <string.h>

#include "referee/games/durnius.h"

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

/* R7; where no seat is left to ask, the turn has ended before. */
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
			 seats_take_first(&adders,
					  seat_left(d->defender, d->seats),
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
/* R5; the house move is the lowest card that is not a trump, if there is
 * one. */
static void
legal_attack(const struct durnius *d, unsigned seat, struct legal *legal)
{
	card_set hand = d->hand[seat].one, plain = hand & ~d->trumps;

	game_list_pieces(legal, VERB_ATTACK, plain);
	game_list_pieces(legal, VERB_ATTACK, hand ^ plain);
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
		game_list_pieces(legal, VERB_TRANSFER, same);
	if (d->travel && room >= d->attacks)
		game_list_pieces(legal, VERB_SHOW, document);
}

/* R8: lists how the defender may beat this card.  `house` is the entry of the list so
 * far that the house move plays, 0 for `take`, by its card's `order`. */
static void
legal_beating(const struct durnius *d, unsigned attack, struct legal *legal,
	      unsigned *house, unsigned *order)
{
	card_set cards = d->hand[d->defender].one & beaters(d, attack);
	unsigned card;

	while (cards) {
		card = card_take_lowest(&cards);
		if (house_order(d, card) < *order) {
			*order = house_order(d, card);
			*house = legal->count;
		}
		game_list(legal, (struct move){
					 .verb = VERB_BEAT,
					 .piece[0] = (uint8_t)attack,
					 .piece[1] = (uint8_t)card,
				 });
	}
}

/* R8; the house move is `take` only where nothing beats a card, or a seat that
 * is absent would keep the game from ending. */
static void
legal_defence(const struct durnius *d, struct legal *legal)
{
	card_set attacks = d->unbeaten.one;
	unsigned house = 0, order = 2 * DECK;
	struct move take;

	game_list_verb(legal, VERB_TAKE); /* Q4 */
	while (attacks)
		legal_beating(d, card_take_lowest(&attacks), legal, &house,
			      &order);
	if (d->passing && d->beaten == 0)
		legal_passing(d, legal);
	take = legal->move[0];
	legal->move[0] = legal->move[house];
	legal->move[house] = take;
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
		game_list_verb(legal, VERB_PASS);
		game_list_pieces(legal, VERB_ADD, d->hand[seat].one & d->ranks);
	}
}

/* ---- a turn begins ---------------------------------------------------- */

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

void
durnius_begin_turn(struct durnius *d, unsigned attacker_chair,
		   struct events *ev)
{
	d->turn++;
	take_chairs(d, attacker_chair);
	event_begin_of(ev, "turn", d->turn);
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

/* ---- a turn ends (R10) ------------------------------------------------ */

/* R10.1 */
static void
clear_table(struct durnius *d, bool taken, struct events *ev)
{
	if (taken) {
		bag_join(&d->hand[d->defender], &d->table);
		bag_join(&d->known[d->defender], &d->table);
		event_begin_of(ev, "pickup", d->defender);
	} else {
		event_begin(ev, "discard");
	}
	event_number(ev, d->attacks + d->beaten);
	event_end(ev);
}

/* Draws the next card of the talon. */
static unsigned
draw_next(struct durnius *d, unsigned seat, struct events *ev)
{
	unsigned card = d->card[d->dealt];

	d->owner[d->dealt++] = (uint8_t)seat;
	event_word(ev, durnius_deck.name[card]);
	bag_add(&d->hand[seat], card);
	return card;
}

/* R10.2, for one seat.  Everybody sees who takes the trump card (Q13). */
static void
draw_up(struct durnius *d, unsigned seat, struct events *ev)
{
	unsigned held = bag_count(&d->hand[seat]);
	unsigned trump_at = d->places - 1u;

	if (held >= HAND || d->dealt == d->places)
		return;
	event_begin_of(ev, "draw", seat);
	if (d->dealt < trump_at)
		event_hide(ev);
	for (; held < HAND && d->dealt < trump_at; held++) {
		draw_next(d, seat, ev);
		if (held == HAND - 1 || d->dealt == trump_at)
			event_seen_by(ev, 1u << seat);
	}
	if (held < HAND)
		bag_add(&d->known[seat], draw_next(d, seat, ev));
	event_end(ev);
}

/* R10.2, Q12.  While the talon lasts, no seat has left. */
static void
draw_all(struct durnius *d, struct events *ev)
{
	unsigned seat = d->attacker;

	if (d->dealt == d->places)
		return;
	do {
		if (seat != d->defender)
			draw_up(d, seat, ev);
		seat = seat_left(seat, d->seats);
	} while (seat != d->attacker);
	draw_up(d, d->defender, ev);
}

/* R13, `scoring order`: the sides that these seats were the last of. */
static void
score_order(struct durnius *d, unsigned leaving)
{
	unsigned side;

	for (unsigned seat = 0; seat < d->seats; seat++) {
		side = d->side[seat];
		if (side & leaving && !(side & d->in))
			d->points[seat] += (int16_t)sides_in(d);
	}
}

/* R10.3, Q14, Q15.  Returns the seats that leave. */
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
		EVENT_LINE(ev, "out", seat);
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
	unsigned dealt = d->dealt, leaving, chair = d->defender_chair;

	clear_table(d, taken, ev);
	draw_all(d, ev);
	leaving = leave(d, ev);
	if (taken && dealt == d->dealt && !leaving)
		d->idle++;
	else
		d->idle = 0;
	if (!d->in) {
		durnius_end_game(d, NOBODY, chance, ev);
	} else if (sides_in(d) == 1) {
		durnius_end_game(d,
				 (int)seats_first(d->in, d->defender, d->seats),
				 chance, ev);
	} else if (d->idle == d->decks * DECK) {
		event_begin(ev, "stall"); /* Q21 */
		event_end(ev);
		durnius_end_game(d, NOBODY, chance, ev);
	} else {
		durnius_begin_turn(
			d, taken ? next_chair(d, chair) : chair_from(d, chair),
			ev);
	}
}

/* ---- what happens ----------------------------------------------------- */

/* Moves a card from the hand to the table. */
static void
lay_down(struct durnius *d, unsigned seat, unsigned card)
{
	bag_take(&d->hand[seat], card);
	bag_add(&d->table, card);
	d->ranks |= rank_of(card);
	if (!d->hand[seat].one) {
		d->holding &= (uint8_t) ~(1u << seat);
		d->empty[d->empties++] = (uint8_t)seat;
	}
	card_leaves(d, seat, card);
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

/* Q9: a seat that passes on with the trump holds more copies than have
 * travelled before. */
static void
travel(struct durnius *d, unsigned seat, unsigned card)
{
	if (d->trumps & piece(card))
		show_copies(d, seat, card, d->shows[seat] + 1u);
}

/* Takes down what a house move tells of the seat's hand. */
static void
bar(struct durnius *d, unsigned seat, struct move move)
{
	card_set attacks = d->unbeaten.one, beating = 0;

	while (attacks)
		beating |= beaters(d, card_take_lowest(&attacks));
	if (move.verb == VERB_ATTACK)
		durnius_bar(d, seat, house_before(d, move.piece[0]));
	else if (move.verb == VERB_BEAT)
		durnius_bar(d, seat, beating & house_before(d, move.piece[1]));
	else
		durnius_bar(d, seat, beating);
}

static void
durnius_play(void *state, unsigned seat, struct move move,
	     struct chance *chance, struct events *ev)
{
	struct durnius *d = state;

	game_move_event(ev, &game_durnius, seat, move);
	event_end(ev);
	if (move.forced)
		bar(d, seat, move);
	switch (move.verb) {
	case VERB_ATTACK:
	case VERB_ADD:
		attack(d, seat, move.piece[0]);
		break;
	case VERB_BEAT:
		beat(d, move.piece[0], move.piece[1]);
		break;
	case VERB_TRANSFER:
		travel(d, seat, move.piece[0]);
		attack(d, seat, move.piece[0]);
		shift(d, ev);
		break;
	case VERB_SHOW:
		travel(d, seat, move.piece[0]);
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
	end_turn(state, false, chance, ev);
}

static void
durnius_start(void *state, const struct game_setup *setup,
	      struct chance *chance, struct events *ev)
{
	const int16_t *option = setup->option;
	struct durnius *d = state;

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
	for (unsigned seat = 0; seat < d->seats; seat++)
		d->side[seat] = (uint8_t)side_of(d->teams, seat, d->seats);
	durnius_begin_game(d, chance, ev);
}

static unsigned
durnius_standing(const void *state, long points[SEATS_MAX])
{
	const struct durnius *d = state;

	for (unsigned seat = 0; seat < d->seats; seat++)
		points[seat] = d->points[seat];
	return d->game;
}

/* ---- the table -------------------------------------------------------- */

const struct game_rules game_durnius = {
	.name = "durnius",
	.title = "Durnius",
	.brief = "attack, beat or take; the last one with cards is the fool",
	.version = 2,
	.min_seats = 2,
	.max_seats = DURNIUS_SEATS,
	.seats_must = "needs 2 to 6 seats",
	.state_bytes = sizeof(struct durnius),
	.deck = &durnius_deck,
	.pieces = { DECK, 0, "decks" },
	.options = durnius_options,
	.verbs = durnius_verbs,
	.lines = durnius_lines,
	.invalid = durnius_invalid,
	.start = durnius_start,
	.decide = durnius_decide,
	.legal = durnius_legal,
	.play = durnius_play,
	.quiet = durnius_quiet,
	.resample = durnius_resample,
	.hidden = durnius_hidden,
	.standing = durnius_standing,
};
