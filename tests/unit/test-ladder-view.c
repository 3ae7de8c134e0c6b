/* tests/unit/test-ladder-view.c - standings for many who look on. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/web/games-view.h"
#include "referee/web/ladder-view.h"
#include "tests/unit/fake-bot.h"
#include "tests/unit/ladder-kit.h"

TestSuite(ladder_view, .init = kit_begin, .fini = kit_end);

struct seen {
	unsigned times;
	char *json; /* owned; the last */
	struct error why;
};

static struct loop loop;
static struct worker_thread *thread;
static struct ladder_view *view;
static struct error why;

static void
on_viewed(void *arg, const char *json, const char *sentence)
{
	struct seen *seen = arg;

	seen->times++;
	free(seen->json);
	seen->json = json == NULL ? NULL : strdup(json);
	error_set(&seen->why, ERROR_INPUT, "%s", json == NULL ? sentence : "");
}

static void
begin(void)
{
	fake_clock_begin();
	cr_assert_eq(loop_init(&loop), 0);
	thread = worker_thread_new(&loop);
	cr_assert_not_null(thread);
	view = ladder_view_new(thread);
}

static void
end(void)
{
	worker_thread_free(thread);
	ladder_view_free(view);
	ladder_view_free(NULL);
	loop_release(&loop);
}

static void
wait_for(const struct seen *seen, unsigned times)
{
	while (seen->times < times)
		loop_pass(&loop);
	cr_assert_eq(seen->times, times);
}

