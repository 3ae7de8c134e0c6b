/* referee/cli/ladder-options.h - what each `referee ladder WHAT` takes, and where
 * it goes: tables for command-ladder.c. */
#ifndef REFEREE_LADDER_OPTIONS_H
#define REFEREE_LADDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "referee/cli/arguments.h"
#include "referee/cli/ladder-fit.h"
#include "referee/records/ladder-rebuild.h"

struct arguments {
	const char *ladder; /* the file; NULL: ladder.db */
	const char *data;   /* then `ladder` is a name there; or NULL */
	char file[LADDER_PATH_BYTES], from_file[LADDER_PATH_BYTES];
	const char *word;    /* the bot of `history`, the game of `void` */
	const char *word_is; /* what it is; NULL: none is taken */
	bool word_may;	     /* it may be missing */
	bool makes;	     /* the ladder need not be there */
	const char *bot, *since, *why, *versions, *from, *season;
	const char *backup;
	bool json, csv, accept, gaps, running;
	const char *records[REBUILD_FOLDERS + 1]; /* ends with NULL */
	unsigned folders;
	int64_t k_milli, start_milli;
	struct fit_request fit;
};

/* Of command-ladder.c. */
static argument_taker take_milli, take_records, check_season;

static const char *const formats[] = { "json", "csv", NULL };
static const char *const orders[] = { "fit", "running", NULL };

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
	{ "ladder", 'l', "FILE", "The ladder (default: ladder.db)",            \
	  STORE_TEXT(struct arguments, ladder) },                              \
	{                                                                      \
		"data", 'd', "DIR",                                            \
			"A daemon's data folder: then --ladder is the name "   \
			"of a ladder there",                                   \
			STORE_TEXT(struct arguments, data)                     \
	}
#define OPTION_JSON                                                            \
	{                                                                      \
		"json", 'j', NULL, "Print JSON, one object a line",            \
			STORE_FLAG(struct arguments, json)                     \
	}

static const struct argument options_common[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ 0 },
};
static const struct argument options_show[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "order", 0, "ORDER",
	  "fit: by the fit (default); running: by the running Elo, with wins, "
	  "mean place and score",
	  STORE_WORD(struct arguments, running, orders) },
	{ "versions", 0, "BOT",
	  "Instead, the versions of this bot, and how surely each is better "
	  "than the one before",
	  STORE_TEXT(struct arguments, versions) },
	{ 0 },
};
static const struct argument options_rebuild[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "records", 'r', "DIR",
	  "Also look for records in DIR; may be given several times (default "
	  "for a ladder without games: FILE.records)",
	  TAKE(take_records) },
	{ "accept", 0, NULL,
	  "Accept all records as they are now; look at those that were refused "
	  "first",
	  STORE_FLAG(struct arguments, accept) },
	{ "gaps", 0, NULL,
	  "Accept missing records, if they do not belong to rated games",
	  STORE_FLAG(struct arguments, gaps) },
	{ 0 },
};
static const struct argument options_void[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "why", 0, "TEXT", "The reason, which everyone can read (required)",
	  STORE_TEXT(struct arguments, why) },
	{ "bot", 0, "NAME",
	  "All games of this bot instead of one game; the name is the one on "
	  "the ladder",
	  STORE_TEXT(struct arguments, bot) },
	{ "since", 0, "DATE",
	  "With --bot: only games that ended at this date or later: "
	  "2026-11-22, "
	  "or 2026-11-22T10:00:00Z",
	  STORE_TEXT(struct arguments, since) },
	{ 0 },
};
static const struct argument options_export[] = {
	OPTION_LADDER,
	{ "format", 'f', "FORMAT",
	  "json: everything, one object a line (default); csv: a line for each "
	  "seat of each game",
	  STORE_WORD(struct arguments, csv, formats) },
	{ "backup", 'b', "FILE",
	  "Copy the ladder to FILE instead, which must not exist yet; a match "
	  "may run meanwhile",
	  STORE_TEXT(struct arguments, backup) },
	{ 0 },
};
static const struct argument options_new[] = {
	OPTION_LADDER,
	{ "from", 0, "OLD",
	  "A season after this ladder, which stays as it is: its bots enter "
	  "with the start rating and half of what they stood above or below "
	  "it.  With --data the name of a ladder there",
	  STORE_TEXT(struct arguments, from) },
	{ "season", 0, "NAME",
	  "The name of that season; in the form of a bot's name",
	  STORE_TEXT(struct arguments, season), .take = check_season },
	{ "k", 'k', "K",
	  "The points that a game of two seats can move (default: 16, or as "
	  "OLD "
	  "has it)",
	  TAKE_INTO(struct arguments, k_milli, take_milli),
	  .max = LADDER_K_MILLI_MAX },
	{ "start", 's', "RATING",
	  "The rating of a bot before its first game (default: 1500, or as OLD "
	  "has it)",
	  TAKE_INTO(struct arguments, start_milli, take_milli),
	  .max = LADDER_START_MILLI_MAX },
	{ 0 },
};

static const struct argument options_fit[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "pool", 0, "NUMBER",
	  "Only this pool, as `ladder games` numbers them (default: all)",
	  TAKE_INTO(struct arguments, fit, fit_take_pool) },
	{ "anchor", 0, "NAME=R",
	  "Fix this bot's rating at R; may be given several times",
	  TAKE_INTO(struct arguments, fit, fit_take_anchor) },
	{ "prior", 0, "SD",
	  "The expected distance of bots from their mean before any game: a "
	  "standard deviation in points; 0: no prior (default: 350)",
	  TAKE_INTO(struct arguments, fit, fit_take_prior) },
	{ "versus", 0, "BOT",
	  "Only the difference between this bot and the one named after the "
	  "options, with its exact bar",
	  STORE_TEXT(struct arguments, fit.versus) },
	{ "cross", 0, NULL,
	  "Also compare every bot with every other one (at most 500 bots)",
	  STORE_FLAG(struct arguments, fit.cross) },
	{ "csv", 0, NULL, "Print CSV", STORE_FLAG(struct arguments, fit.csv) },
	{ "results", 0, "FILE",
	  "Take the games from a CSV file with the columns "
	  "game,block,bot,place, instead of a ladder",
	  STORE_TEXT(struct arguments, fit.results) },
	{ "since", 0, "DATE",
	  "Only games that ended at this date or later: 2026-11-22, or "
	  "2026-11-22T10:00:00Z",
	  STORE_TEXT(struct arguments, since) },
	{ 0 },
};

#endif
