/* referee/frames/doubles-dread.c - the display model of Double's Dread; rules
 * (R) are those of referee/games/doubles-dread.md.
 *
 * The barks lie in a ring with their pawns, each with the seat that plays with
 * it; in the middle are the pawns on the monster, its belly and the bid.  Each
 * seat has the pawns that it has taken in this round, and their points. */
#include <string.h>

#include "referee/frames/frame-model.h"

#define FEW_BARKS 4
#define MANY_BARKS 5 /* barks with four seats */
#define MAGIC_POINTS 5
#define COLOUR_AT 0 /* the place of the colour in a code */
#define FORCE_AT 1

/* The notes: facts that are not drawn. */
enum {
	BARKS,	  /* number of barks */
	POSITION, /* index of the position whose bark is to play */
	PLAYED,	  /* barks that have played in this trick */
	REQUIRED, /* the colour, as in a code */
	FORCE, /* the force of the trick, as in a code; 0: no pawn was played */
	MAGIC, /* the two magic forces: here and in the next note */
	MAGIC_TOO,
};

/* The positions, clockwise. */
static const struct {
	const char *token, *name;
} positions[] = {
	{ "S", "south" }, { "W", "west" },	  { "NW", "north-west" },
	{ "N", "north" }, { "NE", "north-east" }, { "E", "east" },
};
#define POSITIONS ((int)(sizeof(positions) / sizeof(positions[0])))

/* ---- where things are ----------------------------------------------------- */

enum { MONSTER, BELLY, HEAPS };
enum { TAKEN, SEAT_GAUGES };
enum { BID };

static struct frame_zone *
middle(struct frame *frame, unsigned which)
{
	return frame_zone(frame, (unsigned)frame->note[BARKS] + which);
}

static struct frame_zone *
heap_of(struct frame *frame, int seat)
{
	return middle(frame, HEAPS + (unsigned)seat);
}

/* Returns the bark with this letter, or NULL. */
static struct frame_zone *
bark_named(struct frame *frame, const char *letter)
{
	const int index = letter[0] - 'a';

	if (letter[0] == '\0' || letter[1] != '\0' || index < 0 ||
	    index >= frame->note[BARKS])
		return NULL;
	return frame_zone(frame, (unsigned)index);
}

static int
position_named(const char *token)
{
	for (int i = 0; i < POSITIONS; i++)
		if (strcmp(positions[i].token, token) == 0)
			return i;
	return -1;
}

static const char *
name_of_position(const char *token)
{
	const int i = position_named(token);

	return i < 0 ? token : positions[i].name;
}

/* Returns the bark at a position, or NULL. */
static struct frame_zone *
bark_at(struct frame *frame, int position)
{
	struct frame_zone *bark;

	for (int i = 0; i < frame->note[BARKS] && position >= 0; i++) {
		bark = frame_zone(frame, (unsigned)i);
		if (strcmp(bark->spot, positions[position].token) == 0)
			return bark;
	}
	return NULL;
}

static void
begin(struct frame *frame, const struct frame_setup *setup)
{
	const char *magic = frame_option(setup, "magic");
	char label[FRAME_LABEL];

	if (magic == NULL || strlen(magic) != 2)
		magic = "78";
	frame->note[MAGIC] = magic[0];
	frame->note[MAGIC_TOO] = magic[1];
	frame->note[BARKS] = frame->table.seats > 3 ? MANY_BARKS : FEW_BARKS;
	for (int i = 0; i < frame->note[BARKS]; i++) {
		frame_text(label, sizeof(label), "bark %c", 'a' + i);
		frame_add_zone(frame, "bark", label, -1, LAYOUT_ROW);
	}
	frame_add_zone(frame, "monster", "on the monster", -1, LAYOUT_ROW);
	frame_add_zone(frame, "belly", "in the monster's belly", -1,
		       LAYOUT_PILE);
	for (int i = 0; i < frame->table.seats; i++) {
		frame_add_zone(frame, "taken", "taken", i, LAYOUT_PILE);
		frame_add_gauge(frame, "taken", "taken in this round", i,
				GAUGE_NUMBER, 0);
		frame_points(frame, i, 0);
	}
	frame_add_gauge(frame, "bid", "bid", -1, GAUGE_NUMBER, 0);
}

