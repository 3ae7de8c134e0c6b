/* protocol/record-word.h - the words of one line of a record. */
#ifndef PROTOCOL_RECORD_WORD_H
#define PROTOCOL_RECORD_WORD_H

#include <stdint.h>

#include "protocol/error.h"
#include "protocol/util.h"

struct record_line {
	const char *text;    /* NUL-terminated, without comment and LF */
	uint32_t n;	     /* bytes */
	uint32_t number;     /* in the file, from 1 */
	const char *comment; /* after the first ` ;`, NUL-terminated, or NULL */
};

/* Writes the sentence "NUMBER: ..." about line `number`; returns -1. */
int record_complain(struct error *why, unsigned number, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* Returns the rest of the line behind its first word, and behind the space after that,
 * if the word is `word`; "" if it stands alone; or NULL. */
const char *record_after(const struct record_line *line, const char *word);

/* Reads the seat at `*at` and moves behind it and the space after it: the
 * seat, or -1 if there is none below `seats`. */
int record_take_seat(const char **at, unsigned seats) MUST_CHECK;

/* Reads a number at `*at`, perhaps with a minus, and moves behind it: 0, or -1. */
int record_take_number(const char **at, long *number) MUST_CHECK;

#endif
