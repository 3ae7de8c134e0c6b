/* referee/games/toepen.c - Toepen: four cards, and only the last trick counts.
 *
 * Pieces are numbered rank * 4 + suit, ranks J Q K A 7 8 9 T and suits C D H S.
 * So of any set the lowest piece is the house move's card, the highest one of
 * a suit wins, and the face cards are the lower half of the deck. */
#include <string.h>

#include "referee/games/seats.h"
#include "referee/games/toepen.h"

#define TRICKS 4
#define NUMBER_CARDS 0xffff0000u /* 7 8 9 T */

enum { OPTION_POINTS };

const struct deck toepen_deck = {
	.count = 32,
	.name = {
		"JC", "JD", "JH", "JS",
		"QC", "QD", "QH", "QS",
		"KC", "KD", "KH", "KS",
		"AC", "AD", "AH", "AS",
		"7C", "7D", "7H", "7S",
		"8C", "8D", "8H", "8S",
		"9C", "9D", "9H", "9S",
		"TC", "TD", "TH", "TS",
	},
};

static uint32_t
suit_of(unsigned card)
{
	return 0x11111111u << card % 4;
}

/* ---- what is asked ---------------------------------------------------- */

/* Returns the seat on turn.  Order of play in a trick is clockwise from the leader, so
 * it is the first without a card, and the first card is that of the first seat with
 * one. */
static unsigned
on_turn(const struct toepen *t)
{
	return seats_first(t->in & ~t->played & 0xff, t->leader, t->seats);
}

/* R3, Q4: all but the last knocker, while it still changes anything. */
static unsigned
may_knock(const struct toepen *t)
{
	return t->stake < t->goal ? t->in & ~t->knocker : 0u;
}

static bool
may_mulligan(const struct toepen *t)
{
	return t->tricks == 0 && t->played == 0 && /* the opening, Q7 */
	       cards_count(t->stock) >= TOEPEN_HAND;
}

/* R3: the holder, and everyone else who could do more than pass. */
static void
decide_turn(const struct toepen *t, struct decision *decision)
{
	unsigned turn = on_turn(t);
	unsigned others = may_mulligan(t) ? t->in : may_knock(t);

	others &= ~(1u << turn);
	game_ask_one(decision, turn);
	if (others)
		decision->kind = DECISION_OPEN;
	while (others)
		game_ask(decision, seats_take_first(&others, turn, t->seats));
}

/* R7: every other seat that is in. */
static void
decide_challenge(const struct toepen *t, struct decision *decision)
{
	unsigned others = t->in & ~(1u << t->mulliganer);

	decision->kind = DECISION_OPEN;
	decision->holder = -1;
	while (others)
		game_ask(decision,
			 seats_take_first(&others, t->mulliganer, t->seats));
}

static void
toepen_decide(const void *state, struct decision *decision)
{
	const struct toepen *t = state;

	switch (t->phase) {
	case PHASE_TURN:
		decide_turn(t, decision);
		break;
	case PHASE_ANSWER: /* R5 */
		game_ask_one(decision,
			     seats_first(t->to_answer, card_lowest(t->knocker),
					 t->seats));
		break;
	case PHASE_CHALLENGE:
		decide_challenge(t, decision);
		break;
	default:
		decision->kind = DECISION_OVER;
	}
}

/* Returns the first card of the trick; there is one. */
static unsigned
card_led(const struct toepen *t)
{
	return t->card[seats_first(t->played, t->leader, t->seats)];
}

/* R4: follow suit, also that of a leader who has folded. */
static uint32_t
playable(const struct toepen *t, unsigned seat)
{
	uint32_t hand = t->hand[seat], follow;

	if (!t->played)
		return hand;
	follow = hand & suit_of(card_led(t));
	return follow ? follow : hand;
}

static void
legal_turn(const struct toepen *t, unsigned seat, struct legal *legal)
{
	if (seat == on_turn(t))
		game_list_pieces(legal, TOEPEN_PLAY, playable(t, seat));
	else
		game_list_verb(legal, VERB_PASS);
	if (may_knock(t) >> seat & 1)
		game_list_verb(legal, TOEPEN_KNOCK);
	if (may_mulligan(t))
		game_list_verb(legal, TOEPEN_MULLIGAN);
}

