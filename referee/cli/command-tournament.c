/* referee/cli/command-tournament.c - `referee tournament FORMAT`: plays a match
 * whose games are chosen by the results so far. */
#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/base/suggest.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/complete.h"
#include "referee/cli/final-bots.h"
#include "referee/cli/fit-print.h"
#include "referee/cli/match-run.h"
#include "referee/data/data-folder.h"
#include "referee/match/match-report.h"
#include "referee/match/tournament-keep.h"
#include "referee/match/tournament.h"
#include "referee/records/bracket.h"

#define OPTIONS_ALL 64

struct run {
	struct match_arguments match;
	struct tournament_setup setup;
	const char *hero;
	const char *final; /* ladder, or NULL */
	unsigned top;
	bool frozen, cross, csv;
	char words[NAME_BYTES + 80]; /* for the plan */
	struct tournament *tournament;
	struct tournament_keep keep;
};

_Static_assert(offsetof(struct run, match) == 0,
	       "the options of `match` are stored there");

/* ---- options ---------------------------------------------------------- */

#define ALL_FORMATS 15
#define ONLY(format) (1 << TOURNAMENT_##format)

static argument_taker refuse_hidden, take_final;

/* The options that `match` does not have. */
static const struct {
	struct argument option;
	unsigned formats; /* a bit for each format that has it */
} own[] = {
	{ { "rounds", 0, "R",
	    "How many rounds. In a round robin each pair of bots meets at R "
	    "tables, in a gauntlet the hero and each other bot (default 1). A "
	    "swiss has R rounds (default: the binary logarithm of the number "
	    "of bots, rounded up)",
	    STORE_NUMBER(struct run, setup.rounds, 1, ROUNDS_MAX), .group = 3 },
	  ALL_FORMATS & ~ONLY(KNOCKOUT) },
	{ { "hero", 0, "NAME", "The bot that meets all others",
	    STORE_TEXT(struct run, hero), .group = 3 },
	  ONLY(GAUNTLET) },
	{ { "best", 0, "K",
	    "How many bots of each table go on (default: half of its seats)",
	    STORE_NUMBER(struct run, setup.best, 1, SEATS_MAX - 1),
	    .group = 3 },
	  ONLY(KNOCKOUT) },
	{ { "final", 0, "LADDER",
	    "The final of a ladder in the folder of --data: its best bots that "
	    "still play and live on this machine meet in a bracket by their "
	    "ranks. Game, options and seats are the ladder's; give no GAME",
	    TAKE(take_final), .group = 3 },
	  ONLY(KNOCKOUT) },
	{ { "top", 0, "N",
	    "How many bots of the ladder play its final (default 8)",
	    STORE_NUMBER(struct run, top, 2, BRACKET_BOTS), .group = 3 },
	  ONLY(KNOCKOUT) },
	{ { "frozen", 0, NULL,
	    "Play the final although the standings of its ladder are frozen: "
	    "its seeds tell how the bots stand now, so the daemon's pages show "
	    "it when they show the standings",
	    STORE_FLAG(struct run, frozen), .group = 3 },
	  ONLY(KNOCKOUT) },
	{ { "cross", 0, NULL,
	    "Also print how surely and by how many points each bot is better "
	    "than each other one, computed as `referee ladder fit` does",
	    STORE_FLAG(struct run, cross), .group = 5 },
	  ALL_FORMATS },
	{ { "csv", 0, NULL, "Print the table as CSV",
	    STORE_FLAG(struct run, csv), .group = 5 },
	  ALL_FORMATS },
};

/* The options of `match` that differ here: `doc` is their text for tournaments;
 * NULL: tournaments refuse them. */
static const struct {
	const char *name, *doc;
} other[] = {
	{ "exact", NULL },
	{ "sprt", NULL },
	{ "until-sure", NULL },
	{ "games",
	  "How many games a table plays. The number is rounded up to a "
	  "multiple of the seats, so that each bot sits in every seat "
	  "equally often (default: as many as there are seats)" },
	{ "seats", "Seats at a table (default: as few as the game allows)" },
};

static struct argument options[OPTIONS_ALL];

