/* referee/cli/command-ladder.c - `referee ladder`: shows a ladder, makes one,
 * rebuilds it, voids games. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "ladder/log.h"
#include "ladder/store.h"
#include "protocol/message.h"
#include "referee/base/suggest.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/complete.h"
#include "referee/cli/ladder-change.h"
#include "referee/cli/ladder-fit.h"
#include "referee/cli/ladder-options.h"
#include "referee/cli/ladder-print.h"
#include "referee/cli/ladder-show.h"
#include "referee/data/data-folder.h"
#include "referee/data/owner.h"
#include "referee/records/ladder-rebuild.h"

#define EXIT_CODES                                                             \
	"Exit codes: 0 done, 2 wrong usage or no such ladder, 3 the machine "  \
	"failed (disk full, no permission, the ladder is in use).\n\n"
#define EXIT_CODES_REBUILD                                                     \
	"Exit codes: 0 done, 1 a record does not hold or is missing, "         \
	"2 wrong usage, 3 the machine fails (disk full, no permission, "       \
	"the ladder is in use).\n\n"

/* A thing that can be done with a ladder. */
struct what {
	const char *name, *brief;
	const char *word; /* the argument beside options, or NULL */
	const struct argument *options;
	struct argp argp;
	int (*run)(const struct ladder_arguments *arguments);
	bool optional; /* the argument may be missing */
};

/* ---- arguments -------------------------------------------------------- */

static void
find_ladder(struct ladder_arguments *arguments)
{
	struct error why;

	if (arguments->ladder == NULL && arguments->data == NULL)
		arguments->ladder = "ladder.db";
	if (arguments->data == NULL)
		return;
	if (arguments->makes && arguments->ladder != NULL &&
	    owner_ladder_file(arguments->data, arguments->ladder,
			      arguments->file))
		;
	else if (owner_find_ladder(arguments->data, arguments->ladder,
				   arguments->file, &why) < 0)
		refuse_argument("%s", why.text);
	arguments->ladder = arguments->file;
	if (arguments->from == NULL)
		return;
	if (owner_find_ladder(arguments->data, arguments->from,
			      arguments->from_file, &why) < 0)
		refuse_argument("%s", why.text);
	arguments->from = arguments->from_file;
}

/* Takes one word if this WHAT has one, and refuses others. */
static void
take_words(struct ladder_arguments *arguments, const struct what *what,
	   const struct words *words)
{
	const unsigned most = what->word != NULL;

	if (words->count > most)
		refuse_argument("unexpected argument %s",
				quoted(words->word[most]).text);
	if (words->count < most && arguments->bot == NULL && !what->optional)
		refuse_argument("expected %s", what->word);
	arguments->word = words->word[0];
}

/* ---- what they do ----------------------------------------------------- */

/* Closes the ladder.  Returns the exit code for `result`, and prints the
 * sentence if it failed. */
static int
finish(struct ladder *ladder, int result, const struct error *why)
{
	ladder_close(ladder);
	return result < 0 ? complain_error(why) : finish_output();
}

static int
run_show(const struct ladder_arguments *arguments)
{
	struct error why;
	struct roster_marks *marks;
	struct ladder *ladder;
	int result =
		owner_open_ladder(arguments->ladder, &ladder, &marks, &why);

	if (result == 0)
		owner_tell_behind(ladder, arguments->ladder);
	if (result == 0 && !arguments->json)
		ladder_season_print(ladder);
	if (result < 0)
		; /* nothing is shown */
	else if (arguments->versions != NULL)
		result = ladder_show_versions(ladder, arguments->versions,
					      arguments->json, &why);
	else if (arguments->running)
		result = ladder_print_standings(ladder, arguments->json, &why);
	else
		result = ladder_show(ladder, arguments->json, &why);
	if (result == 0 && !arguments->json && arguments->versions == NULL)
		result = ladder_settings_print(ladder, &why);
	result = finish(ladder, result, &why);
	roster_marks_free(marks);
	return result;
}

static int
run_fit(const struct ladder_arguments *arguments)
{
	struct fit_request request = arguments->fit;

	request.since = arguments->since;
	request.other = arguments->word;
	request.json = arguments->json;
	return ladder_fit(&request, arguments->ladder);
}

/* Prints the games of all bots, or of the bot that the word names. */
static int
run_games(const struct ladder_arguments *arguments)
{
	struct error why;
	struct ladder *ladder;
	int result = ladder_open(arguments->ladder, LADDER_READ, &ladder, &why);

	if (result == 0)
		owner_tell_behind(ladder, arguments->ladder);
	if (result == 0 && arguments->word != NULL)
		result = ladder_print_history(ladder, arguments->word,
					      arguments->json, &why);
	else if (result == 0)
		result = ladder_print_games(ladder, arguments->json, &why);
	return finish(ladder, result, &why);
}

