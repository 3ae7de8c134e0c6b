/* referee/base/error-line.h - finds the line that names the error in what a
 * program left on its standard error.
 *
 * In many languages it is the last one; in others a trace, a version or a piece
 * of advice follows: `Node.js v20.19.2`, ` at Bot.main(Bot.java:3)`. */
#ifndef REFEREE_ERROR_LINE_H
#define REFEREE_ERROR_LINE_H

#include <stddef.h>

#include "protocol/text.h"

/* Lines above the last one that are searched for the first line of the message;
 * lines of a trace do not count. */
#define ERROR_LINE_LOOK 8

/* A piece of the text, without its line feed. */
struct error_line {
	const char *at; /* NULL: the text is blank */
	size_t n;
	const char *more; /* the line that continues it if it ends in a colon;
			   * or NULL */
	size_t more_n;
};

struct error_line error_line_find(const char *text, size_t n);

/* Writes the error's line, escaped as text_escape() does it, and the line that
 * continues it; "" if the text is blank. */
void error_line_quote(const char *text, size_t n, char *to, size_t size);

/* An excerpt of a long text has its first and its last lines, and between them
 * the line that names the error.  These are the limits of the two parts in
 * lines and bytes.  `[12 lines]` stands for lines that are left out. */
#define EXCERPT_FIRST_LINES 3
#define EXCERPT_LAST_LINES 10
#define EXCERPT_PART_BYTES 2048
#define EXCERPT_BYTES (4 * EXCERPT_PART_BYTES)

/* Adds the excerpt to `to`, which has room for EXCERPT_BYTES, without a line
 * feed at its end. */
void error_excerpt(const char *text, size_t n, struct text *to);

#endif
