/* referee/scheduler/ladders.c - see ladders.h. */
#include "referee/scheduler/ladders.h"

#include <stdio.h>
#include <string.h>

#include "referee/base/suggest.h"

int
ladders_find(const struct ladders *ladders, const char *name, size_t n)
{
	const struct scheduler *scheduler;
	const char *found;
	unsigned i;

	LADDERS_EACH (ladders, scheduler, i) {
		found = scheduler_name(scheduler);
		if (strlen(found) == n && memcmp(found, name, n) == 0)
			return (int)i;
	}
	return -1;
}

int
ladders_none(const struct ladders *ladders, const char *name, size_t n,
	     struct error *why)
{
	const struct scheduler *scheduler;
	char given[NAME_BYTES + 1];
	struct suggestion meant;
	unsigned i;

	snprintf(given, sizeof(given), "%.*s",
		 n > NAME_BYTES ? NAME_BYTES : (int)n, name);
	meant = suggest(given);
	LADDERS_EACH (ladders, scheduler, i)
		if (!(ladders->closing >> i & 1))
			suggest_offer(&meant, scheduler_name(scheduler));
	return suggest_none(&meant, why, "there is no ladder %s", given);
}

struct scheduler *
ladders_from(const struct ladders *ladders, unsigned *place)
{
	for (; *place < LADDER_PLACES; (*place)++)
		if (ladders->scheduler[*place] != NULL)
			return ladders->scheduler[*place];
	return NULL;
}

/* Another ladder is the first each time, or one would take all the room. */
void
ladders_wake(struct ladders *ladders)
{
	unsigned i, at;

	ladders->woken = (ladders->woken + 1) % LADDER_PLACES;
	for (i = 0; i < LADDER_PLACES; i++) {
		at = (ladders->woken + i) % LADDER_PLACES;
		if (ladders->scheduler[at] != NULL)
			scheduler_wake(ladders->scheduler[at]);
	}
}
