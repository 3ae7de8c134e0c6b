/* referee/http/gzip.h - bytes are gzipped by a thread (protocol/gzip.h). */
#ifndef REFEREE_GZIP_H
#define REFEREE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "referee/base/worker-thread.h"

/* Calls `done` with the bytes gzipped, or with a copy of them if that would not be
 * fewer.  The thread does the work and the loop calls; without a thread (NULL)
 * `done` is called at once.  The caller's bytes may go meanwhile. */
typedef void gzip_done(void *arg, const void *bytes, size_t n, bool gzipped);
void gzip_give(struct worker_thread *thread, const void *bytes, size_t n,
	       gzip_done *done, void *arg);

#endif
