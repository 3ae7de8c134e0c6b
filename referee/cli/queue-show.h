/* referee/cli/queue-show.h - prints the state of a queue for `referee queue`. */
#ifndef REFEREE_QUEUE_SHOW_H
#define REFEREE_QUEUE_SHOW_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/pg.h"

#define QUEUE_SHOWN 20 /* most waiting jobs, and parked ones for people */

/* Prints figures, waiting and parked jobs, jobs that no program or machine can
 * play, and the followers.  Returns 0, or -1 and an error. */
int queue_show(struct pg_line *line, bool json, struct error *why) MUST_CHECK;
int queue_workers(struct pg_line *line, bool json,
		  struct error *why) MUST_CHECK;

#endif
