/* referee/base/fair.h - a queue in which those who wait take turns, however much
 * each of them asks for.
 *
 * An entry counts for `who`: an owner with all his bots, or an address.  All
 * bots without an owner count for "".  The first entry of each `who` comes
 * before the second of any other, and entries of a lower rank come before all
 * others.  The caller decides how many may wait, in all and for one. */
#ifndef REFEREE_FAIR_H
#define REFEREE_FAIR_H

#include <stdint.h>
#include <sys/queue.h>

#include "protocol/util.h"

#define FAIR_WHO_BYTES 64

/* The first member of what waits; its owner keeps it while it waits. */
struct fair_entry {
	TAILQ_ENTRY(fair_entry) at;
	char who[FAIR_WHO_BYTES]; /* cut if it is longer */
	unsigned rank;
	uint64_t round; /* the round in which it is taken */
};

struct fair {
	TAILQ_HEAD(fair_entries, fair_entry) entries; /* the next one first */
	unsigned count;
	uint64_t round; /* the round of the last entry that was taken */
};

void fair_init(struct fair *fair);
void fair_add(struct fair *fair, struct fair_entry *entry, const char *who,
	      unsigned rank);
void fair_remove(struct fair *fair, struct fair_entry *entry);
/* Removes the next entry and returns it; NULL if none waits. */
struct fair_entry *fair_take(struct fair *fair) MUST_CHECK;

/* Return the number of entries that count for `who`, and the first of them
 * (NULL: there is none). */
unsigned fair_count(const struct fair *fair, const char *who);
struct fair_entry *fair_first(const struct fair *fair, const char *who);
/* Returns the last entry if it must make room for a new one of `who`; NULL if
 * the new one would not come before it, or if none waits. */
struct fair_entry *fair_yields(const struct fair *fair, const char *who,
			       unsigned rank);

#endif
