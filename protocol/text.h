/* protocol/text.h - a string that grows up to a limit. */
#ifndef PROTOCOL_TEXT_H
#define PROTOCOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/util.h"

/* Zeroed but for `max` it is empty and ready.  `bytes` holds no NUL at its end
 * unless text_string() was called.  Out of memory aborts.  A piece that would
 * pass `max` sets `full` and is dropped whole, and so is all that is added
 * after it, up to text_clear(). */
struct text {
	char *bytes; /* owned; NULL while nothing was added */
	size_t used;
	size_t size; /* allocated */
	size_t max;  /* bytes it may hold */
	bool full;   /* something did not fit */
};

void text_init(struct text *text, size_t max);
void text_release(struct text *text);
void text_clear(struct text *text); /* keeps the memory */
void text_add(struct text *text, const void *bytes, size_t n);
void text_str(struct text *text, const char *string);
void text_fmt(struct text *text, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Returns the bytes with a NUL after them; borrowed until the next call. */
const char *text_string(struct text *text);

/* Makes text of strangers safe to show: writes the character at the first of
 * `n` > 0 bytes, and a NUL, and returns how many bytes it has.  Text in UTF-8
 * and tabs stay; a byte of a control character, of one that changes the
 * direction of text, or of no character becomes \x and two hex digits. */
#define TEXT_SHOWN_BYTES 5
size_t text_shown(const char *bytes, size_t n, char to[TEXT_SHOWN_BYTES]);

/* Writes `n` bytes so, and a NUL; what does not fit into `size` bytes ends in
 * "...". */
void text_escape(char *to, size_t size, const char *bytes, size_t n);

/* Appends `n` bytes so; with `lines` a line feed stays. */
void text_add_escaped(struct text *text, const char *bytes, size_t n,
		      bool lines);

#endif
