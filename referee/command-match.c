/* referee/command-match.c - `referee match`: arguments in, standings out. */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "protocol/message.h"
#include "referee/command.h"
#include "referee/suggest.h"
#include "referee/match/match-bots.h"
#include "referee/match/match-faults.h"
#include "referee/match/match-keeping.h"
#include "referee/match/match-plan.h"
#include "referee/match/match-report.h"
#include "referee/match/match-resume.h"
#include "referee/match/match-trouble.h"
#include "referee/match/match.h"
#include "referee/runner/runner.h"
#include "referee/runner/workers.h"
#include "referee/serve/owner.h"

/* Options without a letter of their own. */
enum {
	KEY_NAME = 256,
	KEY_ENTROPY,
	KEY_SEATS,
	KEY_SEED,
	KEY_MOVE_TIME,
	KEY_BANK,
	KEY_INCREMENT,
	KEY_TOTAL,
	KEY_FAULTS,
	KEY_OPEN,
	KEY_RECORDS,
	KEY_STDERR,
	KEY_ASKS,
	KEY_LADDER,
	KEY_JSON,
	KEY_SANDBOX,
	KEY_PONDER,
	KEY_REUSE,
	KEY_PIN,
	KEY_BRIEF_SANDBOX,
	KEY_EXACT,
	KEY_RESUME,
};

/* Games of a match without --games: at least so many, in whole
 * sets. */
#define GAMES_DEFAULT 100
#define JOBS_AHEAD 3 /* of a processor: match_setup.ahead */
/* Descriptors of the referee beside those of the bots. */
#define DESCRIPTORS_OWN 64

struct arguments {
	const char *game;
	const char *option[OPTIONS_MAX];
	unsigned options;
	struct match_bots bots;
	uint64_t seats, games, jobs, faults; /* 0: not given */
	uint64_t move_time_ms, bank_ms, increment_ms;
	uint64_t total_ms;	   /* 0: not given */
	char seed[SEED_BYTES + 1]; /* "": not given */
	const char *records, *resume, *ladder, *stderr_dir;
	bool arrival, asks, brief_sandbox, exact, json, no_pondering, no_pin;
	bool reuse;
	unsigned sandbox; /* enum sandbox_want */
	struct error why; /* not empty: wrong usage */
};