static int
run_export(const struct ladder_arguments *arguments)
{
	struct error why;
	struct roster_marks *marks;
	struct ladder *ladder;
	int result =
		owner_open_ladder(arguments->ladder, &ladder, &marks, &why);

	if (result == 0)
		owner_tell_behind(ladder, arguments->ladder);
	if (result == 0 && arguments->backup != NULL)
		result = ladder_backup(ladder, arguments->backup, &why);
	else if (result == 0 && arguments->csv)
		result = ladder_export_csv(ladder, &why);
	else if (result == 0)
		result = ladder_export_json(ladder, &why);
	result = finish(ladder, result, &why);
	roster_marks_free(marks);
	return result;
}

/* ---- what writes ------------------------------------------------------ */

static int
run_rebuild(const struct ladder_arguments *arguments)
{
	struct rebuild rebuild = { .file = arguments->ladder,
				   .count = arguments->folders,
				   .accept = arguments->accept,
				   .gaps = arguments->gaps,
				   .json = arguments->json };

	memcpy(rebuild.folders, arguments->records, sizeof(rebuild.folders));
	return ladder_change(&rebuild);
}

/* Checks what this process and a daemon would both refuse.  Returns EXIT_DONE
 * or EXIT_USAGE. */
static int
check_void(const struct ladder_arguments *arguments)
{
	const char *name = arguments->bot ? arguments->bot : arguments->word;

	if (arguments->bot != NULL && arguments->word != NULL)
		return complain_usage("a game or --bot, not both");
	if ((arguments->bot != NULL) != (arguments->since != NULL))
		return complain_usage("--bot and --since go together");
	if (arguments->since != NULL && !ladder_date_ok(arguments->since))
		return complain_usage("--since must be a date as 2026-11-22 or "
				      "2026-11-22T10:00:00Z, not %s",
				      quoted(arguments->since).text);
	if (arguments->why == NULL || !ladder_void_why_ok(arguments->why))
		return complain_usage("with `void` goes --why TEXT, 1 to %d "
				      "printable characters",
				      LADDER_VOID_BYTES);
	if (!message_name_ok(name, strlen(name)))
		return complain_usage("%s is not %s", quoted(name).text,
				      arguments->bot ? "the name of a bot"
						     : "the ID of a game");
	return EXIT_DONE;
}

static int
run_void(const struct ladder_arguments *arguments)
{
	struct rebuild rebuild = { .file = arguments->ladder,
				   .json = arguments->json };
	int code = check_void(arguments);

	if (code != EXIT_DONE)
		return code;
	snprintf(rebuild.void_why, sizeof(rebuild.void_why), "%s",
		 arguments->why);
	if (arguments->bot == NULL) {
		snprintf(rebuild.game, sizeof(rebuild.game), "%s",
			 arguments->word);
	} else {
		snprintf(rebuild.bot, sizeof(rebuild.bot), "%s",
			 arguments->bot);
		snprintf(rebuild.since, sizeof(rebuild.since), "%s",
			 arguments->since);
	}
	return ladder_change(&rebuild);
}

/* Takes the data folder that the ladder is to be in, if it is in one.  There
 * this process may make a ladder only while no daemon has the folder. */
static int
take_folder(const struct ladder_arguments *arguments, struct error *why)
{
	char data[LADDER_PATH_BYTES], name[NAME_BYTES + 1];

	if (arguments->data != NULL) {
		snprintf(data, sizeof(data), "%s", arguments->ladder);
		*strrchr(data, '/') = '\0';
		if (data_folder_find(arguments->data, why) < 0 ||
		    folder_need(data, why) < 0)
			return -1;
	}
	if (!owner_of_ladder(arguments->ladder, data, name) ||
	    data_folder_take(data, why) >= 0)
		return 0;
	why->kind = ERROR_MACHINE;
	return -1;
}

/* Refuses a ladder that is behind its log, or may be. */
static int
check_end(struct ladder *ladder, const char *file, struct error *why)
{
	char dir[LADDER_PATH_BYTES];
	int64_t end;

	if (ladder_records_beside(file, dir) && access(dir, R_OK | X_OK) < 0)
		return error_set(why, path_kind(errno),
				 "cannot read %.300s, which must show that "
				 "ladder %.300s has all of its games: %m",
				 dir, file);
	if (ladder_log_end(ladder, &end, why) < 0)
		return -1;
	if (end == ladder_last(ladder))
		return 0;
	return error_set(why, ERROR_INPUT,
			 "ladder %.300s is behind: it ends with entry %" PRId64
			 " and its log with entry %" PRId64
			 "; let `referee ladder rebuild` take the rest first",
			 file, ladder_last(ladder), end);
}

