/* referee/cli/command-match.c - `referee match`: plays games and prints
 * standings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "referee/cli/commands.h"
#include "referee/cli/match-run.h"
#include "referee/match/match-report.h"
#include "referee/match/schedule.h"

static const char doc[] =
	"Play a match between bots on this machine, and print the standings: "
	"games, wins, mean place, mean points, score (the share of the other "
	"seats beaten; +- is half of its 95 % interval, ? means fewer than ten "
	"sets), the difference to the score of the next bot, Elo less the mean "
	"of the bots with the two ends of its 95 % interval, faults.\v"
	"Times are in milliseconds. Each game has a new process for each seat, "
	"unless --reuse is given.\n\n"
	"Exit codes: 0 the match was played, 2 wrong usage or a bot that "
	"cannot be started, 3 the machine failed (disk full, no permission, no "
	"processes left, games lost with the processes that played them).\n\n"
	"Example: three seats, two of them for the same program\n"
	"  referee match toepen --games 60 --bot random --bot ./mine \\\n"
	"    --bot './mine --bold' --name bold --records games";

struct run {
	struct match_arguments arguments;
	struct schedule *schedule;
};

static int
begin(void *arg, struct match_setup *setup)
{
	struct run *run = arg;
	const uint64_t wanted = run->arguments.games;
	char cure[64] = "";

	if (!setup->duplicate)
		snprintf(cure, sizeof(cure), "; --exact plays %" PRIu64,
			 wanted);
	if (run->schedule == NULL && wanted != 0 && wanted != setup->games)
		note("%s instead of %" PRIu64
		     ", so that each bot sits in every seat equally often%s",
		     counted(setup->games, "game").text, wanted, cure);
	schedule_free(run->schedule);
	run->schedule =
		schedule_new(setup->bots, setup->game.seats, setup->seed);
	if (setup->rule.ends)
		schedule_keep(run->schedule, 2);
	setup->source = schedule_source(run->schedule);
	return EXIT_DONE;
}

static int
print(void *arg, const struct match_setup *setup,
      const struct match_report *report)
{
	const struct run *run = arg;

	return match_report_print(setup, report, NULL,
				  run->arguments.play.json ? MATCH_JSON
							   : MATCH_TEXT);
}

static int
run(int argc, char **argv)
{
	struct run *run = zeroed(1, sizeof(*run));
	const struct match_kind kind = { begin, print, run };
	int code;

	match_arguments_parse(doc, match_options, argc, argv, &run->arguments);
	code = match_run(&run->arguments, &kind);
	schedule_free(run->schedule);
	free(run);
	return code;
}

const struct command command_match = {
	.name = "match",
	.brief = "play a match between bots and print how they stand",
	.run = run,
};
