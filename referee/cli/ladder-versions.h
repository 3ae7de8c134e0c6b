/* referee/cli/ladder-versions.h - `referee ladder show --versions NAME`. */
#ifndef REFEREE_LADDER_VERSIONS_H
#define REFEREE_LADDER_VERSIONS_H

#include <stdbool.h>

#include "ladder/store.h"

/* In every pool where it played, all versions of this bot, the first one first:
 * games, fit, bar, and P(it is better than the one before).  ERROR_INPUT if the
 * ladder does not know it. */
int ladder_show_versions(struct ladder *ladder, const char *bot, bool json,
			 struct error *why) MUST_CHECK;

#endif
