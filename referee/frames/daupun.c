/* referee/frames/daupun.c - the display model of Daupun; rules (R) are those of
 * referee/games/daupun.md.
 *
 * Each seat has a hand, a reserve, the sum of its hand where the viewer knows
 * all of it, stones on the way to the next crown, and crowns; in the middle are
 * the tricks of a battle, the draw pile, the pot and the pot that is offered. */
#include "referee/frames/frame-model.h"

#define DECK_CARDS 40
#define TURNS 5	       /* turns of each seat in a round (R3) */
#define GOAL 25	       /* what a hand has to add up to */
#define CROWN 250      /* stones for a crown */
#define FIRST_POT 3    /* what `stake` offers into an empty pot (R6) */
#define TRICK_PIECES 2 /* in the battle, side by side */

/* The notes: facts that are not drawn. */
enum {
	ON_TURN, /* the seat whose turn it is, also while the other one replies */
	CALLER, /* 1 + the seat that called the battle, 0: none has */
};

/* ---- where things are ----------------------------------------------------- */

enum { HAND, RESERVE, SEAT_ZONES };
enum { SUM, STONES, CROWNS, SEAT_GAUGES };
enum { BATTLE, STOCK };
enum { POT, OFFER };

static void
begin(struct frame *frame, const struct frame_setup *setup)
{
	const int32_t crowns = frame_option_number(setup, "crowns", 1);

	for (int seat = 0; seat < frame->table.seats; seat++) {
		frame_add_zone(frame, "hand", "hand", seat, LAYOUT_FAN);
		frame_add_zone(frame, "reserve", "reserve", seat, LAYOUT_ROW);
		frame_add_gauge(frame, "sum", "sum of the hand", seat,
				GAUGE_BAR, GOAL);
		frame_add_gauge(frame, "stones", "stones for a crown", seat,
				GAUGE_BAR, CROWN);
		frame_gauge_set(frame, seat, STONES, 0);
		frame_add_gauge(frame, "crowns", "crowns", seat, GAUGE_BEADS,
				crowns);
		frame_gauge_set(frame, seat, CROWNS, 0);
		frame_points(frame, seat, 0);
	}
	frame_add_zone(frame, "battle", "battle", -1, LAYOUT_PAIRS);
	frame_add_zone(frame, "stock", "draw pile", -1, LAYOUT_PILE);
	frame_add_gauge(frame, "pot", "pot", -1, GAUGE_BEADS, 0);
	frame_gauge_set(frame, -1, POT, 0);
	frame_add_gauge(frame, "offer", "pot on offer", -1, GAUGE_BEADS, 0);
}

/* ---- whose turn it is, and what a hand adds up to ------------------------- */

static int
other_than(const struct frame *frame, int seat)
{
	return frame_left_of(frame, seat, 0);
}

static void
turn_to(struct frame *frame, int seat)
{
	frame->note[ON_TURN] = seat;
	frame_flag_only(frame, seat, SEAT_TURN);
}

/* R3: the other seat is on turn, unless it has had all its turns. */
static void
turn_ends(struct frame *frame, const struct frame_line *line UNUSED)
{
	const int next = other_than(frame, frame->note[ON_TURN]);

	turn_to(frame,
		next >= 0 && frame_own(frame, next, RESERVE)->pieces < TURNS
			? next
			: -1);
}

static int
value_of(const char *code)
{
	if (code[0] == 'A')
		return 1;
	return code[0] == 'T' ? 10 : code[0] - '0';
}

/* Adds up a hand.  The sum is known if every card is. */
static void
add_up(struct frame *frame, int seat)
{
	const struct frame_zone *hand = frame_own(frame, seat, HAND);
	int32_t sum = 0;

	for (unsigned i = 0; i < hand->pieces; i++) {
		if (hand->piece[i].code[0] == '?') {
			sum = GAUGE_NONE;
			break;
		}
		sum += value_of(hand->piece[i].code);
	}
	frame_gauge_set(frame, seat, SUM, sum);
}

