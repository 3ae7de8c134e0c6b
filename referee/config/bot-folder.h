/* referee/config/bot-folder.h - reads a bot as its author sends it in: a folder
 * with a manifest, bot.conf.
 *
 *	name = "alice"
 *	version = "1"
 *	author = "Alice Example"
 *	games = { "toepen", "durnius" }		# none: all of them
 *	run = { "python3", "bot.py" }		# words; there is no shell
 *	build = { "make" }
 *	needs = { "python3" }			# programs in PATH
 *	memory = 256				# MiB
 *	entropy = no
 *	reuse = no
 *
 * Only name and run are required.  The language of the file is that of the
 * daemon's configuration (serve-config.h); errors read FILE:LINE: what was
 * expected.  The limits stand in protocol/limits.h. */
#ifndef REFEREE_BOT_FOLDER_H
#define REFEREE_BOT_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/games/game.h"
#include "referee/sandbox/sandbox.h"

#define BOT_FOLDER_MANIFEST "bot.conf"
#define BOT_FOLDER_GAMES 32 /* enough for every game */

struct bot_folder {
	char *path; /* the folder as it was named */
	char name[NAME_BYTES + 1];
	char version[VERSION_BYTES + 1]; /* "" if it gives none */
	char author[AUTHOR_BYTES + 1];	 /* UTF-8; "" if it gives none */
	const struct game_rules *game[BOT_FOLDER_GAMES];
	unsigned games; /* number of games it names; 0: it plays all */
	/* Words; each list ends with NULL. `run`: the program and its
	 * arguments, with the folder as working directory.  `build`: how to
	 * build it (NULL: no build).  `needs`: programs that must be in PATH
	 * (NULL: none). */
	char **run, **build, **needs;
	uint64_t memory_mib;
	bool entropy; /* it answers `entropy?` */
	bool reuse;   /* its process plays game after game */
};

/* Reads the manifest of a folder.  The caller frees it with bot_folder_free().
 * Returns NULL and a sentence on failure. */
struct bot_folder *bot_folder_read(const char *path,
				   struct error *why) MUST_CHECK;
/* Frees a folder, which may be NULL. */
void bot_folder_free(struct bot_folder *folder);

bool bot_folder_plays(const struct bot_folder *folder,
		      const struct game_rules *rules);

/* Returns true if it asks for at most so much memory.  Otherwise writes a sentence to
 * `why`. */
bool bot_folder_fits(const struct bot_folder *folder, uint64_t memory_mib,
		     struct error *why) MUST_CHECK;

/* Returns true if a sandbox of this tier has its program and all that it needs.
 * Looks only at what the box shows.  Otherwise writes a sentence to `why`. */
bool bot_folder_ready(const struct bot_folder *folder, enum sandbox_tier tier,
		      struct error *why) MUST_CHECK;

#endif
