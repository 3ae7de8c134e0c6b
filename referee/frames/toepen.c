/* referee/frames/toepen.c - the display model of Toepen; rules (R) are those of
 * referee/games/toepen.md.
 *
 * Each seat has a hand, the cards that it has laid down, and its points; in the
 * middle are the trick, the stock, the earlier tricks of the round and the
 * stake. */
#include "referee/frames/frame-model.h"

#define HAND_CARDS 4
#define DECK_CARDS 32
#define NOT_IN (SEAT_OUT | SEAT_FOLDED)

/* The notes: facts that are not drawn. */
enum {
	LEADER,	   /* the seat that leads, or would if it were in (R3) */
	TRICK,	   /* number of the trick that lies there */
	TRICK_WON, /* 1: it is over, and goes before the next card */
	KNOCKER,   /* 1 + the seat whose knock is answered, 0: none is */
	LAYER,	   /* 1 + the seat whose mulligan gets its cards, 0: a deal */
};

/* ---- where things are ----------------------------------------------------- */

enum { HAND, LAID, SEAT_ZONES };
enum {
	PLAYED,
	STOCK,
	EARLIER, /* each trick begins with the card that led */
};

enum { POINTS, SEAT_GAUGES };
enum { STAKE };

static void
begin(struct frame *frame, const struct frame_setup *setup)
{
	const int32_t points = frame_option_number(setup, "points", 15);

	for (int seat = 0; seat < frame->table.seats; seat++) {
		frame_add_zone(frame, "hand", "hand", seat, LAYOUT_FAN);
		frame_add_zone(frame, "laid", "laid down", seat, LAYOUT_ROW);
		frame_add_gauge(frame, "points", "points", seat, GAUGE_BAR,
				points);
		frame_gauge_set(frame, seat, POINTS, 0);
		frame_points(frame, seat, 0);
	}
	frame_add_zone(frame, "trick", "trick", -1, LAYOUT_ROW);
	frame_add_zone(frame, "stock", "stock", -1, LAYOUT_PILE);
	frame_add_zone(frame, "earlier", "earlier tricks", -1, LAYOUT_ROW);
	frame_add_gauge(frame, "stake", "stake", -1, GAUGE_BEADS, 0);
}

/* ---- whose turn it is ----------------------------------------------------- */

/* R3: finds the first seat from the leader on that is in and has not played. */
static void
find_turn(struct frame *frame)
{
	struct frame_zone *trick = frame_middle(frame, PLAYED);
	const bool over = frame->note[TRICK_WON] != 0;
	int seat = frame->note[LEADER], i;

	for (i = 0; i < frame->table.seats; i++) {
		if (!frame_is(frame, seat, NOT_IN) &&
		    (over || frame_played(trick, seat) == NULL)) {
			frame_flag_only(frame, seat, SEAT_TURN);
			return;
		}
		seat = frame_left_of(frame, seat, 0);
	}
	frame_flag_only(frame, -1, SEAT_TURN);
}

/* R5: the next seat after this one answers; after the last one the table waits
 * for the seat on turn again. */
static void
find_answer(struct frame *frame, const struct frame_line *line)
{
	const int next = frame_left_of(frame, line->seat[0], NOT_IN);

	if (next + 1 != frame->note[KNOCKER] && next >= 0 &&
	    frame->note[KNOCKER] != 0) {
		frame_flag_only(frame, next, SEAT_TURN);
		return;
	}
	frame->note[KNOCKER] = 0;
	find_turn(frame);
}

static void
label_trick(struct frame *frame)
{
	struct frame_zone *trick = frame_middle(frame, PLAYED);

	frame_text(trick->label, sizeof(trick->label), "trick %d",
		   frame->note[TRICK]);
}

/* ---- a round begins (R1, R2) ---------------------------------------------- */

static void
round_begins(struct frame *frame, const struct frame_line *line)
{
	for (int seat = 0; seat < frame->table.seats; seat++) {
		frame_unflag(frame, seat,
			     SEAT_FOLDED | SEAT_WINNER | SEAT_KNOCKED);
		frame_own(frame, seat, HAND)->dim = 0;
	}
	frame_clear_all(frame);
	frame_put_hidden(frame_middle(frame, STOCK), DECK_CARDS, 0);
	frame_gauge_set(frame, -1, STAKE, 1);
	frame->note[TRICK] = 1;
	label_trick(frame);
	frame->note[TRICK_WON] = 0;
	frame->note[KNOCKER] = frame->note[LAYER] = 0;
	frame->note[LEADER] = frame_left_of(frame, line->seat[0], SEAT_OUT);
	frame_flag_only(frame, line->seat[0], SEAT_DEALER);
	frame_flag_only(frame, frame->note[LEADER], SEAT_LEADER);
	find_turn(frame);
}

static void
deal(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *hand = frame_own(frame, line->seat[0], HAND);

	frame_clear(hand);
	frame_put_all(hand, line, 0);
	frame_take_first(frame_middle(frame, STOCK), line->pieces);
	if (frame->note[LAYER] == line->seat[0] + 1)
		frame_tell(frame, line, "S draws C* instead.");
	frame->note[LAYER] = 0;
}

/* ---- moves (R4 to R7) ----------------------------------------------------- */

/* Puts a trick away without the seats that played its cards: four tricks of
 * eight seats are many. */
static void
put_trick_away(struct frame *frame)
{
	struct frame_zone *trick = frame_middle(frame, PLAYED);

	for (unsigned i = 0; i < trick->pieces; i++)
		frame_put(frame_middle(frame, EARLIER), trick->piece[i].code,
			  -1,
			  trick->piece[i].marks & (PIECE_LED | PIECE_WINNING));
	frame_clear(trick);
	frame->note[TRICK]++;
	label_trick(frame);
	frame->note[TRICK_WON] = 0;
}

