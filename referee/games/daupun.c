/* referee/games/daupun.c - Daupun: five low cards that still sum to 25.
 *
 * Pieces are numbered (value - 1) * 4 + suit, ranks A 2 3 4 5 6 7 8 9 T and
 * suits C D H S: rising pieces are the rows of a battle. */
#include <string.h>

#include "referee/games/daupun.h"

#define RESERVE 5
#define EXCHANGES 3
#define CROWN 250     /* stones */
#define FIRST_STAKE 3 /* of a plain stake, Q10 */
#define GRANT_OUT 2   /* stones for who is left by `out` */
#define GRANT_LEAVE 1 /* and by `leave` */

enum { OPTION_CROWNS, OPTION_FIRST, OPTION_ROUNDS, OPTION_LOWEST };
enum { FIRST_WINNER, FIRST_CUTTER };
enum { LOWEST_VALUE, LOWEST_POSITION };

const struct deck daupun_deck = {
	.count = 40,
	.name = {
		"AC", "AD", "AH", "AS",
		"2C", "2D", "2H", "2S",
		"3C", "3D", "3H", "3S",
		"4C", "4D", "4H", "4S",
		"5C", "5D", "5H", "5S",
		"6C", "6D", "6H", "6S",
		"7C", "7D", "7H", "7S",
		"8C", "8D", "8H", "8S",
		"9C", "9D", "9H", "9S",
		"TC", "TD", "TH", "TS",
	},
};

/* Returns true if the turn is its seat's fifth. */
static bool
is_last_turn(const struct daupun *d)
{
	return d->turn >= DAUPUN_TURNS - DAUPUN_SEATS;
}

/* Returns what a seat lacks to its next crown. */
static int
need(const struct daupun *d, unsigned seat)
{
	return CROWN - d->stones[seat] % CROWN;
}

static void
into_hand(struct daupun *d, unsigned seat, unsigned card)
{
	d->hand[seat] |= piece(card);
	d->sum[seat] = (uint8_t)(d->sum[seat] + daupun_value(card));
}

static void
out_of_hand(struct daupun *d, unsigned seat, unsigned card)
{
	d->hand[seat] ^= piece(card);
	d->sum[seat] = (uint8_t)(d->sum[seat] - daupun_value(card));
}

/* ---- what is asked ---------------------------------------------------- */

static void
daupun_decide(const void *state, struct decision *decision)
{
	const struct daupun *d = state;

	switch (d->phase) {
	case PHASE_REPLY:
		game_ask_one(decision, !d->speaker);
		break;
	case PHASE_ANSWER:
		game_ask_one(decision, !on_turn(d));
		break;
	case PHASE_OVER:
		decision->kind = DECISION_OVER;
		break;
	default:
		game_ask_one(decision, on_turn(d));
	}
}

/* R5, R6, Q11: more than `above`, and no more than the speaker lacks. */
static void
list_amounts(struct legal *legal, uint8_t verb, int above, int most)
{
	if (above < most)
		game_list(legal, (struct move){ .verb = verb,
						.n = (int16_t)(above + 1),
						.top = (int16_t)most });
}

/* R5 and, once there has been a staking, the rest of it. */
static void
legal_turn(const struct daupun *d, unsigned seat, struct legal *legal)
{
	card_set cards;
	unsigned card;

	game_list_piece(legal, DAUPUN_DISCARD, d->drawn);
	game_list_pieces(legal, DAUPUN_DISCARD,
			 d->hand[seat] ^ piece(d->drawn));
	if (d->phase == PHASE_TURN) {
		game_list_verb(legal, DAUPUN_STAKE);
		list_amounts(legal, DAUPUN_STAKE_TO, d->pot, need(d, seat));
	}
	if (is_last_turn(d))
		return;
	for (cards = d->hand[seat]; cards;) { /* Q3 */
		card = card_take_lowest(&cards);
		if (d->sum[seat] - daupun_value(card) >= DAUPUN_GOAL)
			game_list_piece(legal, DAUPUN_DISCARD_STAY, card);
	}
}

