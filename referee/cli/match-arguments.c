/* referee/cli/match-arguments.c - has the options of `referee match`, and reads
 * them. */
#include "referee/cli/match-arguments.h"

#include <argp.h>
#include <string.h>

#include "protocol/message.h"
#include "referee/base/command.h"
#include "referee/base/serve-limits.h"
#include "referee/cli/data-bot.h"
#include "referee/data/data-folder.h"

static void
refuse_empty(void *to UNUSED, const struct argument *option, char *arg)
{
	if (*arg == '\0')
		refuse_argument("--%s takes a path, not ''", option->name);
}

static void
take_data(void *to, const struct argument *option, char *arg)
{
	struct error why;

	refuse_empty(to, option, arg);
	if (data_folder_find(arg, &why) < 0)
		refuse_argument("--data: %s", why.text);
}

static void
take_bot(void *to, const struct argument *option UNUSED, char *arg)
{
	struct match_arguments *arguments = to;
	struct data_bot found;
	struct error why;
	int result;

	if (arguments->data == NULL || bot_builtin_is(arg) ||
	    !message_name_ok(arg, strlen(arg))) {
		result = match_bots_add(&arguments->bots, arg, &why);
	} else {
		result = data_bot_find(arguments->data, arg, &found, &why);
		if (result == 0)
			result = match_bots_take(&arguments->bots, found.name,
						 found.path, &why);
	}
	if (result < 0)
		refuse_argument("%s", why.text);
}

static void
take_bots(void *to, const struct argument *option, char *arg)
{
	struct match_arguments *arguments = to;

	refuse_empty(to, option, arg);
	if (arguments->bots_folder != NULL)
		refuse_argument("--bots is given twice; put all bots into one "
				"folder, links to their folders will do");
	arguments->bots_folder = arg;
}

static void
take_name(void *to, const struct argument *option UNUSED, char *arg)
{
	struct match_arguments *arguments = to;
	struct error why;

	if (match_bots_name(&arguments->bots, arg, &why) < 0)
		refuse_argument("%s", why.text);
}

static void
take_entropy(void *to, const struct argument *option UNUSED, char *arg UNUSED)
{
	struct match_arguments *arguments = to;

	if (arguments->bots.count == 0)
		refuse_argument("--entropy comes after its --bot");
	arguments->bots.bot[arguments->bots.count - 1].entropy = true;
}

static void
take_game_option(void *to, const struct argument *option UNUSED, char *arg)
{
	struct match_arguments *arguments = to;

	if (arguments->options == OPTIONS_MAX)
		refuse_argument("more than %d times -o", OPTIONS_MAX);
	if (strchr(arg, '=') == NULL)
		refuse_argument("-o takes NAME=VALUE, not %s",
				quoted(arg).text);
	if (*arg == '=')
		refuse_argument("-o takes NAME=VALUE; %s has no NAME",
				quoted(arg).text);
	arguments->option[arguments->options++] = arg;
}

static void
choose_rule(struct match_arguments *arguments, enum contest_rule rule)
{
	if (arguments->contest.rule != CONTEST_NONE &&
	    arguments->contest.rule != rule)
		refuse_argument("--sprt and --until-sure are two ways to stop; "
				"leave out one of them");
	arguments->contest.rule = rule;
}

static void
take_sprt(void *to, const struct argument *option UNUSED, char *arg)
{
	struct match_arguments *arguments = to;
	struct error why;

	if (sprt_parse(&arguments->contest.sprt, arg, &why) < 0)
		refuse_argument("%s", why.text);
	choose_rule(arguments, CONTEST_SPRT);
}

static void
take_until_sure(void *to, const struct argument *option UNUSED,
		char *arg UNUSED)
{
	choose_rule(to, CONTEST_UNTIL_SURE);
}

static const char *const opens[] = { "priority", "arrival", NULL };
static const char *const ponders[] = { "on", "off", NULL };
static const char *const pins[] = { "auto", "off", NULL };

