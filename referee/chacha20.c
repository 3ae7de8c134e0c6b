/* referee/chacha20.c - ChaCha20 by the book. */
#include "referee/chacha20.h"

#include <endian.h>
#include <string.h>

#define DOUBLE_ROUNDS 10
#define KEY_AT 4 /* its words in the block */
#define BLOCK_AT 12
#define NONCE_AT 13

static inline uint32_t
turn(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

static inline void
quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
	*a += *b;
	*d = turn(*d ^ *a, 16);
	*c += *d;
	*b = turn(*b ^ *c, 12);
	*a += *b;
	*d = turn(*d ^ *a, 8);
	*c += *d;
	*b = turn(*b ^ *c, 7);
}

/* The columns, then the diagonals.  Unrolled, so that all 16 words stay in
 * registers: as loops they take three times as long. */
static inline void
double_round(uint32_t x[CHACHA20_WORDS])
{
	unsigned i;

#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		quarter(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
#pragma GCC unroll 4
	for (i = 0; i < 4; i++)
		quarter(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4],
			&x[12 + (i + 3) % 4]);
}

void
chacha20_block(const unsigned char key[CHACHA20_KEY_BYTES], uint32_t nonce,
	       uint32_t block, uint32_t word[CHACHA20_WORDS])
{
	/* "expand 32-byte k" */
	uint32_t start[CHACHA20_WORDS] = { 0x61707865, 0x3320646e, 0x79622d32,
					   0x6b206574 };
	uint32_t x[CHACHA20_WORDS];
	unsigned i;

	memcpy(&start[KEY_AT], key, CHACHA20_KEY_BYTES);
	for (i = KEY_AT; i < BLOCK_AT; i++)
		start[i] = le32toh(start[i]);
	start[BLOCK_AT] = block;
	start[NONCE_AT] = nonce;
	memcpy(x, start, sizeof(x));
	for (i = 0; i < DOUBLE_ROUNDS; i++)
		double_round(x);
	for (i = 0; i < CHACHA20_WORDS; i++)
		word[i] = x[i] + start[i];
}
