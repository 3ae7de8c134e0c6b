/* referee/cli/bots-folder.h - adds the bots of `--bots DIR`: one in each
 * subfolder.
 *
 * A bot has the name of its subfolder, whatever its bot.conf says.  Bots are
 * ordered by the bytes of their names.  Names that begin with a dot are
 * skipped.
 *
 * A bot whose bot.conf has a `build` is built in the way of `referee bots add`,
 * and plays from DIR/.built, which is laid out like a data folder
 * (referee/import/incoming.h).  A bot with the same files is not built again. */
#ifndef REFEREE_BOTS_FOLDER_H
#define REFEREE_BOTS_FOLDER_H

#include "protocol/util.h"
#include "referee/games/game.h"
#include "referee/match/match-bots.h"
#include "referee/sandbox/sandbox.h"

#define BOTS_FOLDER_BUILT ".built"

/* Adds the bots in `path`.  Each must play this game, and those without a `build`
 * must have all that they need in a sandbox of this tier.  Returns EXIT_DONE, or
 * prints a sentence for each folder that cannot play and returns EXIT_USAGE. */
int bots_folder_add(struct match_bots *bots, const char *path,
		    const struct game_rules *rules,
		    enum sandbox_tier tier) MUST_CHECK;

/* Builds the bots from `first` on that have a `build`; bots_folder_add() has
 * added them from `path`.  Returns EXIT_DONE; or prints for each failed build
 * its output and a sentence, and returns EXIT_USAGE. A fault of the machine is
 * EXIT_MACHINE. */
int bots_folder_build(struct match_bots *bots, unsigned first, const char *path,
		      enum sandbox_tier tier) MUST_CHECK;

#endif
