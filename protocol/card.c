/* protocol/card.c - sets of pieces. */
#include "protocol/card.h"

#define ONES ((card_set)0x0101010101010101)
#define TOPS (ONES << 7)

/* Returns where the first of the eight bytes of `upto`, which rise and are below 128,
 * stands that is above k: only there and in later ones the sum gets its top bit. */
static unsigned
first_above(card_set upto, unsigned k)
{
	card_set above = (upto + (TOPS - ONES - k * ONES)) & TOPS;

	return card_lowest(above) - 7;
}

/* Finds first the byte that holds the piece, then the bit in this byte.  Multiplied by
 * ONES, eight counts become the sums up to each of them. */
unsigned
card_nth(card_set set, unsigned k)
{
	card_set upto = set, bit;
	unsigned at;

	upto -= upto >> 1 & 0x5555555555555555;
	upto = (upto & 0x3333333333333333) + (upto >> 2 & 0x3333333333333333);
	upto = ((upto + (upto >> 4)) & 0x0f0f0f0f0f0f0f0f) * ONES;
	at = first_above(upto, k);
	k -= (unsigned)(upto << 8 >> at & 0xff);

	/* Byte i of `bit` is 1 if bit i is set. */
	bit = (set >> at & 0xff) * ONES & 0x8040201008040201;
	bit = ((bit + (TOPS - ONES)) & TOPS) >> 7;
	return at + first_above(bit * ONES, k) / 8;
}

int
card_find(const struct deck *deck, const char *token, size_t n)
{
	char name[sizeof(deck->name[0])] = "";

	if (n == 0 || n >= sizeof(name) || token[n - 1] == '\0')
		return -1;
	memcpy(name, token, n);
	for (unsigned i = 0; i < deck->count; i++)
		if (memcmp(deck->name[i], name, sizeof(name)) == 0)
			return (int)i;
	return -1;
}
