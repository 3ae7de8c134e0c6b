/* tests/unit/test-schedule.c - the seats of bots, and how often each plays. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/match/ahead.h"
#include "referee/match/in-order.h"
#include "referee/match/schedule.h"

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
			schedule = schedule_new(bots, seats, "a seed");
			for (i = 0; i < 100; i++)
				take_set(schedule, bots, seats, set);
			schedule_free(schedule);
		}
	}
}

Test(schedule, bots_that_are_kept_sit_at_every_table)
{
	struct schedule *schedule = schedule_new(7, 4, "a seed");
	unsigned sets[7] = { 0 }, i, s, b, set[SEATS_MAX];

	schedule_keep(schedule, 2);
	for (i = 0; i < 100; i++) {
		take_set(schedule, 7, 4, set);
		for (s = 0; s < 4; s++)
			sets[set[s]]++;
	}
	cr_expect(sets[0] == 100 && sets[1] == 100);
	for (b = 2; b < 7; b++)
		cr_expect(sets[b] >= 38 && sets[b] <= 42, "%u: %u", b, sets[b]);
	schedule_free(schedule);
}

/* Returns the most that the bots' numbers of sets ever differ by. */
static unsigned
find_spread(unsigned bots, unsigned seats, unsigned sets)
{
	unsigned played[BOTS_MAX] = { 0 }, set[SEATS_MAX];
	unsigned i, s, b, least, most, spread = 0;
	struct schedule *schedule = schedule_new(bots, seats, "another");

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

Test(schedule, at_any_moment_no_bot_is_more_than_two_sets_ahead)
{
	unsigned bots, seats;

	for (bots = 2; bots <= 40; bots++)
		for (seats = 2; seats <= SEATS_MAX && seats <= bots; seats++)
			cr_expect_leq(find_spread(bots, seats, 80), 2,
				      "%u bots, %u seats", bots, seats);
	cr_expect_leq(find_spread(BOTS_MAX, 8, 1000), 2);
}

Test(schedule, is_a_function_of_seed_and_number)
{
	struct schedule *one = schedule_new(20, 4, "s"),
			*two = schedule_new(20, 4, "s"),
			*other = schedule_new(20, 4, "t");
	unsigned a[SEATS_MAX] = { 0 }, b[SEATS_MAX] = { 0 },
		 c[SEATS_MAX] = { 0 }, i, same = 0;

	for (i = 0; i < 400; i++) {
		schedule_next(one, a);
		schedule_next(two, b);
		schedule_next(other, c);
		cr_assert_arr_eq(a, b, sizeof(a));
		same += memcmp(a, c, sizeof(a)) == 0;
	}
	cr_expect_leq(same, 4);
	schedule_free(one);
	schedule_free(two);
	schedule_free(other);
}

/* Counts how often each bot has each other one this many seats after it in
 * `sets` sets; returns the least and the most. */
static void
count_after(unsigned seats, unsigned sets, unsigned distance, unsigned *least,
	    unsigned *most)
{
	unsigned count[SEATS_MAX][SEATS_MAX] = { { 0 } }, set[SEATS_MAX], i, j;
	struct schedule *schedule = schedule_new(seats, seats, "neighbours");

	for (i = 0; i < sets; i++) {
		take_set(schedule, seats, seats, set);
		for (j = 0; j < seats; j++)
			count[set[j]][set[(j + distance) % seats]]++;
	}
	*least = UINT32_MAX;
	*most = 0;
	for (i = 0; i < seats; i++) {
		for (j = 0; j < seats; j++) {
			if (i == j)
				continue;
			*least = count[i][j] < *least ? count[i][j] : *least;
			*most = count[i][j] > *most ? count[i][j] : *most;
		}
	}
	schedule_free(schedule);
}

/* At seven seats 2,000 sets are 333.3 for each left neighbour. */
Test(schedule, all_neighbours_come_equally_often)
{
	unsigned seats, d, least, most;

	count_after(7, 2000, 1, &least, &most);
	cr_expect_geq(least, 320, "%u", least);
	cr_expect_leq(most, 346, "%u", most);
	for (seats = 3; seats <= SEATS_MAX; seats++) {
		for (d = 1; d < seats; d++) {
			count_after(seats, 60 * (seats - 1), d, &least, &most);
			cr_expect_geq(least, 48, "%u seats: %u", seats, least);
			cr_expect_leq(most, 72, "%u seats: %u", seats, most);
		}
	}
}

/* Counts in a hundred games of four for each of twenty bots: 31.6 for each pair. */
static void
count_meetings(const char *seed, unsigned *least, unsigned *most)
{
	unsigned met[20][20] = { { 0 } }, bot[SEATS_MAX], i, s, t;
	struct schedule *schedule = schedule_new(20, 4, seed);

	for (i = 0; i < 1000; i++) {
		schedule_next(schedule, bot);
		for (s = 0; s < 4; s++)
			for (t = 0; t < s; t++) {
				met[bot[s]][bot[t]]++;
				met[bot[t]][bot[s]]++;
			}
	}
	*least = UINT32_MAX;
	*most = 0;
	for (s = 0; s < 20; s++) {
		for (t = 0; t < s; t++) {
			*least = met[s][t] < *least ? met[s][t] : *least;
			*most = met[s][t] > *most ? met[s][t] : *most;
		}
	}
	schedule_free(schedule);
}

Test(schedule, all_pairs_meet_about_equally_often)
{
	unsigned least, most, i;
	char seed[16];

	for (i = 0; i < 20; i++) {
		snprintf(seed, sizeof(seed), "seed %u", i);
		count_meetings(seed, &least, &most);
		cr_expect_geq(least, 24, "%s: %u", seed, least);
		cr_expect_leq(most, 40, "%s: %u", seed, most);
	}
}

/* A round robin of two seats is whole after each pair has met. */
Test(schedule, with_two_seats_everybody_meets_everybody)
{
	unsigned met[16][16] = { { 0 } }, set[SEATS_MAX], bots, i, j, pairs;
	struct schedule *schedule;

	for (bots = 2; bots <= 16; bots++) {
		memset(met, 0, sizeof(met));
		schedule = schedule_new(bots, 2, "pairs");
		pairs = bots * (bots - 1) / 2;
		for (i = 0; i < 4 * pairs; i++) {
			take_set(schedule, bots, 2, set);
			met[set[0]][set[1]]++;
			met[set[1]][set[0]]++;
		}
		for (i = 0; i < bots; i++)
			for (j = 0; j < i; j++)
				cr_expect(met[i][j] >= 3 && met[i][j] <= 5,
					  "%u bots: %u", bots, met[i][j]);
		schedule_free(schedule);
	}
}

/* Results come as games end; a stop depends on them in order alone. */
Test(schedule, results_are_told_in_the_order_of_their_numbers)
{
	struct match_result result = { 0 };
	struct in_order order = { .unit = 1 };
	uint64_t told = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		/* 7 at a time, the first of them last. */
		result.number = i / 7 * 7 + 7 - i % 7;
		result.turns = (unsigned)result.number;
		in_order_add(&order, &result);
		while (in_order_take(&order, &result)) {
			cr_expect_eq(result.number, ++told);
			cr_expect_eq(result.turns, told);
		}
		cr_expect_eq(told, (i + 1) / 7 * 7);
	}
	in_order_release(&order);
	order = (struct in_order){ .unit = 1 };
	for (result.number = 500; result.number > 1; result.number--) {
		in_order_add(&order, &result);
		cr_expect(!in_order_take(&order, &result));
	}
	in_order_add(&order, &result);
	for (told = 0; in_order_take(&order, &result); told++)
		continue;
	cr_expect_eq(told, 500, "as many as wait for the first");
	in_order_release(&order);
}