static void
play(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *trick = frame_middle(frame, PLAYED);

	if (frame->note[TRICK_WON])
		put_trick_away(frame);
	if (trick->pieces == 0)
		frame_tell(frame, line, "S leads the C.");
	frame_take(frame_own(frame, line->seat[0], HAND), line->piece[0]);
	frame_put(trick, line->piece[0], line->seat[0],
		  trick->pieces == 0 ? PIECE_LED : 0);
	find_turn(frame);
}

static void
knock(struct frame *frame, const struct frame_line *line)
{
	frame->note[KNOCKER] = line->seat[0] + 1;
	frame_flag_only(frame, line->seat[0], SEAT_KNOCKED);
	find_answer(frame, line);
}

static void
stake(struct frame *frame, const struct frame_line *line)
{
	frame_gauge_set(frame, -1, STAKE, line->number[0]);
}

static void
fold(struct frame *frame, const struct frame_line *line)
{
	frame_flag(frame, line->seat[0], SEAT_FOLDED);
	frame_own(frame, line->seat[0], HAND)->dim = 1;
	find_answer(frame, line);
}

static void
mulligan(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *laid = frame_own(frame, line->seat[0], LAID);

	/* Cards of an earlier mulligan can no longer be challenged. */
	frame_mark_all(laid, PIECE_GONE, 0);
	frame_move_all(frame_own(frame, line->seat[0], HAND), laid, PIECE_DOWN);
	frame->note[LAYER] = line->seat[0] + 1;
}

/* R7: the four cards that were laid down last are turned up. */
static void
reveal(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *laid = frame_own(frame, line->seat[0], LAID);

	for (unsigned i = 0; i < HAND_CARDS; i++)
		frame_take_at(laid, laid->pieces - 1);
	frame_put_all(laid, line, PIECE_SHOWN);
}

/* ---- ends (R9 to R11) ----------------------------------------------------- */

static void
trick_won(struct frame *frame, const struct frame_line *line)
{
	struct frame_piece *card =
		frame_played(frame_middle(frame, PLAYED), line->seat[0]);

	if (card != NULL) {
		card->marks |= PIECE_WINNING;
		frame_tell(frame, line, "S takes the trick with the ");
		frame_say_piece(frame, card->code);
		frame_say(frame, ".");
	}
	frame->note[TRICK_WON] = 1;
	frame->note[LEADER] = line->seat[0];
	frame_flag_only(frame, line->seat[0], SEAT_LEADER);
	find_turn(frame);
}

static void
round_won(struct frame *frame, const struct frame_line *line)
{
	frame_flag_only(frame, line->seat[0], SEAT_WINNER);
	frame_flag_only(frame, -1, SEAT_TURN);
}

static void
score(struct frame *frame, const struct frame_line *line)
{
	const int32_t goal = frame_gauge(frame, line->seat[0], POINTS)->goal;

	frame_points(frame, line->seat[0], line->number[0]);
	frame_gauge_set(frame, line->seat[0], POINTS, line->number[0]);
	if (line->number[0] > goal) {
		frame_tell(frame, line, "S now has N point(s).");
		return;
	}
	frame_tell(frame, line, "S now has N of ");
	frame_say(frame, "%d points.", goal);
}

/* R10: at once, also in the middle of a round. */
static void
out(struct frame *frame, const struct frame_line *line)
{
	frame_flag(frame, line->seat[0], SEAT_OUT);
	frame_own(frame, line->seat[0], HAND)->dim = 1;
	if (frame_is(frame, line->seat[0], SEAT_TURN))
		find_answer(frame, line);
}

/* ---- the lines ------------------------------------------------------------ */

static const struct frame_shape shapes[] = {
	{ "round N S", "Round N begins; S deals.", MARK_ROUND, round_begins },
	{ "deal S C*", "S is dealt C*.", 0, deal },
	{ "move S play:C", "S plays the C.", MARK_MOVE, play },
	{ "move S knock", "S knocks.", MARK_MOVE, knock },
	{ "stake N", "The stake is now N.", MARK_STAKE, stake },
	{ "move S stay", "S stays.", MARK_MOVE, find_answer },
	{ "move S fold", "S folds.", MARK_MOVE, fold },
	{ "move S mulligan",
	  "S lays the hand face down and asks for a new one.", MARK_MOVE,
	  mulligan },
	{ "move S challenge", "S challenges the hand that was laid down.",
	  MARK_MOVE, NULL },
	{ "quiet", "No seat challenges the hand.", 0, NULL },
	{ "reveal S C*", "S had laid down C*.", MARK_SHOW, reveal },
	{ "trick S", "S takes the trick.", MARK_TRICK, trick_won },
	{ "win S", "S wins the round.", MARK_END, round_won },
	{ "score S N", NULL, MARK_SCORE, score },
	{ "out S", "S is out of the game.", MARK_OUT, out },
	{ NULL, NULL, 0, NULL },
};

static const struct frame_move moves[] = {
	{ "play:C", "play the C" },
	{ "knock", "knock" },
	{ "stay", "stay" },
	{ "fold", "fold" },
	{ "mulligan", "lay down the hand" },
	{ "challenge", "challenge" },
	{ "pass", "pass" },
	{ NULL, NULL },
};

const struct frame_game frame_toepen = {
	.name = "toepen",
	.kind = PIECES_CARD,
	.seat_zones = SEAT_ZONES,
	.seat_gauges = SEAT_GAUGES,
	.begin = begin,
	.shapes = shapes,
	.moves = moves,
};
