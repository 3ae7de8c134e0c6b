/* tests/unit/test-api-standings.c - standings for many readers. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/fit-kept.h"
#include "referee/pages/standings.h"
#include "referee/web/api-games.h"
#include "referee/web/api-standings.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/ladder-kit.h"

TestSuite(api_standings, .init = kit_begin, .fini = kit_end);

static struct error why;

/* Rates the games from `from` to before `to`. */
static void
rate(unsigned from, unsigned to)
{
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	for (; from < to; from++) {
		kit_game(from, 0, &game);
		kit_rate(ladder, &game, 1);
	}
	ladder_close(ladder);
}

static void
pool_of(unsigned number, struct ladder_pool *pool)
{
	struct ladder_game game;

	kit_game(number, 1, &game);
	memset(pool, 0, sizeof(*pool));
	snprintf(pool->game, sizeof(pool->game), "%s", game.game);
	snprintf(pool->options, sizeof(pool->options), "%s", game.options);
	pool->seats = game.seats;
	pool->arrival = game.arrival;
}

/* ---- what is told ----------------------------------------------------- */

struct expected {
	json_t *found;
	size_t at;
	unsigned seats;
};

static void
compare(void *arg, const struct ladder_standing *standing)
{
	struct expected *expected = arg;
	json_t *row = json_array_get(expected->found, expected->at++);
	double score = (double)standing->halves / 2 / (double)standing->games /
		       (expected->seats - 1);

	cr_assert_not_null(row);
	cr_expect_str_eq(json_string_value(json_object_get(row, "bot")),
			 standing->bot);
	cr_expect_eq(json_integer_value(json_object_get(row, "rank")),
		     standing->rank);
	cr_expect_eq(json_integer_value(json_object_get(row, "games")),
		     standing->games);
	cr_expect_eq(json_integer_value(json_object_get(row, "wins")),
		     standing->wins);
	cr_expect_eq(json_integer_value(json_object_get(row, "live_elo_milli")),
		     standing->rating_milli);
	cr_expect_float_eq(json_real_value(json_object_get(row, "score")),
			   score, 1e-5);
	cr_expect_float_eq(json_real_value(json_object_get(row, "mean_place")),
			   (double)standing->places / (double)standing->games,
			   1e-5);
}

Test(api_standings, standings_as_the_ladder_has_them)
{
	struct expected expected = { .at = 0 };
	struct ladder_pool pool;
	struct ladder *ladder;
	struct text text;

	rate(1, 60);
	pool_of(7, &pool);
	text_init(&text, SIZE_MAX);
	cr_assert_eq(
		api_standings_read(kit_path("ladder.db"), &pool, &text, &why),
		0);
	expected.found =
		json_loads(text_string(&text), JSON_DISABLE_EOF_CHECK, NULL);
	expected.seats = pool.seats;
	cr_assert(json_is_array(expected.found));
	cr_assert_eq(
		ladder_open(kit_path("ladder.db"), LADDER_READ, &ladder, &why),
		0);
	cr_assert_eq(ladder_pool_find(ladder, &pool, &why), 0);
	cr_assert_gt(pool.number, 0);
	cr_assert_eq(
		ladder_standings(ladder, pool.number, compare, &expected, &why),
		0);
	cr_expect_eq(json_array_size(expected.found), expected.at);
	cr_expect_gt(expected.at, 4);
	ladder_close(ladder);
	json_decref(expected.found);
	text_release(&text);
}

/* Fits the pool and stores the fit. */
static void
keep_fit(struct ladder_pool *pool)
{
	struct fit_settings settings;
	struct ladder *ladder;
	struct fit *fit;

	cr_assert_eq(
		ladder_open(kit_path("ladder.db"), LADDER_WRITE, &ladder, &why),
		0);
	cr_assert_eq(ladder_pool_find(ladder, pool, &why), 0);
	cr_assert_eq(fit_settings_of(ladder, &settings, &why), 0);
	cr_assert_eq(
		fit_pool(ladder, pool->number, &settings, NULL, &fit, &why), 0);
	fit_keep(fit, ladder, pool->number);
	fit_free(fit);
	ladder_close(ladder);
}