static void
hide(struct argument *option)
{
	option->hidden = true;
	option->kind = ARGUMENT_OWN;
	option->take = refuse_hidden;
}

static void
add_match_option(struct argument *to, const struct argument *from)
{
	*to = *from;
	for (size_t i = 0; from->name != NULL && i < NELEM(other); i++) {
		if (strcmp(from->name, other[i].name) != 0)
			continue;
		if (other[i].doc != NULL)
			to->doc = other[i].doc;
		else
			hide(to);
	}
}

static void
fill_options(enum tournament_format format)
{
	const struct argument *from = match_options;
	size_t n = 0;

	for (; from->name != NULL || from->letter != 0; from++) {
		if (n + NELEM(own) + 1 >= OPTIONS_ALL)
			bug("too many options");
		add_match_option(&options[n++], from);
	}
	for (size_t i = 0; i < NELEM(own); i++, n++) {
		options[n] = own[i].option;
		if (!(own[i].formats & 1U << format))
			hide(&options[n]);
	}
}

/* Refuses an option that only another format or only `match` has. */
static void
refuse_hidden(void *to, const struct argument *option, char *arg UNUSED)
{
	const char *format =
		tournament_formats[((const struct run *)to)->setup.format];

	for (size_t i = 0; i < NELEM(own); i++)
		if (strcmp(own[i].option.name, option->name) == 0)
			refuse_argument("a %s has no --%s; `referee tournament "
					"%s --help` lists what it has",
					format, option->name, format);
	refuse_argument("--%s is for `referee match`, not for a tournament",
			option->name);
}

static void
take_final(void *to, const struct argument *option UNUSED, char *arg)
{
	struct run *run = to;

	if (*arg == '\0')
		refuse_argument("--final takes the name of a ladder, not ''");
	run->final = arg;
	run->match.of_ladder = true;
}

static void
check_arguments(const struct run *run)
{
	if (run->final != NULL && run->match.data == NULL)
		refuse_argument("--final needs --data DIR, which has the "
				"ladder");
	if (run->final == NULL && (run->top > 0 || run->frozen))
		refuse_argument("--%s goes with --final LADDER",
				run->top > 0 ? "top" : "frozen");
	if (run->csv && (run->cross || run->match.play.json))
		refuse_argument("--csv goes with neither --json nor --cross");
	if (run->setup.format == TOURNAMENT_GAUNTLET && run->hero == NULL)
		refuse_argument("a gauntlet needs --hero NAME");
}

/* ---- the games -------------------------------------------------------- */

static int
find_hero(struct run *run, const struct match_setup *setup)
{
	struct suggestion meant = suggest(run->hero);

	for (unsigned b = 0; b < setup->bots; b++) {
		suggest_offer(&meant, setup->bot[b].name);
		if (strcmp(setup->bot[b].name, run->hero) != 0)
			continue;
		run->setup.hero = b;
		return EXIT_DONE;
	}
	return complain_usage("--hero: none of the bots is called %s%s",
			      quoted(run->hero).text, meant.text);
}

/* Fills in defaults, and checks --best and --hero.  Returns EXIT_DONE, or
 * prints a sentence and returns EXIT_USAGE. */
static int
set_up(struct run *run, const struct match_setup *setup)
{
	struct tournament_setup *to = &run->setup;
	const uint64_t wanted = run->match.games;

	to->bots = setup->bots;
	to->seats = setup->game.seats;
	to->sets = 1;
	if (wanted > 0)
		to->sets = (unsigned)((wanted + to->seats - 1) / to->seats);
	if (wanted > 0 && wanted % to->seats != 0)
		note("%" PRIu64 " games a table instead of %" PRIu64
		     ", so that each bot sits in every seat equally often",
		     (uint64_t)to->sets * to->seats, wanted);
	if (to->rounds == 0)
		to->rounds = to->format == TOURNAMENT_SWISS
				     ? (unsigned)ceil(log2(to->bots))
				     : 1;
	if (to->best == 0)
		to->best = to->seats / 2;
	if (to->best >= to->seats)
		return complain_usage("--best takes an integer from 1 to %u at "
				      "a table of %u, not %u",
				      to->seats - 1, to->seats, to->best);
	return run->hero == NULL ? EXIT_DONE : find_hero(run, setup);
}

