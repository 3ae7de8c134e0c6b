/* referee/web/ladder-view.h - standings as JSON, for spectators.
 *
 * The worker thread reads them from the ladder's file; an answer is kept for
 * VIEW_MS. */
#ifndef REFEREE_LADDER_VIEW_H
#define REFEREE_LADDER_VIEW_H

#include <stddef.h>

#include "ladder/store.h"
#include "protocol/util.h"
#include "referee/base/worker-thread.h"

#define VIEW_MS 1000
#define VIEW_LADDERS 64	 /* that are kept */
#define VIEW_WAITING 256 /* for one of them */

struct ladder_view;

/* A JSON array of the pool's standings, best first; empty if it has no games.
 * NULL: the ladder cannot be read, `why` says why. */
typedef void ladder_viewed(void *arg, const char *json, const char *why);

/* The worker thread is borrowed, and ends before ladder_view_free(): it tells
 * those who wait that it does. */
struct ladder_view *ladder_view_new(struct worker_thread *thread) MUST_CHECK;
void ladder_view_free(struct ladder_view *view); /* NULL is fine */

/* `viewed` is called by the loop, or at once.  `pool->number` does not count.
 */
void ladder_view_get(struct ladder_view *view, const char *path,
		     const struct ladder_pool *pool, ladder_viewed *viewed,
		     void *arg);

#endif
