/* referee/frames/frame-model.h - for writers of a game's display model.
 *
 * A model is a `struct frame_game`: a function that sets up the table, and one
 * row for each shape of line.  toepen.c is the example.  The core cuts a line,
 * finds the first row whose shape fits, and calls its function with the parts;
 * the function changes the table, says the sentence and sets the marks.  A
 * line that no row fits goes to the rows that all games have (`fault`, `score`,
 * `result`, `forfeit`, `ask`), and at last is quoted as it stands.
 *
 * Rules for a model:
 * - It remembers in the table, and in frame->note[] what is not drawn.  It has
 *  no variables and no pointers of its own: a frame is copied by assignment.
 * - Any line may come at any time (a record may be cut, a fuzzer may write
 *  one).  The parts that a function gets are in range (a seat sits at the
 *  table, a piece is one of this kind), nothing else is sure: an empty trick
 *  may be taken.  All functions below take any value, and do nothing where
 *  there is nothing to do; -1 is "no seat" everywhere.
 * - It says only what the line says or the lines before have said.
 * - Sentences are plain English in the present tense, with the seat's name in
 *  front: "Anna plays the ten of hearts."  Pieces by name, numbers as digits.
 *  "No seat", never `nobody`.
 * */
#ifndef REFEREE_FRAME_MODEL_H
#define REFEREE_FRAME_MODEL_H

#include "referee/frames/frame.h"

/* ---- lines ---------------------------------------------------------------- */

#define FRAME_LINE_WORD 40 /* bytes of a word of a line; a longer one is cut */

/* The parts of a line, each list in the order of the shape's letters. */
struct frame_line {
	unsigned seats, numbers, pieces, words;
	int seat[4];
	int32_t number[8]; /* below a thousand million, may be negative */
	int32_t upto;	   /* end of an ask's range; 0: not a range */
	char piece[FRAME_PIECES][PIECE_BYTES];
	char word[4][FRAME_LINE_WORD];
};

/* One row: what a line looks like, what is said of it, what it changes.
 *
 * A shape is the words of a line, with these letters in place of what varies:
 *	S	a seat of this table
 *	N	a number
 *	C	a piece of the game's kind, `?` allowed
 *	C*	as the last word: the rest, no piece or any number of pieces
 *	W	any word
 *	W*	as the last word: the rest, whatever it is; it is not kept
 * A letter stands alone between spaces and colons; anything else means itself:
 * "move S beat:C:C", "deal S C*", "win none tie".
 *
 * The words are the sentence.  The same letters, where they stand alone, take
 * the parts of the line one after the other; with a digit they take the part
 * with that number, from 1: "S2 beats the C with the C", "S has N point(s)."
 *	S	the seat's name
 *	N	the number; "(s)" after it is an s unless it was 1
 *	C	the name of a piece, without an article
 *	C*	all pieces that were not taken yet, with articles, those that
 *		are hidden counted at the end: "the ten of hearts and 3 cards";
 *		"no cards"
 *	W	the word
 * They are said after `change` has run; it may say something itself instead
 * (frame_tell(), frame_say()), and then nothing is added.  `words` may be NULL
 * if it always does. */
struct frame_shape {
	const char *shape; /* ends the list with NULL */
	const char *words;
	unsigned marks; /* MARK_…; frame->seat is the first S, or -1 */
	void (*change)(struct frame *frame, const struct frame_line *line);
};

/* A move that an `ask` line offers, for the sentence "Anna may …": the shape of
 * its token, where N also stands for a range, and an infinitive with letters as
 * above. { "beat:C:C", "beat the C with the C" } */
struct frame_move {
	const char *shape; /* ends the list with NULL */
	const char *words;
};

struct frame_game {
	const char *name; /* as in the record */
	enum piece_kind kind;
	unsigned seat_zones, seat_gauges; /* zones and gauges of each seat */
	/* The unit of a seat's score if it is not points, such as "stone". */
	const char *unit;
	/* Adds zones and gauges in the order in which they are drawn.  The
	 * seats with their names exist already. */
	void (*begin)(struct frame *frame, const struct frame_setup *setup);
	const struct frame_shape *shapes;
	const struct frame_move *moves;
};

/* Returns true if `n` bytes, a line or one token, have this shape, and fills in
 * the parts. */
bool frame_line_fits(const struct frame *frame, const char *shape,
		     const char *text, size_t n, struct frame_line *line);

/* Return the value of an option as a number, or `otherwise`; and as a word, or
 * NULL. */
int32_t frame_option_number(const struct frame_setup *setup, const char *name,
			    int32_t otherwise);
