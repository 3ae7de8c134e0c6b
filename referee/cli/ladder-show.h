/* referee/cli/ladder-show.h - prints the standings of a ladder, ordered by its
 * fit, and the versions of a bot on it. */
#ifndef REFEREE_LADDER_SHOW_H
#define REFEREE_LADDER_SHOW_H

#include <stdbool.h>

#include "ladder/store.h"

/* Prints every pool in the order of its fit: rank, Elo with its interval,
 * games, score, and the live Elo in whole points; or an object for each bot.
 * Returns the result of reading the ladder. */
int ladder_show(struct ladder *ladder, bool json, struct error *why) MUST_CHECK;

/* Prints for every pool where the bot played all its versions, the oldest
 * first: games, fit, bar, and P(it is better than the one before).  Returns
 * ERROR_INPUT if the ladder does not know the bot. */
int ladder_show_versions(struct ladder *ladder, const char *bot, bool json,
			 struct error *why) MUST_CHECK;

#endif
