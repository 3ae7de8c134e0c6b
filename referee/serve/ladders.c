/* referee/serve/ladders.c - see ladders.h. */
#include "referee/serve/ladders.h"

#include <string.h>

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

struct scheduler *
ladders_from(const struct ladders *ladders, unsigned *place)
{
	for (; *place < LADDER_PLACES; (*place)++)
		if (ladders->scheduler[*place] != NULL)
			return ladders->scheduler[*place];
	return NULL;
}
