/* tests/unit/test-swiss.c - compares rounds of a swiss with all possible
 * rounds, and matchings with all matchings.  The cost of a round is computed
 * here independently. */
#include <criterion/criterion.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/limits.h"
#include "referee/match/blossom.h"
#include "referee/match/swiss.h"
#include "tests/unit/rounds.h"

#define SMALL 10
#define MANY 256

static unsigned
below(unsigned n)
{
	return randombytes_uniform(n);
}

/* ---- matchings -------------------------------------------------------- */

static long weight_of[MANY][MANY];

static long
best_weight(unsigned points, unsigned taken)
{
	unsigned a = 0, b;
	long best = -1, sum;

	while (a < points && taken >> a & 1)
		a++;
	if (a == points)
		return 0;
	for (b = a + 1; b < points; b++) {
		if (taken >> b & 1)
			continue;
		sum = weight_of[a][b] +
		      best_weight(points, taken | 1U << a | 1U << b);
		if (best < 0 || sum < best)
			best = sum;
	}
	return best;
}

/* Returns the weight that blossom_match() finds for weight_of. */
static long
found_weight(unsigned points)
{
	blossom_weight *weight =
		calloc((size_t)points * points, sizeof(*weight));
	unsigned mate[MANY];
	long sum = 0;

	cr_assert_not_null(weight);
	for (unsigned a = 0; a < points; a++)
		for (unsigned b = 0; b < points; b++)
			weight[a * points + b] = weight_of[a][b];
	blossom_match(points, weight, mate);
	free(weight);
	for (unsigned a = 0; a < points; a++) {
		cr_assert_lt(mate[a], points);
		cr_assert_neq(mate[a], a);
		cr_assert_eq(mate[mate[a]], a);
		sum += a < mate[a] ? weight_of[a][mate[a]] : 0;
	}
	return sum;
}

static void
set_weight(unsigned a, unsigned b, long weight)
{
	weight_of[a][b] = weight_of[b][a] = weight;
}

Test(swiss, a_matching_weighs_as_little_as_the_best_of_all)
{
	static const unsigned range[] = { 2, 3, 5, 30, 1000000 };
	const unsigned rounds = check_rounds(1000, 20000);

	for (unsigned i = 0; i < rounds; i++) {
		const unsigned points = 2 * (1 + below(SMALL / 2));

		for (unsigned a = 0; a < points; a++)
			for (unsigned b = 0; b < a; b++)
				set_weight(a, b, below(range[i % 5]));
		cr_assert_eq(found_weight(points), best_weight(points, 0),
			     "case %u", i);
	}
}

/* No matching weighs less than the sum of all heights: each pair weighs at
 * least the heights of its two points, and the pairs of one matching exactly
 * that. */
Test(swiss, a_large_matching_weighs_as_little_as_is_known)
{
	long height[MANY], sum;

	for (unsigned points = 16; points <= MANY; points *= 2) {
		sum = 0;
		for (unsigned a = 0; a < points; a++) {
			height[a] = (long)below(1000);
			sum += height[a];
			for (unsigned b = 0; b < a; b++)
				set_weight(a, b,
					   height[a] + height[b] +
						   (long)below(3));
		}
		for (unsigned a = 0; a < points; a += 2)
			set_weight(a, a + 1, height[a] + height[a + 1]);
		cr_assert_eq(found_weight(points), sum, "%u points", points);
	}
}

/* Two triangles are joined only by expensive edges: each triangle has one pair,
 * and the third points are paired with each other. */
Test(swiss, odd_circles_are_gone_around)
{
	for (unsigned a = 0; a < 6; a++)
		for (unsigned b = 0; b < a; b++)
			set_weight(a, b, a / 3 == b / 3 ? 1 : 100);
	set_weight(1, 4, 50);
	cr_assert_eq(found_weight(6), 52);
}

/* ---- rounds ----------------------------------------------------------- */

static struct {
	unsigned seats, bots;
	uint64_t points[MANY];
	unsigned met[MANY][MANY];
} field;

struct cost {
	unsigned again, times;
	uint64_t points, places;
};

static unsigned
met(const void *arg, unsigned a, unsigned b)
{
	(void)arg;
	return field.met[a][b];
}

static void
add_pair(struct cost *cost, unsigned a, unsigned b)
{
	const uint64_t x = field.points[a], y = field.points[b];

	cost->again += field.met[a][b] != 0;
	cost->times += field.met[a][b];
	cost->points += x < y ? y - x : x - y;
	cost->places += a < b ? b - a : a - b;
}

static int
compare_costs(const struct cost *a, const struct cost *b)
{
	if (a->again != b->again)
		return a->again < b->again ? -1 : 1;
	if (a->times != b->times)
		return a->times < b->times ? -1 : 1;
	if (a->points != b->points)
		return a->points < b->points ? -1 : 1;
	return (a->places > b->places) - (a->places < b->places);
}

