/* tests/unit/test-blocks.c - duplicate deals: their gain, and results by
 * blocks. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/games/draws.h"
#include "referee/match/gain.h"
#include "referee/match/in-order.h"
#include "referee/match/standings.h"
#include "tests/unit/rounds.h"

/* ---- gain -------------------------------------------------------------- */

/* Draws results of a block with a known gain.  Two seats: the deal gives seat 0
 * a chance of 1/2 + x or 1/2 - x of each game, x = lean / 100, so that the
 * shares of a bot in its two games have the covariance -x^2 and the variance
 * 1/4: D = 1 / (1 - 4 x^2).  More seats: in each game, with probability q =
 * lean / 100, the deal alone ranks the seats, otherwise chance does: two shares
 * of a bot have the correlation -q^2 / (n - 1), so D = 1 / (1 - q^2). */
struct law {
	unsigned seats, bots, lean;
};

static double
true_gain(const struct law *law)
{
	const double x = law->lean / 100.;

	return 1 / (1 - x * x * (law->seats == 2 ? 4 : 1));
}

static void
shuffle(struct draws *draws, unsigned n, int to[])
{
	unsigned i, j;
	int other;

	for (i = 0; i < n; i++)
		to[i] = (int)i + 1;
	for (i = n; i > 1; i--) {
		j = draws_below(draws, i);
		other = to[i - 1];
		to[i - 1] = to[j];
		to[j] = other;
	}
}

static void
play(const struct law *law, struct draws *draws, const int deal[],
     struct match_result *result)
{
	const unsigned n = law->seats;
	bool first;

	if (n > 2) {
		shuffle(draws, n, result->place);
		if (draws_below(draws, 100) < law->lean)
			memcpy(result->place, deal, n * sizeof(*deal));
		return;
	}
	first = draws_below(draws, 100) <
		(deal[0] == 1 ? 50 + law->lean : 50 - law->lean);
	result->place[0] = first ? 1 : 2;
	result->place[1] = first ? 2 : 1;
}

static struct gain
play_match(const struct law *law, struct draws *draws, unsigned count)
{
	struct gain_blocks *blocks = gain_new(law->seats);
	struct match_result result = { .counts = true };
	int deal[SEATS_MAX];
	struct gain gain;
	unsigned b, k, s, step;

	for (b = 0; b < count; b++) {
		step = law->bots > law->seats ? 1 + b / law->bots % 2 : 1;
		shuffle(draws, law->seats, deal);
		for (k = 0; k < law->seats; k++) {
			/* In a round robin each pair in turn. */
			for (s = 0; s < law->seats; s++)
				result.bot[(s + k) % law->seats] =
					(s * step + b) % law->bots;
			play(law, draws, deal, &result);
			gain_add(blocks, &result);
		}
	}
	gain = gain_make(blocks);
	gain_free(blocks);
	return gain;
}

/* Expects the mean of the estimates to be the truth, and their bars to cover
 * it.  A few matches of few blocks, all of them alike, have no estimate. */
static void
try_law(const struct law *law, struct draws *draws, unsigned matches,
	unsigned count, double off)
{
	const double truth = true_gain(law);
	unsigned m, known = 0, covered = 0;
	struct gain gain;
	double sum = 0;

	for (m = 0; m < matches; m++) {
		gain = play_match(law, draws, count);
		if (isnan(gain.gain))
			continue;
		known++;
		sum += gain.gain;
		covered += fabs(gain.gain - truth) <= gain.error;
	}
	printf("# %u seats, %u bots, %u blocks, gain %.3f: found %.3f, %.1f %% "
	       "of the bars cover it\n",
	       law->seats, law->bots, count, truth, sum / known,
	       100. * covered / known);
	cr_expect_geq(known, matches * 99 / 100);
	cr_expect_lt(fabs(sum / known - truth), off);
	cr_expect_geq(covered, known * 91 / 100);
	cr_expect_leq(covered, known * 98 / 100);
}

Test(gain, of_few_blocks)
{
	static const struct law laws[] = { { 2, 2, 20 }, { 4, 4, 40 } };
	static const unsigned counts[] = { 15, 30, 60 };
	const unsigned matches = check_rounds(2000, 20000);
	static const unsigned char seed[DRAWS_SEED_BYTES] = "few";
	struct draws draws;
	unsigned i, c;

	draws_seed(&draws, seed);
	for (i = 0; i < NELEM(laws); i++)
		for (c = 0; c < NELEM(counts); c++)
			try_law(&laws[i], &draws, matches, counts[c], .03);
}

