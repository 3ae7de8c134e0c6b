/* referee/command-ladder.c - `referee ladder`: look at a ladder, make one, fold
 * it anew. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/store.h"
#include "referee/command.h"
#include "referee/ladder-print.h"

struct arguments {
	const char *ladder; /* the file */
	const char *bot;    /* of `history` */
	const char *backup;
	bool takes_bot;
	bool json, csv;
	int64_t k_milli, start_milli;
};

/* One thing that can be done with a ladder. */
struct verb {
	const char *name, *brief;
	struct argp argp;
	int (*run)(const struct arguments *arguments);
};

/* ---- arguments -------------------------------------------------------- */

#define KEY_CSV 1
#define EXIT_CODES                                                             \
	"Exit codes: 0 done, 2 wrong usage or no such ladder, 3 the machine "  \
	"fails (disk full, no permission, the ladder is in use).\n\n"

#define OPTION_LADDER                                                          \
	{                                                                      \
		"ladder", 'l', "FILE", 0, "The ladder (default: ladder.db)", 0 \
	}
#define OPTION_JSON                                                            \
	{                                                                      \
		"json", 'j', NULL, 0, "Print JSON, one object a line", 0       \
	}

static const struct argp_option options_common[] = { OPTION_LADDER,
						     OPTION_JSON,
						     { 0 } };
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
	{ "k", 'k', "K", 0,
	  "How many points a game of two can move (default: 16)", 0 },
	{ "start", 's', "RATING", 0,
	  "The rating that a bot begins with (default: 1500)", 0 },
	{ 0 }
};

