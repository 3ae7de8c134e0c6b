/* referee/games/daumen-drauf.c - Daumen drauf: show more, and hide the fang.
 */
#include "referee/games/daumen-drauf.h"

#include <string.h>

enum { OPTION_GAMES, OPTION_TWIN };
enum { TWIN_TURN, TWIN_ANY };

const struct deck daumen_deck = {
	.count = PIECES_MAX,
	.name = {
		"Y1n", "G1n", "B1n", "Y1t", "G1t", "B1t",
		"Y2n", "G2n", "B2n", "Y2t", "G2t", "B2t",
		"Y3n", "G3n", "B3n", "Y3t", "G3t", "B3t",
		"Y4n", "G4n", "B4n", "Y4t", "G4t", "B4t",
		"Y5n", "G5n", "B5n", "Y5t", "G5t", "B5t",
		"Y6n", "G6n", "B6n", "Y6t", "G6t", "B6t",
		"Y7n", "G7n", "B7n", "Y7t", "G7t", "B7t",
		"Y8n", "G8n", "B8n", "Y8t", "G8t", "B8t",
		"Y9n", "G9n", "B9n", "Y9t", "G9t", "B9t",
	},
};

/* ---- what is asked ---------------------------------------------------- */

/* Returns the seats that may show a twin out of turn: those with free cards, clockwise
 * from the left of the one that showed last. */
static unsigned
others_with_cards(const struct daumen *d)
{
	unsigned seat, others = 0;

	for (seat = 0; seat < d->seats; seat++)
		if (seat != d->last && free_cards(d, seat))
			others |= 1u << seat;
	return others;
}

/* R7, `twin any` */
static void
decide_twin(const struct daumen *d, struct decision *decision)
{
	unsigned others = others_with_cards(d);

	decision->kind = DECISION_OPEN;
	decision->holder = -1;
	while (others)
		game_ask(decision,
			 seats_take_first(&others, seat_left(d->last, d->seats),
					  d->seats));
}

static void
daumen_decide(const void *state, struct decision *decision)
{
	const struct daumen *d = state;

	if (d->phase == PHASE_OVER)
		decision->kind = DECISION_OVER;
	else if (d->phase == PHASE_TWIN)
		decide_twin(d, decision);
	else
		game_ask_one(decision, d->asked);
}

/* R5.  The card shown last has the strongest colour of the turn, so what is
 * higher has its colour and a larger number, or a colour not yet shown. */
static void
legal_show(const struct daumen *d, unsigned seat, struct legal *legal)
{
	card_set hand = free_cards(d, seat);
	unsigned last = d->card[d->shown - 1], twin = twin_of(last);

	game_list_verb(legal, VERB_PASS);
	if (hand & piece(twin))
		game_list_piece(legal, VERB_TWIN, twin);
	if (d->phase == PHASE_TWIN)
		return;
	game_list_pieces(legal, VERB_SHOW,
			 hand & (higher_in_colour(last) | d->fresh));
}

static void
daumen_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct daumen *d = state;

	if (d->phase == PHASE_START)
		game_list_pieces(legal, VERB_SHOW, d->hand[seat]); /* R4, Q1 */
	else
		legal_show(d, seat, legal);
}

/* ---- what happens ----------------------------------------------------- */

/* Goes on with the token begun: a card whose fang only `seats` see. */
static void
covered_card(struct events *ev, unsigned card, unsigned seats)
{
	event_bytes(ev, daumen_deck.name[card], 2);
	event_hide(ev);
	event_part(ev, daumen_deck.name[card] + 2);
	event_seen_by(ev, seats);
}

/* Draws `n` cards for a seat, in a line that begins with `verb`. */
static void
draw_cards(struct daumen *d, const char *verb, unsigned seat, unsigned n,
	   struct chance *chance, struct events *ev)
{
	unsigned card;

	event_begin_of(ev, verb, seat);
	event_hide(ev);
	while (n-- > 0) {
		card = chance_card(chance, ev, d->stock, &daumen_deck);
		d->stock ^= piece(card);
		d->hand[seat] |= piece(card);
		d->places[seat] |= piece(d->drawn);
		d->dealt[d->drawn++] = (uint8_t)card;
		event_word(ev, daumen_deck.name[card]);
	}
	event_seen_by(ev, 1u << seat);
	event_end(ev);
}

/* R3 */
static void
begin_turn(struct daumen *d, unsigned starter, struct events *ev)
{
	d->turn++;
	d->fresh = ~(card_set)0;
	d->asked = (uint8_t)starter;
	d->phase = PHASE_START;
	EVENT_LINE(ev, "turn", d->turn, starter);
}

