/* referee/cli/bots-folder.h - adds the bots of `--bots DIR`: one in each
 * subfolder.
 *
 * A bot has the name of its subfolder, whatever its bot.conf says.  Bots are
 * ordered by the bytes of their names.  Names that begin with a dot are
 * skipped.
 *
 * DIR belongs to strangers.  So each bot plays from a copy in a folder of ours, which
 * is made by the rules of `referee bots add` (referee/import/files.h) and built in
 * its way, if its bot.conf has a `build`: whatever happens in DIR after that does not
 * matter.  Bots with the same files are copied and built once. */
#ifndef REFEREE_BOTS_FOLDER_H
#define REFEREE_BOTS_FOLDER_H

#include "protocol/util.h"
#include "referee/games/game.h"
#include "referee/match/match-bots.h"
#include "referee/sandbox/sandbox.h"

/* The folder of the copies, in the folder of --resume. */
#define BOTS_FOLDER_COPIES "copies"

/* Adds the bots in `path`.  Each must play this game, and those without a `build`
 * must have all that they need in a sandbox of this tier.  Returns EXIT_DONE, or
 * prints a sentence for each folder that cannot play and returns EXIT_USAGE. */
int bots_folder_add(struct match_bots *bots, const char *path,
		    const struct game_rules *rules,
		    enum sandbox_tier tier) MUST_CHECK;

/* Copies the bots from `first` on into the folder `data`, which is made if it is not
 * there, and builds those that have a `build`.  `data` must be ours alone
 * (referee/data/data-folder.h); copies that it has are used again.  Returns
 * EXIT_DONE; or prints for each bot that failed the output of its build and a
 * sentence, and returns EXIT_USAGE.  A fault of the machine is EXIT_MACHINE. */
int bots_folder_copy(struct match_bots *bots, unsigned first, const char *data,
		     enum sandbox_tier tier) MUST_CHECK;

#endif
