/* referee/records/canvas.h - a page of a terminal, row after row.
 *
 * What is put on it never passes the last column or the last row, whatever it
 * is: text goes on in the next row or is cut, and bytes that are no printable
 * character of the terminal are written as \x and two hex digits. */
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
	unsigned rows, columns; /* of the terminal */
	bool colour;		/* false: bold, dim and reverse alone */
	bool utf8;		/* the terminal's characters */
	unsigned indent;	/* columns before text that goes on */
	unsigned row, column;	/* where the next character goes */
	unsigned end;		/* the first row that may not be written */
	bool fresh;		/* text went on in this row: no spaces first */
	bool full;		/* something found no row any more */
	struct text text;	/* owned: what to write to the terminal */
};

/* Asks the environment: colours unless NO_COLOR is set, UTF-8 if the locale
 * (LC_CTYPE, which the caller has set) has it. */
void canvas_init(struct canvas *canvas, unsigned rows, unsigned columns);
void canvas_release(struct canvas *canvas);

/* Bytes up to a NUL, cut into words at spaces: one that does not fit in the row
 * begins the next one, at `indent`. */
void canvas_put(struct canvas *canvas, unsigned style, const char *text);
void canvas_fmt(struct canvas *canvas, unsigned style, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
/* Likewise, but its words go to the next row together. */
void canvas_piece(struct canvas *canvas, unsigned style, const char *text);
/* Likewise as much as fits in this row. */
void canvas_cut(struct canvas *canvas, unsigned style, const char *text);
/* Goes on in the next row. */
void canvas_next(struct canvas *canvas);
/* Goes on in the first column of this row. */
void canvas_go(struct canvas *canvas, unsigned row);

#endif