/* R1, R2 */
static void
begin_game(struct daumen *d, struct chance *chance, struct events *ev)
{
	d->game++;
	event_begin_of(ev, "round", d->game);
	event_word(ev, "start");
	if (d->game == 1)
		d->starter = (uint8_t)chance_number(chance, ev, 0, d->seats);
	else
		d->starter = (uint8_t)seat_left(d->starter, d->seats);
	event_number(ev, d->starter);
	event_end(ev);
	chance_round(chance, d->game);

	d->stock = piece(NUMBER_PIECES * (d->seats + 2u)) - 1;
	d->shown = d->turn_from = 0;
	d->open = d->forced = 0;
	d->drawn = 0;
	memset(d->dealt, 0, sizeof(d->dealt)); /* nothing is left behind */
	d->turn = 0;
	for (unsigned seat = 0; seat < d->seats; seat++) {
		d->hand[seat] = d->places[seat] = 0;
		draw_cards(d, "deal", seat, HAND, chance, ev);
	}
	begin_turn(d, d->starter, ev);
}

/* R10.1, R10.2 */
static void
lay_open(const struct daumen *d, struct events *ev)
{
	card_set hand;

	for (unsigned seat = 0; seat < d->seats; seat++) {
		event_begin_of(ev, "pile", seat);
		for (unsigned i = 0; i < d->shown; i++)
			if (d->whose[i] == seat)
				event_word(ev, daumen_deck.name[d->card[i]]);
		event_end(ev);
	}
	for (unsigned seat = 0; seat < d->seats; seat++) {
		hand = d->hand[seat];
		if (!hand)
			continue;
		event_begin_of(ev, "hand", seat);
		while (hand)
			event_word(ev,
				   daumen_deck.name[card_take_lowest(&hand)]);
		event_end(ev);
	}
}

/* R10.3, R10.4 */
static void
add_up(struct daumen *d, struct events *ev)
{
	unsigned harmless[SEATS] = { 0 }, toxic[SEATS] = { 0 };
	unsigned left;

	for (unsigned i = 0; i < d->shown; i++) {
		if (is_toxic(d->card[i]))
			toxic[d->whose[i]]++;
		else
			harmless[d->whose[i]]++;
	}
	for (unsigned seat = 0; seat < d->seats; seat++) {
		left = cards_count(d->hand[seat]);
		EVENT_LINE(ev, "tally", seat, harmless[seat], toxic[seat],
			   left);
		d->total[seat] =
			(int16_t)(d->total[seat] + (int)harmless[seat] -
				  (int)toxic[seat] - (int)left);
	}
	for (unsigned seat = 0; seat < d->seats; seat++)
		EVENT_LINE(ev, "score", seat, d->total[seat]);
}

/* R8: the seat that showed last takes all; a seat that showed a covered card knows its
 * fang, too. */
static void
take(struct daumen *d, struct events *ev)
{
	unsigned card, owner;

	event_begin_of(ev, "take", d->last);
	for (unsigned i = d->turn_from; i < d->shown; i++) {
		card = d->card[i];
		owner = d->whose[i];
		d->whose[i] = d->last;
		d->hand[owner] &= ~piece(card);
		if (d->covered & piece(card)) {
			event_word(ev, "");
			covered_card(ev, card, 1u << d->last | 1u << owner);
		} else {
			event_word(ev, daumen_deck.name[card]);
		}
	}
	event_end(ev);
	d->turn_from = d->shown;
	d->covered = 0;
}

/* R9: the taker first, then clockwise. */
static void
refill(struct daumen *d, struct chance *chance, struct events *ev)
{
	unsigned seat = d->last, due, stock;

	do {
		due = HAND - cards_count(d->hand[seat]);
		stock = cards_count(d->stock);
		if (due > stock)
			due = stock; /* Q6 */
		if (due > 0)
			draw_cards(d, "draw", seat, due, chance, ev);
		seat = seat_left(seat, d->seats);
	} while (seat != d->last);
}

/* R8, R9 and what follows: the next turn, the next game or the end. */
static void
end_turn(struct daumen *d, struct chance *chance, struct events *ev)
{
	unsigned seat, holding = 0;

	take(d, ev);
	refill(d, chance, ev);
	for (seat = 0; seat < d->seats; seat++)
		holding |= (unsigned)(d->hand[seat] != 0) << seat;
	if (holding & (holding - 1)) { /* two or more, Q9 */
		begin_turn(d, seats_first(holding, d->last, d->seats), ev);
		return;
	}
	lay_open(d, ev);
	add_up(d, ev);
	if (d->game == d->games)
		d->phase = PHASE_OVER;
	else
		begin_game(d, chance, ev);
}

/* R5: the next seat clockwise with free cards, or none before the one that
 * showed last. */
static void
go_on(struct daumen *d, struct chance *chance, struct events *ev)
{
	unsigned seat = seat_left(d->asked, d->seats);

	while (seat != d->last && !free_cards(d, seat))
		seat = seat_left(seat, d->seats); /* Q8 */
	d->asked = (uint8_t)seat;
	if (seat == d->last)
		end_turn(d, chance, ev);
}

