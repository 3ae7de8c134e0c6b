/* referee/cli/ladder-options.c - see ladder-options.h. */
#include "referee/cli/ladder-options.h"

#include <string.h>

#include "protocol/message.h"

static void
take_records(void *to, const struct argument *option UNUSED, char *dir)
{
	struct ladder_arguments *arguments = to;

	if (arguments->folders == REBUILD_FOLDERS)
		refuse_argument("--records may be given %d times at most",
				REBUILD_FOLDERS);
	arguments->records[arguments->folders++] = dir;
}

static void
check_season(void *to UNUSED, const struct argument *option UNUSED, char *arg)
{
	if (!message_name_ok(arg, strlen(arg)))
		refuse_argument("--season must have the form of a bot's name, "
				"not %s",
				quoted(arg).text);
}

static const char *const formats[] = { "json", "csv", NULL };
static const char *const orders[] = { "elo", "live", NULL };

/* clang-format off */
#define OPTION_LADDER                                                          \
	{ "ladder", 'l', "FILE", "The ladder (default: ladder.db)",            \
	  STORE_TEXT(struct ladder_arguments, ladder) },                       \
	{ "data", 'd', "DIR",                                                  \
	  "A daemon's data folder: then --ladder is the name of a ladder "     \
	  "there",                                                             \
	  STORE_TEXT(struct ladder_arguments, data) }
#define OPTION_JSON                                                            \
	{ "json", 'j', NULL, "Print JSON, one object a line",                  \
	  STORE_FLAG(struct ladder_arguments, json) }
/* clang-format on */

const struct argument ladder_options_common[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ 0 },
};
const struct argument ladder_options_show[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "order", 0, "ORDER",
	  "elo: by Elo (default); live: by the live Elo, with wins, "
	  "mean place and score",
	  STORE_WORD(struct ladder_arguments, running, orders) },
	{ "versions", 0, "BOT",
	  "Instead, the versions of this bot, and how surely each is better "
	  "than the one before",
	  STORE_TEXT(struct ladder_arguments, versions) },
	{ 0 },
};
const struct argument ladder_options_rebuild[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "records", 'r', "DIR",
	  "Also look for records in DIR; may be given several times (default "
	  "for a ladder without games: FILE.records)",
	  TAKE(take_records) },
	{ "accept", 0, NULL,
	  "Accept all records as they are now; look at those that were refused "
	  "first",
	  STORE_FLAG(struct ladder_arguments, accept) },
	{ "gaps", 0, NULL,
	  "Accept missing records, if they do not belong to rated games",
	  STORE_FLAG(struct ladder_arguments, gaps) },
	{ 0 },
};
const struct argument ladder_options_void[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "why", 0, "TEXT", "The reason, which everyone can read (required)",
	  STORE_TEXT(struct ladder_arguments, why) },
	{ "bot", 0, "NAME",
	  "All games of this bot instead of one game; the name is the one on "
	  "the ladder",
	  STORE_TEXT(struct ladder_arguments, bot) },
	{ "since", 0, "DATE",
	  "With --bot: only games that ended at this date or later: "
	  "2026-11-22, or 2026-11-22T10:00:00Z",
	  STORE_TEXT(struct ladder_arguments, since) },
	{ 0 },
};
const struct argument ladder_options_export[] = {
	OPTION_LADDER,
	{ "format", 'f', "FORMAT",
	  "json: everything, one object a line (default); csv: a line for each "
	  "seat of each game",
	  STORE_WORD(struct ladder_arguments, csv, formats) },
	{ "backup", 'b', "FILE",
	  "Copy the ladder to FILE instead, which must not exist yet; a match "
	  "may run meanwhile",
	  STORE_TEXT(struct ladder_arguments, backup) },
	{ 0 },
};
const struct argument ladder_options_new[] = {
	OPTION_LADDER,
	{ "from", 0, "OLD",
	  "A season after this ladder, which stays as it is: its bots enter "
	  "with the start rating and half of what they stood above or below "
	  "it.  With --data the name of a ladder there",
	  STORE_TEXT(struct ladder_arguments, from) },
	{ "season", 0, "NAME",
	  "The name of that season; in the form of a bot's name",
	  STORE_TEXT(struct ladder_arguments, season), .take = check_season },
	{ "k", 'k', "K",
	  "The points that a game of two seats can move (default: 16, or that "
	  "of OLD)",
	  TAKE_INTO(struct ladder_arguments, k_milli, argument_take_milli),
	  .max = LADDER_K_MILLI_MAX },
	{ "start", 's', "RATING",
	  "The rating of a bot before its first game (default: 1500, or that "
	  "of OLD)",
	  TAKE_INTO(struct ladder_arguments, start_milli, argument_take_milli),
	  .max = LADDER_START_MILLI_MAX },
	{ 0 },
};

const struct argument ladder_options_fit[] = {
	OPTION_LADDER,
	OPTION_JSON,
	{ "pool", 0, "NUMBER",
	  "Only this pool, as `ladder games` numbers them (default: all)",
	  TAKE_INTO(struct ladder_arguments, fit, fit_take_pool) },
	{ "anchor", 0, "NAME=R",
	  "Fix this bot's rating at R; may be given several times",
	  TAKE_INTO(struct ladder_arguments, fit, fit_take_anchor) },
	{ "prior", 0, "0",
	  "No prior: the ratings that make the games most likely, which may "
	  "not exist",
	  TAKE_INTO(struct ladder_arguments, fit, fit_take_prior) },
	{ "versus", 0, "BOT",
	  "Only the difference between this bot and the one named after the "
	  "options, with its exact bar",
	  STORE_TEXT(struct ladder_arguments, fit.versus) },
	{ "cross", 0, NULL,
	  "Also compare every bot with every other one (at most 500 bots)",
	  STORE_FLAG(struct ladder_arguments, fit.cross) },
	{ "csv", 0, NULL, "Print CSV",
	  STORE_FLAG(struct ladder_arguments, fit.csv) },
	{ "results", 0, "FILE",
	  "Take the games from a CSV file with the columns "
	  "game,block,bot,place, instead of a ladder",
	  STORE_TEXT(struct ladder_arguments, fit.results) },
	{ "since", 0, "DATE",
	  "Only games that ended at this date or later: 2026-11-22, or "
	  "2026-11-22T10:00:00Z",
	  STORE_TEXT(struct ladder_arguments, since) },
	{ 0 },
};