static void
fill_words(struct run *run)
{
	const struct tournament_setup *setup = &run->setup;
	char what[NAME_BYTES + 40];

	switch (setup->format) {
	case TOURNAMENT_KNOCKOUT:
		snprintf(what, sizeof(what), "best=%u", setup->best);
		if (run->final != NULL)
			snprintf(what, sizeof(what), "best=%u final=%s top=%u",
				 setup->best, run->final, run->top);
		break;
	case TOURNAMENT_GAUNTLET:
		snprintf(what, sizeof(what), "rounds=%u hero=%s", setup->rounds,
			 run->hero);
		break;
	default:
		snprintf(what, sizeof(what), "rounds=%u", setup->rounds);
	}
	snprintf(run->words, sizeof(run->words), "%s games=%u %s",
		 tournament_formats[setup->format], setup->sets * setup->seats,
		 what);
}

static int
begin(void *arg, struct match_setup *setup)
{
	struct run *run = arg;
	struct error why;
	int code = EXIT_DONE;

	if (run->tournament == NULL)
		code = set_up(run, setup);
	if (code != EXIT_DONE)
		return code;
	tournament_free(run->tournament);
	run->setup.seed = setup->seed;
	run->tournament = tournament_new(&run->setup, &why);
	if (run->tournament == NULL)
		return complain_error(&why);
	fill_words(run);
	setup->tournament = run->words;
	setup->contest = NULL;
	setup->rule = (struct match_rule){ 0 };
	setup->games = tournament_most(run->tournament);
	setup->may_be_fewer = run->setup.format == TOURNAMENT_KNOCKOUT;
	/* No finalist ends the final of all others. */
	if (run->final != NULL)
		setup->goes_on = true;
	run->keep = (struct tournament_keep){
		.tournament = run->tournament,
		.setup = setup,
		.final = run->final,
		.frozen = run->frozen,
		.source = tournament_source(run->tournament),
	};
	setup->source = tournament_keep_source(&run->keep);
	if (run->match.data != NULL &&
	    (data_folder_find(run->match.data, &why) < 0 ||
	     data_folder_check(run->match.data, NULL, &why) < 0 ||
	     tournament_keep_show(&run->keep, run->match.data, &why) < 0))
		return complain_error(&why);
	return EXIT_DONE;
}

static int
print(void *arg, const struct match_setup *setup,
      const struct match_report *report)
{
	struct run *run = arg;
	const bool json = run->match.play.json;
	struct error why;
	int code = match_report_print(setup, report, run->tournament,
				      run->csv ? MATCH_CSV
				      : json   ? MATCH_JSON
					       : MATCH_TEXT);

	if (code == EXIT_DONE && run->cross && report->games > 0) {
		fit_print_cross(report->fit, NULL, json ? FIT_JSON : FIT_TEXT);
		code = finish_output();
	}
	if (tournament_keep_end(&run->keep, &why) < 0)
		code = complain_error(&why);
	return code;
}

/* ---- the command ------------------------------------------------------ */

#define COMMON                                                                 \
	"\vAll other options are those of `referee match`.  Byes are shared "  \
	"out evenly.  Bots that are level are ordered by lot, which the seed " \
	"decides.\n\nExit codes: those of `referee match`.\n\n"