static const struct argp_option options[] = {
	{ "bot", 'b', "COMMAND|DIR", 0,
	  "A bot: its command line in one argument, a folder with a bot.conf, "
	  "or `random` or `house`, which are built in. Again and again",
	  1 },
	{ "name", KEY_NAME, "NAME", 0,
	  "The name of the bot before it (default: that of its bot.conf, "
	  "script or program; on a ladder no two may be called alike)",
	  1 },
	{ "entropy", KEY_ENTROPY, NULL, 0,
	  "The bot before it answers `entropy?` (default: it is not asked)",
	  1 },
	{ NULL, 'o', "NAME=VALUE", 0,
	  "An option of the game; `referee games GAME` lists them", 2 },
	{ "seats", KEY_SEATS, "N", 0,
	  "Seats at a table (default: as many as there are bots, at most the "
	  "game's maximum); with more bots it is a round robin",
	  2 },
	{ "open", KEY_OPEN, "priority|arrival", 0,
	  "How open decisions are resolved (default priority)", 2 },
	{ "games", 'g', "N", 0,
	  "How many games, rounded up until each bot has sat in every seat "
	  "equally often: a multiple of the seats (default: at least 100)",
	  3 },
	{ "exact", KEY_EXACT, NULL, 0, "Do not round --games up", 3 },
	{ "jobs", 'j', "N", 0,
	  "Games at a time (default: the number of processors that the match "
	  "may use)",
	  3 },
	{ "seed", KEY_SEED, "TEXT", 0,
	  "Makes the match repeatable, for bots that you trust: whoever "
	  "guesses the TEXT knows all cards (default: a random one, printed "
	  "after the last game)",
	  3 },
	{ "move-time", KEY_MOVE_TIME, "MS", 0,
	  "Time for each move (default 10000)", 4 },
	{ "bank", KEY_BANK, "MS", 0,
	  "Time beyond that for the whole game (default 0)", 4 },
	{ "increment", KEY_INCREMENT, "MS", 0,
	  "Added to the bank after each move (default 0)", 4 },
	{ "total", KEY_TOTAL, "MS", 0,
	  "Time that a seat may use in the whole game (default: no bound)", 4 },
	{ "ponder", KEY_PONDER, "on|off", 0,
	  "With off a bot that is a program gets no processor while it is not "
	  "asked, from its first answer on (default on)",
	  4 },
	{ "reuse", KEY_REUSE, NULL, 0,
	  "The process of a bot plays game after game, one at a time, until it "
	  "has made a fault (default: only if its bot.conf says so)",
	  4 },
	{ "pin", KEY_PIN, "auto|off", 0,
	  "With off the kernel decides on which processor games and bots run; "
	  "else each worker process stays on one with its bots, as long as "
	  "they answer quickly (auto, the default)",
	  3 },
	{ "faults", KEY_FAULTS, "N", 0,
	  "At this fault a seat is retired (default 3)", 4 },
	{ "sandbox", KEY_SANDBOX, "auto|on|off", 0,
	  "Bots that are programs run in a sandbox: the best there is on this "
	  "machine, which is told at the start (auto, the default); that, or "
	  "no match if it does not hide files and network (on); none (off)",
	  5 },
	{ "brief-sandbox", KEY_BRIEF_SANDBOX, NULL, 0,
	  "Of the sandbox tell the letter of its tier alone, for one match of "
	  "many on the same machine",
	  5 },
	{ "records", KEY_RECORDS, "DIR", 0,
	  "Keep the record of every game in DIR", 5 },
	{ "resume", KEY_RESUME, "DIR", 0,
	  "Keep the records in DIR with the plan of the match, and if they are "
	  "there already play the games that are missing",
	  5 },
	{ "stderr", KEY_STDERR, "DIR", 0,
	  "Keep the standard error of each game and seat, the last 64 KiB of "
	  "it, in DIR/NUMBER-SEAT-NAME.txt",
	  6 },
	{ "asks", KEY_ASKS, NULL, 0, "Record what was asked, too", 5 },
	{ "ladder", KEY_LADDER, "FILE", 0,
	  "Rate the games on that ladder (made if it is not there); records "
	  "then go to FILE.records without --records",
	  5 },
	{ "json", KEY_JSON, NULL, 0, "Print JSON, one object a line", 5 },
	{ 0 },
};

static const char doc[] =
	"Play a match between bots here and now, and print how they stand: "
	"games, wins, mean place, mean points, score (the share of the other "
	"seats beaten; +- is half of its 95 % interval, ? means fewer than ten "
	"sets), its difference to the next bot, rating, faults.\v"
	"Times are in milliseconds. A seat's bot is a process of its own for "
	"each game, unless it is used again.\n\n"
	"Exit codes: 0 the match was played, 2 wrong usage or a bot that "
	"cannot be started, 3 the machine failed (disk full, no permission, "
	"no processes left, games lost with the processes that played "
	"them).\n\n"
	"Example: three seats, two of them for the same program\n"
	"  referee match toepen --games 60 --bot random --bot ./mine \\\n"
	"    --bot './mine --bold' --name bold --records games";

/* ---- arguments -------------------------------------------------------- */

static uint64_t
number(const char *option, const char *arg, uint64_t min, uint64_t max)
{
	uint64_t value = 0;

	if (message_number(arg, strlen(arg), max, &value) < 0 || value < min)
		refuse_argument("%s takes an integer from %" PRIu64
				" to %" PRIu64 ", not %s",
				option, min, max, quoted(arg).text);
	return value;
}

