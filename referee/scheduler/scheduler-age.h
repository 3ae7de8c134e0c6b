/* referee/scheduler/scheduler-age.h - which games of a ladder are so old that their
 * records need not be kept (scheduler-prune.h says what old is). */
#ifndef REFEREE_SCHEDULER_AGE_H
#define REFEREE_SCHEDULER_AGE_H

#include <stdint.h>

#include "ladder/store.h"
#include "protocol/error.h"
#include "protocol/util.h"

#define SCHEDULER_AGE_GAP_S 604800 /* seven days */

struct scheduler_age {
	int64_t serial; /* this game and all before it are old; 0: none is */
	int64_t before; /* whatever ended before that is older than they are
			 * young, whether it was rated or not */
	uint64_t games; /* that are not old, */
	int64_t span_s; /* and the age of the oldest that was looked at */
};

/* From the file of a ladder, which may be in use: 0, or -1 and an error. */
int scheduler_age_read(const char *ladder, int64_t old_s,
		       struct scheduler_age *age, struct error *why) MUST_CHECK;

#endif
