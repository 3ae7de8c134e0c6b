/* referee/cli/command-report.c - `referee report`: writes a ladder, a match or
 * a tournament as one HTML file. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/clock.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/config/serve-config.h"
#include "referee/data/owner.h"
#include "referee/records/opinion-run.h"
#include "referee/web/report-file.h"
#include "referee/web/report-records.h"
#include "referee/web/report.h"

struct arguments {
	const char *output, *ladder, *data, *config, *title;
	struct words records;
	struct ladder_founding founding;
	unsigned games;
	bool all, opinions;
};

#define NUMBER_TEXT_(number) #number
#define NUMBER_TEXT(number) NUMBER_TEXT_(number)

static const struct argument options[] = {
	{ "output", 'o', "FILE",
	  "Write the report to FILE, which must not exist yet, or to standard "
	  "output: - (required)",
	  STORE_TEXT(struct arguments, output) },
	{ "ladder", 'l', "FILE", "Of this ladder",
	  STORE_TEXT(struct arguments, ladder) },
	{ "data", 'd', "DIR",
	  "A daemon's data folder: then --ladder is the name of a ladder there",
	  STORE_TEXT(struct arguments, data) },
	{ "config", 'c', "FILE",
	  "A daemon's configuration: of all its ladders, or of the one that "
	  "--ladder names, as its `readers` and `read-after-minutes` allow",
	  STORE_TEXT(struct arguments, config) },
	{ "games", 'g', "N",
	  "Show the latest N games of each ladder (default: " NUMBER_TEXT(
		  REPORT_GAMES) ", at most " NUMBER_TEXT(REPORT_GAMES_MAX) ")",
	  STORE_NUMBER(struct arguments, games, 0, REPORT_GAMES_MAX) },
	{ "all", 0, NULL,
	  "Show all cards of all these games to all who read the report",
	  STORE_FLAG(struct arguments, all) },
	{ "opinions", 0, NULL,
	  "Of games with all cards, tell what the strong bot would have played "
	  "at each decision, and the worst one of each seat (with --all, or "
	  "with a --config where everybody may read them); this takes some "
	  "seconds for each seat",
	  STORE_FLAG(struct arguments, opinions) },
	{ "k", 'k', "K",
	  "For RECORDs without the founding of their ladder: the points that a "
	  "game of two seats can move (default: 16)",
	  TAKE_INTO(struct arguments, founding.k_milli, argument_take_milli),
	  .max = LADDER_K_MILLI_MAX },
	{ "start", 's', "RATING",
	  "For such RECORDs: the rating of a bot before its first game "
	  "(default: 1500)",
	  TAKE_INTO(struct arguments, founding.start_milli,
		    argument_take_milli),
	  .max = LADDER_START_MILLI_MAX },
	{ "title", 0, "TEXT",
	  "The title (default: Report of a ladder, of a match or of a "
	  "tournament)",
	  STORE_TEXT(struct arguments, title) },
	{ 0 },
};

static bool
has_settings(const struct arguments *arguments)
{
	return arguments->founding.k_milli >= 0 ||
	       arguments->founding.start_milli >= 0;
}

static void
check_arguments(const struct arguments *arguments)
{
	const bool ladder = arguments->ladder != NULL ||
			    arguments->data != NULL ||
			    arguments->config != NULL;

	if (arguments->output == NULL || *arguments->output == '\0')
		refuse_argument("name the file of the report: --output FILE");
	if (ladder && arguments->records.count > 0)
		refuse_argument("give either a ladder or RECORDs");
	if (!ladder && arguments->records.count == 0)
		refuse_argument("give --ladder, --data, --config or RECORDs");
	if (ladder && has_settings(arguments))
		refuse_argument("--k and --start are for RECORDs: a ladder has "
				"its own");
	if (arguments->data != NULL && arguments->config != NULL)
		refuse_argument("give only one of --data and --config");
	if (arguments->opinions && !arguments->all && arguments->config == NULL)
		refuse_argument("an opinion tells of all cards: give --all, "
				"too, or --config");
}

static const struct argp argp = {
	.args_doc = "[RECORD...]",
	.doc = "Write a ladder, a match or a tournament as one HTML file that "
	       "a browser shows without a network: standings, cross tables, "
	       "bots, and games to step through.\v"
	       "A RECORD may be a folder of *.rec files and packs, a pack, or "
	       "PACK/MEMBER.  For a tournament give its folder: then the "
	       "report "
	       "begins with format, rounds or bracket, byes and who has "
	       "won.\n\n"
	       "The report shows what everyone may see now: of each game all "
	       "cards if --config says so, else what spectators saw. Games of "
	       "duplicate blocks that are not over are left out. With --all "
	       "nothing is hidden or left out.\n\n"
	       "Exit codes: 0 done, 2 wrong usage, no such ladder, not a "
	       "record, a report that would be too large, or FILE exists, 3 "
	       "the machine's fault.\n\n"
	       "Example: a match, and its report with all cards\n"
	       "  $ referee match toepen --bot random --bot house --records m\n"
	       "  $ referee report --all -o report.html m\n",
};

/* ---- which ladders ---------------------------------------------------- */

