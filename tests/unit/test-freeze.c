/* tests/unit/test-freeze.c - the copy of a ladder whose standings are frozen. */
#include <criterion/criterion.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder/roster.h"
#include "protocol/date.h"
#include "referee/scheduler/scheduler-freeze.h"
#include "tests/unit/disk.h"
#include "tests/unit/ladder-kit.h"

/* Games with a number below 30 have ended before. */
#define FREEZES "2026-11-21T09:00:30Z"

static struct ladder *ladder;
static struct error why;

static void
begin(void)
{
	int64_t folder;

	kit_begin();
	ladder = kit_open(&folder);
}

static void
end(void)
{
	ladder_close(ladder);
	kit_end();
}

TestSuite(freeze, .init = begin, .fini = end);

static void
rate(uint32_t number)
{
	struct ladder_game game;

	kit_game(number, ladder_last(ladder) + 1, &game);
	kit_rate(ladder, &game, 1);
}

static int
make(void)
{
	const struct ladder_pool pool = { .game = "toepen",
					  .options = "points=10 joker=no",
					  .seats = 2 };

	return scheduler_freeze_make(ladder, kit_path("."), kit_path("."),
				     date_read(FREEZES), &pool, &why);
}

/* Makes the copy and opens it. */
static struct ladder *
open_copy(void)
{
	char path[LADDER_PATH_BYTES];
	struct ladder *copy;

	cr_assert_eq(make(), 0, "%s", why.text);
	scheduler_freeze_path(kit_path("."), date_read(FREEZES), path);
	cr_assert_eq(ladder_open(path, LADDER_READ, &copy, &why), 0, "%s",
		     why.text);
	return copy;
}

/* Returns what the copy tells. */
static const char *
frozen(void)
{
	struct ladder *copy = open_copy();
	const char *told = kit_describe(copy);

	ladder_close(copy);
	return told;
}

static void
add_mark(void *arg, const struct ladder_standing *standing)
{
	text_fmt(arg, "%u %s %s\n", standing->rank, standing->bot,
		 ladder_mark_name(standing->mark));
}

static void
expect_marks(const char *expected)
{
	struct text text = { .max = SIZE_MAX };
	struct ladder *copy = open_copy();

	cr_assert_eq(ladder_standings(copy, 1, add_mark, &text, &why), 0);
	cr_expect_str_eq(text_string(&text), expected);
	text_release(&text);
	ladder_close(copy);
}

/* A copy is the same whether it was there when a game came, or is made later. */
Test(freeze, a_copy_takes_games_that_come_late)
{
	static const uint32_t numbers[] = { 7, 31, 10, 12, 40, 41, 13, 59, 16 };
	const char *before = frozen(), *told;

	for (size_t i = 0; i < NELEM(numbers); i++) {
		rate(numbers[i]);
		told = frozen();
		cr_expect_eq(strcmp(told, before) != 0, numbers[i] < 30,
			     "game %u: %s", numbers[i], told);
		scheduler_freeze_clean(kit_path("."), 0);
		cr_expect_str_eq(told, frozen());
		before = told;
	}
}

/* Whatever change fails, a copy is whole or not there; and the next one is whole. */
Test(freeze, a_disk_that_fails_leaves_no_part_of_a_copy)
{
	char *expected, path[LADDER_PATH_BYTES];
	bool made, whole = false;

	scheduler_freeze_path(kit_path("."), date_read(FREEZES), path);
	rate(7);
	rate(31);
	rate(40);
	expected = strdup(frozen());
	for (size_t n = 0; !whole; n++) {
		scheduler_freeze_clean(kit_path("."), 0);
		disk_watch(kit_path("."));
		disk_fail(&(struct disk_fault){
			.from = n, .once = true, .error = EIO });
		made = make() == 0;
		whole = made && disk_changes() <= n;
		disk_fail(NULL);
		disk_leave();
		cr_expect_eq(kit_is_there(path), made, "%zu", n);
		cr_expect_str_eq(frozen(), expected, "%zu", n);
	}
	free(expected);
}

/* Only a change of K may come between. */
Test(freeze, a_copy_keeps_what_is_over)
{
	const char *told;

	rate(7);
	frozen();
	rate(31);
	kit_set(ladder, 32000, 1500000);
	rate(8);
	told = frozen();
	scheduler_freeze_clean(kit_path("."), 0);
	cr_expect_str_eq(told, frozen());
}

#define DONE(call) cr_assert_eq(call, 0, "%s", why.text)

/* A later change of the roster is not seen, also when a game comes late. */
Test(freeze, a_copy_has_the_marks_of_its_moment)
{
	static const char *const names[] = { "dee", "eve", "fay" };
	char token[ROSTER_TOKEN_BYTES + 1];
	struct roster *roster;

	cr_assert_geq(sodium_init(), 0);
	DONE(roster_open(kit_path("."), &roster, &why));
	for (size_t i = 0; i < NELEM(names); i++)
		DONE(roster_add(roster, names[i], "", token, &why));
	DONE(roster_disable(roster, "dee", "loops", &why));
	DONE(roster_withdraw(roster, "eve", &why));
	rate(7);
	expect_marks("1 fay \n0 dee disabled\n0 eve withdrawn\n");
	DONE(roster_enable(roster, "dee", &why));
	DONE(roster_delete(roster, "fay", &why));
	expect_marks("1 fay \n0 dee disabled\n0 eve withdrawn\n");
	rate(7 + 24);
	rate(8);
	expect_marks("1 fay \n0 dee disabled\n0 eve withdrawn\n");
	scheduler_freeze_clean(kit_path("."), 0);
	expect_marks("1 dee \n0 fay removed\n0 eve withdrawn\n");
	roster_close(roster);
}