/* ---- sets of processes that are used again ------------------------------ */

/* Lets this many games wait for `us` while the rest plays; returns the number
 * of sets. */
static unsigned
wait_for(struct ahead *ahead, unsigned running, uint64_t us)
{
	static uint64_t now_us = 1000;

	ahead_settle(ahead, now_us);
	cr_assert_not(
		ahead_may_begin(ahead, running, ahead->sets - running, now_us));
	now_us += us;
	ahead_settle(ahead, now_us);
	now_us += 1000000; /* they play again */
	ahead_settle(ahead, now_us);
	return ahead->sets;
}

Test(schedule, a_set_more_is_started_when_waiting_has_cost_as_much)
{
	struct ahead ahead;

	ahead_init(&ahead, 2, 4);
	cr_assert(ahead_may_begin(&ahead, 1, 0, 0));
	cr_assert(ahead_may_begin(&ahead, 0, 1, 0));
	cr_assert_eq(wait_for(&ahead, 1, 1000000), 2, "a start may take long");
	ahead_init(&ahead, 2, 4);
	ahead_started(&ahead, 300000);
	ahead_started(&ahead, 100); /* with a process that was there */
	cr_assert_eq(wait_for(&ahead, 1, 599999), 2);
	cr_assert_eq(wait_for(&ahead, 1, 1), 4);
	cr_assert(ahead_may_begin(&ahead, 1, 2, 0));
	cr_assert_eq(wait_for(&ahead, 0, 299999), 4, "two wait");
	cr_assert_eq(wait_for(&ahead, 2, 10000000), 4, "no one waits");
	cr_assert_eq(wait_for(&ahead, 0, 1), 6);
	cr_assert_eq(wait_for(&ahead, 0, 10000000), 6, "this is the most");
}

Test(schedule, no_set_more_is_started_than_were_asked_for)
{
	struct ahead ahead;

	ahead_init(&ahead, 3, 4); /* fewer games than processors */
	ahead_started(&ahead, 1);
	cr_assert_eq(wait_for(&ahead, 0, 1), 6);
	cr_assert_eq(wait_for(&ahead, 0, 1), 7);
	ahead_init(&ahead, 2, 0);
	ahead_started(&ahead, 1);
	cr_assert_eq(wait_for(&ahead, 0, 1000000), 2);
}