/* ---- pawns ---------------------------------------------------------------- */

static bool
is_magic(const struct frame *frame, const char *code)
{
	return code[COLOUR_AT] != '\0' &&
	       (code[FORCE_AT] == frame->note[MAGIC] ||
		code[FORCE_AT] == frame->note[MAGIC_TOO]);
}

static struct frame_piece *
put(struct frame *frame, struct frame_zone *zone, const char *code, int by)
{
	return frame_put(zone, code, by,
			 is_magic(frame, code) ? PIECE_MAGIC : 0);
}

/* A seat takes the pawns of a line, and has their points. */
static void
take_pawns(struct frame *frame, const struct frame_line *line,
	   struct frame_zone *from)
{
	struct frame_gauge *taken = frame_gauge(frame, line->seat[0], TAKEN);
	int32_t points = taken->known != 0 ? taken->value : 0;

	for (unsigned i = 0; i < line->pieces; i++) {
		frame_take(from, line->piece[i]);
		put(frame, heap_of(frame, line->seat[0]), line->piece[i], -1);
		points += is_magic(frame, line->piece[i]) ? MAGIC_POINTS : 1;
	}
	frame_gauge_set(frame, line->seat[0], TAKEN, points);
}

/* ---- a round begins (R1, R2) ---------------------------------------------- */

static void
round_begins(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *bark;

	for (int i = 0; i < frame->note[BARKS]; i++) {
		bark = frame_zone(frame, (unsigned)i);
		bark->owner = -1;
		frame_text(bark->spot, sizeof(bark->spot), "%s", "");
		frame_text(bark->label, sizeof(bark->label), "bark %c",
			   'a' + i);
	}
	frame_clear_all(frame);
	for (int i = 0; i < frame->table.seats; i++) {
		frame_gauge_set(frame, i, TAKEN, 0);
		frame_gauge(frame, i, TAKEN)->goal = 0;
		frame_unflag(frame, i,
			     SEAT_PASSED | SEAT_SOUTH | SEAT_BIDDER |
				     SEAT_WINNER | SEAT_LEADER);
	}
	frame_gauge_set(frame, -1, BID, GAUGE_NONE);
	frame->note[PLAYED] = frame->note[FORCE] = 0;
	frame_flag_only(frame, line->seat[0], SEAT_DEALER | SEAT_TURN);
}

static void
bark(struct frame *frame, const struct frame_line *line)
{
	struct frame_zone *zone = bark_named(frame, line->word[0]);

	for (unsigned i = 0; zone != NULL && i < line->pieces; i++)
		put(frame, zone, line->piece[i], -1);
}

static void
monster(struct frame *frame, const struct frame_line *line)
{
	for (unsigned i = 0; i < line->pieces; i++)
		put(frame, middle(frame, BELLY), line->piece[i], -1);
}

/* ---- auction and spread (R3, R4) ------------------------------------------ */

static void
bid(struct frame *frame, const struct frame_line *line)
{
	frame_gauge_set(frame, -1, BID, line->number[0]);
	frame_flag_only(frame, line->seat[0], SEAT_BIDDER);
	frame_flag_only(frame, frame_left_of(frame, line->seat[0], SEAT_PASSED),
			SEAT_TURN);
	if (frame_is(frame, line->seat[0], SEAT_TURN)) /* all others passed */
		frame_flag_only(frame, -1, SEAT_TURN);
}

