/* tests/unit/test-pairing.c - bots come, go, fail and wait. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ladder/pairing.h"

#define SECOND UINT64_C(1000000)

static const enum pairing_end fine[SEATS_MAX];
static const struct pairing_known nothing = { .rating_milli = 1500000 };

/* The pairing of the present test. */
static struct pairing *made;

static void
end(void)
{
	pairing_free(made);
	made = NULL;
}

TestSuite(pairing, .fini = end);

static struct pairing *
begin(const struct pairing_setup *setup)
{
	end();
	made = pairing_new(setup);
	return made;
}

/* Begins with bots that are free once. */
static struct pairing *
begin_with(const struct pairing_setup *setup, unsigned bots)
{
	char name[NAME_BYTES + 1];

	begin(setup);
	for (unsigned b = 0; b < bots; b++) {
		snprintf(name, sizeof(name), "bot-%u", b);
		cr_assert_eq(pairing_enter(made, name, &nothing), (int)b);
		pairing_offer(made, (int)b, 1);
	}
	return made;
}

static struct pairing *
ladder(unsigned seats, bool same_bot, unsigned bots)
{
	return begin_with(&(struct pairing_setup){ .seats = seats,
						   .same_bot = same_bot,
						   .seed = 1 },
			  bots);
}

static struct pairing_table
table(struct pairing *pairing, uint64_t now_us)
{
	struct pairing_table next;
	uint64_t again_us;

	cr_assert(pairing_next(pairing, now_us, &next, &again_us), "no table");
	cr_assert_eq(next.started_us, now_us);
	return next;
}

/* Returns when to ask again. */
static uint64_t
none(struct pairing *pairing, uint64_t now_us)
{
	struct pairing_table next;
	uint64_t again_us = 0;

	cr_assert_not(pairing_next(pairing, now_us, &next, &again_us),
		      "a table");
	return again_us;
}

/* Ends a game well; its bots are free again. */
static void
over(struct pairing *pairing, const struct pairing_table *table, unsigned seats,
     uint64_t now_us)
{
	pairing_ended(pairing, table, fine, true, now_us);
	for (unsigned s = 0; s < seats; s++)
		pairing_offer(pairing, table->bot[s], 1);
}

/* Ends bot 0's game like this for it; both of two seats are free again. */
static void
game(struct pairing *pairing, uint64_t from_us, uint64_t to_us,
     enum pairing_end of_bot_0)
{
	struct pairing_table next = table(pairing, from_us);
	enum pairing_end end[SEATS_MAX] = { 0 };

	cr_assert(next.bot[0] == 0 || next.bot[1] == 0);
	end[next.bot[0] == 0 ? 0 : 1] = of_bot_0;
	pairing_ended(pairing, &next, end, true, to_us);
	pairing_offer(pairing, next.bot[0], 1);
	pairing_offer(pairing, next.bot[1], 1);
}

static struct pairing_bot_view
view(const struct pairing *pairing, int bot)
{
	struct pairing_bot_view seen;

	pairing_view(pairing, bot, &seen);
	return seen;
}

/* ---- tables ----------------------------------------------------------- */

Test(pairing, nobody_free_no_table)
{
	struct pairing *pairing = ladder(2, false, 3);

	pairing_offer(pairing, 0, 0);
	pairing_offer(pairing, 1, 0);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
	pairing_offer(pairing, 1, 1);
	table(pairing, 0);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
	cr_expect_eq(view(pairing, 0).games, 0);
	cr_expect_eq(view(pairing, 1).games, 1);
	cr_expect_eq(view(pairing, 1).playing, 1);
	cr_expect_eq(view(pairing, 1).free, 0);
}

