/* referee/config/bot-folder.h - a bot as its author sends it in: a folder with
 * a manifest, bot.conf.
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
 * daemon's configuration (serve-config.h); what is wrong is told as
 * FILE:LINE: what was expected.  The limits stand in protocol/limits.h. */
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
#define BOT_FOLDER_GAMES 32 /* room for every game that there is */

struct bot_folder {
	char *path; /* of the folder, as it was named */
	char name[NAME_BYTES + 1];
	char version[VERSION_BYTES + 1]; /* "" if it says none */
	char author[AUTHOR_BYTES + 1];	 /* likewise; UTF-8 */
	const struct game_rules *game[BOT_FOLDER_GAMES];
	unsigned games; /* how many it says; 0: it plays them all */
	/* Words, NULL ends each: the program and its arguments, for the folder
	 * as working directory; how to make it (NULL: nothing is to be made);
	 * programs that have to be in PATH (NULL: none are named). */
	char **run, **build, **needs;
	uint64_t memory_mib;
	bool entropy; /* it answers `entropy?` */
	bool reuse;   /* its process plays game after game */
};

/* Reads the manifest of a folder: free it with bot_folder_free().  NULL and a
 * sentence. */
struct bot_folder *bot_folder_read(const char *path,
				   struct error *why) MUST_CHECK;
/* NULL is fine. */
void bot_folder_free(struct bot_folder *folder);

bool bot_folder_plays(const struct bot_folder *folder,
		      const struct game_rules *rules);

/* Whether everything is there to start it in a sandbox of this tier: its
 * program, and what it needs; nothing is looked at that the box does not show.
 * Else a sentence. */
bool bot_folder_ready(const struct bot_folder *folder, enum sandbox_tier tier,
		      struct error *why) MUST_CHECK;

#endif