/* ---- a round begins (R2) -------------------------------------------------- */

static void
round_begins(struct frame *frame, const struct frame_line *line)
{
	for (int seat = 0; seat < frame->table.seats; seat++) {
		frame_unflag(frame, seat,
			     SEAT_WINNER | SEAT_CALLED | SEAT_OFFERED |
				     SEAT_FOLDED);
		frame_own(frame, seat, HAND)->dim = 0;
		frame_gauge_set(frame, seat, SUM, GAUGE_NONE);
	}
	frame_clear_all(frame);
	frame_put_hidden(frame_middle(frame, STOCK), DECK_CARDS, 0);
	frame_gauge_set(frame, -1, POT, line->number[1]);
	frame_gauge_set(frame, -1, OFFER, GAUGE_NONE);
	frame->note[CALLER] = 0;
	frame_flag_only(frame, line->seat[0], SEAT_DEALER);
	frame_flag_only(frame, line->seat[2], SEAT_LEADER);
	turn_to(frame, line->seat[2]);
	frame_tell(frame, line, "Round N begins; S3 plays first");
	if (line->number[1] > 0)
		frame_say(frame, ", with %d in the pot", line->number[1]);
	frame_say(frame, ".");
}

/* Handles a deal and a draw. */
static void
take_up(struct frame *frame, const struct frame_line *line)
{
	const int seat = line->seat[0];

	frame_put_all(frame_own(frame, seat, HAND), line, 0);
	frame_take_first(frame_middle(frame, STOCK), line->pieces);
	add_up(frame, seat);
}

static void
draw(struct frame *frame, const struct frame_line *line)
{
	take_up(frame, line);
	turn_to(frame, line->seat[0]);
	if (line->piece[0][0] == '?')
		frame_tell(frame, line, "S draws a card.");
}

/* ---- stakes (R6) ---------------------------------------------------------- */

static void
offer(struct frame *frame, int seat, int32_t stones)
{
	frame_gauge_set(frame, -1, OFFER, stones);
	frame_flag_only(frame, seat, SEAT_OFFERED);
	frame_flag_only(frame, other_than(frame, seat), SEAT_TURN);
}

static void
stake(struct frame *frame, const struct frame_line *line)
{
	const int32_t pot = frame_gauge(frame, -1, POT)->value;
	const int32_t stones = pot == 0 ? FIRST_POT : pot + 1;

	offer(frame, line->seat[0], stones);
	frame_tell(frame, line, "S offers a pot of ");
	frame_say(frame, "%d.", stones);
}

static void
stake_so_many(struct frame *frame, const struct frame_line *line)
{
	offer(frame, line->seat[0], line->number[0]);
}

static void
offer_ends(struct frame *frame, const struct frame_line *line UNUSED)
{
	frame_gauge_set(frame, -1, OFFER, GAUGE_NONE);
	frame_flag_only(frame, -1, SEAT_OFFERED);
	frame_flag_only(frame, frame->note[ON_TURN], SEAT_TURN);
}

static void
leave(struct frame *frame, const struct frame_line *line)
{
	frame_flag(frame, line->seat[0], SEAT_FOLDED);
	frame_own(frame, line->seat[0], HAND)->dim = 1;
	turn_to(frame, -1);
}

static void
give_up(struct frame *frame, const struct frame_line *line)
{
	offer_ends(frame, line);
	leave(frame, line);
}

static void
pot(struct frame *frame, const struct frame_line *line)
{
	frame_gauge_set(frame, -1, POT, line->number[0]);
}

/* ---- discard, exchange, call (R7 to R9) ----------------------------------- */

static void
lay_down(struct frame *frame, int seat, const char *code)
{
	frame_take(frame_own(frame, seat, HAND), code);
	frame_put(frame_own(frame, seat, RESERVE), code, seat, 0);
	add_up(frame, seat);
}