Test(pairing, the_same_bot_twice_only_where_allowed_and_needed)
{
	struct pairing *pairing = ladder(3, false, 2);
	struct pairing_table next;
	unsigned of[2] = { 0 }, s;

	pairing_offer(pairing, 0, 9);
	pairing_offer(pairing, 1, 9);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);

	pairing = ladder(3, true, 2);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER, "not free often enough");
	pairing_offer(pairing, 0, 2);
	next = table(pairing, 0);
	for (s = 0; s < 3; s++)
		of[next.bot[s]]++;
	cr_expect_eq(of[0], 2);
	cr_expect_eq(of[1], 1);
	cr_expect_eq(view(pairing, 0).playing, 2);
	pairing_ended(pairing, &next, fine, true, 1);
	cr_expect_eq(view(pairing, 0).playing, 0);

	/* Over one connection a game has one seat. */
	pairing = ladder(3, true, 2);
	pairing_remote(pairing, 0, true);
	pairing_offer(pairing, 0, 9);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
	pairing_offer(pairing, 1, 2);
	next = table(pairing, 0);
	of[0] = of[1] = 0;
	for (s = 0; s < 3; s++)
		of[next.bot[s]]++;
	cr_expect_eq(of[0], 1);
	cr_expect_eq(of[1], 2);
	pairing_remote(pairing, 1, true);
	pairing_offer(pairing, 1, 9);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);

	/* The third one is here, though not free. */
	pairing = ladder(2, true, 3);
	next = table(pairing, 0);
	for (s = 0; s < 3; s++)
		pairing_offer(pairing, (int)s,
			      s != (unsigned)next.bot[0] &&
					      s != (unsigned)next.bot[1]
				      ? 5
				      : 0);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
}

Test(pairing, one_bot_alone_plays_itself_if_it_may)
{
	struct pairing *pairing = ladder(2, true, 1);
	struct pairing_table next;

	pairing_offer(pairing, 0, 2);
	next = table(pairing, 0);
	cr_expect_eq(next.bot[0], 0);
	cr_expect_eq(next.bot[1], 0);
}

Test(pairing, a_game_that_was_not_played_does_not_count)
{
	struct pairing *pairing = ladder(2, false, 2);
	struct pairing_table next = table(pairing, 0);

	pairing_ended(pairing, &next, fine, false, 1);
	cr_expect_eq(view(pairing, 0).games, 0);
	cr_expect_eq(view(pairing, 0).seat[0] + view(pairing, 0).seat[1], 0);
}

Test(pairing, seats_that_were_uneven_get_even)
{
	struct pairing_setup setup = { .seats = 2, .seed = 1 };
	struct pairing *pairing = begin(&setup);
	struct pairing_known known = nothing;
	struct pairing_table next;
	unsigned i;

	known.seat[1] = 5;
	cr_assert_eq(pairing_enter(pairing, "a", &known), 0);
	cr_assert_eq(pairing_enter(pairing, "b", &nothing), 1);
	for (i = 0; i < 5; i++) {
		pairing_offer(pairing, 0, 1);
		pairing_offer(pairing, 1, 1);
		next = table(pairing, i);
		pairing_ended(pairing, &next, fine, true, i);
	}
	/* Unevenness counts squared, so b takes part of it. */
	cr_expect_geq(view(pairing, 0).seat[0], 3);
}

/* ---- waiting ---------------------------------------------------------- */

Test(pairing, those_who_just_met_wait_for_others_a_while)
{
	struct pairing *pairing = ladder(2, false, 4);
	struct pairing_table one = table(pairing, 0), two = table(pairing, 0);

	over(pairing, &one, 2, 7 * SECOND);
	/* The wait is as long as their game was. */
	cr_expect_eq(none(pairing, 7 * SECOND), 14 * SECOND);
	cr_expect_eq(none(pairing, 14 * SECOND - 1), 14 * SECOND);
	one = table(pairing, 14 * SECOND);
	over(pairing, &one, 2, 15 * SECOND);
	/* The second time twice as long. */
	cr_expect_eq(none(pairing, 15 * SECOND), 17 * SECOND);
	/* Company comes. */
	over(pairing, &two, 2, 16 * SECOND);
	two = table(pairing, 16 * SECOND);
	cr_expect(two.bot[0] != one.bot[0] || two.bot[1] != one.bot[1]);
	cr_expect(two.bot[0] != one.bot[1] || two.bot[1] != one.bot[0]);
	table(pairing, 16 * SECOND);
	cr_expect_eq(none(pairing, 16 * SECOND), PAIRING_NEVER);
}