/* R6 */
static void
show(struct daumen *d, unsigned seat, struct move move, struct events *ev)
{
	card_set former = d->hand[seat] & d->covered;
	unsigned card = move.piece[0];

	event_begin_of(ev, "move", seat);
	event_word(ev, move.verb == VERB_TWIN ? "twin:" : "show:");
	covered_card(ev, card, 1u << seat);
	event_end(ev);
	if (former) {
		event_begin_of(ev, "open", seat);
		event_word(ev, daumen_deck.name[card_lowest(former)]);
		event_end(ev);
		d->hand[seat] ^= former;
		d->covered ^= former;
		d->open |= piece(d->latest[seat]);
	}
	d->covered |= piece(card);
	d->fresh &= ~colour_of(card);
	d->forced |= (card_set)move.forced << d->shown;
	d->latest[seat] = d->shown;
	d->at[d->shown] = d->drawn;
	d->card[d->shown] = (uint8_t)card;
	d->by[d->shown] = d->whose[d->shown] = (uint8_t)seat;
	d->shown++;
	d->last = (uint8_t)seat;
	d->phase = PHASE_SHOW;
}

static void
daumen_play(void *state, unsigned seat, struct move move, struct chance *chance,
	    struct events *ev)
{
	struct daumen *d = state;

	if (move.verb == VERB_PASS) {
		game_move_event(ev, &game_daumen_drauf, seat, move);
		event_end(ev);
	} else {
		show(d, seat, move, ev);
	}
	if (move.verb == VERB_TWIN)
		end_turn(d, chance, ev); /* R7 */
	else if (move.verb == VERB_SHOW && d->any_twin && others_with_cards(d))
		d->phase = PHASE_TWIN;
	else
		go_on(d, chance, ev);
}

/* R7: no seat shows the twin out of turn. */
static void
daumen_quiet(void *state, struct chance *chance, struct events *ev)
{
	struct daumen *d = state;

	d->phase = PHASE_SHOW;
	go_on(d, chance, ev);
}

static void
daumen_start(void *state, const struct game_setup *setup, struct chance *chance,
	     struct events *ev)
{
	struct daumen *d = state;

	d->seats = setup->seats;
	d->games = (uint8_t)setup->option[OPTION_GAMES];
	d->any_twin = setup->option[OPTION_TWIN] == TWIN_ANY;
	begin_game(d, chance, ev);
}

static unsigned
daumen_standing(const void *state, long points[SEATS_MAX])
{
	const struct daumen *d = state;

	for (unsigned seat = 0; seat < d->seats; seat++)
		points[seat] = d->total[seat];
	return d->game;
}

/* ---- the table -------------------------------------------------------- */

static const char *const twin_values[] = {
	[TWIN_TURN] = "turn",
	[TWIN_ANY] = "any",
	NULL,
};

/* At two seats the other seat is always the next one. */
static const char *
daumen_invalid(const struct game_setup *setup)
{
	if (setup->option[OPTION_TWIN] == TWIN_ANY && setup->seats < 3)
		return "twin any needs 3 to 7 seats";
	return NULL;
}

static const struct game_option options[] = {
	[OPTION_GAMES] = {
		.name = "games",
		.min = 1,
		.max = 50,
		.preset = 3,
		.must = "option games must be an integer from 1 to 50",
		.brief = "games played; the totals decide",
	},
	[OPTION_TWIN] = {
		.name = "twin",
		.values = twin_values,
		.preset = TWIN_TURN,
		.must = "option twin must be one of turn, any",
		.brief = "who may show the twin of the last card: the seat on "
			 "turn, or any",
	},
	{ .name = NULL },
};

static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass", .brief = "show nothing now" },
	[VERB_SHOW] = {
		.name = "show",
		.deck = { &daumen_deck },
		.brief = "show this card, thumb on its fang",
	},
	[VERB_TWIN] = {
		.name = "twin",
		.deck = { &daumen_deck },
		.brief = "show the twin of the last card and take all",
	},
	{ .name = NULL },
};

static const char *const lines[] = {
	"round N start S",
	"deal S {c c c c c}S",
	"turn K S",
	"move S show:Y3{t}S",
	"move S twin:Y3{t}S",
	"move S pass",
	"quiet",
	"open S c",
	"take S c ...",
	"draw S {c ...}S",
	"pile S c ...",
	"hand S c ...",
	"tally S p m h",
	"score S total",
	"fault S why",
	"result S place total",
	NULL,
};

const struct game_rules game_daumen_drauf = {
	.name = "daumen-drauf",
	.title = "Daumen drauf",
	.brief = "outbid with snakes whose fangs the thumb hides",
	.version = 2,
	.min_seats = 2,
	.max_seats = SEATS,
	.seats_must = "is for 2 to 7 seats",
	.names_value = true,
	.state_bytes = sizeof(struct daumen),
	.deck = &daumen_deck,
	.pieces = { 2 * NUMBER_PIECES, NUMBER_PIECES, NULL },
	.options = options,
	.verbs = verbs,
	.lines = lines,
	.invalid = daumen_invalid,
	.start = daumen_start,
	.decide = daumen_decide,
	.legal = daumen_legal,
	.play = daumen_play,
	.quiet = daumen_quiet,
	.resample = daumen_resample,
	.hidden = daumen_hidden,
	.standing = daumen_standing,
};
