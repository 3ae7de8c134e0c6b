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

#include <stdint.h>

#include "protocol/util.h"

const char *field_skip(const char *at, unsigned count) MUST_CHECK;
/* Takes a number, which has digits alone. */
const char *field_number(const char *at, uint64_t *number) MUST_CHECK;

#endif
