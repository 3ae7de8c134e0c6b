/* ladder/search.h - counts the games of a ladder, and searches them.
 *
 * Functions return as those of store.h. */
#ifndef LADDER_SEARCH_H
#define LADDER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder/store.h"
#include "protocol/fault.h"

/* A seat of a game that counts. */
struct ladder_row {
	int64_t serial;
	int64_t bot; /* a number, for ladder_bot_name() */
	int place;
	int64_t rating_milli;	       /* the rating after the game */
	char ended[LADDER_DATE_BYTES]; /* the game's date, or "" */
};

/* Calls `each` for all seats of the pool's games with serials above `after`, by
 * serial and seat.  This is far cheaper than ladder_games(). */
int ladder_rows(struct ladder *ladder, int64_t pool, int64_t after,
		void (*each)(void *arg, const struct ladder_row *row),
		void *arg, struct error *why) MUST_CHECK;
int ladder_bot_name(struct ladder *ladder, int64_t bot,
		    char name[NAME_BYTES + 1], struct error *why) MUST_CHECK;
/* Gets how many seats bots have filled in the games of the pool that count. */
int ladder_pool_seats(struct ladder *ladder, int64_t pool, int64_t *seats,
		      struct error *why) MUST_CHECK;

/* ---- looking for games ------------------------------------------------ */

/* The games to search for; all when zeroed. */
struct ladder_wanted {
	const char *bot;   /* a bot that sat there, or NULL */
	const char *other; /* another bot that sat there, or NULL */
	int place;	   /* place of `bot`; 0: any */
	int64_t pool;	   /* number of the pool; 0: any */
	/* The game ended at `since` or later and before `until`.  Dates have
	 * the form of ladder_date_ok(); either may be NULL. */
	const char *since, *until;
	/* A fault of this kind was charged to `bot`, or if that is NULL, to any
	 * seat; FAULT_KINDS: any kind of fault; FAULT_NONE: with or without a
	 * fault. */
	enum fault fault;
	int64_t moves_min, moves_max; /* 0: any */
	int64_t before;		      /* only serials below this; 0: all */
	unsigned count;		      /* the most games to give */
};

/* The course of a game.  It is unknown (-1 and zeros) if an older referee rated
 * the game without counting it, until ladder_rebuild(). */
struct ladder_course {
	int64_t moves;
	bool fault[SEATS_MAX][FAULT_KINDS];
};

/* Calls `each` for the games, the latest first.  Fails with ERROR_INPUT if the
 * ladder does not know a bot. */
int ladder_search(struct ladder *ladder, const struct ladder_wanted *wanted,
		  void (*each)(void *arg, const struct ladder_game *game,
			       const struct ladder_course *course),
		  void *arg, struct error *why) MUST_CHECK;

#endif
