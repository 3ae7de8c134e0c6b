/* referee/cli/queue-show.h - what `referee queue` prints of a queue. */
#ifndef REFEREE_QUEUE_SHOW_H
#define REFEREE_QUEUE_SHOW_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/pg.h"

#define QUEUE_SHOWN 20 /* waiting jobs; parked ones, for people */

/* Figures, what is parked, and what no program or machine can play. */
int queue_show(struct pg_line *line, bool json, struct error *why) MUST_CHECK;
int queue_workers(struct pg_line *line, bool json,
		  struct error *why) MUST_CHECK;

#endif