Test(pairing, nobody_waits_longer_than_ten_minutes)
{
	struct pairing *pairing = ladder(2, false, 4);
	struct pairing_table one = table(pairing, 0);

	table(pairing, 0);
	over(pairing, &one, 2, 5000 * SECOND);
	cr_expect_eq(none(pairing, 5000 * SECOND), 5600 * SECOND);
}

Test(pairing, two_alone_never_wait)
{
	struct pairing *pairing = ladder(2, false, 2);
	uint64_t i;

	for (i = 0; i < 20; i++)
		game(pairing, i * SECOND, (i + 1) * SECOND, PAIRING_FINE);
}

/* ---- the bench -------------------------------------------------------- */

Test(pairing, pauses_grow_to_an_hour)
{
	static const uint64_t pause_s[] = { 30,	 60,   120,  240,  480,
					    960, 1920, 3600, 3600, 3600 };
	struct pairing *pairing = ladder(2, false, 2);
	uint64_t now_us = 0;
	unsigned i;

	for (i = 0; i < NELEM(pause_s); i++) {
		game(pairing, now_us, now_us + SECOND, PAIRING_CRASHED);
		now_us += SECOND;
		cr_expect_eq(none(pairing, now_us),
			     now_us + pause_s[i] * SECOND, "pause %u", i);
		cr_expect_eq(view(pairing, 0).suspension.failed, i + 1);
		now_us += pause_s[i] * SECOND - 1;
		cr_expect_eq(none(pairing, now_us), now_us + 1);
		now_us++;
	}
	/* At the cap three good games make up for one step of eight. */
	for (i = 0; i < 3; i++, now_us += SECOND)
		game(pairing, now_us, now_us + SECOND, PAIRING_FINE);
	cr_expect_eq(view(pairing, 0).suspension.steps, 7);
}

Test(pairing, good_games_take_pauses_back)
{
	struct pairing *pairing = ladder(2, false, 2);
	uint64_t now_us = 1000 * SECOND;
	unsigned i;

	game(pairing, 0, SECOND, PAIRING_RETIRED);
	game(pairing, 100 * SECOND, 101 * SECOND, PAIRING_RETIRED);
	cr_expect_eq(view(pairing, 0).suspension.steps, 2);
	for (i = 0; i < 2; i++, now_us += SECOND)
		game(pairing, now_us, now_us + SECOND, PAIRING_FINE);
	cr_expect_eq(view(pairing, 0).suspension.steps, 2);
	game(pairing, now_us, now_us + SECOND, PAIRING_FINE);
	cr_expect_eq(view(pairing, 0).suspension.steps, 1);
	now_us += SECOND;
	for (i = 0; i < 6; i++, now_us += SECOND)
		game(pairing, now_us, now_us + SECOND, PAIRING_FINE);
	cr_expect_eq(view(pairing, 0).suspension.steps, 0);
	game(pairing, now_us, now_us + SECOND, PAIRING_CRASHED);
	now_us += SECOND;
	cr_expect_eq(none(pairing, now_us), now_us + PAIRING_PAUSE_US);
}