/* A number from 0 to `max` thousandths, with up to three decimals. */
static int64_t
read_milli(struct argp_state *state, const char *what, const char *text,
	   int64_t max)
{
	int64_t milli = 0;
	int decimals = -1;
	const char *at;

	for (at = text; *at && milli <= max && decimals < 3; at++) {
		if (*at == '.' && decimals < 0 && at > text) {
			decimals = 0;
			continue;
		}
		if (*at < '0' || *at > '9')
			break;
		milli = 10 * milli + (*at - '0');
		decimals += decimals >= 0;
	}
	if (*text == '\0' || *at != '\0' || decimals == 0)
		milli = max + 1;
	for (decimals = decimals < 0 ? 0 : decimals; decimals < 3; decimals++)
		milli = milli > max ? milli : 10 * milli;
	if (milli > max)
		argp_error(state,
			   "%s must be a number from 0 to %lld with at most "
			   "three decimals, not \"%s\"",
			   what, (long long)(max / 1000), text);
	return milli;
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *arguments = state->input;

	switch (key) {
	case 'l':
		arguments->ladder = arg;
		return 0;
	case 'j':
		arguments->json = true;
		return 0;
	case 'f':
		arguments->csv = strcmp(arg, "csv") == 0;
		if (!arguments->csv && strcmp(arg, "json") != 0)
			argp_error(state,
				   "--format must be json or csv, not \"%s\"",
				   arg);
		return 0;
	case 'b':
		arguments->backup = arg;
		return 0;
	case 'k':
		arguments->k_milli =
			read_milli(state, "--k", arg, LADDER_K_MILLI_MAX);
		return 0;
	case 's':
		arguments->start_milli = read_milli(state, "--start", arg,
						    LADDER_START_MILLI_MAX);
		return 0;
	case ARGP_KEY_ARG:
		if (!arguments->takes_bot || arguments->bot != NULL)
			argp_error(state, "nothing is expected at \"%s\"", arg);
		arguments->bot = arg;
		return 0;
	case ARGP_KEY_END:
		if (arguments->takes_bot && arguments->bot == NULL)
			argp_error(state, "expected the name of a bot");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- what they do ----------------------------------------------------- */

static int
complain(int result, const char *why)
{
	return result == LADDER_BAD ? complain_usage("%s", why)
				    : complain_machine("%s", why);
}

/* Closes the ladder; the exit code for what reading or writing it said. */
static int
finish(struct ladder *ladder, int result, const char *why)
{
	ladder_close(ladder);
	return result < 0 ? complain(result, why) : finish_output();
}

static int
run_show(const struct arguments *arguments)
{
	char why[LADDER_WHY_BYTES];
	struct ladder *ladder;
	int result = ladder_open(arguments->ladder, LADDER_READ, &ladder, why);

	if (result == LADDER_OK)
		result = ladder_print_standings(ladder, arguments->json, why);
	return finish(ladder, result, why);
}

static int
run_history(const struct arguments *arguments)
{
	char why[LADDER_WHY_BYTES];
	struct ladder *ladder;
	int result = ladder_open(arguments->ladder, LADDER_READ, &ladder, why);

	if (result == LADDER_OK)
		result = ladder_print_history(ladder, arguments->bot,
					      arguments->json, why);
	return finish(ladder, result, why);
}

static int
run_games(const struct arguments *arguments)
{
	char why[LADDER_WHY_BYTES];
	struct ladder *ladder;
	int result = ladder_open(arguments->ladder, LADDER_READ, &ladder, why);

	if (result == LADDER_OK)
		result = ladder_print_games(ladder, arguments->json, why);
	return finish(ladder, result, why);
}

static int
run_export(const struct arguments *arguments)
{
	char why[LADDER_WHY_BYTES];
	struct ladder *ladder;
	int result = ladder_open(arguments->ladder, LADDER_READ, &ladder, why);

	if (result < 0)
		return complain(result, why);
	if (arguments->backup != NULL)
		result = ladder_backup(ladder, arguments->backup, why);
	else if (arguments->csv)
		result = ladder_export_csv(ladder, why);
	else
		result = ladder_export_json(ladder, why);
	return finish(ladder, result, why);
}

static void
print_rebuilt(const struct ladder_rebuilt *report, bool json)
{
	if (json)
		printf("{\"games\":%u,\"added\":%u,\"altered\":%u,"
		       "\"changed\":%u}\n",
		       report->games, report->added, report->altered,
		       report->changed);
	else if (report->added || report->altered || report->changed)
		printf("%u games rated anew; %u were not rated before, %u "
		       "records are not as they were, %u numbers came out "
		       "other\n",
		       report->games, report->added, report->altered,
		       report->changed);
	else
		printf("%u games rated anew; all is as it was\n",
		       report->games);
}

static int
run_rebuild(const struct arguments *arguments)
{
	struct ladder_rebuilt report;
	char why[LADDER_WHY_BYTES];
	struct ladder *ladder;
	int result;

	/* Opened for writing it would be made. */
	if (access(arguments->ladder, F_OK) != 0)
		return complain_usage("cannot open ladder %s: %s",
				      arguments->ladder, strerror(errno));
	result = ladder_open(arguments->ladder, LADDER_WRITE, &ladder, why);
	if (result == LADDER_OK)
		result = ladder_rebuild(ladder, &report, why);
	if (result == LADDER_OK)
		print_rebuilt(&report, arguments->json);
	return finish(ladder, result, why);
}

static int
run_new(const struct arguments *arguments)
{
	char why[LADDER_WHY_BYTES];
	struct ladder *ladder;
	int result;

	if (access(arguments->ladder, F_OK) == 0)
		return complain_usage("%s is there already", arguments->ladder);
	result = ladder_open(arguments->ladder, LADDER_WRITE, &ladder, why);
	if (result == LADDER_OK)
		result = ladder_set(ladder, arguments->k_milli,
				    arguments->start_milli, why);
	if (result == LADDER_OK)
		printf("ladder %s\n", ladder_id(ladder));
	return finish(ladder, result, why);
}

/* ---- the command ------------------------------------------------------ */

static const struct verb verbs[] = {
	{ "show",
	  "the standings of every pool",
	  { .options = options_common,
	    .parser = parse,
	    .doc = "Show a table for each pool (a game with its options and "
		   "number of seats): rank, bot, rating, games, wins, mean "
		   "place, and score, which is the share of rivals "
		   "beaten.\v" EXIT_CODES "Example: who leads\n"
		   "  referee ladder show --ladder cup.db" },
	  run_show },
	{ "history",
	  "the games of one bot",
	  { .options = options_common,
	    .parser = parse,
	    .args_doc = "BOT",
	    .doc = "List the games of one bot with its rating before and "
		   "after each.\v" EXIT_CODES
		   "Example: how a bot came to its rating\n"
		   "  referee ladder history knock --ladder cup.db" },
	  run_history },
	{ "games",
	  "the games that are rated",
	  { .options = options_common,
	    .parser = parse,
	    .doc = "List all rated games, the place of each seat, and who sat "
		   "there.\v" EXIT_CODES "Example: the last three games\n"
		   "  referee ladder games --ladder cup.db | tail -n 3" },
	  run_games },
	{ "rebuild",
	  "the ladder anew from its records",
	  { .options = options_common,
	    .parser = parse,
	    .doc = "Rate all games anew from their records and tell whether "
		   "anything came out other than it was.  If the record of a "
		   "rated game is missing, nothing changes.\v" EXIT_CODES
		   "Example: check that the records bear out the ratings\n"
		   "  referee ladder rebuild --ladder cup.db" },
	  run_rebuild },
	{ "export",
	  "all of a ladder as JSON or CSV, or a copy of it",
	  { .options = options_export,
	    .parser = parse,
	    .doc = "Write all of a ladder to standard output, ratings in "
		   "thousandths of a point.\v" EXIT_CODES
		   "Example: every rating step, for a spreadsheet\n"
		   "  referee ladder export --format csv > cup.csv" },
	  run_export },
	{ "new",
	  "make a ladder",
	  { .options = options_new,
	    .parser = parse,
	    .doc = "Make an empty ladder and print its ID.  A match makes its "
		   "ladder by itself; this is for another K or start "
		   "rating.\v" EXIT_CODES "Example: a ladder that moves fast\n"
		   "  referee ladder new --ladder cup.db --k 32" },
	  run_new },
};

static char *
help_filter(int key, const char *text, void *input)
{
	char *list = NULL;
	size_t bytes, i;
	FILE *to;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)(uintptr_t)text;
	if ((to = open_memstream(&list, &bytes)) == NULL)
		bug("out of memory");
	for (i = 0; i < NELEM(verbs); i++)
		fprintf(to, "  %-10s %s\n", verbs[i].name, verbs[i].brief);
	fprintf(to,
		"\nThe ladder is the file ladder.db unless --ladder names "
		"another.  `referee ladder WHAT --help` tells more.\n\n"
		"%s",
		text);
	fclose(to);
	return list;
}

static error_t
parse_top(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_END && key != ARGP_KEY_NO_ARGS)
		return ARGP_ERR_UNKNOWN;
	argp_error(state, "expected show, history, games, rebuild, export or "
			  "new");
	return 0;
}

