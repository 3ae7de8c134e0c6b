/* referee/scheduler/scheduler-age.h - finds the games of a ladder that are so
 * old that their records need not be kept (scheduler-prune.h says what old is). */
#ifndef REFEREE_SCHEDULER_AGE_H
#define REFEREE_SCHEDULER_AGE_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

#define SCHEDULER_AGE_GAP_S 604800 /* seven days */

struct scheduler_age {
	int64_t serial; /* this game and all before it are old; 0: none is */
	int64_t before; /* the earliest end of the games that are not old: a
			 * game that was not rated is old if it ended before
			 * that */
	uint64_t games; /* number of games that are not old */
	int64_t span_s; /* age of the oldest game that was read */
};

/* Reads the file of a ladder, which may be in use.  `old_s` is the age in
 * seconds from which games are old.  Returns 0, or -1 and an error. */
int scheduler_age_read(const char *ladder, int64_t old_s,
		       struct scheduler_age *age, struct error *why) MUST_CHECK;

#endif