const struct argument match_options[] = {
	{ "bot", 'b', "COMMAND|DIR",
	  "A bot: its command line in one argument, a folder with a bot.conf, "
	  "or one that is built in: `random` or `house`. Give this option for "
	  "each bot",
	  TAKE(take_bot), .group = 1 },
	{ "bots", 0, "DIR",
	  "Each subfolder of DIR that has a bot.conf is a bot, called as the "
	  "subfolder. They come after those of --bot, in the order of their "
	  "names; names that begin with a dot are passed over. They play from "
	  "copies; a bot with a `build` is built in the sandbox first",
	  TAKE(take_bots), .group = 1 },
	{ "data", 'd', "DIR",
	  "A data folder: each --bot after it that is a plain name is the bot "
	  "of this name there, in its latest version, under the name that its "
	  "ladders know. Its daemon may run meanwhile, and shows a tournament "
	  "with this option at /tournaments",
	  STORE_TEXT(struct match_arguments, data), .take = take_data,
	  .group = 1 },
	{ "name", 0, "NAME",
	  "The name of the bot given just before (default: that of its "
	  "bot.conf, script or program). On a ladder each bot needs a "
	  "different name",
	  TAKE(take_name), .group = 1 },
	{ "entropy", 0, NULL,
	  "The bot given just before answers `entropy?` (default: it is not "
	  "asked)",
	  TAKE(take_entropy), .group = 1 },
	{ NULL, 'o', "NAME=VALUE",
	  "An option of the game; `referee games GAME` lists them",
	  TAKE(take_game_option), .group = 2 },
	{ "seats", 0, "N",
	  "Seats at a table (default: one for each bot, at most the game's "
	  "maximum). More bots than seats play a round robin",
	  STORE_NUMBER(struct match_arguments, seats, 1, 99), .group = 2 },
	{ "open", 0, "priority|arrival",
	  "How open decisions are resolved (default priority)",
	  STORE_WORD(struct match_arguments, arrival, opens), .group = 2 },
	{ "games", 'g', "N",
	  "How many games. The number is rounded up to a multiple of the "
	  "seats, so that each bot sits in every seat equally often (default: "
	  "at least 100)",
	  STORE_NUMBER(struct match_arguments, games, 1, GAMES_MAX),
	  .group = 3 },
	{ "exact", 0, NULL, "Play exactly --games games",
	  STORE_FLAG(struct match_arguments, exact), .group = 3 },
	{ "sprt", 0, "elo0=ELO,elo1=ELO,...",
	  "Stop as soon as a sequential test has decided whether the first "
	  "bot is better than the second by elo0 or less (H0), or by elo1 or "
	  "more (H1). You may add alpha=P, the risk of a wrong H1, and "
	  "beta=P, the risk of a wrong H0 (default .05 each), and "
	  "model=normalized|logistic (default normalized)",
	  TAKE(take_sprt), .group = 3 },
	{ "until-sure", 0, NULL,
	  "Stop as soon as it is 95 % sure which of the first two bots is "
	  "better",
	  TAKE(take_until_sure), .group = 3 },
	{ "duplicate", 0, NULL,
	  "Play each deal in a block of games, in which each bot sits in "
	  "every seat once, and print how many games that has saved",
	  STORE_FLAG(struct match_arguments, duplicate), .group = 3 },
	{ "jobs", 'j', "N",
	  "Games at a time (default: one for each processor that the match "
	  "may use)",
	  STORE_NUMBER(struct match_arguments, jobs, 1, JOBS_MAX), .group = 3 },
	{ "seed", 0, "TEXT",
	  "Makes the match repeatable. A bot that guesses TEXT knows all "
	  "cards, so use this only with bots that you trust (default: a "
	  "random seed, printed after the last game)",
	  TAKE_INTO(struct match_arguments, play.seed, play_take_seed),
	  .group = 3 },
	{ "as-ladder", 0, NULL,
	  "As in games of a daemon's ladder, bots are not told each other's "
	  "names, and one that never begins loses its games (default: it ends "
	  "the match)",
	  STORE_FLAG(struct match_arguments, as_ladder), .group = 4 },
	PLAY_OPTIONS_CLOCK(struct match_arguments, 4),
	{ "ponder", 0, "on|off",
	  "With off, a bot that is a program gets no processor while it is "
	  "not asked, once it has given its first answer (default on)",
	  STORE_WORD(struct match_arguments, no_pondering, ponders),
	  .group = 4 },
	{ "reuse", 0, NULL,
	  "The process of a bot plays one game after the other until it makes "
	  "a fault (default: only if its bot.conf says so)",
	  STORE_FLAG(struct match_arguments, reuse), .group = 4 },
	{ "pin", 0, "auto|off",
	  "With auto, each worker process stays on one processor, together "
	  "with its bots as long as they answer quickly. With off, the kernel "
	  "chooses the processors (default auto)",
	  STORE_WORD(struct match_arguments, no_pin, pins), .group = 3 },
	{ "sandbox", 0, "auto|on|off",
	  "The sandbox for bots that are programs. auto: the best that this "
	  "machine can make, which is printed at the start. on: the same, but "
	  "no match if it cannot hide files and network. off: none (default "
	  "auto)",
	  STORE_WORD(struct match_arguments, play.sandbox, sandbox_wants),
	  .group = 5 },
	{ "brief-sandbox", 0, NULL,
	  "Print only the letter of the sandbox's tier, when you play many "
	  "matches on one machine",
	  STORE_FLAG(struct match_arguments, brief_sandbox), .group = 5 },
	{ "processes", 0, "N",
	  "Processes and threads of a bot in the sandbox (default 64)",
	  STORE_NUMBER(struct match_arguments, processes, 1,
		       SERVE_LOCAL_BOT_PROCESSES_MAX),
	  .group = 5 },
	{ "records", 0, "DIR", "Keep the record of every game in DIR",
	  STORE_TEXT(struct match_arguments, records), .take = refuse_empty,
	  .group = 5 },
	{ "resume", 0, "DIR",
	  "Keep the plan and the records of the match in DIR. If they are "
	  "there already, play only the games that are missing",
	  STORE_TEXT(struct match_arguments, resume), .take = refuse_empty,
	  .group = 5 },
	{ "stderr", 0, "DIR",
	  "Keep the last 64 KiB of what each bot writes to standard error in "
	  "each game, in DIR/NUMBER-SEAT-NAME.txt",
	  STORE_TEXT(struct match_arguments, stderr_dir), .take = refuse_empty,
	  .group = 6 },
	{ "asks", 0, NULL, "Also record what the bots were asked",
	  STORE_FLAG(struct match_arguments, asks), .group = 5 },
	{ "ladder", 0, "FILE",
	  "Rate the games on this ladder, which is made if it does not exist. "
	  "Without --records the records go to FILE.records",
	  STORE_TEXT(struct match_arguments, ladder), .take = refuse_empty,
	  .group = 5 },
	PLAY_OPTION_JSON(struct match_arguments, 5),
	{ 0 },
};