static void
toepen_legal(const void *state, unsigned seat, struct legal *legal)
{
	const struct toepen *t = state;

	switch (t->phase) {
	case PHASE_TURN:
		legal_turn(t, seat, legal);
		break;
	case PHASE_ANSWER:
		game_list_verb(legal, TOEPEN_FOLD);
		game_list_verb(legal, TOEPEN_STAY);
		break;
	default:
		game_list_verb(legal, VERB_PASS);
		game_list_verb(legal, TOEPEN_CHALLENGE);
	}
}

/* ---- what happens ----------------------------------------------------- */

static void
deal_hand(struct toepen *t, unsigned seat, struct chance *chance,
	  struct events *ev)
{
	unsigned hand = t->hands++, i, card;

	t->owner[hand] = (uint8_t)seat;
	t->last[seat] = (uint8_t)hand;
	t->hand[seat] = t->barred[seat] = 0;
	event_begin_of(ev, "deal", seat);
	event_hide(ev);
	for (i = 0; i < TOEPEN_HAND; i++) {
		card = chance_card(chance, ev, t->stock, &toepen_deck);
		t->stock &= ~(1u << card);
		t->hand[seat] |= 1u << card;
		t->dealt[hand][i] = (uint8_t)card;
		event_word(ev, toepen_deck.name[card]);
	}
	event_seen_by(ev, 1u << seat);
	event_end(ev);
}

/* R2.  The dealer of the first round is drawn (R1), later it is the next alive
 * seat (R11). */
static void
begin_round(struct toepen *t, struct chance *chance, struct events *ev)
{
	unsigned to_deal = t->alive;

	t->round++;
	event_begin_of(ev, "round", t->round);
	if (t->round == 1)
		t->dealer = (uint8_t)chance_number(chance, ev, 0, t->seats);
	else
		t->dealer = (uint8_t)seats_first(
			t->alive, seat_left(t->dealer, t->seats), t->seats);
	event_number(ev, t->dealer);
	event_end(ev);
	chance_round(chance, t->round);

	t->stock = TOEPEN_CARDS;
	t->hands = t->open = 0;
	memset(t->hand, 0, sizeof(t->hand)); /* nothing is left behind */
	memset(t->dealt, 0, sizeof(t->dealt));
	t->leader = (uint8_t)seat_left(t->dealer, t->seats);
	while (to_deal)
		deal_hand(t, seats_take_first(&to_deal, t->leader, t->seats),
			  chance, ev);
	t->stake = 1;
	t->knocker = 0;
	t->in = t->alive;
	t->played = 0;
	t->tricks = 0;
	t->phase = PHASE_TURN;
}

/* R10 */
static void
give_points(struct toepen *t, unsigned seat, unsigned points, struct events *ev)
{
	t->points[seat] = (uint8_t)(t->points[seat] + points);
	EVENT_LINE(ev, "score", seat, t->points[seat]);
	if (t->points[seat] < t->goal)
		return;
	EVENT_LINE(ev, "out", seat);
	t->out_in[seat] = t->round;
	t->alive &= (uint8_t) ~(1u << seat);
	t->in &= (uint8_t) ~(1u << seat);
}

/* R11 */
static void
end_round(struct toepen *t, unsigned winner, struct chance *chance,
	  struct events *ev)
{
	unsigned losers = t->in & ~(1u << winner);

	EVENT_LINE(ev, "win", winner);
	while (losers)
		give_points(t, seats_take(&losers), t->stake, ev);
	if (t->alive == 1u << winner)
		t->phase = PHASE_OVER;
	else
		begin_round(t, chance, ev);
}

/* R9: the highest card of the suit led, or where no seat still in has played
 * that suit, of the first card whose seat is in. */
static unsigned
trick_winner(const struct toepen *t)
{
	unsigned first_in = seats_first(t->in, t->leader, t->seats);
	uint32_t suit = suit_of(card_led(t)), cards = 0;
	unsigned in = t->in, seat, best;

	while (in)
		cards |= 1u << t->card[seats_take(&in)];
	if (!(cards & suit)) /* Q6 */
		suit = suit_of(t->card[first_in]);
	best = 31 - (unsigned)__builtin_clz(cards & suit);
	in = t->in;
	do
		seat = seats_take(&in);
	while (t->card[seat] != best);
	return seat;
}

