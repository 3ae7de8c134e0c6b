/* referee/serve/hall-prune.h - records that have been kept long enough.
 *
 * Works in a thread of its own, for it reads and syncs files; it touches only
 * what is older, and each file by a rename, so nothing else has to wait. */
#ifndef REFEREE_HALL_PRUNE_H
#define REFEREE_HALL_PRUNE_H

#include <stdint.h>

#include "protocol/util.h"

#define HALL_PRUNE_WHY_BYTES 5120 /* a sentence with a path in it */

/* Behind a record's name: what it is to become.  Only one may prune a folder.
 */
#define HALL_PRUNE_HALF ".prune"

struct hall_prune;

/* Prunes the records in `dir` that were last written before `until` (seconds
 * since 1970); aborted ones go as a whole, and so does what a cut has left
 * half-pruned.  Returns how many, or -1 and a sentence.  Waits for the disk. */
int hall_prune_now(const char *dir, int64_t until,
		   char why[HALL_PRUNE_WHY_BYTES]) MUST_CHECK;

/* Does so at once and every few hours, for what is older than `days`, until
 * hall_prune_free(), which waits for what is under way.  NULL and errno. */
struct hall_prune *hall_prune_new(const char *dir, unsigned days) MUST_CHECK;
void hall_prune_free(struct hall_prune *prune); /* NULL is fine */

#endif