const char *frame_option(const struct frame_setup *setup, const char *name);

/* ---- the sentence --------------------------------------------------------- */

/* Adds words with the parts of a line, like those of a row. */
void frame_tell(struct frame *frame, const struct frame_line *line,
		const char *words);
/* Adds to the sentence as printf() does. */
void frame_say(struct frame *frame, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Adds the piece's name, without an article. */
void frame_say_piece(struct frame *frame, const char *code);
/* Returns the seat's name, or "no seat" for -1.  Borrowed from the frame. */
const char *frame_name(const struct frame *frame, int seat);

/* ---- seats ---------------------------------------------------------------- */

bool frame_is(const struct frame *frame, int seat,
	      unsigned flags); /* true if it has any of them */
void frame_flag(struct frame *frame, int seat, unsigned flags);
void frame_unflag(struct frame *frame, int seat, unsigned flags);
/* Sets the flags of this seat and clears them for all others; -1: clears all. */
void frame_flag_only(struct frame *frame, int seat, unsigned flags);
/* Returns the next seat to the left of `seat` that has none of the flags; the
 * seat itself comes last.  Returns -1 if there is none.  After -1 comes seat 0. */
int frame_left_of(const struct frame *frame, int seat, unsigned without);
void frame_points(struct frame *frame, int seat, int32_t points);

/* ---- zones ---------------------------------------------------------------- */

/* Adds a zone to the table and returns its index.  Too many are a bug(). */
unsigned frame_add_zone(struct frame *frame, const char *kind,
			const char *label, int owner, unsigned layout);
struct frame_zone *frame_zone(struct frame *frame, unsigned index);
/* Return a zone of a seat, and one of the middle, counted from 0.  They are
 * found by arithmetic: begin() adds first the `seat_zones` of each seat, seat
 * after seat, then those of the middle.  The seat must sit at the table. */
struct frame_zone *frame_own(struct frame *frame, int seat, unsigned which);
struct frame_zone *frame_middle(struct frame *frame, unsigned which);
/* Writes a label or a spot, cut to `size` and filled up with zeros. */
void frame_text(char *to, size_t size, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Adds a piece with PIECE_NEW at the end.  Returns NULL if the zone is full.
 * Set `on` by hand. */
struct frame_piece *frame_put(struct frame_zone *zone, const char *code, int by,
			      unsigned marks);
/* Adds all pieces of a line, which no seat has played. */
void frame_put_all(struct frame_zone *zone, const struct frame_line *line,
		   unsigned marks);
/* Adds `count` hidden pieces. */
void frame_put_hidden(struct frame_zone *zone, unsigned count, unsigned marks);
/* Finds the piece that a line calls `code`: the same code, else the first one
 * that fits.  Returns its index, or -1. */
int frame_find(const struct frame_zone *zone, const char *code);
/* Removes a piece and keeps `on` of the others right. -1 does nothing. */
void frame_take_at(struct frame_zone *zone, int index);
/* Removes the piece that a line calls `code`, if it is there. */
void frame_take(struct frame_zone *zone, const char *code);
void frame_clear(struct frame_zone *zone);
/* Clears all zones of the table. */
void frame_clear_all(struct frame *frame);
/* Removes the first `count` pieces, or as many as there are, like cards from a
 * stock. */
void frame_take_first(struct frame_zone *zone, unsigned count);
/* Moves all pieces to the end of another zone, with other marks; no seat has
 * played them there. */
void frame_move_all(struct frame_zone *from, struct frame_zone *to,
		    unsigned marks);
/* Sets and clears marks of all pieces of a zone. */
void frame_mark_all(struct frame_zone *zone, unsigned set, unsigned clear);
/* Returns the last piece that this seat played there, or NULL. */
struct frame_piece *frame_played(struct frame_zone *zone, int seat);

/* ---- gauges --------------------------------------------------------------- */

/* Adds a gauge without a value.  Too many are a bug(). */
void frame_add_gauge(struct frame *frame, const char *kind, const char *label,
		     int owner, unsigned layout, int32_t goal);
/* Returns a gauge of a seat, or with -1 one of the middle, counted from 0.
 * begin() adds them in the order of the zones: first the `seat_gauges` of each
 * seat. */
struct frame_gauge *frame_gauge(struct frame *frame, int owner, unsigned which);
#define GAUGE_NONE INT32_MIN /* it has no value now, and is not shown */
void frame_gauge_set(struct frame *frame, int owner, unsigned which,
		     int32_t value);

/* ---- models --------------------------------------------------------------- */

/* The model of all games that list.h does not name. */
extern const struct frame_game frame_any_game;

#endif
