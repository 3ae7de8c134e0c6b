/* tests/unit/test-tally.c - compares counts and searches of games with reading
 * all games one by one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/search.h"
#include "referee/pages/conduct.h"
#include "referee/pages/tally.h"
#include "tests/unit/ladder-kit.h"

#define GAMES 150

TestSuite(tally, .init = kit_begin, .fini = kit_end);

static struct error why;

static struct ladder *
make(uint32_t from, uint32_t to)
{
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;
	uint32_t i;

	ladder = kit_open(&folder);
	for (i = from; i <= to; i++) {
		kit_game(i, i, &game);
		game.folder = folder;
		game.moves = i % 7;
		cr_assert(kit_write_record(&game, ladder_id(ladder), 0));
		kit_hash(&game, ladder_id(ladder));
		kit_rate(ladder, &game, 1);
	}
	return ladder;
}

/* Counts all games of a pool in another way, from the seats of one bot. */
struct count {
	const char *a, *b;
	struct tally_meeting met;
	unsigned games;
	double last;
};

static void
count_game(void *arg, const struct ladder_game *game)
{
	struct count *count = arg;
	unsigned s, t;

	if (game->void_number > 0)
		return;
	for (s = 0; s < game->seats; s++) {
		if (strcmp(game->seat[s].bot, count->a) != 0)
			continue;
		count->games++;
		count->last = (double)(game->seat[s].before_milli +
				       game->seat[s].delta_milli) /
			      1000;
		for (t = 0; t < game->seats; t++) {
			if (strcmp(game->seat[t].bot, count->b) != 0)
				continue;
			count->met.won +=
				game->seat[s].place < game->seat[t].place;
			count->met.level +=
				game->seat[s].place == game->seat[t].place;
			count->met.lost +=
				game->seat[s].place > game->seat[t].place;
		}
	}
}

static struct {
	struct ladder *ladder;
	const struct tally *tally;
	int64_t pool;
	char name[16][NAME_BYTES + 1];
	unsigned names;
} all;

static void
add_name(void *arg, const struct ladder_standing *standing)
{
	(void)arg;
	snprintf(all.name[all.names++], NAME_BYTES + 1, "%s", standing->bot);
}

static void
compare(void)
{
	const struct tally_bot *bot, *other;
	double trend[TALLY_TREND];
	struct tally_meeting met;
	unsigned i, j, n;

	for (i = 0; i < all.names; i++)
		for (j = 0; j < all.names; j++) {
			struct count count = {
				all.name[i], all.name[j], { 0 }, 0, 0
			};

			if (i == j)
				continue;
			OK(ladder_games(all.ladder, NULL, all.pool, count_game,
					&count, &why));
			bot = tally_find(all.tally, all.name[i]);
			other = tally_find(all.tally, all.name[j]);
			cr_assert(bot != NULL && other != NULL);
			met = tally_meet(all.tally, bot, other);
			cr_assert_eq(memcmp(&met, &count.met, sizeof(met)), 0,
				     "%s %s", all.name[i], all.name[j]);
			cr_assert_eq(bot->games, count.games);
			n = tally_trend(bot, trend);
			cr_assert_eq(n, count.games < TALLY_TREND
						? count.games
						: TALLY_TREND);
			cr_assert_float_eq(trend[n - 1], count.last, 0.01);
			cr_assert_float_eq(
				(double)bot->point[bot->points - 1].live_elo,
				count.last, 0.01);
		}
	cr_assert_null(tally_find(all.tally, "zoe"));
}

static void
look(struct ladder *ladder, const struct tally *tally, int64_t pool)
{
	all.ladder = ladder;
	all.tally = tally;
	all.pool = pool;
	all.names = 0;
	OK(ladder_standings(ladder, pool, add_name, NULL, &why));
	compare();
}

/* In one go, in two, and after a game does not count any more. */
Test(tally, counts_as_all_games_say)
{
	struct tally *tally = tally_new();
	struct ladder *ladder = make(1, GAMES / 2);
	struct ladder_voided voided;
	struct ladder_game game;

	OK(tally_update(tally, ladder, 1, &why));
	look(ladder, tally, 1);
	ladder_close(ladder);
	ladder = make(GAMES / 2 + 1, GAMES);
	OK(tally_update(tally, ladder, 1, &why));
	look(ladder, tally, 1);
	cr_assert_eq(kit_follow(ladder),
		     0); /* its folder has the founding now */
	kit_game(1, 1, &game);
	OK(ladder_void(ladder, NULL,
		       &(struct ladder_voiding){ .id = game.id,
						 .why = "was a mistake" },
		       &voided, &why));
	OK(tally_update(tally, ladder, 1, &why));
	look(ladder, tally, 1);
	/* Another pool is another tally. */
	OK(tally_update(tally, ladder, 2, &why));
	look(ladder, tally, 2);
	OK(tally_update(tally, ladder, 0, &why));
	cr_assert_null(tally_find(tally, all.name[0]));
	ladder_close(ladder);
	tally_free(tally);
	tally_free(NULL);
}

