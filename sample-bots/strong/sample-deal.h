/* sample-deal.h - the pieces of a round that its viewer has not seen, as a
 * row of places, and proposals of what else may lie in them.
 *
 * The pieces that were read as `?` are the deal; together with those that were
 * never drawn they are the row.  In a proposal two of them change places, or a
 * move that was read in part becomes another that reads the same. */
#ifndef REFEREE_SAMPLE_DEAL_H
#define REFEREE_SAMPLE_DEAL_H

#include "sample-round.h"

struct sample_deal {
	struct sample_round round;
	unsigned drawn; /* places of pieces that were drawn, */
	unsigned rest;	/* and behind them of those that were not */
	unsigned *row;	/* the draws of the first */
	unsigned row_room;
	uint8_t left[2 * 64];
};

/* Holds two places; if they are the same, there are none. */
struct sample_pair {
	unsigned one, other;
	uint8_t piece[2]; /* what lay in them: sample_exchange() */
};

struct sample_proposal {
	struct sample_pair pair[2]; /* the first, then the second */
	bool moves;	/* the pieces of the first change in moves that are read
			 * in part, too */
	unsigned again; /* this move becomes another, or SAMPLE_NO_STEP */
	struct move was;
};

/* Makes the row of draws `from` to before `to`, and of what was left then. */
void sample_find_row(struct sample_deal *deal, unsigned from, unsigned to,
		     const struct sample_stock *stock);

/* Returns a place where one of these pieces lies, or -1. */
int sample_find_place(struct sample_deal *deal, card_set pieces);

/* Returns a place, if it can be with a piece that was not played: only of those each
 * may lie nearly anywhere.  The row is not empty. */
unsigned sample_free_place(struct sample_deal *deal);

/* Returns any two places, the first of a piece that was drawn; there is one. */
struct sample_pair sample_any_pair(struct sample_deal *deal);

/* Returns a proposal; each is as likely as the one that leads back. */
struct sample_proposal sample_propose(struct sample_deal *deal);

/* Does what is proposed, but for the move `again`, which sample_try() makes; and
 * takes it back, with that move. */
void sample_exchange(struct sample_deal *deal, struct sample_proposal *p);
void sample_undo(struct sample_deal *deal, const struct sample_proposal *p);

void sample_deal_release(struct sample_deal *deal);

#endif