static const char *
path(const char *option, const char *arg)
{
	if (*arg == '\0')
		refuse_argument("%s takes a path, not ''", option);
	return arg;
}

static void
check_bot(struct argp_state *state, int result)
{
	const struct arguments *arguments = state->input;

	if (result < 0)
		refuse_argument("%s", arguments->why.text);
}

static void
parse_entropy(struct argp_state *state)
{
	struct arguments *arguments = state->input;

	if (arguments->bots.count == 0)
		refuse_argument("--entropy comes after its --bot");
	else
		arguments->bots.bot[arguments->bots.count - 1].entropy = true;
}

static void
parse_sandbox(struct arguments *arguments, const char *arg)
{
	unsigned i;

	for (i = 0; sandbox_wants[i] != NULL; i++)
		if (strcmp(arg, sandbox_wants[i]) == 0)
			break;
	if (sandbox_wants[i] == NULL)
		refuse_argument("--sandbox takes auto, on or off, not %s",
				quoted(arg).text);
	arguments->sandbox = i;
}

static void
parse_game_option(struct argp_state *state, const char *arg)
{
	struct arguments *arguments = state->input;

	if (arguments->options == OPTIONS_MAX)
		refuse_argument("more than %d times -o", OPTIONS_MAX);
	else if (strchr(arg, '=') == NULL)
		refuse_argument("-o takes NAME=VALUE, not %s",
				quoted(arg).text);
	else if (*arg == '=')
		refuse_argument("-o takes NAME=VALUE; %s has no NAME",
				quoted(arg).text);
	else
		arguments->option[arguments->options++] = arg;
}

/* Everybody on the machine can read our arguments, and with the seed know all
 * cards: no bot runs yet, and when the first does it is not there. */
static void
take_seed(struct arguments *arguments, char *arg)
{
	size_t n = strlen(arg);

	if (n == 0 || n > SEED_BYTES)
		refuse_argument("--seed takes 1 to %d bytes", SEED_BYTES);
	memcpy(arguments->seed, arg, n + 1);
	memset(arg, '*', n);
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'b':
		check_bot(state, match_bots_add(&a->bots, arg, &a->why));
		break;
	case KEY_NAME:
		check_bot(state, match_bots_name(&a->bots, arg, &a->why));
		break;
	case KEY_ENTROPY:
		parse_entropy(state);
		break;
	case 'o':
		parse_game_option(state, arg);
		break;
	case KEY_SEATS:
		a->seats = number("--seats", arg, 1, 99);
		break;
	case KEY_OPEN:
		a->arrival = strcmp(arg, "arrival") == 0;
		if (!a->arrival && strcmp(arg, "priority") != 0)
			refuse_argument(
				"--open takes priority or arrival, not %s",
				quoted(arg).text);
		break;
	case 'g':
		a->games = number("--games", arg, 1, GAMES_MAX);
		break;
	case KEY_EXACT:
		a->exact = true;
		break;
	case 'j':
		a->jobs = number("--jobs", arg, 1, JOBS_MAX);
		break;
	case KEY_SEED:
		take_seed(a, arg);
		break;
	case KEY_MOVE_TIME:
		a->move_time_ms = number("--move-time", arg, 1, TIME_MS_MAX);
		break;
	case KEY_BANK:
		a->bank_ms = number("--bank", arg, 0, TIME_MS_MAX);
		break;
	case KEY_INCREMENT:
		a->increment_ms = number("--increment", arg, 0, TIME_MS_MAX);
		break;
	case KEY_TOTAL:
		a->total_ms = number("--total", arg, 1, TOTAL_MS_MAX);
		break;
	case KEY_FAULTS:
		a->faults = number("--faults", arg, 1, FAULTS_MAX);
		break;
	case KEY_RECORDS:
		a->records = path("--records", arg);
		break;
	case KEY_RESUME:
		a->resume = path("--resume", arg);
		break;
	case KEY_STDERR:
		a->stderr_dir = path("--stderr", arg);
		break;
	case KEY_ASKS:
		a->asks = true;
		break;
	case KEY_LADDER:
		a->ladder = path("--ladder", arg);
		break;
	case KEY_JSON:
		a->json = true;
		break;
	case KEY_PONDER:
		a->no_pondering = strcmp(arg, "off") == 0;
		if (!a->no_pondering && strcmp(arg, "on") != 0)
			refuse_argument("--ponder takes on or off, not %s",
					quoted(arg).text);
		break;
	case KEY_REUSE:
		a->reuse = true;
		break;
	case KEY_PIN:
		a->no_pin = strcmp(arg, "off") == 0;
		if (!a->no_pin && strcmp(arg, "auto") != 0)
			refuse_argument("--pin takes auto or off, not %s",
					quoted(arg).text);
		break;
	case KEY_SANDBOX:
		parse_sandbox(a, arg);
		break;
	case KEY_BRIEF_SANDBOX:
		a->brief_sandbox = true;
		break;
	case ARGP_KEY_ARG:
		if (a->game != NULL)
			refuse_argument("one GAME, not also %s",
					quoted(arg).text);
		a->game = arg;
		break;
	case ARGP_KEY_NO_ARGS:
		refuse_argument("which GAME? `referee games` lists them");
		break;
	case ARGP_KEY_SUCCESS:
		if (a->resume != NULL && a->records != NULL)
			refuse_argument("--resume DIR keeps the records in "
					"DIR; leave out --records");
		if (a->resume != NULL)
			a->records = a->resume;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "GAME",
	.doc = doc,
};

