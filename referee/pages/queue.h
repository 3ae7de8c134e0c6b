/* referee/pages/queue.h - the queue through which other machines play.
 *
 * The page is for all: it has no name of a machine, and no reason that one gave
 * (queue-figures.h). */
#ifndef REFEREE_PAGES_QUEUE_H
#define REFEREE_PAGES_QUEUE_H

#include "protocol/text.h"
#include "referee/pages/layout.h"
#include "referee/queue/queue-figures.h"

struct queue_view {
	bool known; /* the database has told the figures */
	const struct queue_figures *figures;
	int64_t since; /* 1970: the database is up, or down; 0: never was */
	const struct queue_job *job; /* that are parked */
	unsigned jobs;
};

/* `/queue` */
void queue_page(const struct site *site, const struct queue_view *view,
		struct text *to);
/* Its bots, and why it is parked, as far as all may know. */
void queue_job_write(struct html *html, const struct queue_job *job);

#endif
