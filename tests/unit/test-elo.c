/* tests/unit/test-elo.c */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "ladder/elo.h"
#include "protocol/limits.h"
#include "tests/unit/ladder-kit.h"

Test(elo, four_seats_worked_out_by_hand)
{
	static const int64_t before[] = { 1712500, 1488250, 1500000, 1301000 };
	static const int64_t after[] = { 1709358, 1498618, 1489980, 1303794 };
	static const int place[] = { 2, 1, 4, 3 };
	int64_t delta[4];
	unsigned i;

	elo_deltas(4, before, place, 20000, delta);
	for (i = 0; i < 4; i++)
		cr_expect_eq(before[i] + delta[i], after[i], "seat %u: %lld", i,
			     (long long)(before[i] + delta[i]));
}

/* These are expectations at round gaps, from 1 / (1 + 10^(-gap/400)) to 12 digits. */
Test(elo, lead_is_the_logistic)
{
	static const struct {
		int64_t gap_milli;
		double expected;
	} cases[] = {
		{ 0, 0.5 },
		{ 1, 0.500001439116 },
		{ 100000, 0.640064999803 },
		{ 200000, 0.759746926648 },
		{ 400000, 0.909090909091 },
		{ 800000, 0.990099009901 },
		{ 1200000, 0.999000999001 },
		{ 8388607, 1.0 },
		{ 8388608, 1.0 },
		{ INT64_MAX, 1.0 },
	};
	double off;
	unsigned i;

	for (i = 0; i < NELEM(cases); i++) {
		off = (1 + elo_lead(cases[i].gap_milli)) / 2 -
		      cases[i].expected;
		cr_expect(off < 1e-12 && off > -1e-12, "gap %lld",
			  (long long)cases[i].gap_milli);
	}
}

Test(elo, lead_rises_with_the_gap)
{
	int64_t gap;

	for (gap = 0; gap < 2000000; gap += 997)
		cr_assert_lt(elo_lead(gap), elo_lead(gap + 997));
}

/* K 1 milli and equal ratings give half a milli, which goes away from zero. */
Test(elo, exact_halves_go_away_from_zero)
{
	cr_assert_eq(elo_duel(1500000, 1500000, 1, 2, 1, 2), 1);
	cr_assert_eq(elo_duel(1500000, 1500000, 2, 1, 1, 2), -1);
	/* 3 / 3 * 1/2, where 1/3 is not exact. */
	cr_assert_eq(elo_duel(1500000, 1500000, 1, 2, 3, 4), 1);
	cr_assert_eq(elo_duel(1500000, 1500000, 2, 1, 3, 4), -1);
	/* 7 / 7 * 1/2 */
	cr_assert_eq(elo_duel(1500000, 1500000, 1, 2, 7, 8), 1);
	cr_assert_eq(elo_duel(1500000, 1500000, 1, 2, 5, 2), 3);
	cr_assert_eq(elo_duel(1500000, 1500000, 2, 1, 5, 2), -3);
	/* Below a half: nothing. */
	cr_assert_eq(elo_duel(1500000, 1500000, 1, 2, 1, 3), 0);
}

Test(elo, a_tie_moves_towards_each_other)
{
	cr_assert_eq(elo_duel(1500000, 1500000, 2, 2, 16000, 2), 0);
	cr_assert_lt(elo_duel(1600000, 1500000, 1, 1, 16000, 2), 0);
	cr_assert_gt(elo_duel(1500000, 1600000, 1, 1, 16000, 2), 0);
	/* 16 * (0.5 - 0.640065) */
	cr_assert_eq(elo_duel(1600000, 1500000, 3, 3, 16000, 2), -2241);
}

Test(elo, sum_never_changes_nor_does_the_order_of_seats_matter)
{
	int64_t rating[SEATS_MAX], delta[SEATS_MAX], turned[SEATS_MAX], sum;
	int64_t turned_rating[SEATS_MAX];
	int place[SEATS_MAX], turned_place[SEATS_MAX];
	unsigned n, i, seats;
	uint32_t state = 7;

	for (n = 0; n < 20000; n++) {
		seats = 2 + kit_random(&state, SEATS_MAX - 1);
		for (i = 0; i < seats; i++) {
			rating[i] = kit_random(&state, 3000000);
			place[i] = 1 + (int)kit_random(&state, seats);
		}
		for (i = 0; i < seats; i++) {
			turned_rating[i] = rating[(i + 1) % seats];
			turned_place[i] = place[(i + 1) % seats];
		}
		elo_deltas(seats, rating, place, 32000, delta);
		elo_deltas(seats, turned_rating, turned_place, 32000, turned);
		for (sum = 0, i = 0; i < seats; i++) {
			sum += delta[i];
			cr_assert_eq(turned[i], delta[(i + 1) % seats]);
		}
		cr_assert_eq(sum, 0);
	}
}

/* The hash of half a million duels is the same on every machine. */
Test(elo, same_on_every_machine)
{
	uint64_t sum = 0;
	uint32_t state = 3;
	int64_t a, b, k, gain;
	unsigned n;

	for (n = 0; n < 500000; n++) {
		a = kit_random(&state, 3000000);
		b = kit_random(&state, 3000000);
		k = kit_random(&state, 64000);
		gain = elo_duel(a, b, (int)kit_random(&state, 3), 1, k,
				2 + n % 7);
		sum = sum * 6364136223846793005 + (uint64_t)gain;
	}
	cr_assert_eq(sum, UINT64_C(1694143798150013689), "%llu",
		     (unsigned long long)sum);
}
