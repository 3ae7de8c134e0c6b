/* sample-deal.c - see sample-deal.h. */
#include "sample-deal.h"

#include <stdlib.h>

/* ---- the row ---------------------------------------------------------- */

/* Finds the places that the viewer cannot look into, among these draws and what
 * was left then. */
void
sample_find_row(struct sample_deal *d, unsigned from, unsigned to,
		const struct sample_stock *stock)
{
	card_set one = stock->one, twice = stock->twice;

	if (to > d->row_room) {
		d->row_room = 2 * to;
		d->row = memory(d->row, d->row_room * sizeof(*d->row));
	}
	d->drawn = d->rest = 0;
	for (; from < to; from++)
		if (d->round.draw[from].hidden)
			d->row[d->drawn++] = from;
	while (one)
		d->left[d->rest++] = (uint8_t)card_take_lowest(&one);
	while (twice)
		d->left[d->rest++] = (uint8_t)card_take_lowest(&twice);
}

static uint8_t *
place(struct sample_deal *d, unsigned i)
{
	return i < d->drawn ? &d->round.draw[d->row[i]].piece
			    : &d->left[i - d->drawn];
}

/* Returns a place of the row where one of these pieces lies, or -1. */
int
sample_find_place(struct sample_deal *d, card_set pieces)
{
	unsigned all = d->drawn + d->rest, i, k;

	if (all == 0)
		return -1;
	for (i = 0, k = draws_below(&d->round.draws, all); i < all; i++, k++)
		if (pieces >> *place(d, k % all) & 1)
			return (int)(k % all);
	return -1;
}

static void
exchange_moves(struct sample_deal *d, unsigned piece, unsigned other)
{
	uint8_t *at;
	unsigned i;

	for (i = 0; i < d->round.steps; i++) {
		at = &d->round.step[i].move.piece[0];
		if (d->round.step[i].partly && (*at == piece || *at == other))
			*at = (uint8_t)(*at == piece ? other : piece);
	}
}

static void
exchange_places(struct sample_deal *d, struct sample_pair *pair)
{
	pair->piece[0] = *place(d, pair->one);
	pair->piece[1] = *place(d, pair->other);
	*place(d, pair->one) = pair->piece[1];
	*place(d, pair->other) = pair->piece[0];
}

static void
put_back(struct sample_deal *d, const struct sample_pair *pair)
{
	*place(d, pair->one) = pair->piece[0];
	*place(d, pair->other) = pair->piece[1];
}

void
sample_exchange(struct sample_deal *d, struct sample_proposal *p)
{
	if (d->drawn == 0)
		return;
	exchange_places(d, &p->pair[0]);
	if (p->moves)
		exchange_moves(d, p->pair[0].piece[0], p->pair[0].piece[1]);
	exchange_places(d, &p->pair[1]);
}

void
sample_undo(struct sample_deal *d, const struct sample_proposal *p)
{
	if (p->again != SAMPLE_NO_STEP)
		d->round.step[p->again].move = p->was;
	if (d->drawn == 0)
		return;
	put_back(d, &p->pair[1]);
	if (p->moves)
		exchange_moves(d, p->pair[0].piece[0], p->pair[0].piece[1]);
	put_back(d, &p->pair[0]);
}

/* ---- other deals ------------------------------------------------------ */

/* Returns one of the moves that the viewer has read in part. */
static unsigned
hidden_move(struct sample_deal *d)
{
	unsigned k = draws_below(&d->round.draws, d->round.hidden_moves), i;

	for (i = 0; !d->round.step[i].partly || k-- > 0; i++)
		;
	return i;
}

/* Returns the pieces that the viewer holds to be played, or shown. */
static card_set
played(const struct sample_deal *d)
{
	card_set pieces = d->round.named;
	unsigned i;

	for (i = 0; d->round.hidden_moves > 0 && i < d->round.steps; i++)
		if (d->round.step[i].partly)
			pieces |= (card_set)1 << d->round.step[i].move.piece[0];
	return pieces;
}

/* Returns a place, if it can be with a piece that was not played: only of those each
 * may lie nearly anywhere. */
unsigned
sample_free_place(struct sample_deal *d)
{
	card_set not = played(d);
	unsigned tries, i;

	for (tries = 0; tries < 8; tries++) {
		i = draws_below(&d->round.draws, d->drawn + d->rest);
		if (!(not >> *place(d, i) & 1))
			break;
	}
	return i;
}

/* Proposes to make a move that is read in part with a piece that reads the same, which
 * lies where the other one did; or that is in the same hand. */
static struct sample_proposal
other_move(struct sample_deal *d)
{
	struct sample_proposal p = { .again = SAMPLE_NO_STEP, .moves = true };
	unsigned i = hidden_move(d);
	const struct sample_step *step = &d->round.step[i];
	card_set was = (card_set)1 << step->move.piece[0];
	int one = sample_find_place(d, was),
	    other = sample_find_place(d, step->alike & ~was);

	if (draws_below(&d->round.draws, 3) == 0) {
		p.again = i;
		p.was = step->move;
	} else if (one >= 0 && other >= 0) {
		p.pair[0].one = (unsigned)one;
		p.pair[0].other = (unsigned)other;
	}
	return p;
}

struct sample_pair
sample_any_pair(struct sample_deal *d)
{
	return (struct sample_pair){
		.one = draws_below(&d->round.draws, d->drawn),
		.other = draws_below(&d->round.draws, d->drawn + d->rest),
	};
}

struct sample_proposal
sample_propose(struct sample_deal *d)
{
	struct sample_proposal p = { .again = SAMPLE_NO_STEP };

	if (d->drawn == 0 ||
	    (d->round.hidden_moves && draws_below(&d->round.draws, 3) == 0))
		return d->round.hidden_moves ? other_move(d) : p;
	if (draws_below(&d->round.draws, 3) > 0) {
		p.pair[0].one = sample_free_place(d);
		p.pair[0].other = sample_free_place(d);
	} else {
		p.pair[0] = sample_any_pair(d);
		if (draws_below(&d->round.draws, 4) == 0) {
			p.pair[1] = sample_any_pair(d);
			return p;
		}
	}
	p.moves = d->round.hidden_moves && draws_below(&d->round.draws, 2);
	return p;
}

void
sample_deal_release(struct sample_deal *d)
{
	sample_round_release(&d->round);
	free(d->row);
}
