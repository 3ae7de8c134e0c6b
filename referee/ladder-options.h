/* referee/ladder-options.h - what each `referee ladder WHAT` takes: tables for
 * argp, which command-ladder.c reads. */
#ifndef REFEREE_LADDER_OPTIONS_H
#define REFEREE_LADDER_OPTIONS_H

#include <argp.h>

#include "referee/ladder-fit.h"

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
	"fails (disk full, no permission, the ladder is in use).\n\n"
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
	  "fit: by all games at once (the default); running: by the running "
	  "Elo, with wins, mean place and score",
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
	  "Look for records in DIR, too; may be given several times (default, "
	  "for a ladder without games: FILE.records)",
	  0 },
	{ "accept", KEY_ACCEPT, NULL, 0,
	  "Take all records as they are now, after you have looked at those "
	  "that were refused",
	  0 },
	{ "gaps", KEY_GAPS, NULL, 0,
	  "Take what is there where records are missing that no rated game "
	  "tells of",
	  0 },
	{ 0 }
};
static const struct argp_option options_void[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "why", KEY_WHY, "TEXT", 0,
	  "The reason, for all to read; it is wanted", 0 },
	{ "bot", KEY_BOT, "NAME", 0,
	  "Instead of one game all that this bot was in, as the ladder calls "
	  "it",
	  0 },
	{ "since", KEY_SINCE, "DATE", 0,
	  "With --bot: those that ended at this date or later: 2026-11-22, or "
	  "2026-11-22T10:00:00Z",
	  0 },
	{ 0 }
};
static const struct argp_option options_export[] = {
	OPTION_LADDER,
	{ "format", 'f', "FORMAT", 0,
	  "json: everything, one object a line (the default); csv: every seat "
	  "of every game, a line each",
	  0 },
	{ "backup", 'b', "FILE", 0,
	  "Instead, copy the ladder to FILE, which must not exist yet; a match "
	  "may go on meanwhile",
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
	  "How many points a game of two can move (default: 16, or as OLD "
	  "has it)",
	  0 },
	{ "start", 's', "RATING", 0,
	  "The rating that a bot begins with (default: 1500, or as OLD has it)",
	  0 },
	{ 0 }
};

static const struct argp_option options_fit[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "pool", KEY_FIT_POOL, "NUMBER", 0,
	  "Only this pool, as `ladder games` numbers them (default: all)", 0 },
	{ "anchor", KEY_FIT_ANCHOR, "NAME=R", 0,
	  "This bot's rating is R; may be given several times", 0 },
	{ "prior", KEY_FIT_PRIOR, "SD", 0,
	  "How far from the middle bots are thought to be before any game, one "
	  "standard deviation in points; 0: no such thought (default: 350)",
	  0 },
	{ "versus", KEY_FIT_VERSUS, "BOT", 0,
	  "Only the difference between this bot and the one named behind, with "
	  "its exact bar",
	  0 },
	{ "cross", KEY_FIT_CROSS, NULL, 0,
	  "Also every bot against every other, 500 bots at most", 0 },
	{ "csv", KEY_FIT_CSV, NULL, 0, "Print CSV", 0 },
	{ "results", KEY_FIT_RESULTS, "FILE", 0,
	  "Instead of a ladder's, games from anywhere: a CSV file of "
	  "game,block,bot,place",
	  0 },
	{ "since", KEY_SINCE, "DATE", 0,
	  "Only games that ended at this date or later: 2026-11-22, or "
	  "2026-11-22T10:00:00Z",
	  0 },
	{ 0 }
};

#endif
