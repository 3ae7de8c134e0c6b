/* referee/cli/ladder-options.h - what each `referee ladder WHAT` takes: tables for
 * argp, which command-ladder.c reads. */
#ifndef REFEREE_LADDER_OPTIONS_H
#define REFEREE_LADDER_OPTIONS_H

#include <argp.h>

#include "referee/cli/ladder-fit.h"

enum {
	KEY_ACCEPT = 256,
	KEY_GAPS,
	KEY_BOT,
	KEY_SINCE,
	KEY_WHY,
	KEY_ORDER,
	KEY_VERSIONS,
	KEY_FROM,
	KEY_SEASON
};

#define EXIT_CODES                                                             \
	"Exit codes: 0 done, 2 wrong usage or no such ladder, 3 the machine "  \
	"failed (disk full, no permission, the ladder is in use).\n\n"
#define EXIT_CODES_REBUILD                                                     \
	"Exit codes: 0 done, 1 a record does not hold or serials are "         \
	"missing, "                                                            \
	"2 wrong usage or the record of a rated game is missing, 3 the "       \
	"machine fails (disk full, no permission, "                            \
	"the ladder is in use).\n\n"

#define OPTION_LADDER                                                          \
	{ "ladder", 'l', "FILE", 0, "The ladder (default: ladder.db)", 0 },    \
	{                                                                      \
		"data", 'd', "DIR", 0,                                         \
			"A daemon's data folder: then --ladder is the name "   \
			"of a ladder there",                                   \
			0                                                      \
	}
#define OPTION_JSON                                                            \
	{                                                                      \
		"json", 'j', NULL, 0, "Print JSON, one object a line", 0       \
	}

static const struct argp_option options_common[] = { OPTION_LADDER,
						     OPTION_JSON,
						     { 0 } };
static const struct argp_option options_show[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "order", KEY_ORDER, "ORDER", 0,
	  "fit: by the fit (default); running: by the running Elo, with wins, "
	  "mean place and score",
	  0 },
	{ "versions", KEY_VERSIONS, "BOT", 0,
	  "Instead, the versions of this bot, and how surely each is better "
	  "than the one before",
	  0 },
	{ 0 }
};
static const struct argp_option options_rebuild[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "records", 'r', "DIR", 0,
	  "Also look for records in DIR; may be given several times (default "
	  "for a ladder without games: FILE.records)",
	  0 },
	{ "accept", KEY_ACCEPT, NULL, 0,
	  "Accept all records as they are now; look at those that were refused "
	  "first",
	  0 },
	{ "gaps", KEY_GAPS, NULL, 0,
	  "Accept missing records, if they do not belong to rated games", 0 },
	{ 0 }
};
static const struct argp_option options_void[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "why", KEY_WHY, "TEXT", 0,
	  "The reason, which everyone can read (required)", 0 },
	{ "bot", KEY_BOT, "NAME", 0,
	  "All games of this bot instead of one game; the name is the one on "
	  "the ladder",
	  0 },
	{ "since", KEY_SINCE, "DATE", 0,
	  "With --bot: only games that ended at this date or later: "
	  "2026-11-22, "
	  "or 2026-11-22T10:00:00Z",
	  0 },
	{ 0 }
};
static const struct argp_option options_export[] = {
	OPTION_LADDER,
	{ "format", 'f', "FORMAT", 0,
	  "json: everything, one object a line (default); csv: a line for each "
	  "seat of each game",
	  0 },
	{ "backup", 'b', "FILE", 0,
	  "Copy the ladder to FILE instead, which must not exist yet; a match "
	  "may run meanwhile",
	  0 },
	{ 0 }
};
static const struct argp_option options_new[] = {
	OPTION_LADDER,
	{ "from", KEY_FROM, "OLD", 0,
	  "A season after this ladder, which stays as it is: its bots enter "
	  "with the start rating and half of what they stood above or below "
	  "it.  With --data the name of a ladder there",
	  0 },
	{ "season", KEY_SEASON, "NAME", 0,
	  "The name of that season; in the form of a bot's name", 0 },
	{ "k", 'k', "K", 0,
	  "The points that a game of two seats can move (default: 16, or as "
	  "OLD "
	  "has it)",
	  0 },
	{ "start", 's', "RATING", 0,
	  "The rating of a bot before its first game (default: 1500, or as OLD "
	  "has it)",
	  0 },
	{ 0 }
};

static const struct argp_option options_fit[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "pool", KEY_FIT_POOL, "NUMBER", 0,
	  "Only this pool, as `ladder games` numbers them (default: all)", 0 },
	{ "anchor", KEY_FIT_ANCHOR, "NAME=R", 0,
	  "Fix this bot's rating at R; may be given several times", 0 },
	{ "prior", KEY_FIT_PRIOR, "SD", 0,
	  "The expected distance of bots from their mean before any game: a "
	  "standard deviation in points; 0: no prior (default: 350)",
	  0 },
	{ "versus", KEY_FIT_VERSUS, "BOT", 0,
	  "Only the difference between this bot and the one named after the "
	  "options, with its exact bar",
	  0 },
	{ "cross", KEY_FIT_CROSS, NULL, 0,
	  "Also compare every bot with every other one (at most 500 bots)", 0 },
	{ "csv", KEY_FIT_CSV, NULL, 0, "Print CSV", 0 },
	{ "results", KEY_FIT_RESULTS, "FILE", 0,
	  "Take the games from a CSV file with the columns "
	  "game,block,bot,place, instead of a ladder",
	  0 },
	{ "since", KEY_SINCE, "DATE", 0,
	  "Only games that ended at this date or later: 2026-11-22, or "
	  "2026-11-22T10:00:00Z",
	  0 },
	{ 0 }
};

#endif
