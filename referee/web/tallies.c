/* referee/web/tallies.c - see tallies.h. */
#include "referee/web/tallies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kept {
	char path[LADDER_PATH_BYTES];
	struct tally *tally; /* owned; NULL: a free place */
	uint64_t used;	     /* value of `clock` when it was last asked for */
};

struct tallies {
	struct kept kept[TALLIES];
	uint64_t clock;
};

struct tallies *
tallies_new(void)
{
	return zeroed(1, sizeof(struct tallies));
}

void
tallies_free(struct tallies *tallies)
{
	if (tallies == NULL)
		return;
	for (unsigned i = 0; i < TALLIES; i++)
		tally_free(tallies->kept[i].tally);
	free(tallies);
}

struct tally *
tallies_of(struct tallies *tallies, const char *path)
{
	struct kept *kept = tallies->kept, *oldest = kept;

	for (; kept < tallies->kept + TALLIES; kept++) {
		if (kept->tally != NULL && strcmp(kept->path, path) == 0)
			break;
		if (kept->used < oldest->used)
			oldest = kept;
	}
	if (kept == tallies->kept + TALLIES) {
		kept = oldest;
		tally_free(kept->tally);
		kept->tally = tally_new();
		snprintf(kept->path, sizeof(kept->path), "%s", path);
	}
	kept->used = ++tallies->clock;
	return kept->tally;
}
