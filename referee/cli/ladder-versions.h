/* referee/cli/ladder-versions.h - runs `referee ladder show --versions NAME`. */
#ifndef REFEREE_LADDER_VERSIONS_H
#define REFEREE_LADDER_VERSIONS_H

#include <stdbool.h>

#include "ladder/store.h"

/* Prints for every pool where the bot played all its versions, the oldest
 * first: games, fit, bar, and P(it is better than the one before).  Returns
 * ERROR_INPUT if the ladder does not know the bot. */
int ladder_show_versions(struct ladder *ladder, const char *bot, bool json,
			 struct error *why) MUST_CHECK;

#endif