static void
pass(struct frame *frame, const struct frame_line *line)
{
	int next;

	frame_flag(frame, line->seat[0], SEAT_PASSED);
	next = frame_left_of(frame, line->seat[0], SEAT_PASSED);
	if (frame_is(frame, next, SEAT_BIDDER)) /* it has won the auction */
		next = -1;
	frame_flag_only(frame, next, SEAT_TURN);
}

static void
south(struct frame *frame, const struct frame_line *line)
{
	frame_gauge_set(frame, -1, BID, line->number[0]);
	frame_gauge(frame, line->seat[0], TAKEN)->goal = line->number[0];
	frame_flag_only(frame, -1, SEAT_PASSED | SEAT_BIDDER);
	frame_flag_only(frame, line->seat[0],
			SEAT_SOUTH | SEAT_LEADER | SEAT_TURN);
}

static void
lay(struct frame *frame, const char *letter, const char *position, int owner)
{
	struct frame_zone *zone = bark_named(frame, letter);

	if (zone == NULL || position_named(position) < 0)
		return;
	zone->owner = (int8_t)owner;
	frame_text(zone->spot, sizeof(zone->spot), "%s", position);
	frame_text(zone->label, sizeof(zone->label), "bark %s, %s", letter,
		   name_of_position(position));
}

static void
put_bark(struct frame *frame, const struct frame_line *line)
{
	lay(frame, line->word[0], line->word[1], -1);
	frame_tell(frame, line, "S puts bark W ");
	frame_say(frame, "to the %s.", name_of_position(line->word[1]));
}

static void
at(struct frame *frame, const struct frame_line *line)
{
	lay(frame, line->word[1], line->word[0], line->seat[0]);
	frame_say(frame, "%s plays with bark %s in the %s.",
		  frame_name(frame, line->seat[0]), line->word[1],
		  name_of_position(line->word[0]));
}

/* ---- a trick (R5, R6) ----------------------------------------------------- */

/* Marks the seat that the table waits for: that of the bark at this position,
 * or of the next one clockwise. */
static void
wait_for(struct frame *frame, int position)
{
	const struct frame_zone *zone;

	for (int i = 0; i < POSITIONS && position >= 0; i++) {
		zone = bark_at(frame, (position + i) % POSITIONS);
		if (zone == NULL)
			continue;
		frame->note[POSITION] = (position + i) % POSITIONS;
		frame_flag_only(frame, zone->owner, SEAT_TURN);
		return;
	}
}

static void
lead(struct frame *frame, const struct frame_line *line)
{
	frame->note[PLAYED] = frame->note[FORCE] = 0;
	wait_for(frame, position_named(line->word[0]));
	frame_tell(frame, line, "S lets the bark in the ");
	frame_say(frame, "%s begin.", name_of_position(line->word[0]));
}

/* R6: returns if a pawn is the first, follows, doubles, or is a discard. */
static unsigned
kind_of_play(struct frame *frame, const char *code)
{
	if (frame->note[FORCE] == 0) {
		frame->note[FORCE] = code[FORCE_AT];
		frame->note[REQUIRED] = code[COLOUR_AT];
		return PIECE_LED;
	}
	if (code[COLOUR_AT] == frame->note[REQUIRED])
		return 0;
	if (code[FORCE_AT] != frame->note[FORCE])
		return PIECE_GONE;
	frame->note[REQUIRED] = code[COLOUR_AT];
	return PIECE_DOUBLE;
}

static void
play(struct frame *frame, const struct frame_line *line)
{
	const unsigned kind = kind_of_play(frame, line->piece[0]);
	struct frame_zone *zone = bark_at(frame, frame->note[POSITION]);
	struct frame_piece *pawn;

	if (zone != NULL)
		frame_take(zone, line->piece[0]);
	pawn = put(frame, middle(frame, MONSTER), line->piece[0],
		   line->seat[0]);
	if (pawn != NULL)
		pawn->marks |= (uint16_t)kind;
	if (kind == PIECE_LED)
		frame_tell(frame, line, "S leads the C.");
	else if (kind == PIECE_DOUBLE)
		frame_tell(frame, line, "S doubles with the C.");
	else if (kind == PIECE_GONE)
		frame_tell(frame, line, "S cannot follow and discards the C.");
	frame->note[PLAYED]++;
	if (frame->note[PLAYED] < frame->note[BARKS])
		wait_for(frame, frame->note[POSITION] + 1);
	else
		frame_flag_only(frame, -1, SEAT_TURN);
}

