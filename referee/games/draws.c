/* referee/games/draws.c - see draws.h. */
#include "referee/games/draws.h"

#include <endian.h>
#include <sodium.h>
#include <string.h>

#define BLOCK_WORDS 16

_Static_assert(DRAWS_SEED_BYTES == crypto_stream_chacha20_KEYBYTES,
	       "the seed is a key");

void
draws_seed(struct draws *draws, const unsigned char seed[DRAWS_SEED_BYTES])
{
	memcpy(draws->seed, seed, DRAWS_SEED_BYTES);
	draws->made = 0;
	draws->next = DRAWS_WORDS;
}

uint32_t
draws_refill(struct draws *draws)
{
	static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];
	static const unsigned char zero[sizeof(draws->word)];

	crypto_stream_chacha20_xor_ic((unsigned char *)draws->word, zero,
				      sizeof(zero), nonce, draws->made,
				      draws->seed);
	for (unsigned i = 0; i < DRAWS_WORDS; i++)
		draws->word[i] = le32toh(draws->word[i]);
	draws->made += DRAWS_WORDS / BLOCK_WORDS;
	draws->next = 1;
	return draws->word[0];
}
