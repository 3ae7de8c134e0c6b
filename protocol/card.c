/* protocol/card.c - sets of pieces. */
#include "protocol/card.h"

/* Halving: at each step the k-th piece is in the lower half of what is left,
 * or k shrinks by the pieces there. */
unsigned
card_nth(card_set set, unsigned k)
{
	unsigned base = 0, width, below;

	for (width = 32; width > 0; width /= 2) {
		below = cards_count(set & (((card_set)1 << width) - 1));
		if (k >= below) {
			k -= below;
			set >>= width;
			base += width;
		}
	}
	return base;
}

int
card_find(const struct deck *deck, const char *token, size_t n)
{
	unsigned i;

	if (n == 0 || n >= sizeof(deck->name[0]))
		return -1;
	for (i = 0; i < deck->count; i++)
		if (memcmp(deck->name[i], token, n) == 0 &&
		    deck->name[i][n - 1] != '\0' && deck->name[i][n] == '\0')
			return (int)i;
	return -1;
}
