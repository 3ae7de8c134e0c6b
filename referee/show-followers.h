/* referee/show-followers.h - for `referee queue show`: the daemons that wait, and
 * how far behind they are. */
#ifndef REFEREE_SHOW_FOLLOWERS_H
#define REFEREE_SHOW_FOLLOWERS_H

#include <stdbool.h>

#include "protocol/error.h"
#include "protocol/util.h"
#include "referee/queue/pg.h"

/* A line for each.  0, or -1 and an error. */
int show_followers(struct pg_line *line, bool json,
		   struct error *why) MUST_CHECK;

#endif
