/* referee/cli/command-check.c - `referee check`: tests a bot and tells its
 * mistakes. */
#include <argp.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/limits.h"
#include "referee/base/serve-limits.h"
#include "referee/check/check.h"
#include "referee/cli/arguments.h"
#include "referee/cli/commands.h"
#include "referee/cli/play-options.h"
#include "referee/config/bot-folder.h"
#include "referee/match/match-bots.h"
#include "referee/sandbox/sandbox.h"
#include "referee/spawner/spawner.h"
#include "referee/table/game-help.h"

/* Most seconds that a check takes, by its extent. */
static const unsigned limits_s[] = {
	[CHECK_QUICK] = 60,
	[CHECK_PAIRS] = 600,
	[CHECK_ALL] = 86400,
};

#define REPEATS_MAX 1000

struct arguments {
	const char *bot;
	struct check_listen listen; /* without --listen `port` is NULL */
	const char *of_a_program; /* an option that needs a program; or NULL */
	char host[HOST_BYTES], port[8];
	const struct game_rules *game[BOT_FOLDER_GAMES];
	unsigned games; /* 0: all that the bot plays */
	enum check_extent extent;
	struct play_options play;
	bool entropy, keep_going, reuse;
	uint64_t repeats, limit_s, memory_mib, processes; /* 0: not given */
	struct error why;
	struct match_bots bots; /* has one bot */
};

static const char doc[] =
	"Test a bot against every situation that the referee can produce, and "
	"report what it does wrong. BOT is a command line in one argument, or "
	"a folder with a bot.conf.\v"
	"By default every pair of a number of seats, a value of an option, a "
	"seat, a way of asking (open=arrival, lines cut in pieces, a bank of "
	"time, games aborted, seats retired, ...) is played once. What was "
	"wrong is told with the lines before it: `< ` sent to the bot, `> ` "
	"said by it, `! ` the end of its standard error.\n\n"
	"Exit codes: 0 nothing was wrong, 1 something was, 2 wrong usage or a "
	"bot that cannot be started or does not come, 3 the machine failed.\n\n"
	"Examples:\n"
	"  referee check 'python3 mine.py' --game toepen --move-time 1000\n"
	"  referee check --listen 7451 --quick";

/* ---- arguments -------------------------------------------------------- */

static void
take_game(void *to, const struct argument *option UNUSED, char *arg)
{
	struct arguments *arguments = to;
	const struct game_rules *rules = game_find(arg);

	if (rules == NULL)
		refuse_argument("there is no game %s; `referee games` lists "
				"them%s",
				quoted(arg).text, suggest_game(arg).text);
	for (unsigned i = 0; i < arguments->games; i++)
		if (arguments->game[i] == rules)
			refuse_argument("--game %s is given twice", arg);
	arguments->game[arguments->games++] = rules;
}

/* Takes the extent that is in option->max. */
static void
take_extent(void *to, const struct argument *option, char *arg UNUSED)
{
	const enum check_extent extent = (enum check_extent)option->max;
	struct arguments *arguments = to;

	if (arguments->extent != CHECK_PAIRS && arguments->extent != extent)
		refuse_argument("--quick and --all do not go together");
	arguments->extent = extent;
}

static void
note_program(void *to, const struct argument *option, char *arg UNUSED)
{
	((struct arguments *)to)->of_a_program = option->name;
}

static void
take_listen(void *to, const struct argument *option UNUSED, char *arg)
{
	struct arguments *a = to;

	if (!parse_place(arg, false, a->host, a->port))
		refuse_argument("--listen takes PORT, ADDRESS:PORT or "
				"[ADDRESS]:PORT, with a port from 0 to 65535, "
				"not %s",
				quoted(arg).text);
	a->listen.host = a->host;
	a->listen.port = a->port;
}

