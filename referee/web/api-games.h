/* referee/web/api-games.h - the latest games of a ladder, for spectators.
 */
#ifndef REFEREE_API_GAMES_H
#define REFEREE_API_GAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/text.h"
#include "protocol/util.h"

struct games_wish {
	char path[LADDER_PATH_BYTES]; /* of ladder.db */
	char ladder[NAME_BYTES + 1];  /* what it is called */
	int64_t before;		      /* only games with lower serials */
	unsigned count;		      /* at most */
	bool plain;		      /* no JSON */
};

/* The last game first.  JSON is one object: `ladder`, `games`, and `next` if
 * there are more: the `before` to go on with.  Plain is a line `SERIAL ID
 * ENDED` for each game, behind it `BOT PLACE POINTS` of each seat, and then
 * `next N`. For the page thread; 0, or a sentence. */
int api_games_read(const struct games_wish *wish, struct text *to,
		   struct error *why) MUST_CHECK;

#endif