static struct cost
cost_of(const unsigned place[])
{
	struct cost cost = { 0 };

	for (unsigned i = 0; i < field.bots; i++)
		for (unsigned j = i + 1;
		     j < field.bots && j / field.seats == i / field.seats; j++)
			add_pair(&cost, place[i], place[j]);
	return cost;
}

/* Draws a field with some rounds behind it, the best first; every few rounds nearly all
 * have met. */
static void
draw_field(unsigned seats, unsigned bots)
{
	const unsigned spread = 1 + below(12), often = below(5);

	memset(&field, 0, sizeof(field));
	field.seats = seats;
	field.bots = bots;
	for (unsigned a = bots; a-- > 0;)
		field.points[a] = (a + 1 < bots ? field.points[a + 1] : 0) +
				  below(spread);
	for (unsigned a = 0; a < bots; a++)
		for (unsigned b = 0; b < a; b++)
			field.met[a][b] = field.met[b][a] =
				below(4) < often ? below(4) : 0;
}

/* Expects that everybody sits once, and tables and bots are in order. */
static void
seat(unsigned place[])
{
	const struct swiss swiss = { .seats = field.seats,
				     .bots = field.bots,
				     .points = field.points,
				     .met = met };
	bool sits[MANY] = { false };

	swiss_seat(&swiss, place);
	for (unsigned i = 0; i < field.bots; i++) {
		cr_assert_lt(place[i], field.bots);
		cr_assert_not(sits[place[i]]);
		sits[place[i]] = true;
		if (i % field.seats > 0)
			cr_assert_lt(place[i - 1], place[i]);
		else if (i > 0)
			cr_assert_lt(place[i - field.seats], place[i]);
	}
}

/* Finds the cheapest of all rounds that begin with the first `n` places. */
static void
try_all(unsigned place[], unsigned n, struct cost *best)
{
	struct cost cost;
	unsigned kept;

	if (n == field.bots) {
		cost = cost_of(place);
		if (compare_costs(&cost, best) < 0)
			*best = cost;
		return;
	}
	/* place[n] opens a table or sits with place[n - 1]. */
	for (unsigned i = n; i < (n % 2 == 0 ? n + 1 : field.bots); i++) {
		kept = place[n];
		place[n] = place[i];
		place[i] = kept;
		try_all(place, n + 1, best);
		place[i] = place[n];
		place[n] = kept;
	}
}

Test(swiss, no_round_of_two_seats_costs_less)
{
	const unsigned rounds = check_rounds(1000, 20000);
	unsigned place[SMALL], all[SMALL];
	struct cost best, found;

	for (unsigned i = 0; i < rounds; i++) {
		draw_field(2, 4 + 2 * (i % 4));
		seat(place);
		found = cost_of(place);
		for (unsigned a = 0; a < field.bots; a++)
			all[a] = a;
		best = found;
		try_all(all, 0, &best);
		cr_assert_eq(compare_costs(&best, &found), 0,
			     "case %u: %u bots: %u again, %u times, found %u "
			     "and %u",
			     i, field.bots, best.again, best.times, found.again,
			     found.times);
	}
}

Test(swiss, no_change_of_two_bots_makes_a_round_cost_less)
{
	const unsigned rounds = check_rounds(100, 2000);
	unsigned place[MANY], kept, i, j;
	struct cost found, other;

	for (unsigned r = 0; r < rounds; r++) {
		const unsigned seats = 2 + below(SEATS_MAX - 1);

		draw_field(seats, seats * (1 + below(64 / seats)));
		seat(place);
		found = cost_of(place);
		for (i = 0; i < field.bots; i++)
			for (j = 0; j < i; j++) {
				kept = place[i];
				place[i] = place[j];
				place[j] = kept;
				other = cost_of(place);
				cr_assert_geq(compare_costs(&other, &found), 0);
				place[j] = place[i];
				place[i] = kept;
			}
	}
}

/* In the order of places, all would meet those they have met. */
Test(swiss, a_round_without_a_pair_that_has_met_is_found)
{
	unsigned place[MANY];

	draw_field(2, MANY);
	for (unsigned a = 0; a < MANY; a++)
		for (unsigned b = 0; b < MANY; b++)
			field.met[a][b] = (a + b) % (MANY - 1) != 0;
	seat(place);
	/* a + b is 255, except for 0 and 255, which are sums themselves. */
	for (unsigned i = 0; i < MANY; i += 2)
		cr_assert_eq(field.met[place[i]][place[i + 1]], 0);
}

Test(swiss, before_any_game_neighbours_meet)
{
	unsigned place[MANY];

	for (unsigned seats = 2; seats <= 8; seats *= 2) {
		draw_field(seats, MANY);
		memset(field.met, 0, sizeof(field.met));
		memset(field.points, 0, sizeof(field.points));
		seat(place);
		for (unsigned i = 0; i < MANY; i++)
			cr_assert_eq(place[i], i);
	}
}