/* ---- the match's setup ------------------------------------------------ */

/* Whether option `i` has the name of an earlier one. */
static bool
is_given_before(const struct arguments *arguments, unsigned i)
{
	const char *option = arguments->option[i];
	size_t n = strcspn(option, "=") + 1;
	unsigned j;

	for (j = 0; j < i; j++)
		if (strncmp(arguments->option[j], option, n) == 0)
			return true;
	return false;
}

static void
option_name(const struct arguments *arguments, unsigned i, char name[64])
{
	const char *option = arguments->option[i];

	snprintf(name, 64, "%.*s", (int)strcspn(option, "="), option);
}

/* Names first, then values, then all together: EXIT_DONE or EXIT_USAGE. */
static int
set_up_options(const struct arguments *arguments, struct game_setup *setup)
{
	char why[SENTENCE_BYTES], name[64];
	unsigned i;

	for (i = 0; i < arguments->options; i++) {
		option_name(arguments, i, name);
		if (game_setup_find(setup, name, why) < 0)
			return complain_usage("%s", why);
	}
	for (i = 0; i < arguments->options; i++) {
		option_name(arguments, i, name);
		if (game_setup_option(setup, name,
				      strchr(arguments->option[i], '=') + 1,
				      why) < 0)
			return complain_usage("%s", why);
		if (is_given_before(arguments, i))
			return complain_usage("option %s is given twice", name);
	}
	if (game_setup_check(setup, why) < 0)
		return complain_usage("%s", why);
	return EXIT_DONE;
}

