/* referee/frames/any-game.c - the display model of a game that has none of its
 * own: hands, what is played from them, points.
 *
 * It knows the lines that PROTOCOL.md names for all games, and takes each piece
 * that a move names out of the hand and puts it on the table. */

#include "referee/frames/frame-model.h"

enum { HAND, SEAT_ZONES };
enum { TABLE };

static void
begin(struct frame *frame, const struct frame_setup *setup UNUSED)
{
	for (int seat = 0; seat < frame->table.seats; seat++)
		frame_add_zone(frame, "hand", "hand", seat, LAYOUT_FAN);
	frame_add_zone(frame, "table", "table", -1, LAYOUT_ROW);
}

static void
round_begins(struct frame *frame, const struct frame_line *line UNUSED)
{
	frame_clear_all(frame);
}

/* A hand of an earlier round is gone, but a new one may come in two lines. */
static void
get(struct frame *frame, const struct frame_line *line)
{
	frame_put_all(frame_own(frame, line->seat[0], HAND), line, 0);
}

/* Any word may stand in the place of a piece.  Only words that the hand has, or
 * hides, count as pieces. */
static void
play(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *hand = frame_own(frame, line->seat[0], HAND);
	int at;

	for (unsigned i = 0; i < line->pieces; i++) {
		at = frame_find(hand, line->piece[i]);
		if (at < 0)
			continue;
		frame_take_at(hand, at);
		frame_put(frame_middle(frame, TABLE), line->piece[i],
			  line->seat[0], 0);
	}
}

static const struct frame_shape shapes[] = {
	{ "round N W*", "Round N begins.", MARK_ROUND, round_begins },
	{ "deal S C*", "S is dealt C*.", 0, get },
	{ "draw S C*", "S draws C*.", 0, get },
	{ "move S W:C", "S makes the move W: C.", MARK_MOVE, play },
	{ "move S W:C:C", "S makes the move W: C, C.", MARK_MOVE, play },
	{ "move S W:W", "S makes the move W: W.", MARK_MOVE, NULL },
	{ "move S W:W:W", "S makes the move W: W, W.", MARK_MOVE, NULL },
	{ "move S W", "S makes the move W.", MARK_MOVE, NULL },
	{ "quiet", "All pass.", 0, NULL },
	{ NULL, NULL, 0, NULL },
};

static const struct frame_move moves[] = { { NULL, NULL } };

const struct frame_game frame_any_game = {
	.name = "",
	.kind = PIECES_PLAIN,
	.seat_zones = SEAT_ZONES,
	.begin = begin,
	.shapes = shapes,
	.moves = moves,
};
