/* referee/http/gzip.h - bytes in the format of gzip (RFC 1952). */
#ifndef REFEREE_GZIP_H
#define REFEREE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"

/* Appends them to `to`: the same bytes become the same.  False, and nothing is
 * appended: they would not be fewer than `n`. */
bool gzip_add(struct text *to, const void *bytes, size_t n) MUST_CHECK;

#endif
