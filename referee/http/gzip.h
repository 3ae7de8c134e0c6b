/* referee/http/gzip.h - gzips bytes in a thread (protocol/gzip.h). */
#ifndef REFEREE_GZIP_H
#define REFEREE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "referee/base/thread.h"

/* Calls `done` with the gzipped bytes, or with a copy of the plain ones if
 * those are not more.  The thread does the work and the loop calls `done`;
 * without a thread (NULL) it is called at once.  The caller may free its bytes
 * after this call. */
typedef void gzip_done(void *arg, const void *bytes, size_t n, bool gzipped);
void gzip_give(struct thread *thread, const void *bytes, size_t n,
	       gzip_done *done, void *arg);

#endif