Test(pairing, failures_at_once_are_one)
{
	struct pairing *pairing = ladder(2, false, 2);
	struct pairing_table one, two;
	enum pairing_end end[SEATS_MAX] = { PAIRING_CRASHED, PAIRING_FINE };

	pairing_offer(pairing, 0, 2);
	pairing_offer(pairing, 1, 2);
	one = table(pairing, 0);
	two = table(pairing, 0);
	end[0] = one.bot[0] == 0 ? PAIRING_CRASHED : PAIRING_FINE;
	end[1] = one.bot[0] == 0 ? PAIRING_FINE : PAIRING_CRASHED;
	pairing_ended(pairing, &one, end, true, SECOND);
	end[0] = two.bot[0] == 0 ? PAIRING_CRASHED : PAIRING_FINE;
	end[1] = two.bot[0] == 0 ? PAIRING_FINE : PAIRING_CRASHED;
	pairing_ended(pairing, &two, end, true, 2 * SECOND);
	cr_expect_eq(view(pairing, 0).suspension.steps, 1);
	cr_expect_eq(view(pairing, 0).suspension.failed, 2);
	cr_expect_eq(view(pairing, 0).suspension.until_us, 31 * SECOND);
	cr_expect_eq(view(pairing, 1).suspension.failed, 0);
}

Test(pairing, the_author_can_read_why)
{
	struct pairing *pairing = ladder(2, false, 2);
	char text[PAIRING_SUSPENSION_BYTES];

	cr_expect_not(pairing_suspension_tell(pairing, 0, 0, text));
	cr_expect_str_eq(text, "has never failed");
	game(pairing, 0, SECOND, PAIRING_CRASHED);
	game(pairing, 31 * SECOND, 32 * SECOND, PAIRING_NOT_STARTED);
	cr_expect(pairing_suspension_tell(pairing, 0, 33 * SECOND + 1, text));
	cr_expect_str_eq(text,
			 "suspended for 59 s more: it did not start; failures "
			 "so far: 2");
	cr_expect_not(pairing_suspension_tell(pairing, 0, 92 * SECOND, text));
	cr_expect_str_eq(text,
			 "not suspended; it did not start last; failures so "
			 "far: 2");
	cr_expect_eq(view(pairing, 0).suspension.reason, PAIRING_NOT_STARTED);
}

Test(pairing, a_pardon_ends_the_pause)
{
	struct pairing *pairing = ladder(2, false, 2);

	game(pairing, 0, SECOND, PAIRING_CRASHED);
	game(pairing, 31 * SECOND, 32 * SECOND, PAIRING_CRASHED);
	none(pairing, 32 * SECOND);
	pairing_pardon(pairing, 0);
	game(pairing, 32 * SECOND, 33 * SECOND, PAIRING_CRASHED);
	cr_expect_eq(none(pairing, 33 * SECOND), 63 * SECOND);
}

Test(pairing, others_go_on_without_the_suspended)
{
	struct pairing *pairing = ladder(2, false, 3);
	struct pairing_table next;
	enum pairing_end end[SEATS_MAX];
	unsigned i, s, failures = 0;

	/* Bot 0 fails whenever it plays; a game takes a second. */
	for (i = 0; i < 300; i++) {
		next = table(pairing, i * SECOND);
		for (s = 0; s < 2; s++) {
			end[s] = next.bot[s] == 0 ? PAIRING_RETIRED
						  : PAIRING_FINE;
			failures += next.bot[s] == 0;
		}
		pairing_ended(pairing, &next, end, true, (i + 1) * SECOND);
		for (s = 0; s < 2; s++)
			pairing_offer(pairing, next.bot[s], 1);
	}
	/* At 0, 31, 92, 213 and a little. */
	cr_expect_eq(failures, 4);
}

/* ---- coming and going ------------------------------------------------- */

Test(pairing, names_are_there_once)
{
	struct pairing *pairing = ladder(2, false, 2);

	cr_expect_eq(pairing_enter(pairing, "bot-1", &nothing), PAIRING_THERE);
	cr_expect_eq(pairing_find(pairing, "bot-1"), 1);
	cr_expect_eq(pairing_find(pairing, "bot-2"), -1);
	cr_expect_eq(pairing_enter(pairing, "new", &nothing), 2);
	cr_expect_str_eq(view(pairing, 2).name, "new");
}

/* Plays `games` games at one table; returns in how many of them bot `whose`
 * sat. */