static void
swallow(struct frame *frame, const struct frame_line *line)
{
	for (unsigned i = 0; i < line->pieces; i++) {
		frame_take(middle(frame, MONSTER), line->piece[i]);
		put(frame, middle(frame, BELLY), line->piece[i], -1);
	}
}

static void
trick(struct frame *frame, const struct frame_line *line)
{
	take_pawns(frame, line, middle(frame, MONSTER));
	frame_flag_only(frame, line->seat[0], SEAT_LEADER | SEAT_TURN);
	frame_say(frame, "The bark in the %s wins the trick: ",
		  name_of_position(line->word[0]));
	frame_tell(frame, line, "S takes C*.");
}

/* ---- ends (R7) ------------------------------------------------------------ */

static void
back(struct frame *frame, const struct frame_line *line)
{
	frame_clear(
		middle(frame, BELLY)); /* with the pawns that were not seen */
	take_pawns(frame, line, middle(frame, BELLY));
	frame_flag_only(frame, -1, SEAT_TURN | SEAT_LEADER);
}

static void
count(struct frame *frame, const struct frame_line *line)
{
	frame_gauge_set(frame, line->seat[0], TAKEN, line->number[0]);
}

static void
made(struct frame *frame, const struct frame_line *line)
{
	frame_flag_only(frame, line->seat[0], SEAT_WINNER);
}

/* ---- the lines ------------------------------------------------------------ */

static const struct frame_shape shapes[] = {
	{ "round N S", "Round N begins; S opens the auction.", MARK_ROUND,
	  round_begins },
	{ "bark W C*", "On bark W stand C*.", 0, bark },
	{ "monster C*", "The monster has C* from the start.", 0, monster },
	{ "move S bid:N", "S bids N.", MARK_MOVE | MARK_STAKE, bid },
	{ "move S pass", "S passes.", MARK_MOVE, pass },
	{ "south S N", "S is South and has to take N points.", MARK_STAKE,
	  south },
	{ "move S put:W:W", NULL, MARK_MOVE, put_bark },
	{ "at W W S", NULL, 0, at },
	{ "move S lead:W", NULL, MARK_MOVE | MARK_TURN, lead },
	{ "move S play:C", "S plays the C.", MARK_MOVE, play },
	{ "swallow C*", "The monster swallows C*.", 0, swallow },
	{ "trick W S C*", NULL, MARK_TRICK, trick },
	{ "back S C*", "S gets C* out of the monster's belly.", MARK_END,
	  back },
	{ "count S N", "S has taken N point(s) in this round.", 0, count },
	{ "contract S N N made", "S has bid N and taken N: the bid is made.",
	  MARK_END, made },
	{ "contract S N N failed",
	  "S has bid N and taken N: the bid has failed.", MARK_END, NULL },
	{ NULL, NULL, 0, NULL },
};

static const struct frame_move moves[] = {
	{ "pass", "pass" },
	{ "bid:N", "bid N" },
	{ "put:W:W", "put bark W to W" },
	{ "lead:W", "let the bark at W begin" },
	{ "play:C", "play the C" },
	{ NULL, NULL },
};

const struct frame_game frame_doubles_dread = {
	.name = "doubles-dread",
	.kind = PIECES_PAWN,
	.seat_gauges = SEAT_GAUGES,
	.begin = begin,
	.shapes = shapes,
	.moves = moves,
};
