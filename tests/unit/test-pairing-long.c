/* tests/unit/test-pairing-long.c - a ladder over thousands of games.
 *
 * Games are not played: a table lasts as long as its slowest bot takes, and
 * the clock is a number. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/pairing.h"

#define BOTS 64 /* the most bots of a course */
#define TABLES 64

struct course {
	struct pairing *pairing;
	unsigned seats, bots;
	unsigned tables; /* at once */
	uint64_t speed_us[BOTS];
	unsigned slots[BOTS];
	uint64_t now_us;
	uint64_t noise;

	struct pairing_table going[TABLES];
	uint64_t end_us[TABLES]; /* 0: the table is free */
	unsigned playing[BOTS];

	unsigned games[BOTS], seat[BOTS][SEATS_MAX];
	unsigned met[BOTS][BOTS];
	unsigned last[BOTS]; /* those of its last table, a bit each */
	unsigned total,
		again; /* again: at least half of a table has just met */
	uint64_t hash; /* of all tables */
};

static uint64_t
noise(struct course *course)
{
	course->noise = course->noise * UINT64_C(6364136223846793005) + 1;
	return course->noise >> 33;
}

static void
offer(struct course *course, unsigned bot)
{
	pairing_offer(course->pairing, (int)bot,
		      course->slots[bot] - course->playing[bot]);
}

static struct course *present; /* of the test */

static void
finish(void)
{
	if (present != NULL)
		pairing_free(present->pairing);
	free(present);
	present = NULL;
}

TestSuite(pairing_long, .fini = finish);

/* Begins with ratings of 1500 + 50 b for bot b, one slot each; a game takes 1 s. */
static struct course *
begin_in(enum pairing_manner manner, unsigned seats, unsigned bots,
	 unsigned tables, uint64_t seed)
{
	struct pairing_setup setup = { .manner = manner,
				       .seats = seats,
				       .seed = seed };
	struct course *course = zeroed(1, sizeof(*course));
	struct pairing_known known = { 0 };
	char name[NAME_BYTES + 1];
	unsigned b;

	finish();
	present = course;
	course->pairing = pairing_new(&setup);
	course->seats = seats;
	course->bots = bots;
	course->tables = tables;
	for (b = 0; b < bots; b++) {
		snprintf(name, sizeof(name), "bot-%u", b);
		known.rating_milli = 1500000 + 50000 * (int64_t)b;
		cr_assert_eq(pairing_enter(course->pairing, name, &known),
			     (int)b);
		course->speed_us[b] = 1000000;
		course->slots[b] = 1;
	}
	return course;
}

static struct course *
begin(unsigned seats, unsigned bots, unsigned tables, uint64_t seed)
{
	return begin_in(PAIRING_NEAR, seats, bots, tables, seed);
}

static void
note_pair(struct course *course, int a, int b)
{
	cr_assert_neq(a, b, "the same bot twice");
	course->met[a][b]++;
}

static void
note(struct course *course, const struct pairing_table *table)
{
	unsigned a, b, all = 0, stale;
	bool again = false;

	for (a = 0; a < course->seats; a++) {
		for (b = 0; b < course->seats; b++)
			if (a != b)
				note_pair(course, table->bot[a], table->bot[b]);
		all |= 1u << table->bot[a] % 32;
		course->games[table->bot[a]]++;
		course->seat[table->bot[a]][a]++;
		course->hash = (course->hash ^ (unsigned)table->bot[a]) *
			       UINT64_C(0x100000001b3);
	}
	for (a = 0; a < course->seats; a++) {
		stale = course->last[table->bot[a]] & all;
		stale &= ~(1u << table->bot[a] % 32);
		again |= stale != 0;
		course->last[table->bot[a]] = all;
	}
	course->again += again;
	course->total++;
}

/* Seats a table at place t; returns true if there was one. */
static bool
start(struct course *course, unsigned t, uint64_t *again_us)
{
	struct pairing_table *table = &course->going[t];
	uint64_t slowest = 0;
	unsigned s;

	if (!pairing_next(course->pairing, course->now_us, table, again_us))
		return false;
	note(course, table);
	for (s = 0; s < course->seats; s++) {
		course->playing[table->bot[s]]++;
		cr_assert_leq(course->playing[table->bot[s]],
			      course->slots[table->bot[s]], "no slot free");
		if (course->speed_us[table->bot[s]] > slowest)
			slowest = course->speed_us[table->bot[s]];
	}
	/* A tenth more or less. */
	course->end_us[t] = course->now_us + slowest - slowest / 10 +
			    slowest / 5000 * (noise(course) % 1000) + 1;
	return true;
}