static const struct {
	const char *brief, *doc;
} formats[] = {
	[TOURNAMENT_ROUNDROBIN] = {
		"all meet all",
		"Play until each pair of bots has met at --rounds tables: "
		"exactly so often with two seats, at least so often with "
		"more." COMMON
		"Example: each pair plays 20 games\n"
		"  referee tournament roundrobin toepen --games 20 --cross \\\n"
		"    --bot random --bot house --bot ./mine",
	},
	[TOURNAMENT_GAUNTLET] = {
		"one meets all others",
		"Play until the hero has met each other bot at --rounds tables.  "
		"Some meet it once more if the bots do not fill the last "
		"table." COMMON
		"Example: is mine better than these?\n"
		"  referee tournament gauntlet toepen --hero mine --games 100 "
		"\\\n"
		"    --bot random --bot house --bot ./mine",
	},
	[TOURNAMENT_SWISS] = {
		"bots with similar scores meet",
		"Play --rounds rounds.  Bots are ordered by the sum of their "
		"shares of the seats beaten (a bye counts half), then by the "
		"mean share of the bots that they met (buchholz), then by lot.  "
		"Each round fills the tables in this order, with bots that have "
		"met least often." COMMON
		"Example: eight rounds of four games a table\n"
		"  referee tournament swiss durnius --rounds 8 --games 4 \\\n"
		"    --bot random --bot house --bot ./mine --bot ./other",
	},
	[TOURNAMENT_KNOCKOUT] = {
		"the best of each table go on",
		"The best --best bots of each table go on, until one table is "
		"left, the final.  Its first bot wins.  If the last one that "
		"would go on is level with the next, the table plays two more "
		"sets, then the lot decides.  If too few bots for a final go "
		"on, the best of the others join them." COMMON
		"Example: the best two of four go on\n"
		"  referee tournament knockout toepen --seats 4 --games 20 \\\n"
		"    --bot random --bot house --bot ./mine --bot ./other",
	},
};

static int
run_format(enum tournament_format format, int argc, char **argv)
{
	const struct match_kind kind = { begin, print,
					 zeroed(1, sizeof(struct run)) };
	struct run *run = kind.arg;
	char name[64];
	int code = EXIT_DONE;

	run->setup.format = format;
	run->match.tables = true;
	fill_options(format);
	snprintf(name, sizeof(name), "referee tournament %s",
		 tournament_formats[format]);
	argv[0] = name;
	match_arguments_parse(formats[format].doc, options, argc, argv,
			      &run->match);
	check_arguments(run);
	if (run->final != NULL) {
		run->setup.seeded = true;
		run->top = run->top == 0 ? FINAL_BOTS : run->top;
		code = final_bots_take(&run->match, run->final, run->top,
				       &run->frozen);
	}
	if (code == EXIT_DONE)
		code = match_run(&run->match, &kind);
	else
		match_bots_release(&run->match.bots);
	tournament_free(run->tournament);
	free(run);
	return code;
}

static const struct argp argp_top = {
	.args_doc = "FORMAT GAME [OPTION...]",
	.doc = "Play a tournament between bots on this machine, and print the "
	       "standings.  FORMAT is one of:\n\n"
	       "  roundrobin  all meet all\n"
	       "  gauntlet    one meets all others\n"
	       "  swiss       bots with similar scores meet\n"
	       "  knockout    the best of each table go on\n"
	       "\v`referee tournament FORMAT --help` tells more.\n\n"
	       "Exit codes: those of `referee match`.\n\n"
	       "Example: a bot in each folder of `team`, each pair plays 20 "
	       "games\n"
	       "  referee tournament roundrobin toepen --games 20 --bots team",
};

static int
run(int argc, char **argv)
{
	const char *const *names = tournament_formats;
	struct suggestion meant;
	struct words words;

	for (unsigned i = 0; argc > 1 && names[i] != NULL; i++) {
		if (completing && argc == 2)
			complete_offer(argv[1], names[i], formats[i].brief);
		else if (strcmp(argv[1], names[i]) == 0)
			return run_format(i, argc - 1, argv + 1);
	}
	/* --help calls exit(); anything else is wrong, and a wrong format is
	 * reported first. */
	words = parse_arguments(&argp_top, NULL, argc > 2 ? 2 : argc, argv,
				NULL);
	if (words.count == 0)
		refuse_argument(
			"expected roundrobin, gauntlet, swiss or knockout");
	meant = suggest(words.word[0]);
	for (unsigned i = 0; names[i] != NULL; i++)
		suggest_offer(&meant, names[i]);
	refuse_argument("there is no tournament %s; `referee tournament "
			"--help` lists the formats%s",
			quoted(words.word[0]).text, meant.text);
}

const struct command command_tournament = {
	.name = "tournament",
	.brief = "play a round robin, gauntlet, swiss or knockout",
	.run = run,
};
