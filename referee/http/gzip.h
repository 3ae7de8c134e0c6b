/* referee/http/gzip.h - bytes in the format of gzip (RFC 1952). */
#ifndef REFEREE_GZIP_H
#define REFEREE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/text.h"
#include "protocol/util.h"
#include "referee/base/worker-thread.h"

/* Appends them to `to`: the same bytes become the same.  False, and nothing is
 * appended: they would not be fewer than `n`. */
bool gzip_add(struct text *to, const void *bytes, size_t n) MUST_CHECK;

/* Calls `done` with the bytes gzipped, or with a copy of them if that would not be
 * fewer.  The thread does the work and the loop calls; without a thread (NULL)
 * `done` is called at once.  The caller's bytes may go meanwhile. */
typedef void gzip_done(void *arg, const void *bytes, size_t n, bool gzipped);
void gzip_give(struct worker_thread *thread, const void *bytes, size_t n,
	       gzip_done *done, void *arg);

#endif
