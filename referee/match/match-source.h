/* referee/match/match-source.h - tells a match what to play next, and when it
 * has played enough: two small sets of functions that the caller of the match
 * plugs in.
 *
 * The match numbers its games from 1, without gaps, in the order in which
 * next() gives them.  It tells the results in the order of the numbers, one for
 * each game that next() gave, whatever the number of games at a time.  So all
 * that depends on next() and on results alone is the same for any --jobs.  A
 * match that is resumed tells the results of its records in the same way, so a
 * source need not save any state.  The loop calls all functions.
 *
 * Games come in units of as many games as there are seats: unit j (from 0)
 * begins with game j * seats + 1 and has the same bots, one seat further in
 * each game.  A unit is a rotation set, or with duplicate deals a block.  All
 * games of a block have the same deal, and their results are told at once.  If
 * one game of a block does not count, none does. */
#ifndef REFEREE_MATCH_SOURCE_H
#define REFEREE_MATCH_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/limits.h"

/* A game before the cards are dealt. */
struct match_game {
	unsigned bot[SEATS_MAX]; /* by seat: bot numbers of the setup */
};

/* A game that is over.  If its record is kept, the record is safe. */
struct match_result {
	uint64_t number;
	unsigned bot[SEATS_MAX]; /* by seat */
	/* False if the game, or another one of its block, was aborted, could
	 * not be played or is not kept; then the rest means nothing. */
	bool counts;
	bool known; /* the ladder had the game before */
	int place[SEATS_MAX];
	long points[SEATS_MAX];
	unsigned faults[SEATS_MAX];
	bool retired[SEATS_MAX];
	unsigned turns;
};

enum match_next {
	MATCH_GAME, /* `game` is filled */
	MATCH_WAIT, /* ask again after the next result; some game is not over
		     * yet */
	MATCH_END,  /* there is no other game; next() is not called any more */
};

struct match_source {
	enum match_next (*next)(void *arg, uint64_t number,
				struct match_game *game);
	/* NULL: next() does not depend on results. */
	void (*hear)(void *arg, const struct match_result *result);
	/* Fills in all bots in their order when the match has ended, the best
	 * first.  NULL: they are ordered by their scores. */
	void (*order)(void *arg, unsigned bot[]);
	void *arg;
};

struct match_rule {
	/* Returns true if the match ends with this result.  Games that have
	 * begun, and all games of their blocks, are played to their end,
	 * recorded and rated, but neither the report nor the source nor this
	 * rule hears of them. */
	bool (*enough)(void *arg, const struct match_result *result);
	/* Writes for the progress line what there is to say so far, or nothing. */
	void (*tell)(const void *arg, char *to, size_t size);
	bool ends; /* enough() may return true */
	void *arg;
};

#endif
