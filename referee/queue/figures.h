/* referee/queue/figures.h - asks the database for what queue-figures.h tells. */
#ifndef REFEREE_QUEUE_ASK_FIGURES_H
#define REFEREE_QUEUE_ASK_FIGURES_H

#include "referee/queue/pg.h"
#include "referee/queue/queue-figures.h"

/* Statements and their parameters, for pg_ask() and pg_line_ask(). */
#define FIGURES_SQL "SELECT * FROM referee.figures($1, $2, $3, $4)"
#define FIGURES_TYPES "iiii"
#define FIGURES_VALUES                                                         \
	(int64_t) QUEUE_COUNTED, (int64_t)QUEUE_SEEN_S, (int64_t)QUEUE_RECENT, \
		(int64_t)QUEUE_RECENT_S
/* Jobs that are parked, from behind this one on, so many at most. */
#define PARKED_SQL "SELECT * FROM referee.parked_jobs($1, $2)"
#define PARKED_TYPES "ii"
#define WORKERS_SQL "SELECT * FROM referee.workers()"

/* A row of what is done. */
void figures_read(const struct pg_answer *answer, struct queue_figures *to);
void parked_read(const struct pg_answer *answer, unsigned row,
		 struct queue_job *to);
void worker_read(const struct pg_answer *answer, unsigned row,
		 struct queue_worker *to);

#endif
