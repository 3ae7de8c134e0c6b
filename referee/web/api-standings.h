/* referee/web/api-standings.h - writes standings as JSON for spectators. */
#ifndef REFEREE_API_STANDINGS_H
#define REFEREE_API_STANDINGS_H

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

/* Appends a JSON array of the pool's standings in the ladder at `path`, best
 * first; it is empty if the pool has no games.  The keys k_milli and
 * start_milli follow with the values in force.  If there is a fit, a bot that
 * is not in it yet has no rank, and the key fit follows: how many games it
 * covers, and how many came since.  `pool->number` is ignored.  Call it in a
 * thread, because it reads the disk.  Returns 0, or -1 and a sentence if the
 * ladder cannot be read. */
int api_standings_read(const char *path, const struct ladder_pool *pool,
		       struct text *to, struct error *why) MUST_CHECK;

#endif