/* R8 */
static void
legal_exchange(const struct daupun *d, unsigned seat, struct legal *legal)
{
	card_set cards, reserve;
	struct move swap = { .verb = DAUPUN_SWAP };

	game_list_verb(legal, DAUPUN_KEEP);
	if (d->sum[seat] >= DAUPUN_GOAL)
		game_list_verb(legal, DAUPUN_STAY);
	if (d->exchanges == EXCHANGES)
		return;
	for (cards = d->hand[seat]; cards;) {
		swap.piece[0] = (uint8_t)card_take_lowest(&cards);
		for (reserve = d->reserve[seat]; reserve;) {
			swap.piece[1] = (uint8_t)card_take_lowest(&reserve);
			game_list(legal, swap);
		}
	}
}

static void
daupun_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct daupun *d = state;

	switch (d->phase) {
	case PHASE_REPLY:
		game_list_verb(legal, DAUPUN_OUT);
		game_list_verb(legal, DAUPUN_IN);
		list_amounts(legal, DAUPUN_RAISE, d->offer, need(d, seat));
		break;
	case PHASE_EXCHANGE:
		legal_exchange(d, seat, legal);
		break;
	case PHASE_ANSWER: /* Q4: whatever the seat holds */
		game_list_verb(legal, DAUPUN_LEAVE);
		game_list_verb(legal, DAUPUN_STAY);
		break;
	default:
		legal_turn(d, seat, legal);
	}
}

/* ---- what happens ----------------------------------------------------- */

/* Draws cards from the pile, in a line that begins with `verb`; returns the last of
 * them. */
static unsigned
draw_cards(struct daupun *d, const char *verb, unsigned seat, unsigned n,
	   struct chance *chance, struct events *ev)
{
	unsigned card = 0;

	event_begin_of(ev, verb, seat);
	event_hide(ev);
	while (n-- > 0) {
		card = chance_card(chance, ev, d->pile, &daupun_deck);
		d->pile ^= piece(card);
		d->dealt[d->places++] = (uint8_t)card;
		into_hand(d, seat, card);
		event_word(ev, daupun_deck.name[card]);
	}
	event_seen_by(ev, 1u << seat);
	event_end(ev);
	return card;
}

/* R4 */
static void
begin_turn(struct daupun *d, struct chance *chance, struct events *ev)
{
	d->drawn = (uint8_t)draw_cards(d, "draw", on_turn(d), 1, chance, ev);
	d->exchanges = 0;
	d->phase = PHASE_TURN;
}

/* R2, Q1.  The cutter is drawn while the dealer's token, which follows from
 * it, is still to come. */
static void
line_round(struct daupun *d, struct chance *chance, struct events *ev)
{
	unsigned cutter;

	event_begin_of(ev, "round", d->round);
	event_word(ev, "dealer");
	cutter = chance_number(chance, ev, 2, DAUPUN_SEATS);
	d->first = (uint8_t)cutter;
	if (d->first_by == FIRST_WINNER && d->winner != DAUPUN_NOBODY)
		d->first = d->winner;
	event_number(ev, !cutter);
	event_word(ev, "cutter");
	event_number(ev, cutter);
	event_word(ev, "first");
	event_number(ev, d->first);
	event_word(ev, "pot");
	event_number(ev, d->pot);
	event_end(ev);
}

/* R2 */
static void
begin_round(struct daupun *d, struct chance *chance, struct events *ev)
{
	d->round++;
	line_round(d, chance, ev);
	chance_round(chance, d->round);
	d->pile = DAUPUN_CARDS;
	d->seen = 0;
	d->bare = 0;
	d->places = 0;
	memset(d->dealt, 0, sizeof(d->dealt)); /* nothing is left behind */
	memset(d->discarded, 0xff, sizeof(d->discarded));
	for (unsigned seat = 0; seat < DAUPUN_SEATS; seat++) {
		d->hand[seat] = d->reserve[seat] = 0;
		d->sum[seat] = 0;
		draw_cards(d, "deal", seat, DAUPUN_HAND, chance, ev);
	}
	d->turn = 0;
	begin_turn(d, chance, ev);
}

