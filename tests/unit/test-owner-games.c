/* tests/unit/test-owner-games.c - the games of an owner's bots. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/pack.h"
#include "referee/base/serve-limits.h"
#include "referee/config/serve-config.h"
#include "referee/web/owner-games.h"
#include "tests/unit/ladder-kit.h"

TestSuite(owner_games, .init = kit_begin, .fini = kit_end);

static struct error why;

/* Rates these games, and writes their records. */
static void
rate(unsigned count)
{
	struct ladder_game game;
	struct ladder *ladder;
	int64_t folder;
	unsigned i;

	ladder = kit_open(&folder);
	for (i = 1; i <= count; i++) {
		kit_game(i, i, &game);
		game.folder = folder;
		cr_assert(kit_write_record(&game, NULL, 0));
		kit_rate(ladder, &game, 1);
	}
	ladder_close(ladder);
}

/* Returns what ada and bob of one owner ask for. */
static struct owner_wish
wish_of(void)
{
	static const char *const bots[] = { "ada", "bob" };
	struct owner_wish wish = { .owner = "ann",
				   .from = 1,
				   .count = SERVE_GAMES_MAX,
				   .now = INT64_C(4000000000) };
	struct record_shelf *shelf = ADDED(wish.shelf, wish.shelves);
	struct owner_bot *bot;
	unsigned i;

	*shelf = (struct record_shelf){ .name = "quick",
					.readers = CONFIG_EVERYBODY };
	snprintf(shelf->path, sizeof(shelf->path), "%s", kit_path("ladder.db"));
	for (i = 0; i < NELEM(bots); i++) {
		bot = ADDED(wish.bot, wish.bots);
		snprintf(bot->name, sizeof(bot->name), "%s", bots[i]);
		text_init(&bot->names, SIZE_MAX);
		/* A first version has the bot's first name. */
		text_fmt(&bot->names, "%s %s %s.2 ", bots[i], bots[i], bots[i]);
		(void)text_string(&bot->names);
	}
	return wish;
}

static json_t *
ask(const struct owner_wish *wish)
{
	struct text text;
	json_t *all;

	text_init(&text, SERVE_GAMES_BYTES);
	cr_assert_null(owner_games_wrong(wish));
	cr_assert_eq(owner_games_json(wish, &text, &why), 0, "%s", why.text);
	cr_assert_not(text.full);
	all = json_loads(text_string(&text), 0, NULL);
	cr_assert_not_null(all);
	text_release(&text);
	return all;
}

static int64_t
number(json_t *all, size_t row, const char *key)
{
	json_t *one = json_array_get(json_object_get(all, "games"), row);

	return json_integer_value(json_object_get(one, key));
}

/* Counts the seats of ada and bob with this fault (FAULT_NONE: all). */
static unsigned
count_seats(unsigned last, enum fault fault)
{
	struct ladder_game game;
	unsigned i, s, count = 0;

	for (i = 1; i <= last; i++) {
		kit_game(i, i, &game);
		for (s = 0; s < game.seats; s++)
			count += (strcmp(game.seat[s].bot, "ada") == 0 ||
				  strcmp(game.seat[s].bot, "bob") == 0) &&
				 (fault == FAULT_NONE ||
				  game.seat[s].faults[fault] > 0);
	}
	return count;
}

Test(owner_games, a_row_for_each_seat_of_an_own_bot)
{
	struct owner_wish wish = wish_of();
	json_t *all;
	size_t i;

	rate(60);
	all = ask(&wish);
	cr_expect_eq(json_integer_value(json_object_get(all, "found")),
		     count_seats(60, FAULT_NONE));
	for (i = 1; i < json_array_size(json_object_get(all, "games")); i++)
		cr_expect_leq(number(all, i, "place"),
			      number(all, i - 1, "place"));
	json_decref(all);
	snprintf(wish.form.fault, sizeof(wish.form.fault), "timeout");
	all = ask(&wish);
	cr_expect_gt(count_seats(60, FAULT_TIMEOUT), 0);
	cr_expect_eq(json_integer_value(json_object_get(all, "found")),
		     count_seats(60, FAULT_TIMEOUT),
		     "a fault of an opponent does not count");
	json_decref(all);
	owner_wish_release(&wish);
}