static void
end(struct course *course, unsigned t)
{
	static const enum pairing_end fine[SEATS_MAX];
	struct pairing_table *table = &course->going[t];
	unsigned s;

	course->end_us[t] = 0;
	pairing_ended(course->pairing, table, fine, true, course->now_us);
	for (s = 0; s < course->seats; s++)
		course->playing[table->bot[s]]--;
	for (s = 0; s < course->seats; s++)
		offer(course, (unsigned)table->bot[s]);
}

/* Moves the clock to the next event. */
static void
go_on(struct course *course, uint64_t again_us)
{
	unsigned t, next = TABLES;

	for (t = 0; t < course->tables; t++)
		if (course->end_us[t] != 0 &&
		    (next == TABLES ||
		     course->end_us[t] < course->end_us[next]))
			next = t;
	cr_assert(next < TABLES || again_us != PAIRING_NEVER,
		  "nothing will ever happen");
	if (next == TABLES || again_us < course->end_us[next]) {
		cr_assert_gt(again_us, course->now_us);
		course->now_us = again_us;
		return;
	}
	course->now_us = course->end_us[next];
	end(course, next);
}

static void
play(struct course *course, unsigned games)
{
	unsigned until = course->total + games, t, b;
	uint64_t again_us;

	for (b = 0; b < course->bots; b++)
		offer(course, b);
	while (course->total < until) {
		again_us = PAIRING_NEVER;
		for (t = 0; t < course->tables; t++)
			if (course->end_us[t] == 0 &&
			    !start(course, t, &again_us))
				break;
		go_on(course, again_us);
	}
}

static unsigned
spread(const unsigned count[], unsigned n)
{
	unsigned least = count[0], most = count[0], i;

	for (i = 1; i < n; i++) {
		least = count[i] < least ? count[i] : least;
		most = count[i] > most ? count[i] : most;
	}
	return most - least;
}

static unsigned
seat_spread(const struct course *course)
{
	unsigned b, worst = 0, s;

	for (b = 0; b < course->bots; b++) {
		s = spread(course->seat[b], course->seats);
		worst = s > worst ? s : worst;
	}
	return worst;
}

/* Returns how often the pair has met that has met least. */
static unsigned
fewest_meetings(const struct course *course)
{
	unsigned a, b, least = UINT32_MAX;

	for (a = 0; a < course->bots; a++)
		for (b = 0; b < a; b++)
			if (course->met[a][b] < least)
				least = course->met[a][b];
	return least;
}

/* ---- the same again --------------------------------------------------- */

static uint64_t
hash_of(unsigned seats, uint64_t seed)
{
	struct course *course = begin(seats, 20, 4, seed);

	course->speed_us[3] = 20000000;
	course->slots[5] = 3;
	play(course, 500);
	return course->hash;
}

Test(pairing_long, is_a_function_of_seed_and_calls)
{
	/* The hash is the same on every machine. */
	cr_expect_eq(hash_of(2, 1), UINT64_C(0xc32f76d8dc2ece50), "%llx",
		     (unsigned long long)hash_of(2, 1));
	cr_expect_eq(hash_of(4, 1), UINT64_C(0xee264af85986a6e8), "%llx",
		     (unsigned long long)hash_of(4, 1));
	cr_expect_eq(hash_of(3, 7), hash_of(3, 7));
	cr_expect_neq(hash_of(3, 7), hash_of(3, 8));
}

/* ---- fairness --------------------------------------------------------- */