/* R12: the line, and the pot for the winner (Q8, Q15). */
static void
decide_round(struct daupun *d, struct daupun_end *end, struct events *ev)
{
	event_begin(ev, "win");
	if (end->winner == DAUPUN_NOBODY) {
		event_word(ev, "none");
	} else {
		event_number(ev, end->winner);
		end->gain[end->winner] =
			(uint16_t)(end->gain[end->winner] + d->pot);
		d->pot = 0;
	}
	event_word(ev, end->reason);
	event_end(ev);
	d->winner = end->winner;
}

/* R13; returns true if a seat has all the crowns it needs (R14). */
static bool
count_stones(struct daupun *d, const struct daupun_end *end, struct events *ev)
{
	unsigned before[DAUPUN_SEATS], after, seat;
	bool won = false;

	for (seat = 0; seat < DAUPUN_SEATS; seat++)
		EVENT_LINE(ev, "gain", seat, end->gain[seat]);
	for (seat = 0; seat < DAUPUN_SEATS; seat++) {
		before[seat] = d->stones[seat] / CROWN;
		d->stones[seat] = (uint16_t)(d->stones[seat] + end->gain[seat]);
		EVENT_LINE(ev, "score", seat, d->stones[seat]);
	}
	for (seat = 0; seat < DAUPUN_SEATS; seat++) {
		after = d->stones[seat] / CROWN;
		if (after > before[seat])
			EVENT_LINE(ev, "crown", seat, after);
		won |= after >= d->crowns;
	}
	return won;
}

static void
end_round(struct daupun *d, struct daupun_end end, struct chance *chance,
	  struct events *ev)
{
	decide_round(d, &end, ev);
	if (count_stones(d, &end, ev) || d->round == d->rounds)
		d->phase = PHASE_OVER; /* R14 */
	else
		begin_round(d, chance, ev);
}

/* Ends a round without a battle. */
static void
give_in(struct daupun *d, unsigned winner, const char *reason, uint16_t grant,
	struct chance *chance, struct events *ev)
{
	struct daupun_end end = { .winner = (uint8_t)winner, .reason = reason };

	end.gain[winner] = grant;
	end_round(d, end, chance, ev);
}

static void
battle(struct daupun *d, struct chance *chance, struct events *ev)
{
	d->seen |= d->hand[0] | d->hand[1];
	end_round(d, daupun_battle(d->hand, d->by_position, ev), chance, ev);
}

/* Ends a turn without a call. */
static void
end_turn(struct daupun *d, struct chance *chance, struct events *ev)
{
	d->turn++;
	if (d->turn == DAUPUN_TURNS)
		battle(d, chance, ev); /* R10 */
	else
		begin_turn(d, chance, ev);
}

/* R6, Q10: the pot is not touched yet. */
static void
make_offer(struct daupun *d, unsigned seat, unsigned offer)
{
	d->offer = (uint16_t)offer;
	d->speaker = (uint8_t)seat;
	d->phase = PHASE_REPLY;
}

/* R6 */
static void
accept_offer(struct daupun *d, struct events *ev)
{
	d->pot = d->offer;
	d->phase = PHASE_DISCARD;
	EVENT_LINE(ev, "pot", d->pot);
}

/* R7: a card leaves the hand for all to see.  The house lays what it has just
 * drawn, so then everybody knows which place it was in. */
static void
lay_open(struct daupun *d, unsigned seat, struct move move)
{
	unsigned card = move.piece[0];

	out_of_hand(d, seat, card);
	d->seen |= piece(card);
	d->discarded[d->turn] = (uint8_t)card;
	if (move.forced)
		d->bare |= 1u << (d->places - 1);
}

/* R7 */
static void
discard(struct daupun *d, unsigned seat, struct move move,
	struct chance *chance, struct events *ev)
{
	lay_open(d, seat, move);
	d->reserve[seat] |= piece(move.piece[0]);
	if (is_last_turn(d))
		d->phase = PHASE_EXCHANGE;
	else
		end_turn(d, chance, ev);
}

