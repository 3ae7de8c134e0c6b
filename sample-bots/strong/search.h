/* search.h - the best move of a game of which not all can be seen.
 *
 * Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse,
 * 2012): with one tree for all seats (SO-ISMCTS), or where answers are good or
 * bad by the hand alone with a tree for each (MO-ISMCTS; policy.h, `sort`).  In
 * each playout what the seat cannot know is dealt again; the tree's nodes are
 * moves, and at each only those children count that are legal in this deal.
 * Below the tree, moves are drawn by weights that know the game a little
 * (policy.h).  A playout ends with the round, and the points then are judged
 * (value.h). */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "follow.h"

#define SEARCH_NODES 200000

struct search_node {
	struct move move;
	uint8_t seat;	  /* whose move it is */
	uint32_t child;	  /* the first one; 0: none */
	uint32_t sibling; /* the next one; 0: none */
	uint32_t visits;
	uint32_t offered; /* how often it could have been chosen */
	float sum;	  /* of what `seat` got */
	float squares;	  /* of that */
};

struct search_limits {
	unsigned playouts; /* 0: until the time is over */
	uint64_t think_us; /* of processor time; 0: no limit */
	uint64_t until_us; /* by search_clock(); 0: no limit */
};

/* Holds the value of a move as the playouts found it. */
struct search_value {
	struct move move;
	double value; /* the share of the others that the seat is placed before */
	double error; /* its standard error */
	unsigned visits;
};

#define SEARCH_LEVEL 2 /* standard errors of a difference that may be chance */
#define SEARCH_TOP 3
#define SEARCH_PART 8 /* 1/8 of the playouts at least for what is valued */

struct search {
	struct search_node *node; /* owned; the first SEATS_MAX are roots */
	uint32_t nodes;
	unsigned playouts; /* of the last search */
	uint64_t began_us; /* by the processor time of this process */
	double spread, mean, squares;
	struct draws *draws;  /* of the follower: for all that is drawn */
	struct chance chance; /* for the playouts */
};

/* Returns the microseconds since some moment. */
uint64_t search_clock(void);

void search_init(struct search *search);
void search_release(struct search *search);

/* Returns the move that the follower's seat, which is asked, should make: an entry of
 * its legal list, a range narrowed to one number.  Among moves that the playouts cannot
 * tell apart it is the one that spares the better cards (policy.h). */
struct move search_move(struct search *search, struct follow *follow,
			struct search_limits limits);

/* Does such a search with this number of playouts.  Writes the values of the most
 * promising moves to `best`, the best one first, and the value of `made`, a move that
 * the seat may make, to `of_made`; if `made` is NULL, it writes none.  Each of them is
 * then played out until it has its SEARCH_PART.  Returns how many moves there are in
 * `best`. */
unsigned search_values(struct search *search, struct follow *follow,
		       unsigned playouts, const struct move *made,
		       struct search_value best[SEARCH_TOP],
		       struct search_value *of_made);

#endif