/* R8, without what a move settles itself: an answer that is due (1) and a
 * challenge that is due (2). */
static void
go_on(void *state, struct chance *chance, struct events *ev)
{
	struct toepen *t = state;
	unsigned winner;

	t->phase = PHASE_TURN;
	if ((t->in & (t->in - 1)) == 0) {
		end_round(t, seats_first(t->in, 0, t->seats), chance, ev);
		return;
	}
	if (t->in & ~t->played)
		return;
	winner = trick_winner(t);
	EVENT_LINE(ev, "trick", winner);
	t->played = 0;
	t->leader = (uint8_t)winner;
	if (++t->tricks == TRICKS)
		end_round(t, winner, chance, ev);
}

/* Notes what everybody learns from a card about the rest of the hand: a seat that does
 * not follow suit cannot, and a house move plays the lowest card that may be played. */
static void
bar_cards(struct toepen *t, unsigned seat, struct move move)
{
	uint32_t card = 1u << move.piece[0], may = TOEPEN_CARDS, suit;

	if (t->played) {
		suit = suit_of(card_led(t));
		if (card & suit)
			may = suit;
		else
			t->barred[seat] |= suit;
	}
	if (move.forced)
		t->barred[seat] |= may & (card - 1);
}

/* R4 */
static void
play_card(struct toepen *t, unsigned seat, struct move move)
{
	unsigned card = move.piece[0];

	bar_cards(t, seat, move);
	t->hand[seat] &= ~(1u << card);
	t->card[seat] = (uint8_t)card;
	t->played |= (uint8_t)(1u << seat);
}

/* R5 */
static void
knock(struct toepen *t, unsigned seat, struct events *ev)
{
	t->knocker = (uint8_t)(1u << seat);
	t->stake++;
	t->to_answer = (uint8_t)(t->in & ~(1u << seat));
	t->phase = PHASE_ANSWER;
	EVENT_LINE(ev, "stake", t->stake);
}

/* R5.3: an answer.  A fold costs the stake as it was before the knock. */
static void
answer(struct toepen *t, unsigned seat, uint8_t verb, struct events *ev)
{
	t->to_answer &= (uint8_t) ~(1u << seat);
	if (verb == TOEPEN_STAY)
		return;
	t->in &= (uint8_t) ~(1u << seat);
	give_points(t, seat, t->stake - 1u, ev);
}

/* R6 */
static void
mulligan(struct toepen *t, unsigned seat, struct chance *chance,
	 struct events *ev)
{
	t->laid = t->last[seat];
	t->mulliganer = (uint8_t)seat;
	t->phase = PHASE_CHALLENGE;
	deal_hand(t, seat, chance, ev);
}

/* R7 */
static void
challenge(struct toepen *t, unsigned seat, struct events *ev)
{
	const uint8_t *laid = t->dealt[t->laid];

	t->open |= (uint8_t)(1u << t->laid);
	event_begin_of(ev, "reveal", t->mulliganer);
	for (unsigned i = 0; i < TOEPEN_HAND; i++)
		event_word(ev, toepen_deck.name[laid[i]]);
	event_end(ev);
	give_points(t,
		    hand_set(t, t->laid) & NUMBER_CARDS ? t->mulliganer : seat,
		    1, ev);
}

static void
toepen_play(void *state, unsigned seat, struct move move, struct chance *chance,
	    struct events *ev)
{
	struct toepen *t = state;

	game_move_event(ev, &game_toepen, seat, move);
	event_end(ev);
	switch (move.verb) {
	case TOEPEN_KNOCK:
		knock(t, seat, ev);
		return;
	case TOEPEN_MULLIGAN:
		mulligan(t, seat, chance, ev);
		return;
	case TOEPEN_PLAY:
		play_card(t, seat, move);
		break;
	case TOEPEN_CHALLENGE:
		challenge(t, seat, ev);
		break;
	default:
		answer(t, seat, move.verb, ev);
		if (t->to_answer) /* R8.1 */
			return;
	}
	go_on(t, chance, ev);
}