/* Seats and options: EXIT_DONE, or the rules' sentence and EXIT_USAGE. */
static int
set_up_game(const struct arguments *arguments, struct game_setup *setup)
{
	const struct game_rules *rules = game_find(arguments->game);
	char why[SENTENCE_BYTES];
	struct error why_not;
	unsigned seats;

	if (rules == NULL)
		return complain_usage(
			"there is no game %s; `referee games` lists them%s",
			quoted(arguments->game).text,
			suggest_game(arguments->game).text);
	if (arguments->bots.count < 2)
		return complain_usage("give --bot at least twice; `random` and "
				      "`house` are built in");
	seats = arguments->bots.count;
	if (seats > rules->max_seats)
		seats = rules->max_seats;
	if (arguments->seats != 0)
		seats = (unsigned)arguments->seats;
	game_setup_init(setup, rules, seats);
	if (game_setup_seats(setup, why) < 0)
		return complain_usage("%s", why);
	if (set_up_options(arguments, setup) != EXIT_DONE)
		return EXIT_USAGE;
	if (match_bots_play(&arguments->bots, rules, &why_not) < 0)
		return complain_usage("%s", why_not.text);
	if (arguments->bots.count < seats)
		return complain_usage("%u seats need %u bots, not %u", seats,
				      seats, arguments->bots.count);
	return EXIT_DONE;
}

/* In whole sets, so that each bot sits in every seat equally often. */
static uint64_t
choose_games(const struct arguments *arguments, unsigned seats)
{
	const uint64_t wanted =
		arguments->games != 0 ? arguments->games : GAMES_DEFAULT;

	return arguments->exact ? wanted : (wanted + seats - 1) / seats * seats;
}

static int
set_up_match(struct arguments *arguments, struct match_setup *setup)
{
	int code = set_up_game(arguments, &setup->game);

	if (code != EXIT_DONE)
		return code;
	if (match_bots_ready(&arguments->bots, arguments->ladder != NULL,
			     &arguments->why) < 0)
		return complain_usage("%s", arguments->why.text);
	if (arguments->reuse)
		match_bots_reuse(&arguments->bots);
	setup->bot = arguments->bots.bot;
	setup->bots = arguments->bots.count;
	setup->games = choose_games(arguments, setup->game.seats);
	setup->jobs = (unsigned)arguments->jobs;
	if (setup->jobs == 0) {
		setup->jobs = workers_count();
		setup->ahead = setup->jobs * JOBS_AHEAD;
	}
	if (setup->jobs > setup->games)
		setup->jobs = (unsigned)setup->games;
	setup->arrival = arguments->arrival;
	setup->record_asks = arguments->asks;
	setup->no_pondering = arguments->no_pondering;
	setup->faults = (unsigned)arguments->faults;
	setup->clock.time_us = arguments->move_time_ms * 1000;
	setup->clock.bank_us = arguments->bank_ms * 1000;
	setup->clock.increment_us = arguments->increment_ms * 1000;
	setup->clock.total_us = arguments->total_ms * 1000;
	setup->pin = !arguments->no_pin;
	setup->progress = isatty(STDERR_FILENO);
	return EXIT_DONE;
}

static bool
has_programs(const struct match_setup *setup)
{
	unsigned b;

	for (b = 0; b < setup->bots; b++)
		if (setup->bot[b].builtin == NULL)
			return true;
	return false;
}

/* As many descriptors as the games may need for bots that are programs. */
static int
raise_descriptors(const struct match_setup *setup)
{
	const rlim_t need = ((rlim_t)setup->jobs + setup->ahead) *
				    (setup->game.seats + STRAGGLERS_A_JOB +
				     (match_reuses(setup) ? IDLE_A_JOB : 0)) *
				    3 +
			    DESCRIPTORS_OWN;
	struct rlimit limit;

	if (!has_programs(setup))
		return EXIT_DONE;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return complain_machine("cannot read the limit of open files: "
					"%s",
					strerror(errno));
	if (limit.rlim_cur >= need)
		return EXIT_DONE;
	if (limit.rlim_max < need)
		return complain_usage(
			"%u games at a time need %llu open files, and this "
			"process may have %llu; take fewer --jobs",
			setup->jobs, (unsigned long long)need,
			(unsigned long long)limit.rlim_max);
	limit.rlim_cur = need;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return complain_machine("cannot raise the limit of open files: "
					"%s",
					strerror(errno));
	return EXIT_DONE;
}

