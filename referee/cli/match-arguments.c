/* referee/cli/match-arguments.c - the options of `referee match`, and reading
 * them. */
#include "referee/cli/match-arguments.h"

#include <string.h>

#include "referee/base/command.h"
#include "referee/cli/arguments.h"
#include "referee/runner/runner.h"

/* Options without a letter of their own. */
enum {
	KEY_NAME = KEY_OWN,
	KEY_ENTROPY,
	KEY_SEATS,
	KEY_OPEN,
	KEY_RECORDS,
	KEY_STDERR,
	KEY_ASKS,
	KEY_LADDER,
	KEY_PONDER,
	KEY_REUSE,
	KEY_PIN,
	KEY_BRIEF_SANDBOX,
	KEY_EXACT,
	KEY_RESUME,
	KEY_SPRT,
	KEY_UNTIL_SURE,
	KEY_DUPLICATE,
};

const struct argp_option match_options[] = {
	{ "bot", 'b', "COMMAND|DIR", 0,
	  "A bot: its command line in one argument, a folder with a bot.conf, "
	  "or one that is built in: `random` or `house`. Give this option for "
	  "each bot",
	  1 },
	{ "name", KEY_NAME, "NAME", 0,
	  "The name of the bot given just before (default: that of its "
	  "bot.conf, script or program). On a ladder each bot needs a "
	  "different name",
	  1 },
	{ "entropy", KEY_ENTROPY, NULL, 0,
	  "The bot given just before answers `entropy?` (default: it is not "
	  "asked)",
	  1 },
	{ NULL, 'o', "NAME=VALUE", 0,
	  "An option of the game; `referee games GAME` lists them", 2 },
	{ "seats", KEY_SEATS, "N", 0,
	  "Seats at a table (default: one for each bot, at most the game's "
	  "maximum). More bots than seats play a round robin",
	  2 },
	{ "open", KEY_OPEN, "priority|arrival", 0,
	  "How open decisions are resolved (default priority)", 2 },
	{ "games", 'g', "N", 0,
	  "How many games. The number is rounded up to a multiple of the "
	  "seats, so that each bot sits in every seat equally often (default: "
	  "at least 100)",
	  3 },
	{ "exact", KEY_EXACT, NULL, 0, "Play exactly --games games", 3 },
	{ "sprt", KEY_SPRT, "elo0=ELO,elo1=ELO,...", 0,
	  "Stop as soon as a sequential test has decided whether the first "
	  "bot is better than the second by elo0 or less (H0), or by elo1 or "
	  "more (H1). You may add alpha=P, the risk of a wrong H1, and "
	  "beta=P, the risk of a wrong H0 (default .05 each), and "
	  "model=normalized|logistic (default normalized)",
	  3 },
	{ "until-sure", KEY_UNTIL_SURE, NULL, 0,
	  "Stop as soon as it is 95 % sure which of the first two bots is "
	  "better",
	  3 },
	{ "duplicate", KEY_DUPLICATE, NULL, 0,
	  "Play each deal in a block of games, in which each bot sits in "
	  "every seat once, and print how many games that has saved",
	  3 },
	{ "jobs", 'j', "N", 0,
	  "Games at a time (default: one for each processor that the match "
	  "may use)",
	  3 },
	{ "seed", KEY_SEED, "TEXT", 0,
	  "Makes the match repeatable. A bot that guesses TEXT knows all "
	  "cards, so use this only with bots that you trust (default: a "
	  "random seed, printed after the last game)",
	  3 },
	PLAY_OPTIONS_CLOCK(4),
	{ "ponder", KEY_PONDER, "on|off", 0,
	  "With off, a bot that is a program gets no processor while it is "
	  "not asked, once it has given its first answer (default on)",
	  4 },
	{ "reuse", KEY_REUSE, NULL, 0,
	  "The process of a bot plays one game after the other until it makes "
	  "a fault (default: only if its bot.conf says so)",
	  4 },
	{ "pin", KEY_PIN, "auto|off", 0,
	  "With auto, each worker process stays on one processor, together "
	  "with its bots as long as they answer quickly. With off, the kernel "
	  "chooses the processors (default auto)",
	  3 },
	{ "sandbox", KEY_SANDBOX, "auto|on|off", 0,
	  "The sandbox for bots that are programs. auto: the best that this "
	  "machine can make, which is printed at the start. on: the same, but "
	  "no match if it cannot hide files and network. off: none (default "
	  "auto)",
	  5 },
	{ "brief-sandbox", KEY_BRIEF_SANDBOX, NULL, 0,
	  "Print only the letter of the sandbox's tier, when you play many "
	  "matches on one machine",
	  5 },
	{ "records", KEY_RECORDS, "DIR", 0,
	  "Keep the record of every game in DIR", 5 },
	{ "resume", KEY_RESUME, "DIR", 0,
	  "Keep the plan and the records of the match in DIR. If they are "
	  "there already, play only the games that are missing",
	  5 },
	{ "stderr", KEY_STDERR, "DIR", 0,
	  "Keep the last 64 KiB of what each bot writes to standard error in "
	  "each game, in DIR/NUMBER-SEAT-NAME.txt",
	  6 },
	{ "asks", KEY_ASKS, NULL, 0, "Also record what the bots were asked",
	  5 },
	{ "ladder", KEY_LADDER, "FILE", 0,
	  "Rate the games on this ladder, which is made if it does not exist. "
	  "Without --records the records go to FILE.records",
	  5 },
	PLAY_OPTION_JSON(5),
	{ 0 },
};

