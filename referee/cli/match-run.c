/* referee/cli/match-run.c - see match-run.h. */
#include "referee/cli/match-run.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "referee/base/command.h"
#include "referee/cli/match-setup.h"
#include "referee/import/tree.h"
#include "referee/match/match-faults.h"
#include "referee/match/match-keeping.h"
#include "referee/match/match-plan.h"
#include "referee/match/match-resume.h"
#include "referee/match/match-trouble.h"

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

/* Prints the trouble of bots that never begin.  A match that stops for them has
 * no standings. */
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

static const char *
at_most(const struct match_setup *setup)
{
	return setup->may_be_fewer ? "at most " : "";
}

static int
play(struct match_setup *setup, const struct match_keeping *keeping,
     const struct match_kind *kind, int *caught)
{
	struct match_report report;
	int code;

	setup->writer = writer_new(
		keeping->log, keeping->dir[0] == '\0' ? NULL : keeping->dir);
	if (setup->writer == NULL)
		return complain_machine("cannot start the writer: %m");
	match_play(setup, &report);
	writer_free(setup->writer);
	if (report.never_began ||
	    (report.why.kind == ERROR_INPUT && report.games == 0)) {
		code = EXIT_DONE;
		print_silent(setup, &report);
	} else {
		code = kind->print(kind->arg, setup, &report);
		print_faults(setup, &report);
	}
	if (report.why.kind != ERROR_NONE)
		code = complain_error(&report.why);
	else if (report.parked > 0)
		code = complain_machine("%" PRIu64 " of the games were not "
					"played",
					report.parked);
	if (report.signal != 0)
		note("interrupted after %" PRIu64 " of %s%s%s", report.games,
		     at_most(setup), counted(setup->games, "game").text,
		     setup->resume == NULL
			     ? ""
			     : "; give the same command again to go on");
	else if (setup->resume != NULL &&
		 (report.why.kind != ERROR_NONE || report.parked > 0))
		note("%s keeps the plan of this match: the same command goes "
		     "on; if a bot has changed, give another folder",
		     quoted(keeping->dir).text);
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

/* Takes the plan, and reads the games that are there already.  An existing plan
 * gives the seed if none was given. */
static int
take_plan(const char *dir, struct match_setup *setup,
	  const struct match_kind *kind, struct match_plan *plan,
	  struct match_resume *resume)
{
	struct error why;
	int code;

	if (match_plan_take(plan, dir, setup, &why) < 0)
		return complain_error(&why);
	setup->seed = plan->seed;
	setup->seeded = plan->seeded;
	setup->resume = resume;
	code = plan->resumed ? kind->begin(kind->arg, setup) : EXIT_DONE;
	if (code != EXIT_DONE)
		return code;
	if (match_resume_read(resume, dir, setup, &why) < 0)
		return complain_error(&why);
	if (plan->resumed)
		note("%" PRIu64 " of %s%s are there already", resume->count,
		     at_most(setup), counted(setup->games, "game").text);
	return EXIT_DONE;
}

/* Prepares all but the games: the seed, the places where records are kept, and
 * the plan. */
static int
prepare(struct match_arguments *arguments, const struct match_kind *kind,
	struct match_setup *setup, struct match_keeping *keeping,
	struct match_plan *plan, struct match_resume *resume)
{
	const char *dir = arguments->resume;
	const bool begins = dir == NULL || !match_plan_is_there(dir);
	int code;

	/* From here on our memory has secrets. */
	prctl(PR_SET_DUMPABLE, 0);
	setup->seeded = play_seed(&arguments->play, 16);
	setup->seed = arguments->play.seed;
	code = kind->begin(kind->arg, setup);
	if (code == EXIT_DONE)
		code = match_keeping_open(keeping, arguments->records,
					  arguments->ladder);
	if (code == EXIT_DONE && arguments->stderr_dir != NULL)
		code = match_keeping_stderr(arguments->stderr_dir, begins);
	setup->records = keeping->dir[0] == '\0' ? NULL : keeping->dir;
	if (keeping->ladder != NULL)
		setup->ladder = ladder_id(keeping->ladder);
	setup->stderr_dir = arguments->stderr_dir;
	if (code == EXIT_DONE && begins)
		code = match_keeping_unplayed(keeping, setup);
	if (code == EXIT_DONE && dir != NULL)
		code = take_plan(dir, setup, kind, plan, resume);
	return code;
}

int
match_run(struct match_arguments *arguments, const struct match_kind *kind)
{
	struct match_setup setup = { 0 };
	struct match_keeping keeping = { 0 };
	struct match_resume resume = { 0 };
	struct match_plan plan = { 0 };
	int caught = 0, code = match_set_up(arguments, &setup);

	if (code == EXIT_DONE)
		code = match_set_up_machine(arguments, &setup);
	if (code == EXIT_DONE)
		code = prepare(arguments, kind, &setup, &keeping, &plan,
			       &resume);
	if (code == EXIT_DONE) {
		if (match_has_programs(&setup) &&
		    arguments->play.sandbox != SANDBOX_OFF)
			note_sandbox(arguments->brief_sandbox);
		code = play(&setup, &keeping, kind, &caught);
	}
	match_keeping_release(&keeping);
	match_resume_release(&resume);
	match_plan_release(&plan);
	match_bots_release(&arguments->bots);
	if (arguments->copies != NULL)
		(void)!tree_remove(AT_FDCWD, arguments->copies);
	free(arguments->copies);
	/* The secrets are in the records now, and a leak checker must be able
	 * to read our memory. */
	prctl(PR_SET_DUMPABLE, 1);
	play_raise(caught);
	return code;
}