static unsigned
share(struct pairing *pairing, unsigned games, int whose)
{
	struct pairing_table next;
	unsigned i, n = 0;

	for (i = 0; i < games; i++) {
		next = table(pairing, 0);
		over(pairing, &next, 2, 0);
		n += next.bot[0] == whose || next.bot[1] == whose;
	}
	return n;
}

Test(pairing, a_newcomer_gets_no_more_than_its_share)
{
	struct pairing *pairing = ladder(2, false, 9);
	struct pairing_known known = nothing;
	unsigned n;

	share(pairing, 4500, 0);
	known.entered = 4500;
	cr_assert_eq(pairing_enter(pairing, "new", &known), 9);
	pairing_offer(pairing, 9, 1);
	n = share(pairing, 50, 9);
	cr_expect(n >= 7 && n <= 13, "%u of 50 games, not 10", n);
}

Test(pairing, games_that_were_not_played_are_made_up_for)
{
	struct pairing *pairing = ladder(2, false, 3);
	struct pairing_table next;
	unsigned i, n;

	pairing_offer(pairing, 2, 0);
	for (i = 0; i < 6; i++) {
		next = table(pairing, 0);
		pairing_ended(pairing, &next, fine, false, 0);
		pairing_offer(pairing, 0, 1);
		pairing_offer(pairing, 1, 1);
	}
	pairing_offer(pairing, 2, 1);
	/* If they counted, bot 2 would sit in the next six games. */
	n = share(pairing, 6, 2);
	cr_expect_eq(n, 4, "%u of 6 games", n);
}

Test(pairing, known_games_weigh_by_how_long_a_bot_was_there)
{
	static const struct pairing_known known[] = {
		{ .games = 200, .entered = 0 },	  /* as many as it should */
		{ .games = 200, .entered = 0 },	  /* as many as it should */
		{ .games = 20, .entered = 900 },  /* as many as it should */
		{ .games = 20, .entered = 900 },  /* as many as it should */
		{ .games = 15, .entered = 900 },  /* 5 behind */
		{ .games = 3000, .entered = 990 } /* absurdly far ahead */
	};
	struct pairing_setup setup = { .seats = 2, .seed = 1, .games = 1000 };
	struct pairing *pairing = begin(&setup);
	char name[2] = "a";
	unsigned i, old, few;

	for (i = 0; i < 5; i++, name[0]++) {
		cr_assert_eq(pairing_enter(pairing, name, &known[i]), (int)i);
		pairing_offer(pairing, (int)i, 1);
	}
	few = share(pairing, 10, 4);
	cr_expect_geq(few, 6, "%u of 10 games", few);
	old = view(pairing, 0).games - 200;
	cr_expect_geq(old, 1);
	cr_assert_eq(pairing_enter(pairing, name, &known[5]), 5);
	pairing_offer(pairing, 5, 1);
	cr_expect_leq(share(pairing, 12, 5), 2, "its turn comes later");
	cr_expect_geq(share(pairing, 60, 5), 10, "but it comes");
}

Test(pairing, those_who_met_before_are_kept_apart)
{
	struct pairing *pairing = ladder(2, false, 3);
	struct pairing_table next;

	pairing_met(pairing, 0, 1);
	pairing_met(pairing, 1, 1);
	next = table(pairing, 0);
	cr_expect(next.bot[0] == 2 || next.bot[1] == 2);
}

Test(pairing, there_is_room_for_so_many_and_no_more)
{
	struct pairing *pairing = ladder(8, false, PAIRING_BOTS_MAX);
	struct pairing_table next;
	unsigned s;

	cr_expect_eq(pairing_enter(pairing, "late", &nothing), PAIRING_FULL);
	for (s = 0; s < PAIRING_BOTS_MAX - 8; s++)
		pairing_offer(pairing, (int)s, 0);
	next = table(pairing, 0);
	for (s = 0; s < 8; s++)
		cr_expect_geq(next.bot[s], PAIRING_BOTS_MAX - 8);
}

