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
	const char *command[BOTS_MAX]; /* as given; borrowed */
	/* Of the bots that were named by a folder; owned; else NULL. */
	struct bot_folder *folder[BOTS_MAX];
	char *taken
		[BOTS_MAX]; /* what `command` is of these; owned; else NULL */
	struct sandbox_seen hidden; /* owned; the boxes point there */
};

/* Adds the bot of `--bot SPEC`: "random", "house", a folder with a manifest
 * (referee/config/bot-folder.h), or a command line in one argument, cut into
 * words as a shell would (quotes, backslashes, ~, $NAME), but run by none.  -1
 * and a sentence in `why`. */
int match_bots_add(struct match_bots *bots, const char *spec,
		   struct error *why) MUST_CHECK;
/* Adds the bot in the folder `path`, which is copied, under this name. */
int match_bots_take(struct match_bots *bots, const char *name, const char *path,
		    struct error *why) MUST_CHECK;
/* Takes bot `b`, which came from a folder, from `path` instead, where it was built;
 * `path` is copied.  Its name stays. */
int match_bots_move(struct match_bots *bots, unsigned b, const char *path,
		    struct error *why) MUST_CHECK;
/* The name of the bot added last. */
int match_bots_name(struct match_bots *bots, const char *name,
		    struct error *why) MUST_CHECK;
/* Whether all of them play this game, as far as a manifest says. */
int match_bots_play(const struct match_bots *bots,
		    const struct game_rules *rules,
		    struct error *why) MUST_CHECK;
/* After the last one: gives names to those without (that of the manifest, the
 * script or program), and sees that every program of a command line can be
 * started.  Names that are equal get a number; but for a ladder (`rated`), on
 * which a name is one bot for good, they are refused. */
int match_bots_ready(struct match_bots *bots, bool rated,
		     struct error *why) MUST_CHECK;
/* The processes of all that are programs play game after game. */
void match_bots_reuse(struct match_bots *bots);
/* Puts those that are programs into boxes of this tier, which do not show what
 * the match writes: its folders, its ladder (NULL: none); and sees
 * that those of folders can be started there. */
int match_bots_box(struct match_bots *bots, enum sandbox_tier tier,
		   const char *records, const char *stderr_dir,
		   const char *ladder, struct error *why) MUST_CHECK;
void match_bots_release(struct match_bots *bots);

#endif
