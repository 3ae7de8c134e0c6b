/* referee/cli/match-setup.c - see match-setup.h. */
#include "referee/cli/match-setup.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ladder/durable.h"
#include "referee/base/command.h"
#include "referee/cli/bots-folder.h"
#include "referee/data/owner.h"
#include "referee/match/match-plan.h"
#include "referee/runner/runner.h"
#include "referee/runner/workers.h"
#include "referee/table/game-help.h"

/* Least number of games of a match without --games; it is rounded up to whole
 * sets. */
#define GAMES_DEFAULT 100
#define GAMES_UNTIL 100000 /* the same with a rule that stops the match */
#define JOBS_AHEAD 3	   /* match_setup.ahead for each processor */
/* Descriptors that the referee needs beside those of the bots. */
#define DESCRIPTORS_OWN 64

/* Returns true if option `i` has the name of an earlier one. */
static bool
is_given_before(const struct match_arguments *arguments, unsigned i)
{
	const char *option = arguments->option[i];
	size_t n = strcspn(option, "=") + 1;

	for (unsigned j = 0; j < i; j++)
		if (strncmp(arguments->option[j], option, n) == 0)
			return true;
	return false;
}

static void
option_name(const struct match_arguments *arguments, unsigned i, char name[64])
{
	const char *option = arguments->option[i];

	snprintf(name, 64, "%.*s", (int)strcspn(option, "="), option);
}

/* Checks the names first, then the values, then all options together.  Returns
 * EXIT_DONE or EXIT_USAGE. */
static int
set_up_options(const struct match_arguments *arguments,
	       struct game_setup *setup)
{
	char why[SENTENCE_BYTES], name[64];

