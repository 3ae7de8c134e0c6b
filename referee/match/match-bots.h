/* referee/match/match-bots.h - the bots of a match, from the command line. */
#ifndef REFEREE_MATCH_BOTS_H
#define REFEREE_MATCH_BOTS_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/limits.h"
#include "protocol/util.h"
#include "referee/match/match.h"
#include "referee/sandbox/sandbox.h"

struct bot_folder;

struct match_bots {
	unsigned count;
	struct match_bot bot[BOTS_MAX];
	const char *command[BOTS_MAX]; /* SPEC as given; borrowed */
	/* Owned; set for bots that were given as a folder; else NULL. */
	struct bot_folder *folder[BOTS_MAX];
	char *taken
		[BOTS_MAX]; /* owned: the path that `command` points to, if it
			     * was copied; else NULL */
	struct sandbox_seen hidden; /* owned; the boxes borrow it */
};

/* Adds the bot of `--bot SPEC`: "random", "house", a folder with a manifest
 * (referee/config/bot-folder.h), or a command line in one argument.  The
 * command line is cut into words as a shell would (quotes, backslashes, ~,
 * $NAME), but no shell runs it.  Returns 0, or -1 and a sentence in `why`. */
int match_bots_add(struct match_bots *bots, const char *spec,
		   struct error *why) MUST_CHECK;
/* Adds the bot in the folder `path` under this name.  The string `path` is
 * copied. */
int match_bots_take(struct match_bots *bots, const char *name, const char *path,
		    struct error *why) MUST_CHECK;
/* Lets bot `b`, which came from a folder, run from its copy at `path`.  The bot keeps
 * its name, and sentences go on to name the folder that was given. */
int match_bots_move(struct match_bots *bots, unsigned b, const char *path,
		    struct error *why) MUST_CHECK;
/* Sets the name of the bot added last. */
int match_bots_name(struct match_bots *bots, const char *name,
		    struct error *why) MUST_CHECK;
/* Returns 0 if all bots play this game, as far as their manifests say; else -1
 * and an error. */
int match_bots_play(const struct match_bots *bots,
		    const struct game_rules *rules,
		    struct error *why) MUST_CHECK;
/* Call it after the last bot is added.  Gives names to bots without one (from
 * the manifest, the script or the program), and checks that every program of a
 * command line can be started.  Equal names get a number.  For a ladder
 * (`rated`), on which a name is one bot for good, equal names are refused.
 * Returns 0, or -1 and an error. */
int match_bots_ready(struct match_bots *bots, bool rated,
		     struct error *why) MUST_CHECK;
/* Lets the process of each bot that is a program play game after game. */
void match_bots_reuse(struct match_bots *bots);
/* Puts the bots that are programs into boxes of this tier.  The boxes hide what
 * the match writes: its folders and its ladder (NULL: none).  Checks that bots
 * of folders can be started there.  Returns 0, or -1 and an error. */
int match_bots_box(struct match_bots *bots, enum sandbox_tier tier,
		   const char *records, const char *stderr_dir,
		   const char *ladder, struct error *why) MUST_CHECK;
void match_bots_release(struct match_bots *bots);

#endif
