/* referee/web/record-others.c - see record-others.h. */
#include "referee/web/record-others.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/pack.h"
#include "ladder/search.h"
#include "ladder/store.h"
#include "referee/pages/games.h"
#include "referee/records/replay.h"

/* The games of a block are published together: their serials are near. */
#define NEAR 64

/* Where it differs; 0: nowhere, or it cannot be read. */
static unsigned
compare(struct ladder *ladder, const struct ladder_game *game,
	const struct replay *mine, struct pack_cache *cache)
{
	char path[LADDER_PATH_BYTES];
	struct verdict verdict;
	struct record *record;
	struct replay replay;
	struct error why;
	int at = 0;

	if (ladder_game_path(ladder, game, path, &why) < 0 || path[0] == '\0' ||
	    packed_record(cache, path, &record, &why) < 0)
		return 0;
	if (replay_init(&replay, record, false, &verdict) == 0) {
		at = replay_difference(mine, &replay);
		replay_release(&replay);
	}
	record_free(record);
	return at > 0 ? (unsigned)at : 0;
}

static unsigned
compare_all(struct ladder *ladder, const struct ladder_game *game,
	    const struct replay *mine, struct opinion_other other[SEATS_MAX])
{
	struct ladder_wanted wanted = { .fault = FAULT_NONE,
					.before = game->serial + NEAR };
	struct games_found found;
	const struct ladder_game *row;
	struct pack_cache cache = { 0 };
	unsigned i, at, count = 0;
	struct error why;

	if (games_find_all(ladder, &wanted, 2 * NEAR, &found, &why) < 0)
		return 0;
	for (i = 0; i < found.count && count < SEATS_MAX; i++) {
		row = &found.row[i].game;
		if (strcmp(row->block, game->block) != 0 ||
		    strcmp(row->id, game->id) == 0)
			continue;
		at = compare(ladder, row, mine, &cache);
		if (at == 0)
			continue;
		other[count].at = at;
		snprintf(other[count].id, sizeof(other[count].id), "%s",
			 row->id);
		count++;
	}
	pack_cache_release(&cache);
	free(found.row);
	return count;
}

unsigned
record_others(const char *file, const struct record *record,
	      struct opinion_other other[SEATS_MAX])
{
	struct ladder *ladder = NULL;
	struct ladder_game game;
	struct verdict verdict;
	struct replay mine;
	struct error why;
	unsigned count = 0;

	if (record_header(record, "block") == NULL ||
	    ladder_open(file, LADDER_READ, &ladder, &why) < 0)
		return 0;
	if (ladder_game_find(ladder, record->id, &game, &why) == LADDER_FOUND &&
	    replay_init(&mine, record, false, &verdict) == 0) {
		count = compare_all(ladder, &game, &mine, other);
		replay_release(&mine);
	}
	ladder_close(ladder);
	return count;
}