Test(pairing, any_rating_will_do)
{
	static const int64_t rating[] = { INT64_MIN, INT64_MAX, 0,
					  -1,	     1,		1500000 };
	struct pairing *pairing = ladder(3, false, NELEM(rating));
	struct pairing_table next;
	unsigned i;

	for (i = 0; i < NELEM(rating); i++)
		pairing_rate(pairing, (int)i, rating[i]);
	for (i = 0; i < 100; i++) {
		next = table(pairing, 0);
		over(pairing, &next, 3, 0);
	}
	for (i = 0; i < NELEM(rating); i++)
		cr_expect_geq(view(pairing, (int)i).games, 45);
	cr_expect_eq(view(pairing, 1).rating_milli, INT64_MAX);
}

/* Returns at how many tables bot 0 met one of the bots 1 to 4. */
static unsigned
count_low_neighbours(struct pairing *pairing)
{
	struct pairing_table next;
	unsigned i, s, n = 0;

	for (i = 0; i < 900; i++) {
		next = table(pairing, i);
		for (s = 0; s < 2; s++)
			n += next.bot[s] == 0 && next.bot[!s] <= 4;
		over(pairing, &next, 2, i);
	}
	return n;
}

/* Nine bots: 1 to 4 are near to 0 by the running ratings, 5 to 8 by the fit. */
Test(pairing, near_is_by_the_fit)
{
	struct pairing *pairing = ladder(2, false, 9);
	unsigned i, by_running, by_fit;

	for (i = 0; i < 9; i++)
		pairing_rate(pairing, (int)i, i <= 4 ? 1500000 : 1900000);
	by_running = count_low_neighbours(pairing);
	pairing_refit(pairing, 0);
	for (i = 0; i < 9; i++)
		pairing_fit(pairing, (int)i,
			    i == 0 || i > 4 ? 1000000 : 1400000);
	by_fit = count_low_neighbours(pairing);
	cr_expect_gt(by_running, 120, "%u", by_running);
	cr_expect_lt(by_fit, 80, "%u", by_fit);
}

/* A bot that is in no fit yet stands at its mean, moved by what it has gained. */
Test(pairing, newcomers_stand_at_the_mean_of_the_fit)
{
	struct pairing *pairing = ladder(2, false, 3);

	cr_expect_eq(view(pairing, 0).fit_milli, 1500000, "no fit yet");
	pairing_refit(pairing, -200000);
	pairing_fit(pairing, 0, 900000);
	pairing_rate(pairing, 0, 1700000);
	pairing_rate(pairing, 1, 1516000);
	cr_expect_eq(view(pairing, 0).fit_milli, 900000);
	cr_expect_eq(view(pairing, 0).rating_milli, 1700000);
	cr_expect_eq(view(pairing, 1).fit_milli, 1316000);
	cr_expect_not(view(pairing, 1).fitted);
	cr_expect_eq(view(pairing, 2).fit_milli, 1300000);
	/* The next one is without bot 0: its games were voided. */
	pairing_refit(pairing, 1000);
	cr_expect_eq(view(pairing, 0).fit_milli, 1701000);
	pairing_rate(pairing, 0, INT64_MAX);
	cr_expect_eq(view(pairing, 0).fit_milli, INT64_MAX);
}

Test(pairing, those_that_are_held_are_not_seated)
{
	struct pairing *pairing = ladder(2, false, 4);
	struct pairing_table next;

	pairing_remote(pairing, 2, true);
	pairing_remote(pairing, 3, true);
	pairing_hold(pairing, true);
	next = table(pairing, 0);
	cr_expect(next.bot[0] >= 2 && next.bot[1] >= 2);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
	cr_expect_eq(view(pairing, 0).free, 1, "they keep what they offer");
	pairing_hold(pairing, false);
	next = table(pairing, 0);
	cr_expect(next.bot[0] < 2 && next.bot[1] < 2);

	pairing = ladder(2, false, 2);
	pairing_remote(pairing, 0, true);
	pairing_remote(pairing, 1, false);
	pairing_remote(pairing, 1, true);
	pairing_hold(pairing, true);
	table(pairing, 0);
}

