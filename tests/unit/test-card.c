/* tests/unit/test-card.c */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/card.h"
#include "protocol/util.h"

static const struct deck deck = {
	.count = 5,
	.name = { "7H", "TC", "7", "Y3t", "7HX" },
};

Test(card, finds_tokens_of_the_deck)
{
	unsigned i;

	for (i = 0; i < deck.count; i++)
		cr_assert_eq(
			card_find(&deck, deck.name[i], strlen(deck.name[i])),
			(int)i);
	cr_assert_eq(card_find(&deck, "7HXYZ", 2), 0);
}

Test(card, finds_nothing_else)
{
	static const char *const tokens[] = { "",    "8H",   "T",   "TCC",
					      "7h",  "Y3",   "Y3n", "7HXY",
					      " 7H", "Y3tt", "H",   "TC " };
	size_t i;

	for (i = 0; i < NELEM(tokens); i++)
		cr_expect_eq(card_find(&deck, tokens[i], strlen(tokens[i])), -1,
			     "`%s`", tokens[i]);
	cr_assert_eq(card_find(&deck, "7H\0", 3), -1);
	cr_assert_eq(card_find(&deck, "\0", 1), -1);
}

/* Tries sets of all sizes and spreads, and counts each piece of them. */
Test(card, nth_counts_in_rising_order)
{
	card_set set = 0x9e3779b97f4a7c15u, left;
	unsigned round, k, piece;

	for (round = 0; round < 2000; round++) {
		set ^= set << 13;
		set ^= set >> 7;
		set ^= set << 17;
		left = round % 3 == 0 ? set : set & (set << 9) & (set >> 5);
		if (round == 0)
			left = ~(card_set)0;
		set |= round % 64 == 1;
		for (k = 0, piece = 0; piece < 64; piece++)
			if (left >> piece & 1)
				cr_assert_eq(card_nth(left, k++), piece);
		cr_assert_eq(k, cards_count(left));
	}
}

Test(card, takes_the_lowest)
{
	card_set set = (card_set)1 << 63 | 1u << 5 | 1;

	cr_assert_eq(cards_count(set), 3);
	cr_assert_eq(card_lowest(set), 0);
	cr_assert_eq(card_take_lowest(&set), 0);
	cr_assert_eq(card_take_lowest(&set), 5);
	cr_assert_eq(card_take_lowest(&set), 63);
	cr_assert_eq(set, 0);
	cr_assert_eq(cards_count(set), 0);
}
