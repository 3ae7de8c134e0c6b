/* tests/unit/test-schedule.c - who sits where, and how often. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "referee/match/schedule.h"
#include "tests/unit/leaks.h"

/* As many bots meet as are at most in one group of so many groups. */
static bool
is_small(unsigned bots, unsigned seats, unsigned groups)
{
	unsigned count = schedule_groups(bots, seats);

	return count > 0 && count <= groups;
}

Test(schedule, groups_are_counted_up_to_a_limit)
{
	cr_expect_eq(schedule_groups(2, 2), 1);
	cr_expect_eq(schedule_groups(8, 8), 1);
	cr_expect_eq(schedule_groups(9, 8), 9);
	cr_expect_eq(schedule_groups(12, 4), 495);
	cr_expect_eq(schedule_groups(256, 2), 32640);
	cr_expect_eq(schedule_groups(85, 3), 98770);
	cr_expect_eq(schedule_groups(86, 3), 0); /* 102340 */
	cr_expect_eq(schedule_groups(256, 8), 0);
	cr_expect_eq(schedule_groups(21, 6), 54264);
	cr_expect_eq(schedule_groups(24, 6), 0); /* 134596 */
}

static void
take_set(struct schedule *schedule, unsigned bots, unsigned seats,
	 unsigned set[SEATS_MAX])
{
	unsigned char sat[SEATS_MAX][BOTS_MAX] = { { 0 } };
	unsigned bot[SEATS_MAX], game, s, b, games;

	for (game = 0; game < seats; game++) {
		schedule_next(schedule, bot);
		for (s = 0; s < seats; s++) {
			cr_assert_lt(bot[s], bots);
			sat[s][bot[s]]++;
		}
		if (game == 0)
			memcpy(set, bot, seats * sizeof(*bot));
		/* A set keeps its order around the table. */
		for (s = 0; s < seats; s++)
			cr_assert_eq(bot[(s + game) % seats], set[s]);
	}
	for (b = 0; b < bots; b++) {
		for (games = s = 0; s < seats; s++) {
			cr_assert_leq(sat[s][b], 1);
			games += sat[s][b];
		}
		cr_assert(games == 0 || games == seats);
	}
}

Test(schedule, in_a_set_each_bot_sits_once_in_every_seat)
{
	unsigned bots, seats, i, set[SEATS_MAX];
	struct schedule *schedule;

	for (bots = 2; bots <= 12; bots++) {
		for (seats = 2; seats <= SEATS_MAX && seats <= bots; seats++) {
			schedule = schedule_new(bots, seats);
			for (i = 0; i < 100; i++)
				take_set(schedule, bots, seats, set);
			schedule_free(schedule);
		}
	}
	NO_LEAKS();
}

static int
rising(const void *a, const void *b)
{
	return memcmp(a, b, SEATS_MAX);
}

/* Which groups met in `groups` sets, each as its bots in rising order. */
static void
take_cycle(struct schedule *schedule, unsigned bots, unsigned seats,
	   unsigned groups, unsigned char met[][SEATS_MAX])
{
	unsigned set[SEATS_MAX], g, s, t;

	memset(met, 0xff, (size_t)groups * SEATS_MAX);
	for (g = 0; g < groups; g++) {
		take_set(schedule, bots, seats, set);
		for (s = 0; s < seats; s++) {
			for (t = s; t > 0 && met[g][t - 1] > set[s]; t--)
				met[g][t] = met[g][t - 1];
			met[g][t] = (unsigned char)set[s];
		}
	}
	qsort(met, groups, SEATS_MAX, rising);
}

Test(schedule, in_a_cycle_every_group_meets_once)
{
	static unsigned char met[1000][SEATS_MAX];
	unsigned bots, seats, cycle, g, groups;
	struct schedule *schedule;

	for (bots = 2; bots <= 12; bots++) {
		for (seats = 2; seats <= SEATS_MAX && seats <= bots; seats++) {
			if (!is_small(bots, seats, NELEM(met)))
				continue;
			groups = schedule_groups(bots, seats);
			schedule = schedule_new(bots, seats);
			for (cycle = 0; cycle < 2; cycle++) {
				take_cycle(schedule, bots, seats, groups, met);
				for (g = 1; g < groups; g++)
					cr_assert_lt(rising(met[g - 1], met[g]),
						     0, "%u bots, %u seats",
						     bots, seats);
			}
			schedule_free(schedule);
		}
	}
	NO_LEAKS();
}

/* The most that the bots' numbers of sets ever differ by. */
static unsigned
find_spread(unsigned bots, unsigned seats, unsigned sets)
{
	unsigned played[BOTS_MAX] = { 0 }, set[SEATS_MAX];
	unsigned i, s, b, least, most, spread = 0;
	struct schedule *schedule = schedule_new(bots, seats);

	for (i = 0; i < sets; i++) {
		take_set(schedule, bots, seats, set);
		for (s = 0; s < seats; s++)
			played[set[s]]++;
		for (least = most = played[0], b = 1; b < bots; b++) {
			if (played[b] < least)
				least = played[b];
			if (played[b] > most)
				most = played[b];
		}
		if (most - least > spread)
			spread = most - least;
	}
	schedule_free(schedule);
	return spread;
}

Test(schedule, at_any_moment_all_have_played_nearly_as_often)
{
	unsigned bots, seats, groups;

	for (bots = 2; bots <= 16; bots++) {
		for (seats = 2; seats <= SEATS_MAX && seats <= bots; seats++) {
			if (!is_small(bots, seats, 2000))
				continue;
			groups = schedule_groups(bots, seats);
			cr_expect_leq(
				find_spread(bots, seats,
					    groups < 700 ? 3 * groups : groups),
				3, "%u bots, %u seats", bots, seats);
		}
	}
	cr_expect_leq(find_spread(40, 2, 2 * 780), 3);
	NO_LEAKS();
}

Test(schedule, neighbours_vary_until_all_orders_were_there)
{
	static unsigned orders[120][SEATS_MAX];
	unsigned seats, count, i, j;
	struct schedule *schedule;

	for (seats = 2, count = 1; seats <= 6; count *= seats, seats++) {
		schedule = schedule_new(seats, seats);
		for (i = 0; i < count; i++) {
			take_set(schedule, seats, seats, orders[i]);
			for (j = 0; j < i; j++)
				cr_assert_neq(memcmp(orders[i], orders[j],
						     seats * sizeof(unsigned)),
					      0);
			cr_assert_eq(orders[i][0], 0);
		}
		take_set(schedule, seats, seats, orders[1]);
		cr_expect_eq(
			memcmp(orders[0], orders[1], seats * sizeof(unsigned)),
			0, "and from the beginning");
		schedule_free(schedule);
	}
	NO_LEAKS();
}
