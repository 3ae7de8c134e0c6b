/* ladder/result.h - names that ladders and rosters have in common. */
#ifndef LADDER_RESULT_H
#define LADDER_RESULT_H

#include <stdint.h>

/* A function may return this beside 0 and -1: it found what was asked for, or
 * the game is rated already. */
#define LADDER_FOUND 1

/* The reasons why a bot may be about to lose its rank. */
enum ladder_mark {
	LADDER_PLAYS,
	LADDER_INACTIVE, /* no game for LADDER_INACTIVE_DAYS */
	LADDER_SUPERSEDED, /* another version of it stands for the bot.  This and the
			    * next ones have no rank */
	LADDER_DISABLED, /* this and the next two come from the roster */
	LADDER_WITHDRAWN,
	LADDER_REMOVED,
};

/* Says what the roster knows of a bot's name in a ladder. */
struct ladder_known {
	/* LADDER_PLAYS, or one that comes from the roster. */
	enum ladder_mark mark;
	/* For a version of a bot that has several: the bot's number, and a number that
	 * is higher, the later the version played last.  Else 0 and 0. */
	int64_t of, turn;
};

/* A bot is LADDER_INACTIVE if its last game in the pool ended this many days or
 * more before the pool's last one.  So a pool that rests marks no bot. */
#define LADDER_INACTIVE_DAYS 7
#define LADDER_RANKED_DAYS_MAX 36500

#endif