Test(tally, scores_are_never_certain)
{
	struct tally_score score = tally_score(&(struct tally_meeting){ 0 });

	cr_assert_lt(score.bar, 0);
	cr_assert_lt(score.better, 0);
	score = tally_score(&(struct tally_meeting){ 1, 0, 0 });
	cr_assert_float_eq(score.score, 1, 1e-9);
	cr_assert(score.better > 0.6 && score.better < 0.8);
	score = tally_score(&(struct tally_meeting){ 10, 4, 10 });
	cr_assert_float_eq(score.score, 0.5, 1e-9);
	cr_assert_float_eq(score.better, 0.5, 1e-9);
	score = tally_score(&(struct tally_meeting){ 1000, 0, 0 });
	cr_assert(score.bar > 0 && isfinite(score.bar));
	cr_assert_gt(score.better, 0.999);
}

/* ---- looking for games ------------------------------------------------ */

struct found {
	const struct ladder_wanted *wanted;
	unsigned count;
	int64_t serial;
};

/* Each number of seats has a pool of its own. */
static bool
is_of_pool(const struct ladder_game *game, int64_t pool)
{
	return pool == 0 || game->seats == 2 + (unsigned)pool % 3;
}

static void
on_found(void *arg, const struct ladder_game *game,
	 const struct ladder_course *course)
{
	const struct ladder_wanted *wanted;
	struct found *found = arg;
	bool place = false, fault = false;
	unsigned s;

	wanted = found->wanted;
	cr_assert(found->serial == 0 || game->serial < found->serial);
	found->serial = game->serial;
	found->count++;
	cr_assert_eq(course->moves, game->serial % 7);
	for (s = 0; s < game->seats; s++) {
		const bool it = wanted->bot == NULL ||
				strcmp(game->seat[s].bot, wanted->bot) == 0;

		place |= it && (wanted->place == 0 ||
				game->seat[s].place == wanted->place);
		fault |= it && wanted->fault != FAULT_NONE &&
			 wanted->fault != FAULT_KINDS &&
			 course->fault[s][wanted->fault];
	}
	cr_assert(place);
	cr_assert(fault || wanted->fault == FAULT_NONE ||
		  wanted->fault == FAULT_KINDS);
	cr_assert(wanted->since == NULL ||
		  strcmp(game->ended, wanted->since) >= 0);
	cr_assert(wanted->until == NULL ||
		  strcmp(game->ended, wanted->until) < 0);
	cr_assert(is_of_pool(game, wanted->pool));
}

/* Says how many of all games fit. */
struct expected {
	const struct ladder_wanted *wanted;
	unsigned count;
};

static void
count_wanted(void *arg, const struct ladder_game *game)
{
	struct expected *expected = arg;
	const struct ladder_wanted *wanted = expected->wanted;
	struct ladder_game made;
	bool fits = false, charged;
	unsigned s, kind;

	kit_game((uint32_t)game->serial, game->serial, &made);
	for (s = 0; s < made.seats && !fits; s++) {
		charged = wanted->fault == FAULT_NONE;
		for (kind = FAULT_TIMEOUT; kind < FAULT_KINDS; kind++)
			charged |= (wanted->fault == FAULT_KINDS ||
				    kind == wanted->fault) &&
				   made.seat[s].faults[kind] > 0;
		fits = charged &&
		       (wanted->bot == NULL ||
			strcmp(made.seat[s].bot, wanted->bot) == 0) &&
		       (wanted->place == 0 ||
			made.seat[s].place == wanted->place);
	}
	expected->count += fits && is_of_pool(game, wanted->pool) &&
			   game->serial % 7 >= wanted->moves_min &&
			   (wanted->moves_max == 0 ||
			    game->serial % 7 <= wanted->moves_max) &&
			   (wanted->since == NULL ||
			    strcmp(game->ended, wanted->since) >= 0) &&
			   (wanted->until == NULL ||
			    strcmp(game->ended, wanted->until) < 0);
}