Test(api_standings, a_bot_that_no_fit_has_yet_has_no_rank)
{
	unsigned fitted = 0, others = 0, many = 0;
	struct ladder_pool pool;
	struct text text;
	json_t *all, *row;
	size_t i;

	rate(1, 12);
	pool_of(7, &pool);
	keep_fit(&pool);
	rate(12, 400);
	text_init(&text, SIZE_MAX);
	text_str(&text, "{\"standings\":");
	cr_assert_eq(
		api_standings_read(kit_path("ladder.db"), &pool, &text, &why),
		0);
	text_str(&text, "}");
	all = json_loads(text_string(&text), 0, NULL);
	cr_assert_eq(json_integer_value(json_object_get(all, "k_milli")),
		     16000);
	cr_assert_eq(json_integer_value(json_object_get(all, "start_milli")),
		     1500000);
	json_array_foreach(json_object_get(all, "standings"), i, row)
	{
		fitted += json_object_get(row, "elo") != NULL;
		others += json_object_get(row, "elo") == NULL;
		cr_expect_eq(json_object_get(row, "rank") != NULL,
			     json_object_get(row, "elo") != NULL, "%s",
			     text_string(&text));
		many += json_integer_value(json_object_get(row, "games")) >=
			LADDER_PROVISIONAL;
		/* An Elo of few games, although the bot has played many. */
		if (json_object_get(row, "elo") != NULL)
			cr_expect(json_is_true(
				json_object_get(row, "provisional")));
	}
	cr_expect_gt(many, others);
	cr_expect_gt(fitted, 0);
	cr_expect_gt(others, 0);
	json_decref(all);
	text_release(&text);
}

/* A new version is told with the Elo of the version before it, without ends. */
Test(api_standings, a_version_that_no_fit_has_yet_has_the_elo_of_the_one_before)
{
	struct ladder_game game;
	struct ladder_pool pool;
	struct ladder *ladder;
	double elo = 0;
	int64_t folder;
	struct text text;
	json_t *all, *row, *heir = NULL;
	size_t i;

	rate(1, 12);
	kit_game(7, 0, &game);
	pool_of(7, &pool);
	keep_fit(&pool);
	snprintf(game.seat[0].heir_of, sizeof(game.seat[0].heir_of), "%s",
		 game.seat[0].bot);
	snprintf(game.seat[0].bot, sizeof(game.seat[0].bot), "heir");
	game.id[0] = 'f';
	ladder = kit_open(&folder);
	kit_rate(ladder, &game, 1);
	ladder_close(ladder);
	text_init(&text, SIZE_MAX);
	cr_assert_eq(
		api_standings_read(kit_path("ladder.db"), &pool, &text, &why),
		0);
	all = json_loads(text_string(&text), JSON_DISABLE_EOF_CHECK, NULL);
	json_array_foreach(all, i, row)
	{
		const char *bot =
			json_string_value(json_object_get(row, "bot"));

		if (strcmp(bot, "heir") == 0)
			heir = row;
		if (strcmp(bot, game.seat[0].heir_of) == 0)
			elo = json_real_value(json_object_get(row, "elo"));
		cr_expect_eq(json_is_true(json_object_get(row, "provisional")),
			     strcmp(bot, game.seat[0].heir_of) != 0, "%s", bot);
	}
	cr_assert_gt(elo, 0);
	cr_expect_eq(json_real_value(json_object_get(heir, "elo")), elo);
	cr_expect(json_is_null(json_object_get(heir, "from")));
	cr_expect(json_is_null(json_object_get(heir, "to")));
	cr_expect_null(json_object_get(heir, "set"));
	cr_expect_null(json_object_get(heir, "rank"));
	json_decref(all);
	text_release(&text);
}

static struct ladder_known
withdraw(void *arg, const char *bot)
{
	return (struct ladder_known){
		.mark = strcmp(bot, arg) == 0 ? LADDER_WITHDRAWN : LADDER_PLAYS,
	};
}

/* It is known how far apart the first two are, until one of them leaves. */
Test(api_standings, the_lead_is_that_of_two_bots_with_ranks)
{
	char leaves[3][NAME_BYTES + 1];
	struct standings standings;
	struct ladder_pool pool;
	struct ladder *ladder;
	unsigned i;

	rate(1, 60);
	pool_of(7, &pool);
	keep_fit(&pool);
	cr_assert_eq(
		ladder_open(kit_path("ladder.db"), LADDER_READ, &ladder, &why),
		0);
	cr_assert_eq(standings_read(ladder, &pool, false, &standings, &why), 0);
	cr_assert_gt(standings.fit->count, 2);
	cr_assert_gt(standings.fit->lead, standings.fit->lead_low);
	for (i = 0; i < NELEM(leaves); i++)
		snprintf(leaves[i], sizeof(leaves[i]), "%s",
			 standings.fit->row[i].name);
	standings_release(&standings);
	for (i = 0; i < NELEM(leaves); i++) {
		ladder_mark_by(ladder, withdraw, leaves[i]);
		cr_assert_eq(
			standings_read(ladder, &pool, false, &standings, &why),
			0);
		cr_expect_eq(standings_missing(standings.fit) == -1, i < 2,
			     "%s", leaves[i]);
		standings_release(&standings);
	}
	ladder_close(ladder);
}

