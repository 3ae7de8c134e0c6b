/* referee/match/match-seat.c - see match-seat.h. */
#include "referee/match/match-seat.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "referee/match/match-trouble.h"
#include "referee/records/replay-wrote.h"
#include "referee/sandbox/program-exec.h"

void
match_seat_not_started(const struct match_bot *bot, int error,
		       struct error *end)
{
	char why[512];

	if (bot->box.tier > SANDBOX_NONE &&
	    (error == ENOENT || error == EACCES || error == ENOTDIR))
		snprintf(why, sizeof(why),
			 "%s: %s in the sandbox, which shows the system and "
			 "the folders of the files that the command line names "
			 "(--sandbox off goes without)",
			 quoted(bot->argv[0]).text, strerror(error));
	else if (bot->folder != NULL || bot->box.tier > SANDBOX_NONE ||
		 spawner_program_ok(bot->argv[0], why, sizeof(why)))
		snprintf(why, sizeof(why), "%s: %s", quoted(bot->argv[0]).text,
			 program_exec_words(error));
	error_set(end, ERROR_INPUT, "bot %s cannot be started: %s", bot->name,
		  why);
}

static int
keep_stderr(const struct match_setup *setup, uint64_t number, unsigned bot,
	    unsigned seat, const struct job_end *end, struct error *why)
{
	if (setup->stderr_dir == NULL || setup->bot[bot].builtin != NULL ||
	    replay_wrote_keep(setup->stderr_dir, number, seat,
			      setup->bot[bot].name, &end->complaint,
			      end->wrote_from) == 0)
		return 0;
	return error_set(why, ERROR_MACHINE,
			 "cannot keep the standard error of a bot in %s: %m",
			 quoted(setup->stderr_dir).text);
}

int
match_seat_hear(struct match_seats *seats, uint64_t number, unsigned bot,
		unsigned seat, const struct fault_note *note,
		const struct job_end *end, struct error *why)
{
	const struct match_setup *setup = seats->setup;
	struct match_report *report = seats->report;
	struct match_trouble *trouble = &report->trouble[bot];
	const char *name = setup->bot[bot].name;

	complaints_hear(&seats->complaints, name, bot, number, seat, end);
	match_trouble_hear(trouble, number, seat, note, end);
	if (keep_stderr(setup, number, bot, seat, end, why) < 0)
		return -1;
	if (report->why.kind != ERROR_NONE || setup->goes_on ||
	    !match_trouble_is_silent(trouble, setup->games))
		return 0;
	match_trouble_silent(trouble, name, why);
	report->never_began = true;
	return -1;
}
