/* referee/records/canvas.h - a page of a terminal, row after row.
 *
 * Text never passes the last column or the last row: it goes on in the next row
 * or is cut.  Bytes that are not a printable character of the terminal are
 * written as \x and two hex digits. */
#ifndef REFEREE_CANVAS_H
#define REFEREE_CANVAS_H

#include <stdbool.h>

#include "protocol/text.h"
#include "protocol/util.h"

enum canvas_style {
	STYLE_BOLD = 1 << 0,
	STYLE_DIM = 1 << 1,
	STYLE_REVERSE = 1 << 2,
	STYLE_RED = 1 << 3,
	STYLE_GREEN = 1 << 4,
	STYLE_YELLOW = 1 << 5,
	STYLE_BLUE = 1 << 6,
	STYLE_COLOURS = STYLE_RED | STYLE_GREEN | STYLE_YELLOW | STYLE_BLUE,
};

struct canvas {
	unsigned rows, columns; /* size of the terminal */
	bool colour;		/* false: only bold, dim and reverse */
	bool utf8;		/* the terminal's character set is UTF-8 */
	unsigned indent;	/* columns before continued text */
	unsigned row, column;	/* where the next character goes */
	unsigned end;		/* the first row that must not be written */
	bool fresh;		/* text went on in this row: no spaces first */
	bool full;		/* some text found no row */
	struct text text;	/* owned: the bytes for the terminal */
};

/* Begins a page.  Takes colours from the environment, unless NO_COLOR is set,
 * and UTF-8 from the locale (LC_CTYPE, which the caller has set). */
void canvas_init(struct canvas *canvas, unsigned rows, unsigned columns);
void canvas_release(struct canvas *canvas);

/* Puts bytes up to a NUL, cut into words at spaces.  A word that does not fit
 * into the row begins the next one, at `indent`. */
void canvas_put(struct canvas *canvas, unsigned style, const char *text);
void canvas_fmt(struct canvas *canvas, unsigned style, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* Puts text whose words go to the next row together. */
void canvas_piece(struct canvas *canvas, unsigned style, const char *text);
/* Puts as much text as fits into this row. */
void canvas_cut(struct canvas *canvas, unsigned style, const char *text);
/* Goes on in the next row. */
void canvas_next(struct canvas *canvas);
/* Goes on in the first column of this row. */
void canvas_go(struct canvas *canvas, unsigned row);

#endif