Test(api_standings, no_games_and_no_ladder)
{
	static const char none[] =
		"[],\"k_milli\":16000,\"start_milli\":1500000";
	struct ladder_pool pool;
	struct text text;

	rate(1, 2);
	pool_of(1, &pool);
	pool.seats = 7;
	text_init(&text, SIZE_MAX);
	cr_assert_eq(
		api_standings_read(kit_path("ladder.db"), &pool, &text, &why),
		0);
	cr_expect_str_eq(text_string(&text), none);
	cr_expect_eq(
		api_standings_read(kit_path("nowhere.db"), &pool, &text, &why),
		-1);
	cr_expect_not_null(strstr(why.text, "nowhere.db"), "%s", why.text);
	cr_expect_str_eq(text_string(&text), none);
	text_release(&text);
}

/* Another pool of the ladder has other standings. */
Test(api_standings, a_pool_is_all_of_its_rules)
{
	struct ladder_pool pool;
	struct text text[4];
	unsigned i;

	rate(1, 60);
	for (i = 0; i < 4; i++) {
		pool_of(7, &pool);
		pool.options[0] = (char)(pool.options[0] + (i == 1));
		pool.arrival ^= i == 2;
		pool.seats += i == 3;
		text_init(&text[i], SIZE_MAX);
		cr_assert_eq(api_standings_read(kit_path("ladder.db"), &pool,
						&text[i], &why),
			     0);
		cr_expect_eq(strcmp(text_string(&text[i]),
				    text_string(&text[0])) == 0,
			     i == 0, "%u", i);
	}
	for (i = 0; i < 4; i++)
		text_release(&text[i]);
}

/* ---- games ------------------------------------------------------------ */

/* Reads the serials of a page, and `next`. */
static unsigned
page(int64_t before, unsigned count, int64_t serial[], int64_t *next)
{
	struct games_wish wish = { .before = before, .count = count };
	json_t *all, *rows;
	struct text text;
	unsigned i, n;

	snprintf(wish.path, sizeof(wish.path), "%s", kit_path("ladder.db"));
	snprintf(wish.ladder, sizeof(wish.ladder), "quick");
	text_init(&text, 1000000);
	cr_assert_eq(api_games_read(&wish, &text, &why), 0, "%s", why.text);
	all = json_loads(text_string(&text), 0, NULL);
	cr_assert_not_null(all);
	cr_expect_str_eq(json_string_value(json_object_get(all, "ladder")),
			 "quick");
	rows = json_object_get(all, "games");
	n = (unsigned)json_array_size(rows);
	for (i = 0; i < n; i++)
		serial[i] = json_integer_value(
			json_object_get(json_array_get(rows, i), "serial"));
	*next = json_integer_value(json_object_get(all, "next"));
	json_decref(all);
	text_release(&text);
	return n;
}

Test(api_standings, games_page_by_page)
{
	int64_t serial[100], next;

	rate(1, 8);
	cr_assert_eq(page(INT64_MAX, 3, serial, &next), 3);
	cr_expect_eq(serial[0], 7);
	cr_expect_eq(serial[2], 5);
	cr_expect_eq(next, 5);
	cr_assert_eq(page(next, 3, serial, &next), 3);
	cr_expect_eq(serial[0], 4);
	cr_expect_eq(next, 2);
	cr_assert_eq(page(next, 3, serial, &next), 1);
	cr_expect_eq(serial[0], 1);
	cr_expect_eq(next, 0, "that was the last");
	cr_assert_eq(page(INT64_MAX, 7, serial, &next), 7);
	cr_expect_eq(next, 0);
	cr_assert_eq(page(INT64_MAX, 6, serial, &next), 6);
	cr_expect_eq(next, 2);
	cr_assert_eq(page(1, 7, serial, &next), 0);
	cr_expect_eq(next, 0);
}

Test(api_standings, games_as_lines)
{
	struct games_wish wish = { .before = INT64_MAX,
				   .count = 1,
				   .plain = true };
	struct ladder_game game;
	char expected[512];
	struct text text;
	int n;
	unsigned s;

	rate(1, 4);
	kit_game(3, 3, &game);
	n = snprintf(expected, sizeof(expected), "3 %s %s", game.id,
		     game.ended);
	for (s = 0; s < game.seats; s++)
		n += snprintf(expected + n, sizeof(expected) - (size_t)n,
			      " %s %d %ld", game.seat[s].bot,
			      game.seat[s].place, game.seat[s].points);
	snprintf(expected + n, sizeof(expected) - (size_t)n, "\nnext 3\n");
	snprintf(wish.path, sizeof(wish.path), "%s", kit_path("ladder.db"));
	text_init(&text, 1000);
	cr_assert_eq(api_games_read(&wish, &text, &why), 0);
	cr_expect_str_eq(text_string(&text), expected);
	text_clear(&text);
	wish.count = 3;
	cr_assert_eq(api_games_read(&wish, &text, &why), 0);
	cr_expect_null(strstr(text_string(&text), "next"));
	text_clear(&text);
	snprintf(wish.path, sizeof(wish.path), "%s", kit_path("no.db"));
	cr_expect_neq(api_games_read(&wish, &text, &why), 0);
	cr_expect_eq(text.used, 0);
	text_release(&text);
}