static void
check_arguments(const struct arguments *a)
{
	const bool listens = a->listen.port != NULL;

	if (a->bot != NULL && listens)
		refuse_argument("either BOT or --listen");
	if (a->bot == NULL && !listens)
		refuse_argument("which BOT? a command line in one argument, a "
				"folder with a bot.conf, or --listen PORT");
	if (listens && a->of_a_program != NULL)
		refuse_argument(
			"--%s is for a BOT that is started here, not for "
			"--listen",
			a->of_a_program);
	if (a->processes > 0 && a->play.sandbox == SANDBOX_OFF)
		refuse_argument("--processes is a limit of the sandbox; leave "
				"out --sandbox off");
	if (!listens && a->listen.plain)
		refuse_argument("--plain goes with --listen");
}

static const struct argument options[] = {
	{ "game", 'G', "GAME",
	  "Only this game; may be given several times (default: those of its "
	  "bot.conf, else all)",
	  TAKE(take_game), .group = 1 },
	{ "entropy", 0, NULL,
	  "The bot answers `entropy?` (a bot.conf says it itself)",
	  STORE_FLAG(struct arguments, entropy), .take = note_program,
	  .group = 1 },
	{ "memory", 0, "MIB",
	  "More than that is wrong (default: what its bot.conf says, else 256)",
	  STORE_NUMBER(struct arguments, memory_mib, MEMORY_MIB_MIN,
		       MEMORY_MIB_MAX),
	  .take = note_program, .group = 1 },
	{ "quick", 0, NULL,
	  "Every number of seats, option and way of asking once, in a minute "
	  "at most",
	  TAKE(take_extent), .max = CHECK_QUICK, .group = 2 },
	{ "all", 0, NULL,
	  "Every number of seats with every combination of options, too",
	  TAKE(take_extent), .max = CHECK_ALL, .group = 2 },
	{ "games", 'g', "N", "Games of each combination (default 1)",
	  STORE_NUMBER(struct arguments, repeats, 1, REPEATS_MAX), .group = 2 },
	{ "limit", 0, "SECONDS",
	  "Stop after that (default 600; 60 with --quick, a day with --all)",
	  STORE_NUMBER(struct arguments, limit_s, 1, 86400), .group = 2 },
	{ "keep-going", 0, NULL,
	  "Go on after 10 games in which something was wrong, or 2 without an "
	  "answer",
	  STORE_FLAG(struct arguments, keep_going), .group = 2 },
	{ "seed", 0, "TEXT",
	  "Makes the check repeatable (default: a random one, printed)",
	  TAKE_INTO(struct arguments, play.seed, play_take_seed), .group = 2 },
	PLAY_OPTIONS_CLOCK(struct arguments, 3),
	{ "processes", 0, "N",
	  "Processes and threads of the bot in the sandbox (default 64)",
	  STORE_NUMBER(struct arguments, processes, 1,
		       SERVE_LOCAL_BOT_PROCESSES_MAX),
	  .take = note_program, .group = 3 },
	{ "reuse", 0, NULL,
	  "The process of the bot plays game after game, as in a match with "
	  "--reuse (default: only a few, if its bot.conf says so)",
	  STORE_FLAG(struct arguments, reuse), .take = note_program,
	  .group = 3 },
	{ "sandbox", 0, "auto|on|off",
	  "The sandbox that the bot runs in, as in a match (default auto)",
	  STORE_WORD(struct arguments, play.sandbox, sandbox_wants),
	  .take = note_program, .group = 3 },
	{ "listen", 0, "[ADDRESS:]PORT",
	  "In place of BOT: one that comes by TCP to this port of this machine "
	  "(0: any that is free), with any name and token, and sits on any "
	  "ladder. With multi=yes it plays up to games=N games at once. It has "
	  "60 seconds to come and sit, or those of --limit if they are fewer",
	  TAKE(take_listen), .group = 4 },
	{ "plain", 0, NULL,
	  "With --listen: also from other machines, although anybody on the "
	  "way can read the token and the cards",
	  STORE_FLAG(struct arguments, listen.plain), .group = 4 },
	PLAY_OPTION_JSON(struct arguments, 5),
	{ 0 },
};