Test(tally, finds_the_games_that_are_wanted)
{
	struct ladder *ladder = make(1, GAMES);
	struct ladder_game one, bad = { 0 };
	unsigned i, s = 0;

	kit_game(30, 30, &one);
	/* Finds a seat that is charged with this fault. */
	for (i = 1; bad.seat[s].faults[FAULT_ILLEGAL] == 0; i++) {
		kit_game(i, i, &bad);
		for (s = 0; s + 1 < bad.seats &&
			    bad.seat[s].faults[FAULT_ILLEGAL] == 0;)
			s++;
	}
	const struct ladder_wanted tries[] = {
		{ .count = GAMES },
		{ .bot = one.seat[0].bot },
		{ .bot = one.seat[0].bot, .place = 1 },
		{ .bot = bad.seat[s].bot, .fault = FAULT_KINDS },
		{ .bot = bad.seat[s].bot, .fault = FAULT_ILLEGAL },
		{ .fault = FAULT_TIMEOUT },
		{ .fault = FAULT_KINDS, .moves_min = 3 },
		{ .moves_min = 2, .moves_max = 4 },
		{ .since = one.ended },
		{ .until = one.ended },
		{ .pool = 1 },
		{ .bot = one.seat[0].bot, .pool = 1 },
	};
	for (i = 0; i < NELEM(tries); i++) {
		struct ladder_wanted wanted = tries[i];
		struct found found = { &wanted, 0, 0 };
		struct expected expected = { &wanted, 0 };

		wanted.count = GAMES;
		OK(ladder_search(ladder, &wanted, on_found, &found, &why));
		OK(ladder_games(ladder, NULL, 0, count_wanted, &expected,
				&why));
		cr_assert_eq(found.count, expected.count, "%u: %u, not %u", i,
			     found.count, expected.count);
		cr_assert_gt(found.count, 0, "%u", i);
		/* The search is limited to a part. */
		wanted.count = 1;
		found = (struct found){ &wanted, 0, 0 };
		OK(ladder_search(ladder, &wanted, on_found, &found, &why));
		cr_assert_eq(found.count, 1);
		if (expected.count > 1) {
			wanted.before = found.serial;
			found = (struct found){ &wanted, 0, found.serial };
			OK(ladder_search(ladder, &wanted, on_found, &found,
					 &why));
			cr_assert_eq(found.count, 1);
		}
	}
	cr_assert_eq(KIND(ladder_search(ladder,
					&(struct ladder_wanted){ .bot = "zoe",
								 .count = 1 },
					on_found, NULL, &why)),
		     ERROR_INPUT);
	ladder_close(ladder);
}

/* ---- conduct ---------------------------------------------------------- */

Test(tally, conduct_is_what_the_record_says)
{
	static const char text[] =
		"record 1\nid 0123\ngame toepen\nseats 2\nbot 0 a\nbot 1 b\n"
		"time 100\ncpu 0 5.000\nmemory 0 2048\n\n"
		"ask 0 fold\nround 1 1\nfault 0 timeout\n"
		"move 0 play:JH ; 100.204ms\nmove 1 play:AH ; 0.311ms\n"
		"move 0 play:KC ; 2.000ms ; say 0 x\nfault 1 crash\n";
	struct asks_ask ask[] = { { .number = 1, .us = 7000 },
				  { .number = 1, .seat = 1, .us = 9000 },
				  { .number = 2, .us = 5000 },
				  { .seat = 0, .fault = FAULT_CRASH } };
	const struct asks asks = { .ask = ask, .count = NELEM(ask) };
	struct conduct conduct = CONDUCT_NONE;
	struct record *record;

	OK(record_parse(text, sizeof(text) - 1, &record, &why));
	conduct_add(&conduct, record, 0, true, NULL);
	cr_assert_eq(conduct.games, 1);
	cr_assert_eq(conduct.faults, 1);
	cr_assert_eq(conduct.fault[0].at, 2); /* an ask is no event */
	cr_assert_eq(conduct.fault[0].kind, FAULT_TIMEOUT);
	cr_assert_eq(conduct.times, 2);
	cr_assert_float_eq(conduct_time(&conduct, 1), 100.204, 0.01);
	cr_assert_float_eq(conduct_time(&conduct, 0), 2, 0.01);
	cr_assert_float_eq(conduct.limit_ms, 100, 1e-9);
	cr_assert_float_eq(conduct.cpu_ms, 5, 1e-9);
	conduct_release(&conduct);
	/* Asks that led to no move count, too. */
	conduct = (struct conduct)CONDUCT_NONE;
	conduct_add(&conduct, record, 0, true, &asks);
	cr_assert_eq(conduct.times, 2);
	cr_assert_float_eq(conduct_time(&conduct, 1), 7, 0.01);
	conduct_add(&conduct, record, 1, true, &asks);
	cr_assert_eq(conduct.times, 3, "of those that were not sent no time");
	conduct_release(&conduct);
	/* A viewer without the seat's view gets no times. */
	conduct = (struct conduct)CONDUCT_NONE;
	conduct_add(&conduct, record, 1, false, &asks);
	cr_assert_eq(conduct.faults, 1);
	cr_assert_eq(conduct.fault[0].at, 6);
	cr_assert_eq(conduct.times, 0);
	cr_assert_lt(conduct.cpu_ms, 0);
	conduct_release(&conduct);
	record_free(record);
}