static const struct argp argp_top = {
	.parser = parse_top,
	.args_doc = "WHAT [OPTION...]",
	.doc = "Look at a ladder, make one, or fold it anew from its records. "
	       "WHAT is one of:\v" EXIT_CODES "Example: who leads\n"
	       "  referee ladder show --ladder cup.db",
	.help_filter = help_filter,
};

static int
run_verb(const struct verb *verb, int argc, char **argv)
{
	struct arguments arguments = { .ladder = "ladder.db",
				       .k_milli = LADDER_K_MILLI,
				       .start_milli = LADDER_START_MILLI };
	char name[64];

	arguments.takes_bot = verb->run == run_history;
	snprintf(name, sizeof(name), "referee ladder %s", verb->name);
	argv[0] = name;
	argp_parse(&verb->argp, argc, argv, 0, NULL, &arguments);
	return verb->run(&arguments);
}

static int
run(int argc, char **argv)
{
	size_t i;

	argp_err_exit_status = EXIT_USAGE;
	for (i = 0; argc > 1 && i < NELEM(verbs); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return run_verb(&verbs[i], argc - 1, argv + 1);
	if (argc > 1 && argv[1][0] != '-')
		return complain_usage("`referee ladder` knows no \"%s\"; "
				      "`referee ladder --help` lists what it "
				      "knows",
				      argv[1]);
	argp_parse(&argp_top, argc, argv, ARGP_IN_ORDER, NULL, NULL);
	return EXIT_USAGE; /* argp_parse() has left with a sentence */
}

const struct command command_ladder = {
	.name = "ladder",
	.brief = "look at a ladder, make one, fold it anew",
	.run = run,
};