/* What holds for strangers' programs here, in a line. */
static int
choose_sandbox(struct arguments *arguments, const struct match_setup *setup)
{
	enum sandbox_tier tier;

	if (!has_programs(setup))
		return EXIT_DONE;
	if (sandbox_choose(arguments->sandbox, SANDBOX_NONE, &tier,
			   &arguments->why) < 0)
		return complain_machine("%s", arguments->why.text);
	if (match_bots_box(&arguments->bots, tier, arguments->records,
			   arguments->stderr_dir, arguments->ladder,
			   &arguments->why) < 0)
		return complain_usage("%s", arguments->why.text);
	return EXIT_DONE;
}

static void
note_rounding(const struct arguments *arguments,
	      const struct match_setup *setup)
{
	if (arguments->games != 0 && arguments->games != setup->games)
		note("%" PRIu64 " games instead of %" PRIu64
		     ", so that each bot sits in every seat equally often; "
		     "--exact plays %" PRIu64,
		     setup->games, arguments->games, arguments->games);
}

static void
print_faults(const struct match_setup *setup, const struct match_report *report)
{
	const struct match_standing *standing = report->standing;

	for (unsigned i = 0; standing != NULL && i < setup->bots; i++) {
		match_faults_print(setup->bot[standing[i].bot].name,
				   &report->faults[standing[i].bot],
				   standing[i].faults);
		match_trouble_print(setup->bot[standing[i].bot].name,
				    setup->bot[standing[i].bot].spec,
				    setup->game.rules->name, setup->records,
				    &report->trouble[standing[i].bot]);
	}
}

/* Of bots that never begin: a match that stops for them has no standings. */
static void
print_silent(const struct match_setup *setup, const struct match_report *report)
{
	for (unsigned i = 0; report->never_began && i < setup->bots; i++)
		if (match_trouble_is_silent(&report->trouble[i], setup->games))
			match_trouble_print(
				setup->bot[i].name, setup->bot[i].spec,
				setup->game.rules->name, setup->records,
				&report->trouble[i]);
}

/* ---- the command ------------------------------------------------------ */

static int
play(struct match_setup *setup, const struct match_keeping *keeping,
     const struct arguments *arguments, int *caught)
{
	struct match_report report;
	int code;

	setup->writer =
		writer_new(keeping->dir[0] == '\0' ? NULL : keeping->dir,
			   keeping->ladder, keeping->folder);
	if (setup->writer == NULL)
		return complain_machine("cannot start the writer: %s",
					strerror(errno));
	match_play(setup, &report);
	writer_free(setup->writer);
	if (report.never_began || (report.not_started && report.games == 0)) {
		code = EXIT_DONE;
		print_silent(setup, &report);
	} else {
		code = match_report_print(setup, &report, keeping->ladder,
					  arguments->json);
		print_faults(setup, &report);
	}
	if (report.failed)
		code = complain_machine("%s", report.why.text);
	else if (report.not_started || report.never_began)
		code = complain_usage("%s", report.why.text);
	else if (report.parked > 0)
		code = complain_machine("%" PRIu64 " of the games were not "
					"played",
					report.parked);
	if (report.signal != 0)
		note("interrupted after %" PRIu64 " of %" PRIu64 " games",
		     report.games, setup->games);
	match_report_release(&report);
	if (code == EXIT_DONE)
		*caught = report.signal;
	return code;
}

static void
note_sandbox(bool brief)
{
	const struct sandbox_probe *probe = sandbox_probe();

	if (brief)
		note("sandbox tier %s", sandbox_tiers[probe->tier]);
	else
		note("sandbox %s", probe->sentence);
}

/* A ladder of a daemon's lies in a folder that only its owner may write in. */
static int
check_folder(const struct arguments *arguments)
{
	struct error why;

	if (arguments->ladder != NULL &&
	    owner_check_ladder(arguments->ladder, &why) < 0)
		return complain_machine("%s", why.text);
	return EXIT_DONE;
}