static void
expect_fair(unsigned seats, unsigned bots, unsigned tables)
{
	struct course *course = begin(seats, bots, tables, seats * 100 + bots);
	/* If there are few bots for the seats, some play although they are
	 * ahead. */
	unsigned apart = PAIRING_AHEAD + 2;

	if (3 * seats > bots)
		apart = PAIRING_LAG + 2;

	play(course, 1500);
	cr_log_info("%u seats, %u bots, %u tables: games %u apart, seats %u, "
		    "%u again, meetings %u",
		    seats, bots, tables, spread(course->games, bots),
		    seat_spread(course), course->again,
		    fewest_meetings(course));
	cr_expect_leq(spread(course->games, bots), apart,
		      "%u seats, %u bots: %u games apart", seats, bots,
		      spread(course->games, bots));
	cr_expect_leq(seat_spread(course), 3, "%u seats, %u bots: seats %u",
		      seats, bots, seat_spread(course));
}

Test(pairing_long, those_always_there_play_alike_and_sit_everywhere)
{
	unsigned seats;

	for (seats = 2; seats <= SEATS_MAX; seats++) {
		expect_fair(seats, seats, 1);
		expect_fair(seats, seats + 1, 1);
		expect_fair(seats, 20, 1);
		expect_fair(seats, 32, 2);
	}
}

Test(pairing_long, coverage_reaches_every_pair)
{
	struct course *course = begin(2, 20, 4, 5);

	/* There are 19 others, and one in 8 of a bot's games is for its own
	 * coverage. */
	play(course, 20 * 19 * 8 / 2);
	cr_log_info("fewest meetings %u", fewest_meetings(course));
	cr_expect_geq(fewest_meetings(course), 1);
	/* Coverage goes on. */
	play(course, 4 * 20 * 19 * 8 / 2);
	cr_log_info("fewest meetings %u", fewest_meetings(course));
	cr_expect_geq(fewest_meetings(course), 5);
}

/* Returns how often a near pair meets compared with a far one, on average. */
static double
near_over_far(enum pairing_manner manner)
{
	struct course *course = begin_in(manner, 2, 32, 4, 6);
	double near = 0, far = 0;
	unsigned a, b, nears = 0, fars = 0;

	play(course, 6000);
	for (a = 0; a < course->bots; a++)
		for (b = 0; b < a; b++)
			if (a - b <= 4) {
				near += course->met[a][b];
				nears++;
			} else if (a - b >= 16) {
				far += course->met[a][b];
				fars++;
			}
	return near / nears / (far / fars);
}

Test(pairing_long, by_rating_near_ones_meet_more_often)
{
	cr_expect_gt(near_over_far(PAIRING_NEAR), 3);
}

Test(pairing_long, by_lot_ratings_do_not_matter)
{
	cr_expect_gt(near_over_far(PAIRING_ANY), 0.8);
	cr_expect_lt(near_over_far(PAIRING_ANY), 1.25);
}

/* 16 bots have 120 pairs: after many rounds no pair has met much less often
 * than another. */
Test(pairing_long, in_rounds_everybody_meets_everybody)
{
	struct course *course = begin_in(PAIRING_ROUNDS, 2, 16, 4, 9);
	unsigned a, b, most = 0;

	play(course, 120 * 20);
	for (a = 0; a < course->bots; a++)
		for (b = 0; b < a; b++)
			if (course->met[a][b] > most)
				most = course->met[a][b];
	cr_log_info("meetings %u to %u", fewest_meetings(course), most);
	cr_expect_geq(fewest_meetings(course), 14);
	cr_expect_leq(most, 27);
}

Test(pairing_long, rematches_are_rare)
{
	struct course *course = begin(2, 20, 4, 7);

	play(course, 4000);
	cr_log_info("4 tables: %u again", course->again);
	cr_expect_eq(course->again, 0);
	/* There is a table for each pair, so only bots whose game has just
	 * ended are free. */
	course = begin(2, 20, 10, 7);
	play(course, 4000);
	cr_log_info("10 tables: %u again", course->again);
	cr_expect_leq(course->again, 4000 / 50);
}

/* ---- the share of one opponent ---------------------------------------- */

/* Bots 0 and 1 sit on this ladder alone, the others play elsewhere for up to 32 s
 * after each game here.  There is one table; a game takes 1 s. */
struct visited {
	struct course *course;
	uint64_t back_us[BOTS];
	int last[BOTS][PAIRING_LAST]; /* opponents, in turns */
	bool guests;		      /* they come back */
};

static struct visited
begin_visited(unsigned bots)
{
	return (struct visited){ .course = begin(2, bots, 1, 11),
				 .guests = true };
}

