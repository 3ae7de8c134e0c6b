/* referee/scheduler/ladders.h - the ladders that a daemon plays: the scheduler
 * of each, at a place that is also its bit in sets of ladders. */
#ifndef REFEREE_LADDERS_H
#define REFEREE_LADDERS_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/error.h"
#include "referee/base/serve-limits.h"
#include "referee/scheduler/scheduler.h"
#include "referee/scheduler/share.h"

#define LADDER_PLACES 64 /* includes ladders that are closing */

_Static_assert(LADDER_PLACES <= SHARE_LADDERS, "a place for each scheduler");
_Static_assert(CONFIG_LADDERS <= LADDER_PLACES, "a place for each ladder");

struct ladders {
	struct scheduler *scheduler[LADDER_PLACES]; /* NULL: a free place */
	uint64_t closing; /* bits of ladders that end with their games */
	unsigned woken;	  /* where the last ladders_wake() began */
};

/* Returns the place of the ladder of that name, or -1. */
int ladders_find(const struct ladders *ladders, const char *name);
/* Sets the error "there is no ladder NAME; there are …", which leaves out
 * closing ladders.  Returns -1. */
int ladders_none(const struct ladders *ladders, const char *name,
		 struct error *why);
/* Returns the first ladder from `*place` on and sets `*place` to its place;
 * NULL if there is none. */
struct scheduler *ladders_from(const struct ladders *ladders, unsigned *place);

/* Returns the bits of the places whose ladders have frozen standings. */
uint64_t ladders_frozen(const struct ladders *ladders);
/* Lets each ladder look if there is room for another table. */
void ladders_wake(struct ladders *ladders);

/* Loops over the ladders with `scheduler` and `place`, which it declares. */
#define LADDERS_EACH(ladders, scheduler, place)                                \
	for (unsigned place = 0;                                               \
	     ((scheduler) = ladders_from(ladders, &(place))) != NULL;          \
	     (place)++)

#endif