	for (unsigned i = 0; i < arguments->options; i++) {
		option_name(arguments, i, name);
		if (game_setup_find(setup, name, why) < 0)
			return complain_usage("%s", why);
	}
	for (unsigned i = 0; i < arguments->options; i++) {
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

/* Chooses the sandbox tier. --duplicate needs boxes, because otherwise a bot
 * could pass on the cards. */
static int
choose_tier(const struct match_arguments *arguments, enum sandbox_tier *tier)
{
	struct error why;

	if (sandbox_choose(arguments->play.sandbox,
			   arguments->duplicate ? SANDBOX_BOX : SANDBOX_NONE,
			   tier, &why) == 0)
		return EXIT_DONE;
	return complain_machine("%s%s",
				arguments->duplicate ? "for --duplicate " : "",
				why.text);
}

/* Adds the bots of --bots after those of --bot. */
static int
add_bots_folder(struct match_arguments *arguments,
		const struct game_rules *rules)
{
	enum sandbox_tier tier;
	int code;

	arguments->first_of_folder = arguments->bots.count;
	if (arguments->bots_folder == NULL)
		return EXIT_DONE;
	code = choose_tier(arguments, &tier);
	return code == EXIT_DONE
		       ? bots_folder_add(&arguments->bots,
					 arguments->bots_folder, rules, tier)
		       : code;
}

static int
check_two(const struct match_arguments *arguments)
{
	const unsigned count = arguments->bots.count;

	if (count >= 2)
		return EXIT_DONE;
	if (arguments->bots_folder == NULL)
		return complain_usage("give --bot at least twice; `random` and "
				      "`house` are built in");
	return complain_usage("--bots %s makes %s in all, and a match needs "
			      "2; add a folder, or `--bot random`",
			      quoted(arguments->bots_folder).text,
			      counted(count, "bot").text);
}

/* Sets bots, seats and options.  Returns EXIT_DONE, or prints a sentence and
 * returns an exit code. */
static int
set_up_game(struct match_arguments *arguments, struct game_setup *setup)
{
	const struct game_rules *rules = game_find(arguments->game);
	char why[SENTENCE_BYTES];
	struct error error;
	unsigned seats;
	int code;

	if (rules == NULL)
		return complain_usage(
			"there is no game %s; `referee games` lists them%s",
			quoted(arguments->game).text,
			suggest_game(arguments->game).text);
	code = add_bots_folder(arguments, rules);
	if (code == EXIT_DONE)
		code = check_two(arguments);
	if (code != EXIT_DONE)
		return code;
	seats = arguments->bots.count;
	if (seats > rules->max_seats)
		seats = rules->max_seats;
	if (arguments->tables)
		seats = rules->min_seats;
	if (arguments->seats != 0)
		seats = (unsigned)arguments->seats;
	game_setup_init(setup, rules, seats);
	if (game_setup_seats(setup, why) < 0)
		return complain_usage("%s", why);
	if (set_up_options(arguments, setup) != EXIT_DONE)
		return EXIT_USAGE;
	if (match_bots_play(&arguments->bots, rules, &error) < 0)
		return complain_usage("%s", error.text);
	if (arguments->bots.count < seats)
		return complain_usage("%u seats need %u bots, not %u", seats,
				      seats, arguments->bots.count);
	return EXIT_DONE;
}

/* Returns the most games to play; without --exact in whole sets, so that each
 * bot sits in every seat equally often. */
static uint64_t
choose_games(const struct match_arguments *arguments, unsigned seats)
{
	const uint64_t wanted = arguments->games != 0 ? arguments->games
				: arguments->contest.rule == CONTEST_NONE
					? GAMES_DEFAULT
					: GAMES_UNTIL;

	if (arguments->tables)
		return GAMES_MAX;
	return arguments->exact ? wanted : (wanted + seats - 1) / seats * seats;
}

/* Checks that the rule that stops the match fits this game, and makes the
 * contest ready. */
static int
set_up_contest(struct match_arguments *arguments, unsigned seats)
{
	struct contest *contest = &arguments->contest;

	if (contest->rule != CONTEST_NONE && seats == 2 &&
	    arguments->bots.count > 2)
		return complain_usage(
			"%s compares the first two bots, and at a table of two "
			"there is no seat for others; leave them out, or take "
			"more --seats",
			contest->rule == CONTEST_SPRT ? "--sprt"
						      : "--until-sure");
	if (contest->rule == CONTEST_SPRT && seats > 2 &&
	    contest->sprt.model == SPRT_LOGISTIC)
		return complain_usage("--sprt: logistic Elo is for two seats, "
				      "not %u; take model=normalized",
				      seats);
	contest_begin(contest, seats);
	return EXIT_DONE;
}

/* Refuses --duplicate if a bot could carry over to the next game of a block
 * what it saw in the one before. */
static int
check_duplicate(const struct match_arguments *arguments)
{
	const struct match_bots *bots = &arguments->bots;

	for (unsigned b = 0; b < bots->count; b++)
		if (bots->bot[b].reuse)
			return complain_usage(
				"--duplicate takes a new process for each "
				"game, or a bot would know the cards; bot %s "
				"has `reuse = yes` in its bot.conf",
				bots->bot[b].name);
	if (arguments->records != NULL && arguments->resume == NULL &&
	    match_plan_is_there(arguments->records))
		return complain_usage(
			"%s has the plan of another match; take another folder "
			"for --records, or --resume",
			quoted(arguments->records).text);
	return EXIT_DONE;
}

int
match_set_up(struct match_arguments *arguments, struct match_setup *setup)
{
	struct error why;
	int code = set_up_game(arguments, &setup->game);

	if (code == EXIT_DONE)
		code = set_up_contest(arguments, setup->game.seats);
	if (code != EXIT_DONE)
		return code;
	if (match_bots_ready(&arguments->bots, arguments->ladder != NULL,
			     &why) < 0)
		return complain_usage("%s", why.text);
	if (arguments->reuse)
		match_bots_reuse(&arguments->bots);
	if (arguments->duplicate && check_duplicate(arguments) != EXIT_DONE)
		return EXIT_USAGE;
	setup->duplicate = arguments->duplicate;
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
	setup->contest = &arguments->contest;
	setup->rule = contest_rule(&arguments->contest);
	setup->arrival = arguments->arrival;
	setup->record_asks = arguments->asks;
	setup->no_pondering = arguments->no_pondering;
	setup->no_names = setup->goes_on = arguments->as_ladder;
	setup->faults = arguments->play.faults;
	setup->clock = arguments->play.clock;
	setup->pin = !arguments->no_pin;
	setup->progress = isatty(STDERR_FILENO);
	return EXIT_DONE;
}

bool
match_has_programs(const struct match_setup *setup)
{
	for (unsigned b = 0; b < setup->bots; b++)
		if (setup->bot[b].builtin == NULL)
			return true;
	return false;
}

/* Raises the limit of descriptors to what the games may need for bots that are
 * programs.  The programs of a block live until its end. */
static int
raise_descriptors(const struct match_setup *setup)
{
	const rlim_t need = ((rlim_t)setup->jobs + setup->ahead) *
				    (setup->duplicate ? setup->game.seats : 1) *
				    (setup->game.seats + STRAGGLERS_A_JOB +
				     (match_reuses(setup) ? IDLE_A_JOB : 0)) *
				    3 +
			    DESCRIPTORS_OWN;
	struct rlimit limit;

	if (!match_has_programs(setup))
		return EXIT_DONE;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return complain_machine("cannot read the limit of open files: "
					"%m");
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
					"%m");
	return EXIT_DONE;
}

/* Makes the folder for the copies of the bots of --bots: in that of --resume, so that
 * the same programs go on, else a temporary one.  Returns NULL after a sentence. */
static char *
make_copies(struct match_arguments *arguments)
{
	const char *tmp = getenv("TMPDIR");
	struct error why;

	if (arguments->resume != NULL) {
		if (folder_need(arguments->resume, &why) == 0)
			return formatted("%s/" BOTS_FOLDER_COPIES,
					 arguments->resume);
		complain_error(&why);
		return NULL;
	}
	arguments->copies =
		formatted("%s/referee-bots-XXXXXX", tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(arguments->copies) != NULL)
		return copied(arguments->copies);
	note("cannot make the folder %s: %m", arguments->copies);
	free(arguments->copies);
	arguments->copies = NULL;
	return NULL;
}

/* Lets the bots of --bots play from copies.  Their bot.conf is read again there, so
 * the options that concern it are applied again. */
static int
copy_bots(struct match_arguments *arguments, enum sandbox_tier tier)
{
	char *data = make_copies(arguments);
	int code;

	if (data == NULL)
		return EXIT_MACHINE;
	code = bots_folder_copy(&arguments->bots, arguments->first_of_folder,
				data, tier);
	free(data);
	if (arguments->reuse)
		match_bots_reuse(&arguments->bots);
	if (code == EXIT_DONE && arguments->duplicate)
		code = check_duplicate(arguments);
	return code;
}

static int
choose_sandbox(struct match_arguments *arguments,
	       const struct match_setup *setup)
{
	struct match_bots *bots = &arguments->bots;
	enum sandbox_tier tier;
	struct error why;
	int code;

	if (!match_has_programs(setup))
		return EXIT_DONE;
	code = choose_tier(arguments, &tier);
	if (code == EXIT_DONE && arguments->bots_folder != NULL)
		code = copy_bots(arguments, tier);
	if (code != EXIT_DONE)
		return code;
	if (match_bots_box(bots, tier, arguments->records,
			   arguments->stderr_dir, arguments->ladder, &why) < 0)
		return complain_usage("%s", why.text);
	for (unsigned b = 0; arguments->processes > 0 && b < bots->count; b++)
		bots->bot[b].box.limits.processes =
			(unsigned)arguments->processes;
	return EXIT_DONE;
}

/* Checks that we may use the ladder: a ladder in a data folder may only be
 * written by the folder's owner. */
static int
check_folder(const struct match_arguments *arguments)
{
	struct error why;

	if (arguments->ladder != NULL &&
	    owner_check_ladder(arguments->ladder, &why) < 0)
		return complain_machine("%s", why.text);
	return EXIT_DONE;
}

int
match_set_up_machine(struct match_arguments *arguments,
		     const struct match_setup *setup)
{
	int code = check_folder(arguments);

	if (code == EXIT_DONE)
		code = choose_sandbox(arguments, setup);
	return code == EXIT_DONE ? raise_descriptors(setup) : code;
}
