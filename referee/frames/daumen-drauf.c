/* referee/frames/daumen-drauf.c - the display model of Daumen drauf; rules (R)
 * are those of referee/games/daumen-drauf.md.
 *
 * Each seat has a hand and three heaps of what it took: harmless snakes, toxic
 * ones, and those whose fang the viewer has not seen; in the middle are the
 * snakes of the turn and the stock.  A snake leaves the hand when it is shown:
 * what is left there is free. */
#include "referee/frames/frame-model.h"

#define KINDS 6	  /* three colours, each toxic and harmless */
#define MORE 2	  /* numbers that are in play beside one for each seat */
#define FANG_AT 2 /* the place of the fang in a code */
#define TOXIC 't'
#define HARMLESS 'n'

/* The notes: facts that are not drawn. */
enum {
	SHOWER, /* the seat that showed last in this turn, -1: none has */
};

/* ---- where things are ----------------------------------------------------- */

enum { HAND, WON, LOST, UNKNOWN, SEAT_ZONES };
enum { SHOWN, STOCK };

static void
begin(struct frame *frame, const struct frame_setup *setup UNUSED)
{
	for (int seat = 0; seat < frame->table.seats; seat++) {
		frame_add_zone(frame, "hand", "hand", seat, LAYOUT_FAN);
		frame_add_zone(frame, "won", "won: +1 each", seat, LAYOUT_PILE);
		frame_add_zone(frame, "lost", "lost: -1 each", seat,
			       LAYOUT_PILE);
		frame_add_zone(frame, "taken", "taken, fang unseen", seat,
			       LAYOUT_PILE);
		frame_points(frame, seat, 0);
	}
	frame_add_zone(frame, "turn", "turn", -1, LAYOUT_ROW);
	frame_add_zone(frame, "stock", "stock", -1, LAYOUT_PILE);
	frame->note[SHOWER] = -1;
}

/* Puts a snake that a seat has taken onto the heap that its fang decides. */
static void
heap(struct frame *frame, int seat, const char code[PIECE_BYTES])
{
	unsigned which = UNKNOWN;

	if (code[FANG_AT] == HARMLESS)
		which = WON;
	else if (code[FANG_AT] == TOXIC)
		which = LOST;
	frame_put(frame_own(frame, seat, which), code, -1, 0);
}

/* ---- a game and its turns (R1 to R3) -------------------------------------- */

static void
round_begins(struct frame *frame, const struct frame_line *line)
{
	frame_clear_all(frame);
	frame_put_hidden(frame_middle(frame, STOCK),
			 KINDS * (frame->table.seats + MORE), 0);
	frame_flag_only(frame, -1, SEAT_TURN);
	frame_flag_only(frame, line->seat[0], SEAT_LEADER);
}

/* Handles a deal and a draw. */
static void
take_up(struct frame *frame, const struct frame_line *line)
{
	frame_put_all(frame_own(frame, line->seat[0], HAND), line, 0);
	frame_take_first(frame_middle(frame, STOCK), line->pieces);
}

static void
turn_begins(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *shown = frame_middle(frame, SHOWN);

	frame_clear(shown);
	frame_text(shown->label, sizeof(shown->label), "turn %d",
		   line->number[0]);
	frame->note[SHOWER] = -1;
	frame_flag_only(frame, line->seat[0], SEAT_LEADER | SEAT_TURN);
}

/* R5: finds the next seat with a free card.  The turn is over at the seat that
 * showed last. */
static void
find_turn(struct frame *frame, const struct frame_line *line)
{
	int seat = line->seat[0];

	for (unsigned i = 0; i < frame->table.seats; i++) {
		seat = frame_left_of(frame, seat, 0);
		if (seat == frame->note[SHOWER] || seat < 0)
			break;
		if (frame_own(frame, seat, HAND)->pieces > 0) {
			frame_flag_only(frame, seat, SEAT_TURN);
			return;
		}
	}
	frame_flag_only(frame, -1, SEAT_TURN);
}

/* ---- showing (R4 to R7) --------------------------------------------------- */