static void
toepen_start(void *state, const struct game_setup *setup, struct chance *chance,
	     struct events *ev)
{
	struct toepen *t = state;

	t->seats = setup->seats;
	t->goal = (uint8_t)setup->option[OPTION_POINTS];
	t->alive = (uint8_t)((1u << t->seats) - 1);
	begin_round(t, chance, ev);
}

/* Section 6: returns true if a is placed before b.  Out later is better, then fewer
 * points (Q13); the one who is alive is before all. */
static bool
placed_before(const struct toepen *t, unsigned a, unsigned b)
{
	if (t->out_in[a] == 0 || t->out_in[b] == 0)
		return t->out_in[a] == 0 && t->out_in[b] != 0;
	if (t->out_in[a] != t->out_in[b])
		return t->out_in[a] > t->out_in[b];
	return t->points[a] < t->points[b];
}

static unsigned
toepen_standing(const void *state, long points[SEATS_MAX])
{
	const struct toepen *t = state;

	for (unsigned seat = 0; seat < t->seats; seat++)
		points[seat] = t->points[seat];
	return t->round;
}

static void
toepen_result(const void *state, struct game_score score[SEATS_MAX])
{
	const struct toepen *t = state;

	for (unsigned seat = 0; seat < t->seats; seat++) {
		score[seat].points = t->points[seat];
		score[seat].place = 1;
		for (unsigned other = 0; other < t->seats; other++)
			if (placed_before(t, other, seat))
				score[seat].place++;
	}
}

/* ---- the table -------------------------------------------------------- */

static const struct game_option options[] = {
	[OPTION_POINTS] = {
		.name = "points",
		.min = 1,
		.max = 99,
		.preset = 15,
		.must = "option points must be an integer from 1 to 99",
		.brief = "a seat with this many points is eliminated",
	},
	{ .name = NULL },
};

/* The classes are those of R3: a card must not cut off a knock, nor a knock a mulligan
 * (Q12). */
static const struct verb verbs[] = {
	[VERB_PASS] = { .name = "pass", .brief = "do nothing" },
	[TOEPEN_KNOCK] = {
		.name = "knock",
		.priority = 1,
		.brief = "raise the stake by one; the others stay or fold",
	},
	[TOEPEN_MULLIGAN] = {
		.name = "mulligan",
		.brief = "lay the hand face down and draw a new one",
	},
	[TOEPEN_PLAY] = {
		.name = "play",
		.deck = { &toepen_deck },
		.priority = 2,
		.lays = 1,
		.brief = "play this card to the trick",
	},
	[TOEPEN_STAY] = { .name = "stay", .brief = "accept the stake" },
	[TOEPEN_FOLD] = {
		.name = "fold",
		.brief = "leave the round and pay the stake so far",
	},
	[TOEPEN_CHALLENGE] = {
		.name = "challenge",
		.brief = "demand to see the hand just laid down",
	},
	{ .name = NULL },
};

static const char *const lines[] = {
	"round N D",
	"deal S {c c c c}S",
	"move S play:c",
	"move S knock",
	"move S mulligan",
	"move S challenge",
	"move S stay",
	"move S fold",
	"quiet",
	"stake N",
	"reveal S c c c c",
	"trick S",
	"win S",
	"score S n",
	"out S",
	"fault S why",
	"result S place points",
	NULL,
};

const struct game_rules game_toepen = {
	.name = "toepen",
	.title = "Toepen",
	.brief = "bluff for the last of four tricks; points are bad",
	.version = 1,
	.min_seats = 2,
	.max_seats = 8,
	.seats_must = "needs 2 to 8 seats",
	.state_bytes = sizeof(struct toepen),
	.deck = &toepen_deck,
	.pieces = { 32, 0, NULL },
	.options = options,
	.verbs = verbs,
	.lines = lines,
	.start = toepen_start,
	.decide = toepen_decide,
	.legal = toepen_legal,
	.play = toepen_play,
	.quiet = go_on, /* R7 */
	.result = toepen_result,
	.resample = toepen_resample,
	.hidden = toepen_hidden,
	.standing = toepen_standing,
};
