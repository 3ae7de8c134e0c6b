/* referee/records/step-table.c - see step-table.h. */
#include "referee/records/step-table.h"

#include <stdio.h>
#include <string.h>

#define PILE_DRAWN                                                             \
	8 /* piles up to this many pieces are drawn; larger ones are
		      * a number */
#define BAR_COLUMNS 10
#define BEADS_MAX 12 /* beads that are drawn; more are a number */

/* ---- pieces --------------------------------------------------------------- */

/* Returns the colour of a piece.  The four suits have four colours; a sign, a
 * letter or a word always says the same. */
static unsigned
colour_of(enum piece_kind kind, const char *code)
{
	switch (piece_colour(kind, code)) {
	case 'H':
	case 'R':
		return STYLE_RED;
	case 'G':
		return STYLE_GREEN;
	case 'C':
		return kind == PIECES_CARD ? STYLE_GREEN : 0;
	case 'Y':
		return STYLE_YELLOW;
	case 'D':
		return STYLE_BLUE;
	case 'B':
		return kind == PIECES_PAWN ? STYLE_BLUE : 0;
	default:
		return 0;
	}
}

/* The signs behind a piece, which the help explains. */
static const struct {
	unsigned mark;
	const char *sign, *meaning;
} signs[] = {
	{ PIECE_LED, "<", "led the trick" },
	{ PIECE_WINNING, "*", "has won it" },
	{ PIECE_SHOWN, "!", "all have seen it" },
	{ PIECE_THUMB, "^", "a thumb is on its fang" },
	{ PIECE_MAGIC, "+", "magic: it is worth more" },
	{ PIECE_DOUBLE, "x", "doubled" },
	{ PIECE_GONE, "-", "does not count any more" },
};

static void
draw_piece(struct canvas *canvas, enum piece_kind kind,
	   const struct frame_piece *piece, const char *before, unsigned dim)
{
	unsigned style = dim | colour_of(kind, piece->code);
	char text[PIECE_SIGN], whole[64];
	size_t n;

	snprintf(text, sizeof(text), "%s", piece->code);
	if (canvas->utf8)
		piece_sign(kind, piece->code, text);
	n = (size_t)snprintf(whole, sizeof(whole), "%s%s", before, text);
	if ((piece->marks & PIECE_DOWN) != 0)
		n = (size_t)snprintf(whole, sizeof(whole), "%s(%s)", before,
				     text);
	for (size_t i = 0; i < NELEM(signs); i++)
		if ((piece->marks & signs[i].mark) != 0)
			n += (size_t)snprintf(whole + n, sizeof(whole) - n,
					      "%s", signs[i].sign);
	if ((piece->marks & PIECE_NEW) != 0)
		style |= STYLE_BOLD;
	if ((piece->marks & PIECE_GONE) != 0)
		style |= STYLE_DIM;
	canvas_piece(canvas, style, whole);
}

/* ---- zones ---------------------------------------------------------------- */

/* Draws "Anna: " before a piece that a seat other than the owner has played. */
static void
draw_player(struct canvas *canvas, const struct frame_table *table,
	    const struct frame_zone *zone, const struct frame_piece *piece)
{
	if (piece->by >= 0 && piece->by != zone->owner)
		canvas_fmt(canvas, STYLE_DIM,
			   "%s:", table->seat[piece->by].name);
}

static void
draw_row(struct canvas *canvas, const struct frame_table *table,
	 const struct frame_zone *zone)
{
	char joint[16];

	for (unsigned i = 0; i < zone->pieces; i++) {
		canvas_put(canvas, 0, " ");
		draw_player(canvas, table, zone, &zone->piece[i]);
		joint[0] = '\0';
		if (zone->piece[i].on >= 0)
			snprintf(joint, sizeof(joint),
				 "%s=", zone->piece[zone->piece[i].on].code);
		draw_piece(canvas, table->kind, &zone->piece[i], joint,
			   zone->dim ? STYLE_DIM : 0);
	}
}

