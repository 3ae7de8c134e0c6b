/* ladder/search.h - the games of a ladder for who counts or looks for some.
 *
 * Functions return as those of store.h. */
#ifndef LADDER_SEARCH_H
#define LADDER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/fault.h"

/* One seat of a game that counts. */
struct ladder_row {
	int64_t serial;
	int64_t bot; /* a number, for ladder_bot_name() */
	int place;
	int64_t rating_milli;	       /* after the game */
	char ended[LADDER_DATE_BYTES]; /* its date, or "" */
};

/* All seats of the pool's games with serials above `after`, by serial and seat:
 * far cheaper than ladder_games(). */
int ladder_rows(struct ladder *ladder, int64_t pool, int64_t after,
		void (*each)(void *arg, const struct ladder_row *row),
		void *arg, struct error *why) MUST_CHECK;
int ladder_bot_name(struct ladder *ladder, int64_t bot,
		    char name[NAME_BYTES + 1], struct error *why) MUST_CHECK;
/* How many seats bots have filled in the games of the pool that count. */
int ladder_pool_seats(struct ladder *ladder, int64_t pool, int64_t *seats,
		      struct error *why) MUST_CHECK;

/* ---- looking for games ------------------------------------------------ */

/* What of a game is looked for; zeroed: all. */
struct ladder_wanted {
	const char *bot;   /* that sat there, or NULL */
	const char *other; /* likewise, besides */
	int place;	   /* of `bot`; 0: any */
	int64_t pool;	   /* its number; 0: any */
	/* A game that ended at `since` or later and before `until`; dates as
	 * ladder_date_ok() has them; or NULL. */
	const char *since, *until;
	/* Of `bot`, or of any seat: a fault of this kind; FAULT_KINDS: of any
	 * kind; FAULT_NONE: with or without. */
	enum fault fault;
	int64_t moves_min, moves_max; /* 0: any */
	int64_t before;		      /* only lower serials; 0: all */
	unsigned count;		      /* at most */
};

/* What stands beside a game; not known (-1 and zeros) of one that was rated by a
 * referee which did not count it, until ladder_rebuild(). */
struct ladder_course {
	int64_t moves;
	bool fault[SEATS_MAX][FAULT_KINDS];
};

/* The latest first. ERROR_INPUT: the ladder knows no such bot. */
int ladder_search(struct ladder *ladder, const struct ladder_wanted *wanted,
		  void (*each)(void *arg, const struct ladder_game *game,
			       const struct ladder_course *course),
		  void *arg, struct error *why) MUST_CHECK;

#endif
