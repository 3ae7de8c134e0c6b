/* referee/pages/queue.h - writes the page of the queue through which other
 * machines play.
 *
 * Everybody may read it: it has no name of a machine, and no reason that a
 * machine gave (queue-figures.h). */
#ifndef REFEREE_PAGES_QUEUE_H
#define REFEREE_PAGES_QUEUE_H

#include "protocol/text.h"
#include "referee/pages/layout.h"
#include "referee/queue/queue-figures.h"

struct queue_view {
	bool known; /* the database has sent the figures */
	const struct queue_figures *figures;
	int64_t since; /* seconds since 1970: the database is up or down since
		        * then; 0: it was never up */
	const struct queue_job *job; /* the parked jobs */
	unsigned jobs;
};

/* Writes `/queue`. */
void queue_page(const struct site *site, const struct queue_view *view,
		struct text *to);
/* Writes the job's bots, and why it is parked, as far as everybody may know. */
void queue_job_write(struct html *html, const struct queue_job *job);

#endif
