/* referee/queue/coordinator-figures.c - how the queue does: asked for with each
 * poll, so that a page or a metric never waits for the database. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "referee/queue/coordinator-inside.h"
#include "referee/queue/figures.h"

/* Seconds; lag that no bound holds is in the last count. */
static const double bounds[COORDINATOR_LAG_BOUNDS] = COORDINATOR_LAG_SECONDS;

static void
on_parked(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_told *told = &coordinator->told;
	const unsigned rows = pg_rows(answer);

	if (answer->outcome != PG_DONE)
		return;
	told->jobs = rows < QUEUE_LISTED ? rows : QUEUE_LISTED;
	for (unsigned i = 0; i < told->jobs; i++)
		parked_read(answer, i, &told->job[i]);
}

static void
on_figures(void *arg, const struct pg_answer *answer)
{
	struct coordinator *coordinator = arg;
	struct coordinator_told *told = &coordinator->told;

	if (answer->outcome != PG_DONE || pg_rows(answer) == 0)
		return;
	figures_read(answer, &told->figures);
	told->known = true;
	if (told->figures.parked == 0) {
		told->jobs = 0;
		return;
	}
	pg_ask(coordinator->pg, on_parked, coordinator, PARKED_SQL,
	       PARKED_TYPES, (int64_t)0, (int64_t)QUEUE_LISTED);
}

void
figures_ask(struct coordinator *coordinator)
{
	pg_ask(coordinator->pg, on_figures, coordinator, FIGURES_SQL,
	       FIGURES_TYPES, FIGURES_VALUES);
}

void
figures_up(struct coordinator *coordinator, bool up)
{
	struct coordinator_told *told = &coordinator->told;

	if (up)
		coordinator->counts.connects++;
	if (up != coordinator->counts.up || told->since == 0)
		told->since = (int64_t)time(NULL);
	coordinator->counts.up = up;
}

void
figures_lag(struct coordinator *coordinator, uint64_t lag_us)
{
	struct coordinator_counts *counts = &coordinator->counts;
	const double lag_s = (double)lag_us / 1e6;
	unsigned i = 0;

	while (i < COORDINATOR_LAG_BOUNDS && lag_s > bounds[i])
		i++;
	counts->lag[i]++;
	counts->lag_us += lag_us;
}

const struct coordinator_told *
coordinator_told(const struct coordinator *coordinator)
{
	return &coordinator->told;
}