/* ---- owners ------------------------------------------------------------ */

static struct pairing *
apart(unsigned seats, bool same_bot, unsigned bots)
{
	return begin_with(&(struct pairing_setup){ .seats = seats,
						   .same_bot = same_bot,
						   .apart = true,
						   .seed = 7 },
			  bots);
}

Test(pairing, bots_of_one_owner_are_kept_apart)
{
	struct pairing *pairing = apart(3, false, 40);
	unsigned met[40] = { 0 }, i, a, b;
	struct pairing_table next;
	char owner[NAME_BYTES + 1];
	uint64_t now = 0;

	/* 0 to 29: three owners of ten each; 30 to 39: no owner. */
	for (i = 0; i < 30; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i / 10);
		pairing_own(pairing, (int)i, owner);
		/* Near each other, and far from all others. */
		pairing_rate(pairing, (int)i, 1000000 * (int64_t)(1 + i / 10));
	}
	for (i = 0; i < 3000; i++, now += 100 * SECOND) {
		next = table(pairing, now);
		for (a = 0; a < 3; a++) {
			met[next.bot[a]]++;
			for (b = a + 1; b < 3; b++)
				cr_assert(next.bot[a] >= 30 ||
						  next.bot[a] / 10 !=
							  next.bot[b] / 10,
					  "%d meets %d", next.bot[a],
					  next.bot[b]);
		}
		over(pairing, &next, 3, next.started_us + SECOND);
	}
	for (i = 0; i < 40; i++)
		cr_expect(met[i] > 150 && met[i] < 300, "%u: %u", i, met[i]);
}

static bool
always(const void *arg, int bot)
{
	return arg == NULL && bot >= 0;
}

Test(pairing, it_tells_that_owners_block_a_ladder)
{
	struct pairing *pairing = apart(3, false, 4);
	unsigned bots, owners;
	int i;

	for (i = 0; i < 3; i++)
		pairing_own(pairing, i, "ann");
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
	cr_expect(pairing_blocked(pairing, always, NULL, &bots, &owners));
	cr_expect_eq(bots, 4);
	cr_expect_eq(owners, 2);
	pairing_own(pairing, 2, "bea");
	table(pairing, 0);
	cr_expect_not(pairing_blocked(pairing, always, NULL, &bots, &owners));

	/* A missing bot is another reason. */
	pairing = apart(3, false, 2);
	cr_expect_eq(none(pairing, 0), PAIRING_NEVER);
	cr_expect_not(pairing_blocked(pairing, always, NULL, &bots, &owners));
}

Test(pairing, an_empty_owner_keeps_nobody_apart)
{
	struct pairing *pairing = apart(3, false, 3);
	struct pairing_table next;
	int i;

	for (i = 0; i < 3; i++)
		pairing_own(pairing, i, "ann");
	none(pairing, 0);
	for (i = 0; i < 3; i++)
		pairing_own(pairing, i, "");
	next = table(pairing, 0);
	over(pairing, &next, 3, next.started_us + SECOND);

	/* Nor an owner where the ladder allows it. */
	pairing = ladder(3, false, 3);
	for (i = 0; i < 3; i++)
		pairing_own(pairing, i, "ann");
	table(pairing, 0);
}

Test(pairing, the_same_bot_twice_is_no_other_of_its_owner)
{
	struct pairing *pairing = apart(3, true, 2);
	struct pairing_table next;

	pairing_own(pairing, 0, "ann");
	pairing_own(pairing, 1, "ann");
	pairing_offer(pairing, 0, 3);
	none(pairing, 0); /* the first seat is not known yet */
	pairing_offer(pairing, 1, 3);
	next = table(pairing, 0);
	cr_expect(next.bot[0] == next.bot[1] && next.bot[1] == next.bot[2]);
}