Test(owner_games, the_worst_decision_first)
{
	struct owner_wish wish = wish_of();
	json_t *all;
	size_t i;

	rate(60);
	wish.order = OWNER_LATEST;
	all = ask(&wish);
	/* The last rows have the worst decisions. */
	for (i = 15; i < 18; i++) {
		json_t *row = json_array_get(json_object_get(all, "games"), i);
		struct opinion_worst *worst = ADDED(wish.worst, wish.worsts);

		*worst = (struct opinion_worst){ .loss = (double)i,
						 .at = (unsigned)i };
		snprintf(worst->id, sizeof(worst->id), "%s",
			 json_string_value(json_object_get(row, "id")));
		worst->seat = (unsigned)number(all, i, "seat");
	}
	json_decref(all);
	wish.order = OWNER_WORST;
	all = ask(&wish);
	for (i = 0; i < 4; i++) {
		json_t *row = json_array_get(json_object_get(all, "games"), i);
		json_t *worst = json_object_get(row, "worst");

		cr_expect_eq(worst != NULL, i < 3);
		cr_expect_eq(json_integer_value(json_object_get(worst, "at")),
			     i < 3 ? 17 - (int64_t)i : 0);
	}
	json_decref(all);
	owner_wish_release(&wish);
}

/* Each name gets the same share, and one share more is left over. */
Test(owner_games, at_most_so_many_are_searched)
{
	const unsigned share = SERVE_OWNER_GAMES / 7 + 1;
	struct owner_wish wish = wish_of();
	struct ladder_game game;
	unsigned n = 0, i = 0, s;
	json_t *all;

	while (n < share) {
		i++;
		kit_game(i, i, &game);
		for (s = 0; s < game.seats; s++)
			n += strcmp(game.seat[s].bot, "ada") == 0;
	}
	rate(i);
	text_release(&wish.bot[--wish.bots].names);
	text_str(&wish.bot[0].names, "ada.3 ada.4 ada.5 ");
	(void)text_string(&wish.bot[0].names);
	all = ask(&wish);
	cr_expect_eq(json_integer_value(json_object_get(all, "found")), share);
	cr_expect_not(json_is_true(json_object_get(all, "more")));
	json_decref(all);
	text_str(&wish.bot[0].names, "ada.6 ada.7 ");
	(void)text_string(&wish.bot[0].names);
	all = ask(&wish);
	cr_expect_eq(json_integer_value(json_object_get(all, "found")),
		     SERVE_OWNER_GAMES / 9 + 1);
	cr_expect(json_is_true(json_object_get(all, "more")));
	json_decref(all);
	owner_wish_release(&wish);
}

/* ---- the tar file ----------------------------------------------------- */

/* Writes the record of a game with so many bytes: a comment makes it long. */
static void
write_long(const struct ladder_game *game, size_t n)
{
	char name[LADDER_FILE_BYTES], path[LADDER_FILE_BYTES + 16];
	char *text = memory(NULL, n);
	size_t used;

	kit_record_text(game, NULL, text, n);
	used = strlen(text) - 1;
	memset(text + used, 'x', n - used - 1);
	memcpy(text + used, " ; ", 3);
	text[n - 1] = '\n';
	ladder_file_name(ENTRY_GAME, game->serial, game->id, name);
	snprintf(path, sizeof(path), "records/%s", name);
	kit_write_file(kit_path(path), text, n);
	free(text);
}

/* Returns true if two records of ada, of which the second has so many bytes, are
 * both in the tar file. */
static bool
have_room(size_t n)
{
	struct owner_wish wish = wish_of();
	struct ladder_game game;
	unsigned i, found = 0;
	struct owner_tar *made;
	struct text tar;
	bool both;
	int more;

	wish.count = 2;
	wish.order = OWNER_LATEST;
	snprintf(wish.form.since, sizeof(wish.form.since), "2026-11-21");
	for (i = 40; found < 2; i--) {
		bool ada = false;

		kit_game(i, i, &game);
		for (unsigned s = 0; s < game.seats; s++)
			ada |= strcmp(game.seat[s].bot, "ada") == 0;
		if (ada)
			write_long(&game,
				   found++ == 0 ? SERVE_RECORD_BYTES : n);
	}
	text_release(&wish.bot[--wish.bots].names);
	text_init(&tar, SIZE_MAX);
	made = owner_tar_new(&wish);
	while ((more = owner_tar_add(made, &tar, &why)) > 0)
		;
	cr_assert_eq(more, 0, "%s", why.text);
	owner_tar_free(made);
	both = memmem(tar.bytes, tar.used, "no room", 7) == NULL;
	cr_expect_eq(both, tar.used > SERVE_TAR_BYTES);
	cr_expect_not_null(memmem(tar.bytes, tar.used, "from=3.\n", 8));
	text_release(&tar);
	owner_wish_release(&wish);
	return both;
}

Test(owner_games, a_tar_file_of_bounded_size)
{
	const size_t rest =
		SERVE_TAR_BYTES - SERVE_RECORD_BYTES - 2 * PACK_BLOCK;

	rate(40);
	cr_expect(have_room(rest));
	cr_expect_not(have_room(rest + 1));
}
