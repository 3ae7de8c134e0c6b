/* tests/unit/walk.h - walks through everything that can happen from a fixed
 * deal.
 *
 * The deal follows no seed: in each round the pieces come in the rising order
 * of base^(i+1) modulo 257, where i from 0 numbers the pieces as the rules list
 * them, rank or number before suit or colour (two decks: equal cards side by
 * side), and base is 3, 5, 7, 10, 12 or another number of order 256.  A number
 * that is drawn is 0.
 *
 * A ply is one thing that takes effect: in a single decision a move of the seat
 * asked; in an open one a move other than `pass` of any seat asked, or `quiet`
 * where there is no holder.  A range counts one for each value. (Classes do not
 * matter: each of these takes effect if all others pass; so does a holder's own
 * move.) */
#ifndef TESTS_WALK_H
#define TESTS_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "referee/games/game.h"
#include "tests/unit/play.h"

#define WALK_PIECES 72

struct walk;

/* Is called at each node, including the root, `depth` plies below it; walk->ev
 * has the lines of the ply that led here.  Returns false to go no deeper here. */
typedef bool (*walk_visit)(struct walk *walk, const struct game *game,
			   unsigned depth);

struct walk {
	struct chance_script script; /* first: the callback gets its address */
	struct game_setup setup;
	struct chance chance;
	struct events ev;
	walk_visit visit;
	/* If not NULL, this is called with the lines of the start, and those of each
	 * ply before the root. */
	void (*before)(struct walk *walk);
	void *own; /* of the visitor */

	const struct deck *deck;
	uint8_t order[WALK_PIECES]; /* pieces in the order in which they are
				     * drawn */
	unsigned drawn;		    /* pieces drawn in this round */
	uint32_t round_at; /* where its line stands in this ply's text */
};

/* `options` as for play_open(). */
void walk_open(struct walk *walk, const char *game, unsigned seats,
	       const char *options, unsigned base);

/* Does the same as walk_open() with options as in counts.txt: `-`, or separated
 * by commas. */
void walk_open_commas(struct walk *walk, const char *game, unsigned seats,
		      const char *options, unsigned base);

/* Starts the game, makes `after` plies and visits the nodes at most `depth`
 * plies below.  Of these plies number i (from 1) is entry number 7 * i modulo
 * their count in the list of all plies possible then, from 0: written "SEAT
 * TOKEN", ranges as their values, in the order of their bytes; `quiet` is the
 * last.  Aborts the program if the game ends before. */
void walk_tree(struct walk *walk, unsigned after, unsigned depth,
	       walk_visit visit, void *own);

/* ---- counting --------------------------------------------------------- */

/* Counts the nodes of one depth: those asked in a single or open decision, and those
 * where the game is over. */
struct walk_count {
	uint64_t single, open, over;
};

/* Counts depth 0 to `depth` into count[0] to count[depth]. */
void walk_count(struct walk *walk, unsigned after, unsigned depth,
		struct walk_count *count);

#endif