Test(gain, of_known_laws)
{
	static const struct law laws[] = { { 2, 2, 0 },	 { 2, 2, 25 },
					   { 2, 2, 40 }, { 2, 5, 40 },
					   { 4, 4, 60 }, { 7, 7, 80 } };
	const unsigned matches = check_rounds(500, 10000), count = 200;
	static const unsigned char seed[DRAWS_SEED_BYTES] = "gain";
	struct draws draws;
	unsigned i;

	draws_seed(&draws, seed);
	for (i = 0; i < NELEM(laws); i++)
		try_law(&laws[i], &draws, matches, count,
			.04 * true_gain(&laws[i]));
}

/* Blocks of three seats: places by game and seat.  The figures are those of
 * tests/independent/match_bars.py. */
Test(gain, of_a_small_match)
{
	static const int place[3][3][3] = {
		{ { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 } },
		{ { 3, 1, 1 }, { 3, 2, 1 }, { 2, 3, 1 } },
		{ { 2, 2, 1 }, { 1, 2, 3 }, { 3, 2, 1 } }
	};
	struct gain_blocks *blocks = gain_new(3);
	struct match_result result = { .counts = true };
	struct gain gain;
	unsigned g;

	for (g = 0; g < 30; g++) {
		for (unsigned s = 0; s < 3; s++)
			result.bot[s] = (s + 3 - g % 3) % 3;
		memcpy(result.place, place[g / 3 % 3][g % 3],
		       sizeof(place[0][0]));
		gain_add(blocks, &result);
		if (g == 26) {
			gain = gain_make(blocks);
			cr_expect(isnan(gain.gain) && isnan(gain.error),
				  "not below ten blocks");
		}
	}
	gain = gain_make(blocks);
	cr_expect_eq((int)(gain.gain * 1e6), 1028468);
	cr_expect_eq((int)(gain.error * 1e6), 622337);
	gain_free(blocks);
}

/* The first seat always wins, so all blocks are alike. */
Test(gain, is_not_known_if_all_blocks_are_alike)
{
	static const struct law law = { 2, 2, 50 };
	static const unsigned char seed[DRAWS_SEED_BYTES] = "alike";
	struct draws draws;
	struct gain gain;

	draws_seed(&draws, seed);
	gain = play_match(&law, &draws, 100);
	cr_expect(isnan(gain.gain) && isnan(gain.error));
	gain = gain_make(NULL);
	cr_expect(isnan(gain.gain) && isnan(gain.error));
}

/* ---- results by blocks -------------------------------------------------- */

static void
add(struct in_order *order, uint64_t number, bool counts)
{
	const struct match_result result = { .number = number,
					     .counts = counts };

	in_order_add(order, &result);
}

static void
takes(struct in_order *order, uint64_t number, bool counts)
{
	struct match_result result;

	cr_assert(in_order_take(order, &result), "game %u", (unsigned)number);
	cr_expect_eq(result.number, number);
	cr_expect_eq(result.counts, counts, "game %u", (unsigned)number);
}

Test(in_order, a_block_is_told_at_once)
{
	struct in_order order = { .unit = 3 };
	struct match_result none;

	add(&order, 2, true);
	add(&order, 6, true);
	add(&order, 1, true);
	cr_expect(!in_order_take(&order, &none));
	add(&order, 3, true);
	takes(&order, 1, true);
	takes(&order, 2, true);
	takes(&order, 3, true);
	cr_expect(!in_order_take(&order, &none), "only once");
	/* A game that does not count takes the others with it. */
	add(&order, 4, true);
	add(&order, 8, true);
	add(&order, 7, true);
	add(&order, 5, false);
	for (uint64_t i = 4; i <= 6; i++)
		takes(&order, i, false);
	cr_expect(!in_order_take(&order, &none));
	in_order_release(&order);
}

Test(in_order, single_games_are_told_as_they_are)
{
	struct in_order order = { .unit = 1 };
	struct match_result none;

	for (uint64_t i = 200; i > 1; i--)
		add(&order, i, i % 3 > 0);
	cr_expect(!in_order_take(&order, &none));
	add(&order, 1, true);
	for (uint64_t i = 1; i <= 200; i++)
		takes(&order, i, i % 3 > 0);
	in_order_release(&order);
}