/* A plan that is there gives the seed, if none was given, and says that games
 * may be there. */
static int
take_plan(const char *dir, struct match_setup *setup, struct match_plan *plan,
	  struct match_resume *resume, struct error *why)
{
	if (match_plan_take(plan, dir, setup, why) < 0)
		return complain_error(why);
	setup->seed = plan->seed;
	setup->seeded = plan->seeded;
	setup->resume = resume;
	if (match_resume_read(resume, dir, setup, why) < 0)
		return complain_error(why);
	if (plan->resumed)
		note("%" PRIu64 " of %" PRIu64 " games are there already",
		     resume->count, setup->games);
	return EXIT_DONE;
}

static int
run_match(struct arguments *arguments)
{
	struct match_setup setup = { 0 };
	int caught = 0;
	struct match_keeping keeping = { 0 };
	struct match_resume resume = { 0 };
	struct match_plan plan = { 0 };
	unsigned char drawn[16];
	char seed[2 * sizeof(drawn) + 1];
	int code = set_up_match(arguments, &setup);

	if (code == EXIT_DONE)
		code = check_folder(arguments);
	if (code == EXIT_DONE)
		code = choose_sandbox(arguments, &setup);
	if (code == EXIT_DONE)
		code = raise_descriptors(&setup);
	if (code == EXIT_DONE)
		code = match_keeping_open(&keeping, arguments->records,
					  arguments->ladder);
	if (code == EXIT_DONE && arguments->stderr_dir != NULL)
		code = match_keeping_folder(arguments->stderr_dir);
	setup.records = keeping.dir[0] == '\0' ? NULL : keeping.dir;
	setup.stderr_dir = arguments->stderr_dir;
	/* From here on there are secrets. */
	prctl(PR_SET_DUMPABLE, 0);
	setup.seeded = arguments->seed[0] != '\0';
	setup.seed = arguments->seed;
	if (!setup.seeded) {
		randombytes_buf(drawn, sizeof(drawn));
		sodium_bin2hex(seed, sizeof(seed), drawn, sizeof(drawn));
		setup.seed = seed;
	}
	if (code == EXIT_DONE && (arguments->resume == NULL ||
				  !match_plan_is_there(arguments->resume)))
		code = match_keeping_unplayed(&keeping, &setup);
	if (code == EXIT_DONE && arguments->resume != NULL)
		code = take_plan(arguments->resume, &setup, &plan, &resume,
				 &arguments->why);
	if (code == EXIT_DONE)
		note_rounding(arguments, &setup);
	if (code == EXIT_DONE && has_programs(&setup) &&
	    arguments->sandbox != SANDBOX_OFF)
		note_sandbox(arguments->brief_sandbox);
	if (code == EXIT_DONE)
		code = play(&setup, &keeping, arguments, &caught);
	match_keeping_release(&keeping);
	match_resume_release(&resume);
	match_plan_release(&plan);
	/* They are told now; and a leak checker needs to look. */
	prctl(PR_SET_DUMPABLE, 1);
	if (caught != 0) {
		/* As if it had not been caught: for the shell's sake. */
		signal(caught, SIG_DFL);
		raise(caught);
	}
	return code;
}

static int
run(int argc, char **argv)
{
	struct arguments *arguments = calloc(1, sizeof(*arguments));
	int code;

	if (arguments == NULL)
		bug("out of memory");
	arguments->move_time_ms = MOVE_TIME_MS;
	arguments->faults = FAULTS_DEFAULT;
	parse_arguments(&argp, argc, argv, arguments);
	if (sodium_init() < 0)
		code = complain_machine("libsodium cannot start");
	else
		code = run_match(arguments);
	match_bots_release(&arguments->bots);
	free(arguments);
	return code;
}

const struct command command_match = {
	.name = "match",
	.brief = "play a match between bots and print how they stand",
	.run = run,
};
