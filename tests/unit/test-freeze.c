/* tests/unit/test-freeze.c - the copy of a ladder whose standings are frozen. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol/date.h"
#include "referee/scheduler/scheduler-freeze.h"
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

/* Makes the copy and returns what it tells; the caller frees it. */
static char *
frozen(void)
{
	const struct ladder_pool pool = { .game = "toepen",
					  .options = "points=10 joker=no",
					  .seats = 2 };
	const int64_t freezes = date_read(FREEZES);
	char path[LADDER_PATH_BYTES], *told;
	struct ladder *copy;

	cr_assert_eq(scheduler_freeze_make(ladder, kit_path("."), freezes,
					   &pool, &why),
		     0, "%s", why.text);
	scheduler_freeze_path(kit_path("."), freezes, path);
	cr_assert_eq(ladder_open(path, LADDER_READ, &copy, &why), 0, "%s",
		     why.text);
	told = kit_describe(copy);
	ladder_close(copy);
	return told;
}

/* A copy is the same whether it was there when a game came, or is made later. */
Test(freeze, a_copy_takes_games_that_come_late)
{
	static const uint32_t numbers[] = { 7, 31, 10, 12, 40, 41, 13, 59, 16 };
	char *before = frozen(), *told, *again;

	for (size_t i = 0; i < NELEM(numbers); i++) {
		rate(numbers[i]);
		told = frozen();
		cr_expect_eq(strcmp(told, before) != 0, numbers[i] < 30,
			     "game %u: %s", numbers[i], told);
		scheduler_freeze_clean(kit_path("."), 0);
		again = frozen();
		cr_expect_str_eq(told, again);
		free(before);
		free(again);
		before = told;
	}
	free(before);
}

/* Only a change of K may come between. */
Test(freeze, a_copy_keeps_what_is_over)
{
	char *told, *again;

	rate(7);
	free(frozen());
	rate(31);
	kit_set(ladder, 32000, 1500000);
	rate(8);
	told = frozen();
	scheduler_freeze_clean(kit_path("."), 0);
	again = frozen();
	cr_expect_str_eq(told, again);
	free(told);
	free(again);
}