static void
discard(struct frame *frame, const struct frame_line *line)
{
	const int seat = line->seat[0];

	lay_down(frame, seat, line->piece[0]);
	if (frame_own(frame, seat, RESERVE)->pieces < TURNS)
		turn_ends(frame, line);
	else
		turn_to(frame, seat);
}

static void
call(struct frame *frame, int seat)
{
	frame->note[CALLER] = seat + 1;
	frame_flag_only(frame, seat, SEAT_CALLED);
	frame_flag_only(frame, other_than(frame, seat), SEAT_TURN);
}

static void
discard_and_call(struct frame *frame, const struct frame_line *line)
{
	lay_down(frame, line->seat[0], line->piece[0]);
	call(frame, line->seat[0]);
}

static void
swap(struct frame *frame, const struct frame_line *line)
{
	const int seat = line->seat[0];

	frame_take(frame_own(frame, seat, RESERVE), line->piece[1]);
	frame_put(frame_own(frame, seat, HAND), line->piece[1], -1,
		  PIECE_SHOWN);
	lay_down(frame, seat, line->piece[0]);
}

static void
stay(struct frame *frame, const struct frame_line *line)
{
	if (frame->note[CALLER] != 0) {
		turn_to(frame, -1);
		frame_tell(frame, line, "S accepts the battle.");
	} else {
		call(frame, line->seat[0]);
		frame_tell(frame, line,
			   "S keeps the hand and calls the battle.");
	}
}

/* ---- the battle (R11) ----------------------------------------------------- */

static void
show(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *hand = frame_own(frame, line->seat[0], HAND);

	turn_to(frame, -1);
	frame_clear(hand);
	frame_put_all(hand, line, PIECE_SHOWN);
	frame_gauge_set(frame, line->seat[0], SUM, line->number[0]);
}

/* Both cards leave their hands; a tie names no seat. */
static void
meet(struct frame *frame, const struct frame_line *line)
{
	const int winner = line->seats > 0 ? line->seat[0] : -1;
	struct frame_zone *battle = frame_middle(frame, BATTLE);
	int seat;

	if (battle->pieces + TRICK_PIECES > FRAME_PIECES)
		return;
	for (seat = 0; seat < TRICK_PIECES && seat < frame->table.seats;
	     seat++) {
		frame_take(frame_own(frame, seat, HAND), line->piece[seat]);
		frame_put(battle, line->piece[seat], seat,
			  seat == winner ? PIECE_WINNING : 0);
	}
	if (seat == TRICK_PIECES)
		battle->piece[battle->pieces - 1].on =
			(int8_t)(battle->pieces - 2);
}

static void
trick(struct frame *frame, const struct frame_line *line)
{
	meet(frame, line);
	frame_tell(frame, line,
		   "Trick N: the C meets the C; S wins it, worth ");
	frame_say(frame, "%d.", line->number[1] + line->number[2]);
}

static void
remove_trick(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *battle = frame_middle(frame, BATTLE);
	const int32_t trick = line->number[0];

	if (trick < 1 || trick * TRICK_PIECES > battle->pieces)
		return;
	for (unsigned i = 0; i < TRICK_PIECES; i++)
		battle->piece[(unsigned)(trick - 1) * TRICK_PIECES + i].marks |=
			PIECE_GONE;
}

/* ---- ends (R12, R13) ------------------------------------------------------ */

static void
round_won(struct frame *frame, const struct frame_line *line)
{
	frame_flag_only(frame, line->seat[0], SEAT_WINNER);
	frame_flag_only(frame, -1, SEAT_TURN);
	frame_gauge_set(frame, -1, POT, 0);
}

static void
score(struct frame *frame, const struct frame_line *line)
{
	const int32_t stones = line->number[0];

	frame_points(frame, line->seat[0], stones);
	frame_gauge_set(frame, line->seat[0], STONES,
			stones > 0 ? stones % CROWN : 0);
}