static struct frame_piece *
put_down(struct frame *frame, const struct frame_line *line)
{
	const int seat = line->seat[0];

	frame_take(frame_own(frame, seat, HAND), line->piece[0]);
	frame->note[SHOWER] = seat;
	frame_flag_only(frame, seat, SEAT_SHOWED);
	return frame_put(frame_middle(frame, SHOWN), line->piece[0], seat,
			 PIECE_THUMB);
}

static void
show(struct frame *frame, const struct frame_line *line)
{
	put_down(frame, line);
	find_turn(frame, line);
}

/* R7: the turn ends at once. */
static void
twin(struct frame *frame, const struct frame_line *line)
{
	struct frame_piece *piece = put_down(frame, line);
	const struct frame_zone *shown = frame_middle(frame, SHOWN);

	if (piece != NULL && shown->pieces > 1)
		piece->on = (int8_t)(shown->pieces - 2);
	frame_flag_only(frame, -1, SEAT_TURN);
}

/* R6: the card that the seat had its thumb on before. */
static void
lay_open(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *shown = frame_middle(frame, SHOWN);
	struct frame_piece *piece;

	for (unsigned i = 0; i < shown->pieces; i++) {
		piece = &shown->piece[i];
		if (piece->by != line->seat[0] ||
		    (piece->marks & PIECE_THUMB) == 0 ||
		    !piece_fits(piece->code, line->piece[0]))
			continue;
		frame_text(piece->code, sizeof(piece->code), "%s",
			   line->piece[0]);
		piece->marks &= (uint16_t)~PIECE_THUMB;
		piece->marks |= PIECE_OPEN;
		return;
	}
}

/* ---- taking, the count (R8, R10) ------------------------------------------ */

static void
take(struct frame *frame, const struct frame_line *line)
{
	for (unsigned i = 0; i < line->pieces; i++)
		heap(frame, line->seat[0], line->piece[i]);
	frame_clear(frame_middle(frame, SHOWN));
	frame_flag_only(frame, -1, SEAT_TURN | SEAT_SHOWED);
}

static void
count_pile(struct frame *frame, const struct frame_line *line)
{
	frame_clear(frame_own(frame, line->seat[0], WON));
	frame_clear(frame_own(frame, line->seat[0], LOST));
	frame_clear(frame_own(frame, line->seat[0], UNKNOWN));
	for (unsigned i = 0; i < line->pieces; i++)
		heap(frame, line->seat[0], line->piece[i]);
}

static void
count_hand(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *hand = frame_own(frame, line->seat[0], HAND);

	frame_flag_only(frame, -1, SEAT_TURN | SEAT_LEADER);
	frame_clear(hand);
	frame_put_all(hand, line, PIECE_SHOWN);
}

/* ---- the lines ------------------------------------------------------------ */

static const struct frame_shape shapes[] = {
	{ "round N start S", "Game N begins; S starts.", MARK_ROUND,
	  round_begins },
	{ "deal S C*", "S is dealt C*.", 0, take_up },
	{ "turn N S", "Turn N: S starts.", MARK_TURN, turn_begins },
	{ "move S show:C", "S shows the C.", MARK_MOVE, show },
	{ "move S twin:C", "S shows its twin, the C.", MARK_MOVE, twin },
	{ "move S pass", "S passes.", MARK_MOVE, find_turn },
	{ "quiet", "No other seat shows its twin.", 0, NULL },
	{ "open S C", "S takes the thumb off: it was the C.", MARK_SHOW,
	  lay_open },
	{ "take S C*", "S takes C*.", MARK_TRICK, take },
	{ "draw S C*", "S draws C*.", 0, take_up },
	{ "pile S C*", "S has taken C* in this game.", MARK_SHOW, count_pile },
	{ "hand S C*", "S is left with C* in the hand.", MARK_SHOW,
	  count_hand },
	{ "tally S N N N",
	  "S counts N harmless snake(s), N toxic and N in the hand.", MARK_END,
	  NULL },
	{ NULL, NULL, 0, NULL },
};

static const struct frame_move moves[] = {
	{ "pass", "pass" },
	{ "show:C", "show the C" },
	{ "twin:C", "show the twin, the C" },
	{ NULL, NULL },
};

const struct frame_game frame_daumen_drauf = {
	.name = "daumen-drauf",
	.kind = PIECES_SNAKE,
	.seat_zones = SEAT_ZONES,
	.begin = begin,
	.shapes = shapes,
	.moves = moves,
};
