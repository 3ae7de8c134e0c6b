/* protocol/gzip.h - bytes in the format of gzip (RFC 1952): the same bytes become
 * the same. */
#ifndef PROTOCOL_GZIP_H
#define PROTOCOL_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"

struct gzip;

/* Returns a packer that appends to `to` what is put in; `level` is one of 1..9.
 * gzip_end() frees it. */
struct gzip *gzip_new(struct text *to, int level) MUST_CHECK;
void gzip_put(struct gzip *gzip, const void *bytes, size_t n);
/* Appends the rest, and frees it. */
void gzip_end(struct gzip *gzip);

/* Packs all of a page or an answer into `to`, which is initialised here and released by
 * the caller.  Returns false if they would not be fewer than `n` bytes. */
bool gzip_all(struct text *to, const void *bytes, size_t n) MUST_CHECK;

#endif