/* Sets who may read the games of the ladders from number `from` on. */
static void
set_readers(struct report_wish *wish, unsigned from, unsigned readers,
	    uint64_t minutes)
{
	for (; from < wish->ladders; from++) {
		wish->ladder[from].shelf.readers = readers;
		wish->ladder[from].shelf.read_after_minutes = minutes;
		wish->ladder[from].head.records = readers != CONFIG_NOBODY;
	}
}

static int
add_configured(const struct arguments *arguments, struct report_wish *wish,
	       const struct config *config, struct error *why)
{
	const struct config_ladder *ladder;
	char file[LADDER_PATH_BYTES];
	bool found = false;
	unsigned before;

	for (unsigned i = 0; i < config->ladders; i++) {
		ladder = &config->ladder[i];
		if (arguments->ladder != NULL &&
		    strcmp(arguments->ladder, ladder->name) != 0)
			continue;
		found = true;
		before = wish->ladders;
		if (!owner_ladder_file(config->data, ladder->name, file) ||
		    access(file, F_OK) < 0)
			continue; /* nothing has been played there */
		if (report_add(wish, file, ladder->name, why) < 0)
			return -1;
		set_readers(wish, before, ladder->readers,
			    ladder->read_after_minutes);
	}
	if (found)
		return 0;
	return error_set(why, ERROR_INPUT, "%s has no ladder %s",
			 arguments->config, quoted(arguments->ladder).text);
}

static int
add_config(const struct arguments *arguments, struct report_wish *wish,
	   struct error *why)
{
	struct config *config;
	int result;

	if (config_read(arguments->config, &config, why) < 0) {
		why->kind = ERROR_INPUT; /* a missing file, too */
		return -1;
	}
	result = add_configured(arguments, wish, config, why);
	config_free(config);
	return result;
}

static int
add_ladders(const struct arguments *arguments, struct report_wish *wish,
	    struct error *why)
{
	char file[LADDER_PATH_BYTES];
	int result;

	if (arguments->config != NULL) {
		result = add_config(arguments, wish, why);
	} else if (arguments->data != NULL) {
		result = owner_find_ladder(arguments->data, arguments->ladder,
					   file, why);
		if (result == 0)
			result = report_add(wish, file, arguments->ladder, why);
		set_readers(wish, 0, CONFIG_PLAYERS, 0);
	} else {
		result = report_add(wish, arguments->ladder, NULL, why);
		set_readers(wish, 0, CONFIG_PLAYERS, 0);
	}
	if (result == 0 && wish->ladders == 0)
		return error_set(why, ERROR_INPUT,
				 "no game has been rated yet");
	return result;
}

/* ---- all of it -------------------------------------------------------- */

/* Writes the report to `text`.  Initialises `text`, which the caller releases. */
static int
make(struct report_wish *wish, struct report_told *told, struct text *text,
     struct error *why)
{
	text_init(text, REPORT_BYTES);
	if (report_write(wish, text, told, why) < 0)
		return -1;
	if (!text->full)
		return 0;
	return error_set(why, ERROR_INPUT,
			 "the report would be larger than %d MiB; ask for "
			 "fewer games: --games",
			 REPORT_BYTES / 1048576);
}

