/* referee/games/draws.h - the random numbers of a bot that thinks ahead.
 *
 * ChaCha20 with a seed as its key, block after block: a stream that only goes
 * forward and never repeats.  game_resample() deals from it, and with
 * chance_drawn() the engines play on from such a deal.  The game at the table
 * does not draw from here: there the numbers of each round come again from the
 * same seed (referee/games/chance.h).
 *
 * Each thinker needs only one.  A plain value: a copy goes on with the same
 * numbers.  Call sodium_init() first: without it the same numbers come, but
 * slowly. */
#ifndef REFEREE_DRAWS_H
#define REFEREE_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#define DRAWS_SEED_BYTES 32
#define DRAWS_WORDS 128 /* made at once: 8 blocks take hardly longer than 1 */

struct draws {
	unsigned char seed[DRAWS_SEED_BYTES];
	uint64_t made; /* blocks made so far */
	uint32_t next; /* the next word; DRAWS_WORDS: none is left */
	uint32_t word[DRAWS_WORDS];
};

void draws_seed(struct draws *draws,
		const unsigned char seed[DRAWS_SEED_BYTES]);

/* Makes the next words and takes the first of them. */
uint32_t draws_refill(struct draws *draws);

/* Returns the next word of the stream. */
static inline uint32_t
draws_word(struct draws *draws)
{
	if (draws->next == DRAWS_WORDS)
		return draws_refill(draws);
	return draws->word[draws->next++];
}

/* Returns true if a product may be used.  Of the 2^32 products word * n each number
 * below `n` has as many once the first 2^32 mod n of each 2^32 are left out.  `% n` is
 * slow, and seldom needed. */
static inline bool
draws_is_fair(uint64_t product, unsigned n)
{
	return (uint32_t)product >= n || (uint32_t)product >= (uint32_t)-n % n;
}

/* Returns a number below `n` (1 or more), each equally likely. */
static inline unsigned
draws_below(struct draws *draws, unsigned n)
{
	uint64_t product;

	do
		product = (uint64_t)draws_word(draws) * n;
	while (!draws_is_fair(product, n));
	return (unsigned)(product >> 32);
}

#endif
