/* referee/scheduler/ladders.h - the ladders that a daemon plays: for each its
 * scheduler and its place, which is its bit in sets of ladders. */
#ifndef REFEREE_LADDERS_H
#define REFEREE_LADDERS_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "referee/base/serve-limits.h"
#include "referee/scheduler/scheduler.h"
#include "referee/scheduler/share.h"

#define LADDER_PLACES 64 /* also of those that are closing */

_Static_assert(LADDER_PLACES <= SHARE_LADDERS, "a place for each scheduler");
_Static_assert(CONFIG_LADDERS <= LADDER_PLACES, "a place for each ladder");

struct ladders {
	struct scheduler *scheduler[LADDER_PLACES]; /* NULL: a free place */
	uint64_t closing; /* end when their games have ended; a bit for each */
	unsigned woken;	  /* ladders_wake(): the first one */
};

/* Returns the place of the ladder of that name, or -1. */
int ladders_find(const struct ladders *ladders, const char *name);
/* "there is no ladder NAME; there are …", without those that are closing; -1. */
int ladders_none(const struct ladders *ladders, const char *name,
		 struct error *why);
/* The first one from `*place` on, whose place that becomes; or NULL. */
struct scheduler *ladders_from(const struct ladders *ladders, unsigned *place);

/* There may be room for another table on each of them. */
void ladders_wake(struct ladders *ladders);

/* For each `scheduler` of these, and `place`, an unsigned. */
#define LADDERS_EACH(ladders, scheduler, place)                                \
	for ((place) = 0;                                                      \
	     ((scheduler) = ladders_from(ladders, &(place))) != NULL;          \
	     (place)++)

#endif