/* Draws `7D/TD` for a piece that lies on another. */
static void
draw_pairs(struct canvas *canvas, const struct frame_table *table,
	   const struct frame_zone *zone)
{
	for (unsigned i = 0; i < zone->pieces; i++) {
		if (zone->piece[i].on >= 0)
			continue;
		canvas_put(canvas, 0, " ");
		draw_player(canvas, table, zone, &zone->piece[i]);
		draw_piece(canvas, table->kind, &zone->piece[i], "", 0);
		for (unsigned k = 0; k < zone->pieces; k++)
			if (zone->piece[k].on == (int)i)
				draw_piece(canvas, table->kind, &zone->piece[k],
					   "/", 0);
	}
}

/* Returns true if the viewer knows something about a piece of the zone. */
static bool
has_known(const struct frame_zone *zone)
{
	for (unsigned i = 0; i < zone->pieces; i++)
		if (zone->piece[i].code[0] != '?')
			return true;
	return false;
}

/* Draws a small pile as a row; of a large one the number, and the open piece
 * under it. */
static void
draw_pile(struct canvas *canvas, const struct frame_table *table,
	  const struct frame_zone *zone)
{
	canvas_fmt(canvas, 0, " %u", zone->pieces);
	if (zone->pieces == 0 || !has_known(zone))
		return;
	if (zone->pieces <= PILE_DRAWN) {
		draw_row(canvas, table, zone);
	} else if ((zone->piece[zone->pieces - 1].marks & PIECE_SHOWN) != 0) {
		canvas_put(canvas, 0, " on ");
		draw_piece(canvas, table->kind, &zone->piece[zone->pieces - 1],
			   "", 0);
	}
}

static void
draw_zone(struct canvas *canvas, const struct frame_table *table,
	  const struct frame_zone *zone)
{
	canvas_fmt(canvas, STYLE_DIM, "%s:", zone->label);
	if (zone->layout == LAYOUT_PILE)
		draw_pile(canvas, table, zone);
	else if (zone->layout == LAYOUT_PAIRS)
		draw_pairs(canvas, table, zone);
	else
		draw_row(canvas, table, zone);
	canvas_put(canvas, 0, "  ");
}

/* ---- gauges --------------------------------------------------------------- */

static void
draw_bar(struct canvas *canvas, const struct frame_gauge *gauge)
{
	char bar[BAR_COLUMNS + 1];
	int64_t full = (int64_t)gauge->value * BAR_COLUMNS;

	if (gauge->goal <= 0)
		return;
	full /= gauge->goal;
	if (full < 0)
		full = 0;
	if (full > BAR_COLUMNS)
		full = BAR_COLUMNS;
	memset(bar, '.', BAR_COLUMNS);
	memset(bar, '#', (size_t)full);
	bar[BAR_COLUMNS] = '\0';
	canvas_fmt(canvas, 0, " [%s]", bar);
}

static void
draw_beads(struct canvas *canvas, const struct frame_gauge *gauge)
{
	if (gauge->value < 1 || gauge->value > BEADS_MAX)
		return;
	canvas_put(canvas, 0, " ");
	for (int i = 0; i < gauge->value; i++)
		canvas_piece(canvas, 0, canvas->utf8 ? "\u25cf" : "o");
}

static void
draw_gauge(struct canvas *canvas, const struct frame_gauge *gauge)
{
	if (!gauge->known)
		return;
	canvas_put(canvas, STYLE_DIM, gauge->label);
	canvas_fmt(canvas, 0, " %d", gauge->value);
	if (gauge->goal != 0 && gauge->value > gauge->goal)
		canvas_fmt(canvas, 0, " (over %d)", gauge->goal);
	else if (gauge->goal != 0)
		canvas_fmt(canvas, 0, "/%d", gauge->goal);
	if (gauge->layout == GAUGE_BAR)
		draw_bar(canvas, gauge);
	if (gauge->layout == GAUGE_BEADS)
		draw_beads(canvas, gauge);
	canvas_put(canvas, 0, "  ");
}

static void
draw_gauges(struct canvas *canvas, const struct frame_table *table, int owner)
{
	for (unsigned i = 0; i < table->gauges; i++)
		if (table->gauge[i].owner == owner)
			draw_gauge(canvas, &table->gauge[i]);
}

/* ---- seats ---------------------------------------------------------------- */

