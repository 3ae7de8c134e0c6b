/* protocol/card.h - pieces as small numbers and as tokens.
 *
 * A deck is a list of at most 64 pieces, so that a set of them is one
 * uint64_t: bit i is piece i.  The deck says what the numbers mean; a game may
 * lay out its own deck so that rank order is number order. */
#ifndef PROTOCOL_CARD_H
#define PROTOCOL_CARD_H

#include <stdint.h>
#include <string.h>

typedef uint64_t card_set; /* bit i: piece i of the deck is in the set */

/* Names the tokens: token i is name[i], NUL-terminated, 1 to 3 bytes. */
struct deck {
	unsigned count;
	char name[64][4];
};

/* The set of this piece alone. */
static inline card_set
piece(unsigned card)
{
	return (card_set)1 << card;
}

/* Counts by halves, quarters, … of the bits: __builtin_popcountll is a slow
 * call if the machine's own instruction may not be used. */
static inline unsigned
cards_count(card_set set)
{
	set -= set >> 1 & 0x5555555555555555;
	set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
	set = (set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned)(set * 0x0101010101010101 >> 56);
}

/* Returns the lowest piece of a set that is not empty. */
static inline unsigned
card_lowest(card_set set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* Takes the lowest piece out of a set that is not empty. */
static inline unsigned
card_take_lowest(card_set *set)
{
	unsigned card = card_lowest(*set);

	*set &= *set - 1;
	return card;
}

/* Returns the k-th piece (from 0, in rising order) of a set of more than k. */
unsigned card_nth(card_set set, unsigned k);

/* Returns the piece named by `n` bytes at `token`, or -1. */
int card_find(const struct deck *deck, const char *token, size_t n);

#endif
