/* referee/games/redeal.h - deal a round's pieces once more.
 *
 * A round's deal is a row of places: place i holds the piece that is drawn
 * i-th, and after the drawn ones lie the rest, in any order.  A viewer knows
 * what lies in some places.  The other places are open, and of each other piece
 * it knows in which of them it may lie:
 *
 *	redeal_begin(&redeal);
 *	redeal_piece(&redeal, 7, redeal_run(0, 4));	one of the first four
 *	redeal_piece(&redeal, 9, redeal_run(0, 8));
 *	...						as many as open places
 *	redeal(&redeal, draws, dealt);			writes dealt[place]
 *
 * The result depends only on the input and the draws, not on what lay in the
 * open places before; so give the pieces in an order that does not depend on
 * that either. */
#ifndef REFEREE_GAMES_REDEAL_H
#define REFEREE_GAMES_REDEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/card.h"
#include "protocol/util.h"
#include "referee/games/draws.h"

#define PLACES_MAX 72

/* A set of places has bit i for place i. */
__extension__ typedef unsigned __int128 place_set;

struct redeal {
	unsigned count;		     /* pieces */
	place_set open;		     /* all places that they may lie in */
	place_set where[PLACES_MAX]; /* of each piece; */
	uint8_t piece[PLACES_MAX];   /* which one it is; */
	uint8_t place[PLACES_MAX];   /* and where it lies */
};

/* Returns the `n` places from `first` on. */
static inline place_set
redeal_run(unsigned first, unsigned n)
{
	return (((place_set)1 << n) - 1) << first;
}

static inline void
redeal_begin(struct redeal *redeal)
{
	redeal->count = 0;
	redeal->open = 0;
}

/* Adds a piece, and where it may lie. */
static inline void
redeal_piece(struct redeal *redeal, unsigned piece, place_set where)
{
	if (redeal->count == PLACES_MAX)
		bug("a deal has more than %d places", PLACES_MAX);
	redeal->where[redeal->count] = where;
	redeal->piece[redeal->count++] = (uint8_t)piece;
	redeal->open |= where;
}

/* Lays each piece into a place of its own and writes dealt[place].  Where of any two
 * pieces' sets of places one holds the other or they share none, each deal is equally
 * likely; elsewhere nearly so.  Returns false, and writes nothing, if there is no such
 * deal. */
bool redeal(struct redeal *redeal, struct draws *draws,
	    uint8_t dealt[PLACES_MAX]) MUST_CHECK;

/* Returns true if there is such a deal. */
bool redeal_possible(struct redeal *redeal) MUST_CHECK;

#endif