static const struct argp argp = {
	.args_doc = "BOT",
	.doc = doc,
};

/* ---- the check -------------------------------------------------------- */

/* Reads BOT as `--bot` of a match would, and fills in the setup.  Returns an
 * exit code. */
static int
set_up_bot(struct arguments *arguments, struct check_setup *setup)
{
	const struct bot_folder *folder;
	const struct match_bot *bot;

	if (bot_builtin_is(arguments->bot))
		return complain_usage("%s is built in: nothing to check",
				      arguments->bot);
	if (match_bots_add(&arguments->bots, arguments->bot, &arguments->why) <
		    0 ||
	    match_bots_ready(&arguments->bots, false, &arguments->why) < 0)
		return complain_usage("%s", arguments->why.text);
	for (unsigned i = 0; i < arguments->games; i++)
		if (match_bots_play(&arguments->bots, arguments->game[i],
				    &arguments->why) < 0)
			return complain_usage("%s", arguments->why.text);
	bot = &arguments->bots.bot[0];
	folder = arguments->bots.folder[0];
	setup->name = bot->name;
	setup->argv = bot->argv;
	setup->folder = bot->folder;
	setup->entropy = bot->entropy || arguments->entropy;
	setup->memory_mib = arguments->memory_mib;
	if (setup->memory_mib == 0)
		setup->memory_mib =
			folder == NULL ? MEMORY_MIB : folder->memory_mib;
	return EXIT_DONE;
}

/* Puts the bot into a box.  Call it before the spawner begins. */
static int
set_up_box(struct arguments *arguments, struct check_setup *setup)
{
	struct match_bot *bot = &arguments->bots.bot[0];
	enum sandbox_tier tier;

	if (sandbox_choose(arguments->play.sandbox, SANDBOX_NONE, &tier,
			   &arguments->why) < 0)
		return complain_machine("%s", arguments->why.text);
	if (match_bots_box(&arguments->bots, tier, NULL, NULL, NULL,
			   &arguments->why) < 0)
		return complain_usage("%s", arguments->why.text);
	/* Leave room above what the bot may have, so that the check can measure
	 * and report more.  If the box ended the bot, the check could only say
	 * that it crashed; and one with its last process may want no more. */
	bot->box.limits.memory_mib =
		(unsigned)(setup->memory_mib + setup->memory_mib / 2);
	if (arguments->processes > 0)
		bot->box.limits.processes = (unsigned)arguments->processes;
	setup->processes = tier >= SANDBOX_BOX || arguments->processes > 0
				   ? bot->box.limits.processes
				   : CHECK_PROCESSES;
	bot->box.limits.processes++;
	setup->box = &bot->box;
	(void)sandbox_can_watch(); /* must be found out before the first thread */
	return EXIT_DONE;
}

/* Sets up the program, or the bot that will connect. */
static int
set_up(struct arguments *arguments, struct check_setup *setup)
{
	int code;

	if (arguments->listen.port != NULL) {
		setup->name = "the bot that comes";
		setup->listen = &arguments->listen;
		return EXIT_DONE;
	}
	code = set_up_bot(arguments, setup);
	return code == EXIT_DONE ? set_up_box(arguments, setup) : code;
}

static void
make_plan(const struct arguments *arguments, const char *seed,
	  struct check_plan *plan)
{
	const struct bot_folder *folder = arguments->bots.folder[0];
	const struct game_rules *rules;
	unsigned char bytes[CHANCE_SEED_BYTES];
	struct chance chance;
	bool wanted;