static const char doc[] =
	"Play a match between bots on this machine, and print the standings: "
	"games, wins, mean place, mean points, score (the share of the other "
	"seats beaten; +- is half of its 95 % interval, ? means fewer than ten "
	"sets), the difference to the score of the next bot, rating, faults.\v"
	"Times are in milliseconds. Each game has a new process for each seat, "
	"unless --reuse is given.\n\n"
	"Exit codes: 0 the match was played, 2 wrong usage or a bot that "
	"cannot be started, 3 the machine failed (disk full, no permission, "
	"no processes left, games lost with the processes that played "
	"them).\n\n"
	"Example: three seats, two of them for the same program\n"
	"  referee match toepen --games 60 --bot random --bot ./mine \\\n"
	"    --bot './mine --bold' --name bold --records games";

static const char *
path(const char *option, const char *arg)
{
	if (*arg == '\0')
		refuse_argument("%s takes a path, not ''", option);
	return arg;
}

typedef int add_bot(struct match_bots *bots, const char *arg,
		    struct error *why);

static void
parse_bot(struct match_arguments *arguments, add_bot *add, const char *arg)
{
	struct error why;

	if (add(&arguments->bots, arg, &why) < 0)
		refuse_argument("%s", why.text);
}

static void
parse_entropy(struct match_arguments *arguments)
{
	if (arguments->bots.count == 0)
		refuse_argument("--entropy comes after its --bot");
	else
		arguments->bots.bot[arguments->bots.count - 1].entropy = true;
}

static void
parse_game_option(struct match_arguments *arguments, const char *arg)
{
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
parse_sprt(struct match_arguments *arguments, const char *arg)
{
	struct error why;

	if (sprt_parse(&arguments->contest.sprt, arg, &why) < 0)
		refuse_argument("%s", why.text);
	choose_rule(arguments, CONTEST_SPRT);
}

static const char *const opens[] = { "priority", "arrival", NULL };
static const char *const ponders[] = { "on", "off", NULL };
static const char *const pins[] = { "auto", "off", NULL };

error_t
match_argument(int key, char *arg, struct match_arguments *a)
{
	switch (key) {
	case 'b':
		parse_bot(a, match_bots_add, arg);
		break;
	case KEY_NAME:
		parse_bot(a, match_bots_name, arg);
		break;
	case KEY_ENTROPY:
		parse_entropy(a);
		break;
	case 'o':
		parse_game_option(a, arg);
		break;
	case KEY_SEATS:
		a->seats = argument_number("--seats", arg, 1, 99);
		break;
	case KEY_OPEN:
		a->arrival = argument_word("--open", arg, opens) == 1;
		break;
	case 'g':
		a->games = argument_number("--games", arg, 1, GAMES_MAX);
		break;
	case KEY_EXACT:
		a->exact = true;
		break;
	case KEY_SPRT:
		parse_sprt(a, arg);
		break;
	case KEY_UNTIL_SURE:
		choose_rule(a, CONTEST_UNTIL_SURE);
		break;
	case 'j':
		a->jobs = argument_number("--jobs", arg, 1, JOBS_MAX);
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
	case KEY_PONDER:
		a->no_pondering = argument_word("--ponder", arg, ponders) == 1;
		break;
	case KEY_REUSE:
		a->reuse = true;
		break;
	case KEY_PIN:
		a->no_pin = argument_word("--pin", arg, pins) == 1;
		break;
	case KEY_BRIEF_SANDBOX:
		a->brief_sandbox = true;
		break;
	case KEY_DUPLICATE:
		a->duplicate = true;
		break;
	case ARGP_KEY_ARG:
		if (a->game != NULL)
			refuse_argument("one GAME, not also %s; the command "
					"line of a bot is one argument: --bot "
					"'COMMAND WORD...'",
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
		if (a->duplicate && a->reuse)
			refuse_argument("--duplicate takes a new process for "
					"each game, or a bot would know the "
					"cards; leave out --reuse");
		if (a->duplicate && a->exact)
			refuse_argument("--duplicate plays whole blocks; leave "
					"out --exact");
		if (a->duplicate && a->play.sandbox == SANDBOX_OFF)
			refuse_argument("--duplicate needs the sandbox, or a "
					"bot could pass on the cards; leave "
					"out --sandbox off");
		if (a->resume != NULL)
			a->records = a->resume;
		break;
	default:
		return play_options_parse(&a->play, key, arg);
	}
	return 0;
}

static error_t
parse(int key, char *arg, struct argp_state *state)
{
	return match_argument(key, arg, state->input);
}

static const struct argp argp = {
	.options = match_options,
	.parser = parse,
	.args_doc = "GAME",
	.doc = doc,
};

void
match_arguments_parse(int argc, char **argv, struct match_arguments *arguments)
{
	play_options_default(&arguments->play);
	parse_arguments(&argp, argc, argv, arguments);
}