/* R8 */
static void
swap(struct daupun *d, unsigned seat, struct move move)
{
	out_of_hand(d, seat, move.piece[0]);
	into_hand(d, seat, move.piece[1]);
	d->reserve[seat] ^= piece(move.piece[0]) | piece(move.piece[1]);
	d->seen |= piece(move.piece[0]);
	d->exchanges++;
}

/* R8, R9: the call or its answer. */
static void
stay(struct daupun *d, struct chance *chance, struct events *ev)
{
	if (d->phase == PHASE_ANSWER)
		battle(d, chance, ev);
	else
		d->phase = PHASE_ANSWER;
}

static void
daupun_play(void *state, unsigned seat, struct move move, struct chance *chance,
	    struct events *ev)
{
	struct daupun *d = state;

	game_move_event(ev, &game_daupun, seat, move);
	event_end(ev);
	switch (move.verb) {
	case DAUPUN_STAKE:
		make_offer(d, seat, d->pot ? d->pot + 1u : FIRST_STAKE);
		break;
	case DAUPUN_STAKE_TO:
	case DAUPUN_RAISE:
		make_offer(d, seat, (unsigned)move.n);
		break;
	case DAUPUN_IN:
		accept_offer(d, ev);
		break;
	case DAUPUN_OUT: /* Q7 */
		give_in(d, d->speaker, "out", GRANT_OUT, chance, ev);
		break;
	case DAUPUN_DISCARD:
		discard(d, seat, move, chance, ev);
		break;
	case DAUPUN_DISCARD_STAY: /* nothing of the reserve matters now */
		lay_open(d, seat, move);
		d->phase = PHASE_ANSWER;
		break;
	case DAUPUN_KEEP:
		end_turn(d, chance, ev);
		break;
	case DAUPUN_SWAP:
		swap(d, seat, move);
		break;
	case DAUPUN_STAY:
		stay(d, chance, ev);
		break;
	default: /* R9: leave */
		give_in(d, on_turn(d), "leave", GRANT_LEAVE, chance, ev);
	}
}

static void
daupun_start(void *state, const struct game_setup *setup, struct chance *chance,
	     struct events *ev)
{
	struct daupun *d = state;

	d->crowns = (uint8_t)setup->option[OPTION_CROWNS];
	d->first_by = (uint8_t)setup->option[OPTION_FIRST];
	d->rounds = (uint16_t)setup->option[OPTION_ROUNDS];
	d->by_position = setup->option[OPTION_LOWEST] == LOWEST_POSITION;
	d->winner = DAUPUN_NOBODY;
	begin_round(d, chance, ev);
}

static unsigned
daupun_standing(const void *state, long points[SEATS_MAX])
{
	const struct daupun *d = state;

	for (unsigned seat = 0; seat < DAUPUN_SEATS; seat++)
		points[seat] = d->stones[seat];
	return d->round;
}

/* Refuses what would change nothing: the cutter begins the first round in any case, and
 * a round brings fewer stones than two crowns, two fewer than three. */
static const char *
daupun_invalid(const struct game_setup *setup)
{
	int rounds = setup->option[OPTION_ROUNDS];

	if (setup->option[OPTION_CROWNS] == 2 && rounds < 2)
		return "crowns 2 needs rounds 2 or more";
	if (setup->option[OPTION_CROWNS] == 3 && rounds < 3)
		return "crowns 3 needs rounds 3 or more";
	if (setup->option[OPTION_FIRST] == FIRST_CUTTER && rounds < 2)
		return "first cutter needs rounds 2 or more";
	return NULL;
}

/* ---- the table -------------------------------------------------------- */

static const char *const first_values[] = {
	[FIRST_WINNER] = "winner",
	[FIRST_CUTTER] = "cutter",
	NULL,
};

static const char *const lowest_values[] = {
	[LOWEST_VALUE] = "value",
	[LOWEST_POSITION] = "position",
	NULL,
};