static void
tell_left(const struct arguments *arguments, const struct report_told *told)
{
	if (told->passed > 0)
		note("%s left out: %s", counted(told->passed, "game").text,
		     told->why[0] != '\0'
			     ? told->why
			     : "it was aborted, or is of a block that is "
			       "not over");
	if (arguments->opinions && told->judged == 0)
		note("there are no opinions: no game shows all cards to "
		     "everyone");
}

static void
tell_settings(void)
{
	note("the records are not of one ladder whose founding lies beside "
	     "them: they are rated with K %d and the start rating %d, unless "
	     "--k and --start say otherwise",
	     LADDER_K_MILLI / 1000, LADDER_START_MILLI / 1000);
}

static int
tell(const struct arguments *arguments, const struct report_wish *wish,
     const struct report_told *told, size_t bytes)
{
	if (strcmp(arguments->output, REPORT_STDOUT) != 0) {
		printf("wrote ");
		print_escaped(stdout, arguments->output);
		printf(": %s, ", counted(wish->ladders, "ladder").text);
		printf("%s, ", counted(told->bots, "bot").text);
		printf("%s, %.1f MB\n", counted(told->games, "game").text,
		       (double)bytes / 1e6);
	}
	tell_left(arguments, told);
	return finish_output();
}

static int
add_records(const struct arguments *arguments, struct report_wish *wish,
	    struct report_records **records, unsigned *passed,
	    struct error *why)
{
	*records = report_records_new(
		arguments->records.word, arguments->records.count,
		&arguments->founding, arguments->all, passed, wish->stop, why);
	if (*records == NULL ||
	    report_add(wish, report_records_ladder(*records), NULL, why) < 0)
		return -1;
	set_readers(wish, 0, CONFIG_PLAYERS, 0);
	for (unsigned i = 0; i < arguments->records.count; i++)
		if (report_add_tournaments(wish, arguments->records.word[i],
					   why) < 0)
			return -1;
	return 0;
}

static int
run(int argc, char **argv)
{
	struct arguments arguments = { .games = REPORT_GAMES,
				       .founding = { .k_milli = -1,
						     .start_milli = -1 } };
	struct report_wish *wish = zeroed(1, sizeof(*wish));
	struct report_records *records = NULL;
	struct report_told told;
	struct error why;
	unsigned passed = 0;
	bool unfounded;
	struct text text = { 0 };
	int result, code;

	arguments.records =
		parse_arguments(&argp, options, argc, argv, &arguments);
	check_arguments(&arguments);
	wish->title = arguments.title != NULL	    ? arguments.title
		      : arguments.records.count > 0 ? "Report of a match"
						    : "Report of a ladder";
	wish->games = arguments.games;
	wish->unfinished = arguments.all;
	wish->now = clock_seconds();
	wish->stop = report_hold_signals();
	result = report_file_check(arguments.output, &why);
	if (result == 0 && arguments.opinions) {
		wish->opinions = opinion_program(&why);
		result = wish->opinions == NULL ? -1 : 0;
	}
	if (result == 0)
		result = arguments.records.count > 0
				 ? add_records(&arguments, wish, &records,
					       &passed, &why)
				 : add_ladders(&arguments, wish, &why);
	if (arguments.title == NULL && wish->tournaments > 0)
		wish->title = "Report of a tournament";
	if (result == 0 && arguments.all)
		set_readers(wish, 0, CONFIG_EVERYBODY, 0);
	if (result == 0)
		result = make(wish, &told, &text, &why);
	unfounded = records != NULL && !report_records_founded(records);
	report_records_free(records);
	/* No file needs to be removed any more, and a reader that does not read
	 * may block us, so signals may end us again. */
	if (strcmp(arguments.output, REPORT_STDOUT) == 0)
		report_let_signals();
	if (result == 0)
		result = report_file_write(arguments.output, &text, wish->stop,
					   &why);
	close(wish->stop);
	if (result < 0) {
		code = complain_error(&why);
	} else {
		told.passed += passed;
		if (unfounded && !has_settings(&arguments))
			tell_settings();
		code = tell(&arguments, wish, &told, text.used);
	}
	text_release(&text);
	report_wish_release(wish);
	free(wish);
	return code;
}

const struct command command_report = {
	.name = "report",
	.brief = "write a ladder or a match as one HTML file",
	.run = run,
};
