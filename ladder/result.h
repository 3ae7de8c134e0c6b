/* ladder/result.h - how what is done with ladders and rosters comes out. */
#ifndef LADDER_RESULT_H
#define LADDER_RESULT_H

/* What functions return here unless they say otherwise.  With the negative
 * ones a sentence stands in `why`, which names the file. */
enum ladder_result {
	LADDER_OK = 0,
	LADDER_COUNTED = 1,  /* this game is rated already */
	LADDER_BAD = -1,     /* not a ladder, not a game for it, a path that
			      * leads nowhere: EXIT_USAGE */
	LADDER_TROUBLE = -2, /* in use, disk full, …: EXIT_MACHINE */
	LADDER_CHANGED = -3, /* a record is not what was rated, or does not
			      * hold: EXIT_NEGATIVE */
};

/* Why a bot may be about to lose its rank. */
enum ladder_mark {
	LADDER_PLAYS,
	LADDER_INACTIVE,   /* not for LADDER_INACTIVE_DAYS */
	LADDER_SUPERSEDED, /* a later version of it has entered the pool */
	LADDER_DISABLED,   /* these two: by the roster */
	LADDER_REMOVED,
};

/* Beside a mark, which it takes for it: a bot's last game in the pool ended so
 * many days before the pool's last one.  A pool that rests marks no bot. */
#define LADDER_INACTIVE_DAYS 7
#define LADDER_RANKED_DAYS_MAX 36500

#endif
