/* referee/scheduler/ladders.c - see ladders.h. */
#include "referee/scheduler/ladders.h"

#include <stdio.h>
#include <string.h>

#include "referee/base/suggest.h"

int
ladders_find(const struct ladders *ladders, const char *name)
{
	const struct scheduler *scheduler;

	LADDERS_EACH (ladders, scheduler, i)
		if (strcmp(scheduler_name(scheduler), name) == 0)
			return (int)i;
	return -1;
}

int
ladders_none(const struct ladders *ladders, const char *name, struct error *why)
{
	const struct scheduler *scheduler;
	char given[NAME_BYTES + 1];
	struct suggestion meant;

	snprintf(given, sizeof(given), "%s", name);
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

uint64_t
ladders_frozen(const struct ladders *ladders)
{
	const struct scheduler *scheduler;
	uint64_t frozen = 0;

	LADDERS_EACH (ladders, scheduler, i)
		if (scheduler_frozen(scheduler) != 0)
			frozen |= UINT64_C(1) << i;
	return frozen;
}

/* Begins with another ladder each time, because otherwise one would take all
 * the room. */
void
ladders_wake(struct ladders *ladders)
{
	unsigned at;

	ladders->woken = (ladders->woken + 1) % LADDER_PLACES;
	for (unsigned i = 0; i < LADDER_PLACES; i++) {
		at = (ladders->woken + i) % LADDER_PLACES;
		if (ladders->scheduler[at] != NULL)
			scheduler_wake(ladders->scheduler[at]);
	}
}
