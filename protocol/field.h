/* protocol/field.h - fields with white space between, as the kernel and our own
 * files have them.
 *
 *	at = field_skip(text, 1);
 *	at = field_number(at, &pages);
 *	if (field_number(at, &shared) != NULL)
 *
 * Each takes the next field and returns what stands behind it, or NULL: there is
 * none, or it is something else, or does not fit.  NULL gives NULL. */
#ifndef PROTOCOL_FIELD_H
#define PROTOCOL_FIELD_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/util.h"

const char *field_skip(const char *at, unsigned count) MUST_CHECK;
/* Digits alone. */
const char *field_number(const char *at, uint64_t *number) MUST_CHECK;
/* At most `max`. */
const char *field_unsigned(const char *at, unsigned max,
			   unsigned *number) MUST_CHECK;
/* Perhaps with a minus. */
const char *field_signed(const char *at, int64_t *number) MUST_CHECK;
/* As strtod() reads it. */
const char *field_double(const char *at, double *number) MUST_CHECK;
/* Of less than `size` bytes; with a NUL. */
const char *field_word(const char *at, char *word, size_t size) MUST_CHECK;

#endif