static int
run_new(const struct ladder_arguments *arguments)
{
	struct ladder_founding founding = { .season = arguments->season,
					    .k_milli = arguments->k_milli,
					    .start_milli =
						    arguments->start_milli };
	struct ladder *ladder = NULL;
	struct error why;
	int result = 0;

	if ((arguments->from == NULL) != (arguments->season == NULL))
		return complain_usage("--from and --season go together");
	/* A file that a killed process has left is no ladder and cannot be
	 * opened. */
	if (ladder_open(arguments->ladder, LADDER_READ, &ladder, &why) == 0) {
		ladder_close(ladder);
		return complain_usage("%s is there already", arguments->ladder);
	}
	if (arguments->from != NULL)
		result = ladder_open(arguments->from, LADDER_READ,
				     &founding.after, &why);
	/* The founding fixes for good the ratings that bots enter with, so the
	 * old ladder must be complete. */
	if (result == 0 && founding.after != NULL)
		result = check_end(founding.after, arguments->from, &why);
	if (result == 0)
		result = take_folder(arguments, &why);
	if (result == 0)
		result = ladder_found(arguments->ladder, &founding, &ladder,
				      &why);
	ladder_close(founding.after);
	if (result == 0)
		printf("ladder %s\n", ladder_id(ladder));
	return finish(ladder, result, &why);
}

/* ---- the command ------------------------------------------------------ */

static const struct what whats[] = {
	{ "show",
	  "the standings of every pool",
	  NULL,
	  ladder_options_show,
	  { .doc = "Show a table for each pool (a game with its options and "
		   "number of seats): rank, bot, Elo from all games at once, "
		   "from where to where the true one is in 95 of 100 cases, "
		   "games, score (the share of rivals beaten, a tie is half), "
		   "and the live Elo, which moves from game to game and tells "
		   "less.  `referee ladder fit --help` says more.\v" EXIT_CODES
		   "Example: who leads\n"
		   "  referee ladder show --ladder cup.db" },
	  run_show },
	{ "fit",
	  "ratings from all games at once, and how sure they are",
	  "the other bot of --versus",
	  ladder_options_fit,
	  { .args_doc = "[BOT]",
	    .doc = "Rate all bots from all games of a pool at once.  A rank of "
		   "3-7 among 9 bots: 2 are surely better, 2 surely worse, and "
		   "the order of the others is too close to call; a rank is "
		   "right in 95 of 100 cases.  Elo: the rating; in 95 of 100 "
		   "cases the true one is between `from` and `to`.  `-`: no "
		   "end there, because the bot won all its games, or lost "
		   "them.  Score: the share of rivals beaten, a tie is "
		   "half.  LOS, in --cross and --versus: the likelihood that "
		   "one is better than the other, by all games.\v" EXIT_CODES
		   "Example: is mine better than house?\n"
		   "  referee ladder fit --versus mine house --ladder cup.db" },
	  run_fit,
	  true },
	{ "history",
	  "the games of one bot",
	  "the name of a bot",
	  ladder_options_common,
	  { .args_doc = "BOT",
	    .doc = "List the games of one bot with its rating before and "
		   "after each.\v" EXIT_CODES
		   "Example: how a bot got its rating\n"
		   "  referee ladder history knock --ladder cup.db" },
	  run_games },
	{ "games",
	  "the games that are rated",
	  NULL,
	  ladder_options_common,
	  { .doc = "List all rated games, the place of each seat, and who sat "
		   "there.\v" EXIT_CODES "Example: the last three games\n"
		   "  referee ladder games --ladder cup.db | tail -n 3" },
	  run_games },
	{ "rebuild",
	  "rate all games again from their records",
	  NULL,
	  ladder_options_rebuild,
	  { .doc = "Verify all records, rate all games again from them, and "
		   "report whether anything differs from before.  If a record "
		   "does not hold, differs from the one that was rated, or is "
		   "missing, nothing changes.  Serials count from 1 without a "
		   "gap; a gap means that a record was lost.  A ladder whose "
		   "file is missing is made again.  A running daemon rebuilds "
		   "its ladder itself, and games go on.\v" EXIT_CODES_REBUILD
		   "Example: check that the ratings follow from the records\n"
		   "  referee ladder rebuild --ladder cup.db" },
	  run_rebuild },
	{ "void",
	  "take games out of the ratings",
	  "the ID of a game, or --bot NAME --since DATE",
	  ladder_options_void,
	  { .args_doc = "[ID]",
	    .doc = "Take one game (its ID, or the first eight digits of it), "
		   "or all games of a bot since a date, out of the ratings.  "
		   "The ratings become what they would be if these games had "
		   "not been rated.  The games and their records stay, and are "
		   "shown as void with the reason.  A void is the next entry "
		   "of the ladder's log, beside the records, so `rebuild` "
		   "gives the same result.  If a daemon plays on the ladder, "
		   "that daemon changes it.\v" EXIT_CODES_REBUILD
		   "Example: a bot that knew the cards\n"
		   "  referee ladder void --bot knock --since 2026-11-20 --why "
		   "'its author saw the seed' --ladder cup.db" },
	  run_void },
	{ "export",
	  "write a whole ladder as JSON or CSV, or copy it",
	  NULL,
	  ladder_options_export,
	  { .doc = "Write a whole ladder to standard output, with ratings in "
		   "thousandths of a point.\v" EXIT_CODES
		   "Example: every rating step, for a spreadsheet\n"
		   "  referee ladder export --format csv > cup.csv" },
	  run_export },
	{ "new",
	  "make a ladder",
	  NULL,
	  ladder_options_new,
	  { .doc = "Make an empty ladder and print its ID.  A match makes its "
		   "ladder itself; use this for another K or start rating, or "
		   "for a season: a ladder that begins with half of what "
		   "another one has reached.\v" EXIT_CODES
		   "Example: a ladder that moves fast, and a season after it\n"
		   "  referee ladder new --ladder cup.db --k 32\n"
		   "  referee ladder new --ladder cup2.db --from cup.db "
		   "--season second" },
	  run_new },
};

