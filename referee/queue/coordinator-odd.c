/* referee/queue/coordinator-odd.c - workers on which games come out otherwise. */
#include "protocol/fault.h"
#include "referee/queue/coordinator-inside.h"

void
coordinator_set_odd(struct coordinator *coordinator, enum coordinator_odd odd)
{
	coordinator->odd = odd;
}

static void
on_noted(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;

	if (coordinator_is_taken(coordinator, answer) || pg_rows(answer) == 0 ||
	    pg_number(answer, 0, 0) == 0)
		return;
	coordinator->counts.odd++;
	coordinator->calls->odd(coordinator->arg, pg_string(answer, 0, 1),
				pg_string(answer, 0, 2),
				pg_number(answer, 0, 3) != 0);
}

void
odd_tell(struct coordinator *coordinator, const char *worker, const char *why,
	 bool suspend)
{
	pg_ask(coordinator->pg, on_noted, coordinator,
	       "SELECT referee.note_odd($1, $2, $3, $4 = 1), $2, $3, $4",
	       "issi", coordinator->house.epoch, worker, why, (int64_t)suspend);
}

void
odd_count(struct coordinator *coordinator, const struct check *check)
{
	const struct table_setup *setup = &check->job->setup;
	const struct job_result *result = &check->result;
	unsigned faults[SEATS_MAX][FAULT_KINDS] = { 0 };
	struct residuals_game game = {
		.worker = check->worker,
		.ladder = check->ladder,
		.id = check->game,
		.seats = setup->game.seats,
		.aborted = result->outcome.aborted != ABORT_NONE,
	};
	struct residuals_found found;

	if (coordinator->odd == COORDINATOR_OFF)
		return;
	if (result->body.used > 0)
		fault_count(result->body.bytes, result->body.used, faults);
	for (unsigned s = 0; s < game.seats; s++) {
		game.bot[s] = setup->name[s];
		game.place[s] = result->outcome.place[s];
		game.faulted[s] = faults[s][FAULT_TIMEOUT] > 0 ||
				  faults[s][FAULT_CRASH] > 0;
	}
	residuals_add(coordinator->residuals, &game, &found);
	if (found.level != RESIDUALS_FINE)
		odd_tell(coordinator, found.worker, found.why,
			 found.level == RESIDUALS_OUT &&
				 coordinator->odd == COORDINATOR_SUSPEND);
}
