/* protocol/record-word.h - the words of one line of a record.
 *
 * For the files that make up record.h; others have no use for it. */
#ifndef PROTOCOL_RECORD_WORD_H
#define PROTOCOL_RECORD_WORD_H

#include "protocol/record.h"
#include "protocol/util.h"

/* Writes the sentence "NUMBER: ..." about line `number`; returns -1. */
int record_complain(char why[RECORD_WHY_BYTES], unsigned number,
		    const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The rest of the line behind its first word if that is `word`, or NULL. */
const char *record_after(const struct record_line *line, const char *word);

/* Reads the seat at `*at` and moves behind it and the space after it: the
 * seat, or -1 if there is none below `seats`. */
int record_take_seat(const char **at, unsigned seats) MUST_CHECK;

/* Reads a number at `*at`, perhaps with a minus, likewise: 0, or -1. */
int record_take_number(const char **at, long *number) MUST_CHECK;

#endif