static char *
help_filter(int key, const char *text, void *input UNUSED)
{
	char *list = NULL;
	size_t bytes;
	FILE *to;

	if (key != ARGP_KEY_HELP_PRE_DOC)
		return (char *)(uintptr_t)text;
	if ((to = open_memstream(&list, &bytes)) == NULL)
		bug("out of memory");
	fprintf(to, "%s\n\n", text);
	for (size_t i = 0; i < NELEM(whats); i++)
		fprintf(to, "  %-10s %s\n", whats[i].name, whats[i].brief);
	fclose(to);
	return list;
}

static const struct argp argp_top = {
	.args_doc = "WHAT [OPTION...]",
	.doc = "Look at a ladder, make one, or rebuild it from its records. "
	       "WHAT is one of:\v"
	       "The ladder is the file ladder.db unless --ladder names "
	       "another.  `referee ladder WHAT --help` says "
	       "more.\n\n" EXIT_CODES "Example: who leads\n"
	       "  referee ladder show --ladder cup.db",
	.help_filter = help_filter,
};

static int
run_what(const struct what *what, int argc, char **argv)
{
	struct ladder_arguments arguments = { .k_milli = -1,
					      .start_milli = -1,
					      .fit = LADDER_FIT_REQUEST };
	char name[64];
	struct words words;
	struct error folder;

	arguments.makes = what->run == run_new;
	snprintf(name, sizeof(name), "referee ladder %s", what->name);
	argv[0] = name;
	words = parse_arguments(&what->argp, what->options, argc, argv,
				&arguments);
	take_words(&arguments, what, &words);
	find_ladder(&arguments);
	if (owner_check_ladder(arguments.ladder, &folder) < 0)
		return complain_machine("%s", folder.text);
	return what->run(&arguments);
}

static int
run(int argc, char **argv)
{
	struct suggestion meant;
	struct words words;

	for (size_t i = 0; argc > 1 && i < NELEM(whats); i++) {
		if (completing && argc == 2)
			complete_offer(argv[1], whats[i].name, whats[i].brief);
		else if (strcmp(argv[1], whats[i].name) == 0)
			return run_what(&whats[i], argc - 1, argv + 1);
	}
	/* --help calls exit(); anything else is wrong. */
	words = parse_arguments(&argp_top, NULL, argc > 2 ? 2 : argc, argv,
				NULL);
	if (words.count == 0)
		refuse_argument("expected show, fit, history, games, rebuild, "
				"void, export or new");
	meant = suggest(words.word[0]);
	for (size_t i = 0; i < NELEM(whats); i++)
		suggest_offer(&meant, whats[i].name);
	refuse_argument("there is no `referee ladder` %s; `referee ladder "
			"--help` lists what there is%s",
			quoted(words.word[0]).text, meant.text);
}

const struct command command_ladder = {
	.name = "ladder",
	.brief = "look at a ladder, make one, rebuild it",
	.run = run,
};