/* Offers all present bots; returns when the next guest comes back. */
static uint64_t
offer_all(struct visited *visited)
{
	struct course *course = visited->course;
	uint64_t next_us = PAIRING_NEVER, back_us;
	unsigned b;

	for (b = 0; b < course->bots; b++) {
		back_us = b > 1 && !visited->guests ? PAIRING_NEVER
						    : visited->back_us[b];
		pairing_offer(course->pairing, (int)b,
			      back_us <= course->now_us);
		if (back_us > course->now_us && back_us < next_us)
			next_us = back_us;
	}
	return next_us;
}

/* Plays the next game; returns how often the most frequent opponent of either bot was
 * among its last. */
static unsigned
play_one(struct visited *visited)
{
	static const enum pairing_end fine[SEATS_MAX];
	struct course *course = visited->course;
	struct pairing_table table;
	uint64_t next_us, again_us;
	unsigned s, i, n, most = 0;

	for (next_us = offer_all(visited);
	     !pairing_next(course->pairing, course->now_us, &table, &again_us);
	     next_us = offer_all(visited)) {
		course->now_us = next_us < again_us ? next_us : again_us;
		cr_assert_neq(course->now_us, PAIRING_NEVER, "the end");
	}
	course->now_us += 1000000;
	pairing_ended(course->pairing, &table, fine, true, course->now_us);
	course->total++;
	for (s = 0; s < 2; s++) {
		const unsigned bot = (unsigned)table.bot[s];

		visited->last[bot][course->games[bot]++ % PAIRING_LAST] =
			table.bot[1 - s];
		for (i = 0, n = 0; i < PAIRING_LAST && i < course->games[bot];
		     i++)
			n += visited->last[bot][i] == table.bot[1 - s];
		most = n > most ? n : most;
		if (bot > 1)
			visited->back_us[bot] =
				course->now_us + noise(course) % 32000000;
	}
	return most;
}

static unsigned
play_visited(struct visited *visited, unsigned games)
{
	unsigned most = 0, found;

	for (unsigned i = 0; i < games; i++) {
		found = play_one(visited);
		most = found > most ? found : most;
	}
	return most;
}

Test(pairing_long, no_opponent_has_more_than_its_share)
{
	struct visited visited = begin_visited(12);

	cr_expect_eq(play_visited(&visited, 3000), PAIRING_LAST_MOST(2));
	/* The bots that are always there also play on. */
	cr_expect_geq(visited.course->games[0], 300);
	/* A bot with five others may meet each twice a fifth of the time. */
	visited = begin_visited(6);
	cr_expect_eq(play_visited(&visited, 3000), 2 * PAIRING_LAST / 5);
}

Test(pairing_long, a_bot_with_one_possible_opponent_plays_on)
{
	struct visited visited = begin_visited(2);

	cr_expect_eq(play_visited(&visited, 500), PAIRING_LAST);
	cr_expect_eq(visited.course->now_us, 500 * UINT64_C(1000000));
}

Test(pairing_long, nobody_waits_for_those_who_have_left)
{
	struct visited visited = begin_visited(12);
	uint64_t from_us;

	(void)play_visited(&visited, 500);
	visited.guests = false;
	for (int b = 2; b < 12; b++)
		pairing_leave(visited.course->pairing, b);
	from_us = visited.course->now_us;
	(void)play_visited(&visited, 200);
	cr_expect_eq(visited.course->now_us - from_us, 200 * UINT64_C(1000000));
}

Test(pairing_long, those_who_do_not_come_back_are_waited_for_ten_minutes)
{
	struct visited visited = begin_visited(12);
	uint64_t took_us;

	(void)play_visited(&visited, 500);
	visited.guests = false;
	took_us = visited.course->now_us;
	(void)play_visited(&visited, 200);
	took_us = visited.course->now_us - took_us;
	cr_expect_gt(took_us,
		     200 * UINT64_C(1000000) + PAIRING_PATIENCE_US_MAX / 2);
	cr_expect_leq(took_us,
		      200 * UINT64_C(1000000) + PAIRING_PATIENCE_US_MAX);
}

/* ---- fast and slow ---------------------------------------------------- */