static void
check_arguments(struct match_arguments *a, const struct words *words)
{
	if (words->count > 1)
		refuse_argument("one GAME, not also %s; the command line of a "
				"bot is one argument: --bot 'COMMAND WORD...'",
				quoted(words->word[1]).text);
	if (a->of_ladder &&
	    (words->count > 0 || a->bots.count > 0 || a->bots_folder != NULL ||
	     a->options > 0 || a->seats > 0 || a->arrival))
		refuse_argument("--final takes game and bots as the ladder has "
				"them; leave out GAME, --bot, --bots, -o, "
				"--seats and --open");
	if (words->count == 0 && !a->of_ladder)
		refuse_argument("which GAME? `referee games` lists them");
	a->game = words->count > 0 ? words->word[0] : NULL;
	if (a->resume != NULL && a->records != NULL)
		refuse_argument("--resume DIR keeps the records in DIR; leave "
				"out --records");
	if (a->duplicate && a->reuse)
		refuse_argument("--duplicate takes a new process for each "
				"game, or a bot would know the cards; leave "
				"out --reuse");
	if (a->duplicate && a->exact)
		refuse_argument("--duplicate plays whole blocks; leave out "
				"--exact");
	if (a->duplicate && a->play.sandbox == SANDBOX_OFF)
		refuse_argument("--duplicate needs the sandbox, or a bot could "
				"pass on the cards; leave out --sandbox off");
	if (a->processes > 0 && a->play.sandbox == SANDBOX_OFF)
		refuse_argument("--processes is a limit of the sandbox; leave "
				"out --sandbox off");
	if (a->resume != NULL)
		a->records = a->resume;
}

void
match_arguments_parse(const char *doc, const struct argument *options, int argc,
		      char **argv, struct match_arguments *to)
{
	const struct argp argp = { .args_doc = "GAME", .doc = doc };
	struct words words;

	play_options_default(&to->play);
	words = parse_arguments(&argp, options, argc, argv, to);
	check_arguments(to, &words);
}
