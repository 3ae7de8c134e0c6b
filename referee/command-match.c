/* referee/command-match.c - `referee match`: games in, standings out. */
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "referee/command.h"
#include "referee/match-arguments.h"
#include "referee/match-setup.h"
#include "referee/match/match-faults.h"
#include "referee/match/match-keeping.h"
#include "referee/match/match-plan.h"
#include "referee/match/match-report.h"
#include "referee/match/match-resume.h"
#include "referee/match/match-trouble.h"
#include "referee/match/match.h"
#include "referee/match/schedule.h"

static void
note_rounding(const struct match_arguments *arguments,
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
     const struct match_arguments *arguments, int *caught)
{
	struct schedule *schedule;
	struct match_report report;
	int code;

	setup->writer =
		writer_new(keeping->dir[0] == '\0' ? NULL : keeping->dir,
			   keeping->ladder, keeping->folder);
	if (setup->writer == NULL)
		return complain_machine("cannot start the writer: %s",
					strerror(errno));
	schedule = schedule_new(setup->bots, setup->game.seats, setup->seed);
	if (setup->rule.ends)
		schedule_keep(schedule, 2);
	setup->source = schedule_source(schedule);
	match_play(setup, &report);
	schedule_free(schedule);
	writer_free(setup->writer);
	if (report.never_began || (report.not_started && report.games == 0)) {
		code = EXIT_DONE;
		print_silent(setup, &report);
	} else {
		code = match_report_print(setup, &report, keeping->ladder,
					  arguments->play.json);
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

/* A plan that is there gives the seed, if none was given, and says that games
 * may be there. */
static int
take_plan(const char *dir, struct match_setup *setup, struct match_plan *plan,
	  struct match_resume *resume)
{
	struct error why;

	if (match_plan_take(plan, dir, setup, &why) < 0)
		return complain_error(&why);
	setup->seed = plan->seed;
	setup->seeded = plan->seeded;
	setup->resume = resume;
	if (match_resume_read(resume, dir, setup, &why) < 0)
		return complain_error(&why);
	if (plan->resumed)
		note("%" PRIu64 " of %" PRIu64 " games are there already",
		     resume->count, setup->games);
	return EXIT_DONE;
}

/* All but the games: where they are kept, the seed and the plan. */
static int
prepare(struct match_arguments *arguments, struct match_setup *setup,
	struct match_keeping *keeping, struct match_plan *plan,
	struct match_resume *resume)
{
	const char *dir = arguments->resume;
	int code = match_keeping_open(keeping, arguments->records,
				      arguments->ladder);

	if (code == EXIT_DONE && arguments->stderr_dir != NULL)
		code = match_keeping_folder(arguments->stderr_dir);
	setup->records = keeping->dir[0] == '\0' ? NULL : keeping->dir;
	setup->stderr_dir = arguments->stderr_dir;
	/* From here on there are secrets. */
	prctl(PR_SET_DUMPABLE, 0);
	setup->seeded = play_seed(&arguments->play, 16);
	setup->seed = arguments->play.seed;
	if (code == EXIT_DONE && (dir == NULL || !match_plan_is_there(dir)))
		code = match_keeping_unplayed(keeping, setup);
	if (code == EXIT_DONE && dir != NULL)
		code = take_plan(dir, setup, plan, resume);
	return code;
}

static int
run_match(struct match_arguments *arguments)
{
	struct match_setup setup = { 0 };
	struct match_keeping keeping = { 0 };
	struct match_resume resume = { 0 };
	struct match_plan plan = { 0 };
	int caught = 0, code = match_set_up(arguments, &setup);

	if (code == EXIT_DONE)
		code = match_set_up_machine(arguments, &setup);
	if (code == EXIT_DONE)
		code = prepare(arguments, &setup, &keeping, &plan, &resume);
	if (code == EXIT_DONE) {
		note_rounding(arguments, &setup);
		if (match_has_programs(&setup) &&
		    arguments->play.sandbox != SANDBOX_OFF)
			note_sandbox(arguments->brief_sandbox);
		code = play(&setup, &keeping, arguments, &caught);
	}
	match_keeping_release(&keeping);
	match_resume_release(&resume);
	match_plan_release(&plan);
	/* They are told now; and a leak checker needs to look. */
	prctl(PR_SET_DUMPABLE, 1);
	play_raise(caught);
	return code;
}

static int
run(int argc, char **argv)
{
	struct match_arguments *arguments = calloc(1, sizeof(*arguments));
	int code;

	if (arguments == NULL)
		bug("out of memory");
	match_arguments_parse(argc, argv, arguments);
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
