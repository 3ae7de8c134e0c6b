/* ladder/result.h - words that ladders and rosters have in common. */
#ifndef LADDER_RESULT_H
#define LADDER_RESULT_H

/* What a function may return beside 0 and -1: what was asked for is there, or
 * the game is rated already. */
#define LADDER_FOUND 1

/* Why a bot may be about to lose its rank. */
enum ladder_mark {
	LADDER_PLAYS,
	LADDER_INACTIVE,   /* not for LADDER_INACTIVE_DAYS */
	LADDER_SUPERSEDED, /* a later version of it has entered the pool */
	LADDER_DISABLED,   /* these two: by the roster */
	LADDER_REMOVED,
};

/* Beside a mark, which takes for it: a bot's last game in the pool ended so
 * many days before the pool's last one.  A pool that rests marks no bot. */
#define LADDER_INACTIVE_DAYS 7
#define LADDER_RANKED_DAYS_MAX 36500

#endif
