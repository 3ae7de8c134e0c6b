/* referee/web/api-games.h - lists the latest games of a ladder for spectators. */
#ifndef REFEREE_API_GAMES_H
#define REFEREE_API_GAMES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

struct games_wish {
	char path[LADDER_PATH_BYTES]; /* the path of ladder.db */
	char ladder[NAME_BYTES + 1];  /* the ladder's name */
	int64_t before;		      /* only games with lower serials */
	unsigned count;		      /* the most games to list */
	bool plain;		      /* plain text instead of JSON */
};

/* Lists the games, the last one first.  JSON is one object: `ladder`, `games`,
 * and, if there are more, `next`, the `before` to go on with.  Plain text has a
 * line `SERIAL ID ENDED` for each game, followed by `BOT PLACE POINTS` of each
 * seat, and then `next N`.  Call it in a thread, because it reads the disk.
 * Returns 0, or sets `why` to a sentence. */
int api_games_read(const struct games_wish *wish, struct text *to,
		   struct error *why) MUST_CHECK;
/* Returns a game as it stands in such a list, with or without what it did to
 * ratings. */
json_t *api_games_object(const struct ladder_game *game,
			 bool ratings) MUST_CHECK;

#endif