static size_t
name_columns(const struct frame_table *table, unsigned columns)
{
	size_t longest = 0, n;

	for (unsigned i = 0; i < table->seats; i++) {
		n = strlen(table->seat[i].name);
		if (n > longest)
			longest = n;
	}
	return longest < columns / 4 ? longest : columns / 4;
}

/* Draws a name.  A long one keeps its end, where names mostly differ:
 * `a-very-long-na~(3)`, `a-very-long-na~r-2`. */
static void
draw_name(struct canvas *canvas, const char *name, size_t columns)
{
	const size_t n = strlen(name), end = n < 3 ? n : 3;

	if (n <= columns || columns <= end + 1)
		canvas_fmt(canvas, STYLE_BOLD, "%-*.*s", (int)columns,
			   (int)columns, name);
	else
		canvas_fmt(canvas, STYLE_BOLD, "%.*s~%s",
			   (int)(columns - end - 1), name, name + n - end);
}

/* Draws `(dealer, folded)`.  The arrow shows whose turn it is. */
static void
draw_flags(struct canvas *canvas, const struct frame_seat *seat)
{
	const unsigned flags =
		seat->flags & ~(unsigned)(SEAT_TURN | SEAT_HAS_ASK);
	const char *before = "(";

	for (unsigned bit = 0; frame_seat_word(bit) != NULL; bit++)
		if ((flags >> bit & 1) != 0) {
			canvas_fmt(canvas, 0, "%s%s", before,
				   frame_seat_word(bit));
			before = ", ";
		}
	if (seat->team > 0) {
		canvas_fmt(canvas, 0, "%steam %c", before,
			   (char)('A' + seat->team - 1));
		before = ", ";
	}
	if (seat->faults > 0) {
		canvas_fmt(canvas, STYLE_RED, "%s%u fault%s", before,
			   seat->faults, seat->faults == 1 ? "" : "s");
		before = ", ";
	}
	if (before[0] == ',')
		canvas_put(canvas, 0, ")  ");
}

static void
draw_seat(struct canvas *canvas, const struct frame_table *table, unsigned at,
	  int viewer)
{
	const struct frame_seat *seat = &table->seat[at];
	const unsigned columns = (unsigned)name_columns(table, canvas->columns);

	canvas->indent = 4;
	canvas_fmt(canvas, STYLE_BOLD, "%c%u%c",
		   (seat->flags & (SEAT_TURN | SEAT_HAS_ASK)) != 0 ? '>' : ' ',
		   at, (int)at == viewer ? '=' : ' ');
	draw_name(canvas, seat->name, columns);
	canvas_put(canvas, 0, "  ");
	if (seat->scored && !frame_has_gauge(table, (int)at, "points"))
		canvas_fmt(canvas, 0, "%3d  ", seat->points);
	draw_gauges(canvas, table, (int)at);
	draw_flags(canvas, seat);
	for (unsigned i = 0; i < table->zones; i++)
		if (table->zone[i].owner == (int)at &&
		    table->zone[i].pieces > 0)
			draw_zone(canvas, table, &table->zone[i]);
	canvas->indent = 0;
	canvas_next(canvas);
}

static void
draw_middle(struct canvas *canvas, const struct frame_table *table)
{
	canvas->indent = 4;
	canvas_put(canvas, 0, "   ");
	draw_gauges(canvas, table, -1);
	for (unsigned i = 0; i < table->zones; i++)
		if (table->zone[i].owner < 0 &&
		    (table->zone[i].pieces > 0 ||
		     table->zone[i].layout == LAYOUT_PILE))
			draw_zone(canvas, table, &table->zone[i]);
	canvas->indent = 0;
	canvas_next(canvas);
}

/* ---- the table ------------------------------------------------------------ */

void
step_draw_table(struct canvas *canvas, const struct frame_table *table,
		int viewer)
{
	for (unsigned seat = 0; seat < table->seats; seat++)
		draw_seat(canvas, table, seat, viewer);
	draw_middle(canvas, table);
}

void
step_draw_signs(struct canvas *canvas)
{
	for (size_t i = 0; i < NELEM(signs); i++)
		canvas_fmt(canvas, 0, "%s %s   ", signs[i].sign,
			   signs[i].meaning);
}