Test(pairing_long, slow_bots_hold_nobody_back)
{
	struct course *course = begin(2, 20, 10, 8);
	unsigned b, fewest = UINT32_MAX;

	/* 4 take 10 ms, 12 take 1 s, 4 take 30 s. */
	for (b = 0; b < 20; b++)
		course->speed_us[b] = b % 5 == 0   ? 10000
				      : b % 5 == 1 ? 30000000
						   : 1000000;
	play(course, 100000);
	for (b = 0; b < 20; b++) {
		cr_log_info("%u: %llu us: %u games of %llu", b,
			    (unsigned long long)course->speed_us[b],
			    course->games[b],
			    (unsigned long long)(course->now_us /
						 course->speed_us[b]));
		if (course->speed_us[b] == 10000 && course->games[b] < fewest)
			fewest = course->games[b];
		/* Those of 1 s spend some of their time on slow ones. */
		if (course->speed_us[b] == 1000000)
			cr_expect_geq(course->games[b],
				      course->now_us / 1000000 / 2);
		/* The slow ones are busy nearly all the time. */
		if (course->speed_us[b] == 30000000)
			cr_expect_geq(course->games[b],
				      course->now_us / 30000000 * 8 / 10);
	}
	/* The quick ones play more games than those of 1 s could. */
	cr_log_info("met %u, again %u, %llu s", fewest_meetings(course),
		    course->again,
		    (unsigned long long)course->now_us / 1000000);
	cr_expect_gt(fewest, course->now_us / 1000000);
	/* They also meet others; and even the slow ones, which are busy nearly
	 * all the time, meet. */
	cr_expect_geq(fewest_meetings(course), 2);
}

Test(pairing_long, many_games_at_once_change_nobodys_share)
{
	struct course *course = begin(2, 12, 3, 9);

	course->slots[0] = 6;
	course->slots[7] = 3;
	play(course, 1500);
	cr_expect_leq(spread(course->games, 12), PAIRING_AHEAD + 2);
	cr_expect_leq(seat_spread(course), 3);
}

/* ---- newcomers and the returned ---------------------------------------- */

Test(pairing_long, newcomers_play_as_often_as_others_from_then_on)
{
	struct course *course = begin(2, 20, 4, 10);
	unsigned b, before[20];

	for (b = 15; b < 20; b++)
		course->slots[b] = 0;
	play(course, 2000);
	for (b = 15; b < 20; b++) {
		cr_assert_eq(course->games[b], 0);
		course->slots[b] = 1;
	}
	memcpy(before, course->games, sizeof(before));
	play(course, 2000);
	for (b = 0; b < 20; b++)
		before[b] = course->games[b] - before[b];
	cr_log_info("apart %u", spread(before, 20));
	/* A bot that was away from the start makes up for some games, not for
	 * 200. */
	cr_expect_leq(spread(before, 20), PAIRING_LAG + PAIRING_AHEAD + 2);
	cr_expect_gt(before[15], before[0]);
}

/* ---- many bots -------------------------------------------------------- */

#define CROWD 10000

static struct pairing *
crowd(unsigned seats)
{
	struct pairing_setup setup = { .seats = seats, .seed = 3 };
	struct pairing *pairing = pairing_new(&setup);
	struct pairing_known known = { 0 };
	char name[NAME_BYTES + 1];
	int b;

	for (b = 0; b < CROWD; b++) {
		snprintf(name, sizeof(name), "%d", b);
		known.rating_milli = 1000000 + b * INT64_C(7919) % 1000000;
		cr_assert_eq(pairing_enter(pairing, name, &known), b);
		pairing_offer(pairing, b, 1000);
	}
	return pairing;
}

/* Seats a crowd at so many tables. */
static void
seat_crowd(unsigned seats, unsigned tables)
{
	static const enum pairing_end fine[SEATS_MAX];
	struct pairing *pairing = crowd(seats);
	struct pairing_table table;
	uint64_t again_us;
	unsigned i;

	for (i = 0; i < tables; i++) {
		cr_assert(pairing_next(pairing, i, &table, &again_us));
		pairing_ended(pairing, &table, fine, true, i);
	}
	pairing_free(pairing);
}

Test(pairing_long, ten_thousand_bots_are_paired)
{
	seat_crowd(2, 100);
	seat_crowd(8, 100);
}