	crypto_generichash(bytes, sizeof(bytes), (const unsigned char *)seed,
			   strlen(seed), NULL, 0);
	chance_seed(&chance, bytes);
	for (unsigned g = 0; games[g] != NULL; g++) {
		rules = games[g];
		wanted = arguments->games == 0 &&
			 (folder == NULL || bot_folder_plays(folder, rules));
		for (unsigned i = 0; i < arguments->games; i++)
			wanted |= arguments->game[i] == rules;
		if (wanted)
			check_plan_add(plan, rules, arguments->extent,
				       folder != NULL && folder->reuse,
				       &chance);
	}
	if (arguments->listen.port != NULL)
		check_plan_by_tcp(plan);
}

static void
set_up_play(const struct arguments *arguments, struct check_setup *setup)
{
	setup->repeats = (unsigned)arguments->repeats;
	setup->clock = arguments->play.clock;
	setup->faults = arguments->play.faults;
	setup->limit_s = arguments->limit_s != 0 ? arguments->limit_s
						 : limits_s[arguments->extent];
	setup->keep_going = arguments->keep_going;
	setup->reuse = arguments->reuse;
	setup->progress = isatty(STDERR_FILENO);
}

static int
tell(const struct arguments *arguments, const struct check_setup *setup,
     struct check_report *report)
{
	if (report->failed)
		return complain_machine("%s", report->why);
	if (report->not_started)
		return complain_usage("%s", report->why);
	if (arguments->play.json)
		check_report_print_json(report, setup->seed);
	else
		check_report_print(report);
	if (report->signal != 0)
		note("interrupted after %" PRIu64 " of %s", report->games,
		     counted(report->planned, "game").text);
	if (finish_output() != EXIT_DONE)
		return EXIT_MACHINE;
	return check_report_passes(report) ? EXIT_DONE : EXIT_NEGATIVE;
}

static int
play(const struct arguments *arguments, struct check_setup *setup, int *caught)
{
	struct check_report report;
	int code;

	if (setup->listen == NULL && arguments->play.sandbox != SANDBOX_OFF)
		note("sandbox %s", sandbox_probe()->sentence);
	setup->spawner = spawner_new();
	if (setup->spawner == NULL)
		return complain_machine("cannot make the process that starts "
					"the bot: %m");
	if (!arguments->play.json && setup->listen == NULL) {
		printf("checking %s: %s, at most %s; --seed %s\n", setup->name,
		       counted(check_games(setup), "game").text,
		       counted(setup->limit_s, "second").text, setup->seed);
		fflush(stdout);
	}
	check_play(setup, &report);
	code = tell(arguments, setup, &report);
	*caught = report.signal;
	check_report_release(&report);
	spawner_free(setup->spawner);
	return code;
}

static int
run_check(struct arguments *arguments)
{
	struct check_setup setup = { 0 };
	struct check_plan plan = { 0 };
	int caught = 0, code = set_up(arguments, &setup);

	if (code != EXIT_DONE)
		return code;
	(void)play_seed(&arguments->play, 4);
	setup.seed = arguments->play.seed;
	make_plan(arguments, setup.seed, &plan);
	setup.plan = &plan;
	set_up_play(arguments, &setup);
	code = play(arguments, &setup, &caught);
	check_plan_release(&plan);
	play_raise(caught);
	return code;
}

static int
run(int argc, char **argv)
{
	struct arguments *arguments = zeroed(1, sizeof(*arguments));
	struct words words;
	int code;

	arguments->extent = CHECK_PAIRS;
	arguments->repeats = 1;
	play_options_default(&arguments->play);
	words = parse_arguments(&argp, options, argc, argv, arguments);
	if (words.count > 1)
		refuse_argument("one BOT, not also %s; its command line is one "
				"argument",
				quoted(words.word[1]).text);
	arguments->bot = words.word[0];
	check_arguments(arguments);
	code = run_check(arguments);
	match_bots_release(&arguments->bots);
	free(arguments);
	return code;
}

const struct command command_check = {
	.name = "check",
	.brief = "put a bot through everything, and say what it does wrong",
	.run = run,
};
