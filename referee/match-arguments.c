/* referee/match-arguments.c - the options of `referee match`, and reading
 * them. */
#include "referee/match-arguments.h"

#include <string.h>

#include "referee/command.h"
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
	{ "sprt", KEY_SPRT, "elo0=ELO,elo1=ELO,...", 0,
	  "Stop as soon as a sequential test knows whether the first bot is "
	  "better than the second by elo0 or less (H0), or by elo1 or more "
	  "(H1). The rest may be alpha=P and beta=P, how often it may be wrong "
	  "in each case (default .05), and model=normalized|logistic (default "
	  "normalized)",
	  3 },
	{ "until-sure", KEY_UNTIL_SURE, NULL, 0,
	  "Stop as soon as it is 95 % sure which of the first two bots is "
	  "better",
	  3 },
	{ "duplicate", KEY_DUPLICATE, NULL, 0,
	  "Play each deal once with each bot in every seat: a block; and tell "
	  "how many games that saved",
	  3 },
	{ "jobs", 'j', "N", 0,
	  "Games at a time (default: the number of processors that the match "
	  "may use)",
	  3 },
	{ "seed", KEY_SEED, "TEXT", 0,
	  "Makes the match repeatable, for bots that you trust: whoever "
	  "guesses the TEXT knows all cards (default: a random one, printed "
	  "after the last game)",
	  3 },
	PLAY_OPTIONS_CLOCK(4),
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
	PLAY_OPTION_JSON(5),
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