/* Rates the games from `from` to before `to`. */
static void
rate(unsigned from, unsigned to)
{
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;

	ladder = kit_open(&folder);
	cr_assert_eq(ladder_begin(ladder, &why), 0);
	for (; from < to; from++) {
		kit_game(from, ladder_next_serial(ladder), &game);
		cr_assert_eq(ladder_rate(ladder, &game, &why), 0);
	}
	cr_assert_eq(ladder_commit(ladder, &why), 0);
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

static void
get(const char *name, const struct ladder_pool *pool, struct seen *seen)
{
	ladder_view_get(view, kit_path(name), pool, on_viewed, seen);
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
	cr_expect_float_eq(json_real_value(json_object_get(row, "rating")),
			   (double)standing->rating_milli / 1000, 0.0011);
	cr_expect_float_eq(json_real_value(json_object_get(row, "score")),
			   score, 1e-5);
	cr_expect_float_eq(json_real_value(json_object_get(row, "mean_place")),
			   (double)standing->places / (double)standing->games,
			   1e-5);
}

Test(ladder_view, standings_as_the_ladder_has_them)
{
	struct seen seen = { .times = 0 };
	struct expected expected = { .at = 0 };
	struct ladder_pool pool;
	struct ladder *ladder;

	begin();
	rate(1, 60);
	pool_of(7, &pool);
	get("ladder.db", &pool, &seen);
	cr_expect_eq(seen.times, 0, "the loop does not wait for it");
	wait_for(&seen, 1);
	expected.found = json_loads(seen.json, 0, NULL);
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
	free(seen.json);
	end();
}

Test(ladder_view, no_games_and_no_ladder)
{
	struct seen seen = { .times = 0 };
	struct ladder_pool pool;

	begin();
	rate(1, 2);
	pool_of(1, &pool);
	pool.seats = 7;
	get("ladder.db", &pool, &seen);
	wait_for(&seen, 1);
	cr_expect_str_eq(seen.json, "[]");
	get("nowhere.db", &pool, &seen);
	wait_for(&seen, 2);
	cr_expect_null(seen.json);
	cr_expect_not_null(strstr(seen.why.text, "nowhere.db"), "%s",
			   seen.why.text);
	free(seen.json);
	end();
}

/* ---- how often it is read --------------------------------------------- */

Test(ladder_view, good_for_a_second)
{
	struct seen seen = { .times = 0 };
	struct ladder_pool pool;
	char *first;

	begin();
	rate(1, 30);
	pool_of(7, &pool);
	get("ladder.db", &pool, &seen);
	wait_for(&seen, 1);
	first = strdup(seen.json);
	rate(30, 60);
	fake_now_us += VIEW_MS * 1000 - 1;
	get("ladder.db", &pool, &seen);
	cr_assert_eq(seen.times, 2, "at once");
	cr_expect_str_eq(seen.json, first);
	fake_now_us += 1;
	get("ladder.db", &pool, &seen);
	cr_assert_eq(seen.times, 2);
	wait_for(&seen, 3);
	cr_expect_str_neq(seen.json, first);
	/* Another pool of it is another page. */
	pool_of(8, &pool);
	get("ladder.db", &pool, &seen);
	cr_assert_eq(seen.times, 3);
	wait_for(&seen, 4);
	pool_of(7, &pool);
	pool.arrival = !pool.arrival;
	get("ladder.db", &pool, &seen);
	cr_assert_eq(seen.times, 4);
	wait_for(&seen, 5);
	pool_of(7, &pool);
	pool.options[0]++;
	get("ladder.db", &pool, &seen);
	cr_assert_eq(seen.times, 5);
	wait_for(&seen, 6);
	free(first);
	free(seen.json);
	end();
}

Test(ladder_view, many_at_once)
{
	struct seen seen = { .times = 0 }, one_more = { .times = 0 };
	struct ladder_pool pool;
	unsigned i;

	begin();
	rate(1, 30);
	pool_of(7, &pool);
	for (i = 0; i < VIEW_WAITING; i++)
		get("ladder.db", &pool, &seen);
	cr_expect_eq(seen.times, 0);
	get("ladder.db", &pool, &one_more);
	cr_assert_eq(one_more.times, 1);
	cr_expect_str_eq(one_more.why.text,
			 "too many requests at a time; try again later");
	wait_for(&seen, VIEW_WAITING);
	cr_expect_not_null(seen.json);
	get("ladder.db", &pool, &one_more);
	cr_expect_eq(one_more.times, 2);
	cr_expect_str_eq(one_more.json, seen.json);
	free(seen.json);
	free(one_more.json);
	end();
}

Test(ladder_view, two_in_turn)
{
	struct seen seen[2] = { { .times = 0 } };
	struct ladder_pool pool;
	unsigned i;

	begin();
	rate(1, 30);
	for (i = 0; i < 10; i++) {
		pool_of(7 + i % 2, &pool);
		get("ladder.db", &pool, &seen[i % 2]);
	}
	wait_for(&seen[0], 5);
	wait_for(&seen[1], 5);
	cr_expect_str_neq(seen[0].json, seen[1].json);
	free(seen[0].json);
	free(seen[1].json);
	end();
}

/* So many ladders are kept; then the one that was looked at longest ago
 * goes, but none that is waited for. */
Test(ladder_view, many_ladders)
{
	struct seen seen[VIEW_LADDERS + 1];
	struct ladder_pool pool;
	char name[32];
	unsigned i;

	begin();
	memset(seen, 0, sizeof(seen));
	pool_of(7, &pool);
	for (i = 0; i <= VIEW_LADDERS; i++) {
		fake_now_us++;
		snprintf(name, sizeof(name), "none-%u", i);
		get(name, &pool, &seen[i]);
	}
	cr_assert_eq(seen[VIEW_LADDERS].times, 1, "all are waited for");
	cr_expect_str_eq(seen[VIEW_LADDERS].why.text,
			 "too many requests at a time; try again later");
	for (i = 0; i < VIEW_LADDERS; i++)
		wait_for(&seen[i], 1);
	fake_now_us++;
	get("none-0", &pool, &seen[0]);
	cr_assert_eq(seen[0].times, 2, "it is kept, and looked at now");
	get("none-64", &pool, &seen[VIEW_LADDERS]);
	wait_for(&seen[VIEW_LADDERS], 2);
	get("none-0", &pool, &seen[0]);
	cr_assert_eq(seen[0].times, 3, "it still is");
	get("none-1", &pool, &seen[1]);
	cr_expect_eq(seen[1].times, 1, "the oldest is not");
	wait_for(&seen[1], 2);
	end();
}

Test(ladder_view, who_waits_at_the_end_is_told)
{
	struct seen seen = { .times = 0 };
	struct ladder_pool pool;
	char name[32];
	unsigned i;

	begin();
	pool_of(7, &pool);
	for (i = 0; i < VIEW_LADDERS; i++) {
		snprintf(name, sizeof(name), "none-%u", i);
		get(name, &pool, &seen);
	}
	worker_thread_free(thread);
	thread = NULL;
	cr_expect_eq(seen.times, VIEW_LADDERS);
	cr_expect_null(seen.json);
	cr_expect_neq(seen.why.text[0], '\0');
	end();
}

/* ---- games ------------------------------------------------------------ */

/* The serials of a page, and `next`. */
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
	cr_assert_eq(games_view_read(&wish, &text, &why), 0, "%s", why.text);
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

Test(ladder_view, games_page_by_page)
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

Test(ladder_view, games_as_lines)
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
	cr_assert_eq(games_view_read(&wish, &text, &why), 0);
	cr_expect_str_eq(text_string(&text), expected);
	text_clear(&text);
	wish.count = 3;
	cr_assert_eq(games_view_read(&wish, &text, &why), 0);
	cr_expect_null(strstr(text_string(&text), "next"));
	text_clear(&text);
	snprintf(wish.path, sizeof(wish.path), "%s", kit_path("no.db"));
	cr_expect_neq(games_view_read(&wish, &text, &why), 0);
	cr_expect_eq(text.used, 0);
	text_release(&text);
}
