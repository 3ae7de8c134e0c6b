/* follow.h - a game as one seat reads it, as a game that can be played.
 *
 * Give a follower the lines that a seat (or the public) is sent, and it keeps a
 * struct game that this viewer may hold to be the true one: it would have been
 * sent the very same lines and asks.  What the viewer cannot know is a guess;
 * follow_deal() makes another one, each equally likely.  A follower gets
 * nothing but the viewer's lines, so it cannot know more than the viewer.  It
 * points into itself: do not copy it.
 *
 *	static struct follow follow;
 *
 *	follow_begin(&follow, &setup, faults, seat, seed);
 *	follow_line(&follow, "round 1 0", 9);	for each line, as it is read;
 *	follow_line(&follow, "deal 1 ? ? ? ?", 14);
 *	...
 *	follow_settle(&follow)	before follow.sample.game is looked at
 *
 * A bot that thinks ahead makes other deals and plays on from them, many times;
 * all that it draws comes from the follower's `draws`:
 *
 *	chance_drawn(&chance, &follow.draws);	once
 *	follow_deal(&follow, &playout);		for each playout
 *	game_play(&playout, ..., &chance, &ev);
 *
 * The lines must be those of a real referee: others are refused, or end in
 * bug().  Call sodium_init() first. */
#ifndef REFEREE_FOLLOW_H
#define REFEREE_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>

#include "referee/games/game.h"
#include "sample.h"

struct follow {
	struct sample sample; /* its game, once `begun` */
	bool begun;
	bool lost;  /* a line did not fit: the game is not usable any more */
	bool stale; /* no other deal was made since the last step */
	int viewer;
	unsigned faults_max;	    /* at so many a seat is retired */
	unsigned faults[SEATS_MAX]; /* so far */
	unsigned at_fault;	    /* set of seats: in this decision */
	unsigned retired;	    /* set of seats */
	struct draws draws;	    /* for what the lines do not tell */
	unsigned used;		    /* bytes of */
	char step[EVENTS_BYTES];    /* the lines of the step that is on */
};

/* `viewer`: a seat or VIEW_PUBLIC; `faults`: as in the `game` line.  The struct
 * is zeroed, or has been a follower before. */
void follow_begin(struct follow *follow, const struct game_setup *setup,
		  unsigned faults, int viewer,
		  const unsigned char seed[DRAWS_SEED_BYTES]);

/* Takes a line of `n` bytes, without LF. Those that are no event lines (`ask`,
 * `void`, ...) are passed over. -1: the lines cannot be those of this game, or
 * the game has done something else than they say; all later calls then return
 * -1, too. */
int follow_line(struct follow *follow, const char *line, size_t n) MUST_CHECK;

/* Lets the step take effect, of which no more lines will come, since the viewer is
 * asked or the game is over.  Returns 0, or -1 as above, or if no line has come at
 * all. */
int follow_settle(struct follow *follow) MUST_CHECK;

/* Makes `to` another game that the viewer may hold to be the true one; the follower is
 * settled.  It uses the game's own `resample`, or the sampler's proposals: those of one
 * search then are related, but no deal is favoured. */
void follow_deal(struct follow *follow, struct game *to);

/* Frees what the follower has kept of the lines. */
void follow_release(struct follow *follow);

#endif