static void
crown(struct frame *frame, const struct frame_line *line)
{
	frame_gauge_set(frame, line->seat[0], CROWNS, line->number[0]);
}

/* ---- the lines ------------------------------------------------------------ */

static const struct frame_shape shapes[] = {
	{ "round N dealer S cutter S first S pot N", NULL, MARK_ROUND,
	  round_begins },
	{ "deal S C*", "S is dealt C*.", 0, take_up },
	{ "draw S C", "S draws the C.", MARK_TURN, draw },
	{ "move S stake", NULL, MARK_MOVE | MARK_STAKE, stake },
	{ "move S stake:N", "S offers a pot of N.", MARK_MOVE | MARK_STAKE,
	  stake_so_many },
	{ "move S raise:N", "S raises the offer to a pot of N.",
	  MARK_MOVE | MARK_STAKE, stake_so_many },
	{ "move S in", "S accepts the offer.", MARK_MOVE, offer_ends },
	{ "move S out", "S gives up the round.", MARK_MOVE, give_up },
	{ "pot N", "The pot is now N.", MARK_STAKE, pot },
	{ "move S discard:C", "S lays the C into the reserve.", MARK_MOVE,
	  discard },
	{ "move S discard:C:stay",
	  "S lays the C into the reserve and calls the battle.", MARK_MOVE,
	  discard_and_call },
	{ "move S keep", "S keeps the hand.", MARK_MOVE, turn_ends },
	{ "move S swap:C:C", "S lays down the C and takes back the C.",
	  MARK_MOVE, swap },
	{ "move S stay", NULL, MARK_MOVE, stay },
	{ "move S leave", "S refuses the battle.", MARK_MOVE, leave },
	{ "show S N C*", "S shows C*: N in all.", MARK_SHOW, show },
	{ "trick N C C S N N", NULL, MARK_TRICK, trick },
	{ "trick N C C tie N N", "Trick N: the C meets the C; it is a tie.",
	  MARK_TRICK, meet },
	{ "remove N tie", "Trick N is taken away: a tie.", 0, remove_trick },
	{ "remove N low", "Trick N is taken away: it is worth the least.", 0,
	  remove_trick },
	{ "field S N N",
	  "S has N of the tricks that are left, worth N stone(s).", 0, NULL },
	{ "win S tricks", "S wins the round with more tricks.", MARK_END,
	  round_won },
	{ "win S goal", "S wins the round: only this hand has reached 25.",
	  MARK_END, round_won },
	{ "win S out", "S wins the round: the offer was not accepted.",
	  MARK_END, round_won },
	{ "win S leave", "S wins the round: the battle was refused.", MARK_END,
	  round_won },
	{ "win none tie", "No trick is left, so no seat wins the round.",
	  MARK_END, NULL },
	{ "gain S N", "S gains N stone(s) in this round.", 0, NULL },
	{ "score S N", "S now has N stone(s).", MARK_SCORE, score },
	{ "crown S N", "S now has N crown(s).", MARK_SCORE, crown },
	{ NULL, NULL, 0, NULL },
};

static const struct frame_move moves[] = {
	{ "discard:C", "lay down the C" },
	{ "discard:C:stay", "lay down the C and call the battle" },
	{ "stake", "stake" },
	{ "stake:N", "offer a pot of N" },
	{ "in", "accept the offer" },
	{ "raise:N", "raise the offer to N" },
	{ "out", "give up the round" },
	{ "keep", "keep the hand" },
	{ "swap:C:C", "lay down the C and take back the C" },
	{ "stay", "stay" },
	{ "leave", "refuse the battle" },
	{ NULL, NULL },
};

const struct frame_game frame_daupun = {
	.name = "daupun",
	.kind = PIECES_CARD,
	.seat_zones = SEAT_ZONES,
	.seat_gauges = SEAT_GAUGES,
	.unit = "stone",
	.begin = begin,
	.shapes = shapes,
	.moves = moves,
};