static const struct game_option options[] = {
	[OPTION_CROWNS] = {
		.name = "crowns",
		.min = 1,
		.max = 3,
		.preset = 1,
		.must = "option crowns must be an integer from 1 to 3",
		.brief = "crowns of 250 stones that win the game",
	},
	[OPTION_FIRST] = {
		.name = "first",
		.values = first_values,
		.preset = FIRST_WINNER,
		.must = "option first must be one of winner, cutter",
		.brief = "who plays first: the last round's winner, or always "
			 "a random cutter",
	},
	[OPTION_ROUNDS] = {
		.name = "rounds",
		.min = 1,
		.max = 1000,
		.preset = 200,
		.must = "option rounds must be an integer from 1 to 1000",
		.brief = "the game ends after this many at the latest",
	},
	[OPTION_LOWEST] = {
		.name = "lowest",
		.values = lowest_values,
		.preset = LOWEST_VALUE,
		.must = "option lowest must be one of value, position",
		.brief = "which tricks are removed: of the least value, or "
			 "those played last",
	},
	{ .name = NULL },
};

static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass" }, /* never legal */
	[DAUPUN_STAKE] = {
		.name = "stake",
		.brief = "offer a pot of 3, or of one stone more",
	},
	[DAUPUN_STAKE_TO] = {
		.name = "stake",
		.number = true,
		.brief = "offer a pot of this many stones",
	},
	[DAUPUN_DISCARD] = {
		.name = "discard",
		.deck = { &daupun_deck },
		.lays = 1,
		.brief = "lay this card face up and end the turn",
	},
	[DAUPUN_DISCARD_STAY] = {
		.name = "discard",
		.deck = { &daupun_deck },
		.tail = ":stay",
		.lays = 1,
		.brief = "lay this card and call the battle with 25 or more",
	},
	[DAUPUN_IN] = { .name = "in", .brief = "accept the offer" },
	[DAUPUN_OUT] = { .name = "out", .brief = "give the round up" },
	[DAUPUN_RAISE] = {
		.name = "raise",
		.number = true,
		.brief = "offer a pot of this many stones instead",
	},
	[DAUPUN_KEEP] = { .name = "keep", .brief = "end the turn so" },
	[DAUPUN_SWAP] = {
		.name = "swap",
		.deck = { &daupun_deck, &daupun_deck },
		.lays = 1,
		.brief = "lay the first card, take the second one back",
	},
	[DAUPUN_STAY] = { .name = "stay", .brief = "call or accept the battle" },
	[DAUPUN_LEAVE] = { .name = "leave", .brief = "refuse the battle" },
	{ .name = NULL },
};

static const char *const lines[] = {
	"round N dealer D cutter C first F pot P",
	"deal S {c c c c c}S",
	"draw S {c}S",
	"move S stake",
	"move S stake:N",
	"move S in",
	"move S out",
	"move S raise:N",
	"pot N",
	"move S discard:c",
	"move S discard:c:stay",
	"move S keep",
	"move S swap:c:c",
	"move S stay",
	"move S leave",
	"show S sum c c c c c",
	"trick k c c W position distance",
	"remove k tie",
	"remove k low",
	"field S t v",
	"win S reason",
	"win none tie",
	"gain S n",
	"score S n",
	"crown S k",
	"fault S why",
	"result S place stones",
	NULL,
};

const struct game_rules game_daupun = {
	.name = "daupun",
	.title = "Daupun",
	.brief = "build five low cards that sum to 25, and stake on them",
	.version = 2,
	.min_seats = DAUPUN_SEATS,
	.max_seats = DAUPUN_SEATS,
	.seats_must = "is for exactly 2 seats",
	.names_value = true,
	.state_bytes = sizeof(struct daupun),
	.deck = &daupun_deck,
	.pieces = { 40, 0, NULL },
	.options = options,
	.verbs = verbs,
	.lines = lines,
	.invalid = daupun_invalid,
	.start = daupun_start,
	.decide = daupun_decide,
	.legal = daupun_legal,
	.play = daupun_play,
	.resample = daupun_resample,
	.hidden = daupun_hidden,
	.standing = daupun_standing,
};
