/* referee/cli/ladder-show.h - the standings of a ladder, its fit in front. */
#ifndef REFEREE_LADDER_SHOW_H
#define REFEREE_LADDER_SHOW_H

#include <stdbool.h>

#include "ladder/store.h"

/* Every pool by its fit: rank, Elo, its interval, games, score, and the live Elo beside
 * them in whole points; or an object for each bot.  Returns what the ladder's
 * reading returned. */
int ladder_show(struct ladder *ladder, bool json, struct error *why) MUST_CHECK;

#endif
