/* referee/cli/ladder-show.h - prints the standings of a ladder, ordered by its
 * fit. */
#ifndef REFEREE_LADDER_SHOW_H
#define REFEREE_LADDER_SHOW_H

#include <stdbool.h>

#include "ladder/store.h"

/* Prints every pool in the order of its fit: rank, Elo with its interval,
 * games, score, and the live Elo in whole points; or an object for each bot.
 * Returns the result of reading the ladder. */
int ladder_show(struct ladder *ladder, bool json, struct error *why) MUST_CHECK;

#endif
