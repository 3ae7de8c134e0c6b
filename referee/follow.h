/* referee/follow.h - a game as one seat reads it, as a game that can be played.
 *
 * Give a follower the lines that a seat (or the public) is sent, and it keeps a
 * struct game that this viewer may hold to be the true one: it would have been
 * sent the very same lines and asks.  What the viewer cannot know is a guess,
 * drawn again after each step by game_resample().  A bot may play on from a
 * copy of the game, and draw from the follower's `draws`: game.h shows how at
 * game_resample().  A follower gets nothing but the viewer's lines, so it
 * cannot know more than the viewer.  It points into itself: do not copy it.
 *
 *	follow_begin(&follow, &setup, faults, seat, seed);
 *	follow_line(&follow, "round 1 0", 9);	for each line, as it is read;
 *	follow_line(&follow, "deal 1 ? ? ? ?", 14);
 *	...
 *	follow_settle(&follow)			before follow.game is looked at
 *
 * The lines must be those of a real referee: others are found out, or end in
 * bug().  Call sodium_init() first. */
#ifndef REFEREE_FOLLOW_H
#define REFEREE_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "protocol/event.h"
#include "referee/chance.h"
#include "referee/game.h"
#include "referee/games/told.h"

struct follow {
	struct chance_script script; /* first: the callback gets its address */
	struct game game;	     /* once `begun` */
	bool begun;
	bool lost; /* a line did not fit: the game is of no use any more */
	int viewer;
	unsigned faults_max;	    /* at so many a seat is retired */
	unsigned faults[SEATS_MAX]; /* so far */
	unsigned at_fault;	    /* set of seats: in this decision */
	unsigned retired;	    /* set of seats */
	struct chance chance;	    /* what the lines tell */
	struct draws draws;	    /* for what they do not tell */
	struct events ev;
	struct told step; /* what has come of the step that is on */
};

/* `viewer`: a seat or VIEW_PUBLIC; `faults`: as in the `game` line. */
void follow_begin(struct follow *follow, const struct game_setup *setup,
		  unsigned faults, int viewer,
		  const unsigned char seed[DRAWS_SEED_BYTES]);

/* Takes a line of `n` bytes, without LF.  Those that are no event lines (`ask`,
 * `void`, ...) are passed over.  -1: the lines cannot be those of this game,
 * or what the game has done is not what they say; likewise ever after. */
int follow_line(struct follow *follow, const char *line, size_t n) MUST_CHECK;

/* No more lines of this step will come, since the viewer is asked or the game
 * is over: lets it take effect.  0, or -1 as above, or if no line has come at
 * all. */
int follow_settle(struct follow *follow) MUST_CHECK;

#endif
