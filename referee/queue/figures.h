/* referee/queue/figures.h - asks the database for the figures of
 * queue-figures.h. */
#ifndef REFEREE_QUEUE_ASK_FIGURES_H
#define REFEREE_QUEUE_ASK_FIGURES_H

#include "referee/queue/pg.h"
#include "referee/queue/queue-figures.h"

/* Statements and the types of their parameters, for pg_ask() and pg_line_ask(). */
#define FIGURES_SQL "SELECT * FROM referee.figures($1, $2, $3, $4)"
#define FIGURES_TYPES "iiii"
#define FIGURES_VALUES                                                         \
	(int64_t) QUEUE_COUNTED, (int64_t)QUEUE_SEEN_S, (int64_t)QUEUE_RECENT, \
		(int64_t)QUEUE_RECENT_S
/* Parked jobs: $1 is the job to begin after, $2 the greatest number of rows. */
#define PARKED_SQL "SELECT * FROM referee.parked_jobs($1, $2)"
#define PARKED_TYPES "ii"
#define WORKERS_SQL "SELECT * FROM referee.workers()"

/* Read an answer that is done, or one row of it. */
void figures_read(const struct pg_answer *answer, struct queue_figures *to);
void parked_read(const struct pg_answer *answer, unsigned row,
		 struct queue_job *to);
void worker_read(const struct pg_answer *answer, unsigned row,
		 struct queue_worker *to);

#endif
