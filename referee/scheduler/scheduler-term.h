/* referee/scheduler/scheduler-term.h - says if a game may begin now, by the dates
 * of a ladder and its games a day.
 *
 * `games-a-day` cuts each day (UTC) into as many equal parts, and a game may begin in
 * each part.  A part that passes without a game is lost, so that games never come in
 * a crowd.  The part in which a daemon starts counts as used, so that no day has more
 * games however often the daemon starts. */
#ifndef REFEREE_SCHEDULER_TERM_H
#define REFEREE_SCHEDULER_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/util.h"
#include "referee/config/serve-config.h"

enum term_phase {
	TERM_OPEN,   /* a game may begin */
	TERM_BEFORE, /* before `begins` */
	TERM_PACED,  /* this part of the day has had its game */
	TERM_AFTER,  /* `ends` has passed */
};

#define TERM_WHY_BYTES 128 /* bytes of a sentence and its NUL */

struct term {
	uint64_t games_a_day;	  /* the parts of a day that `used` counts */
	int64_t used;		  /* the last part that is used, since 1970 */
	char why[TERM_WHY_BYTES]; /* why no game may begin; "": one may */
	bool paced;		  /* it is TERM_PACED */
};

/* Looks at the time, in milliseconds since 1970, and sets `why`. */
enum term_phase term_look(struct term *term, const struct config_ladder *ladder,
			  int64_t now_ms) MUST_CHECK;
/* Uses up the present part of the day, because a game has begun. */
void term_use(struct term *term, const struct config_ladder *ladder,
	      int64_t now_ms);
/* Returns the next moment, in milliseconds since 1970, at which one of these answers
 * may change; 0 if there is none. */
int64_t term_next(const struct term *term, const struct config_ladder *ladder,
		  int64_t now_ms) MUST_CHECK;

#endif
