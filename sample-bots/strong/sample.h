/* sample.h - the games that one viewer may hold to be the true one,
 * found without a line of code per game.
 *
 * A sample knows the lines of one seat (or of the public) and one deal that
 * agrees with them.  A deal is tried by playing the round again from its
 * beginning: it is possible if every move is legal, a house move made by the
 * referee is the house move, and the viewer is asked and told the same.  From a
 * possible deal sample_walk() goes on to others: two pieces that the viewer has
 * not seen change places, or a move of which it has read a part becomes another
 * that reads the same.  No deal is favoured, so after enough of that each one
 * is equally likely.
 *
 * What the sampler asks of a game: a line `round ...` stands before all that is
 * dealt once more, and what was hidden before that line has no part in what
 * comes after it; chance_number() is told to everybody; what lies hidden from
 * the viewer in a move is a piece of it.
 *
 *	sample_begin(&sample, &setup, seat, seed);	zeroed before
 *	sample_step(&sample, "round 1 0\ndeal 0 ? ?\n", 22, false)
 *	sample_step(&sample, "move 0 play:7H\n", 15, false)
 *	...					sample.game is one possible game
 *	sample_walk(&sample, SAMPLE_FRESH * sample.deal.drawn);
 *					... and now it is any of them
 *	sample_release(&sample);
 *
 * Call sodium_init() first. */
#ifndef REFEREE_SAMPLE_H
#define REFEREE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "referee/games/draws.h"
#include "referee/games/game.h"
#include "sample-deal.h"

#define SAMPLE_FRESH 16 /* proposals per hidden piece: nearly any deal */
#define SAMPLE_STIR 4	/* are enough between two playouts of one search */

struct sample {
	struct game game;	  /* one that is possible */
	struct sample_deal deal;  /* its hidden pieces, deal.drawn of them */
	struct sample_stock kept; /* private: what is left in `game` */
};

/* Begins with a game of which no line has come.  `viewer`: a seat or VIEW_PUBLIC.  The
 * struct is zeroed, or has been a sample before. */
void sample_begin(struct sample *sample, const struct game_setup *setup,
		  int viewer, const unsigned char seed[DRAWS_SEED_BYTES]);

/* Takes the lines of one more step, as the viewer reads them, each ended by LF: what
 * one move or `quiet` led to, or the start of the game.  `forced`: the move is a house
 * move that the referee made.  Returns -1 if no deal was found that agrees with these
 * lines, which may happen without `resample`; the sample is of no more use then. */
int sample_step(struct sample *sample, const char *lines, size_t n,
		bool forced) MUST_CHECK;

/* `n` proposals; sample.game is what they led to. */
void sample_walk(struct sample *sample, unsigned n);

/* Frees what the sample has kept of the lines. */
void sample_release(struct sample *sample);

#endif
