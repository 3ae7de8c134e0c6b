/* tests/unit/test-trials.c - which trial makes room for another one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"
#include "referee/web/trials.h"

static struct loop loop;
static struct pages pages;
static struct trials *trials;

static void
begin(void)
{
	cr_assert_eq(loop_init(&loop), 0);
	trials = trials_new(&loop, &pages);
}

static void
end(void)
{
	trials_free(trials);
	loop_release(&loop);
}

TestSuite(trials, .init = begin, .fini = end);

static struct roster_bot
bot_of(unsigned number, const char *owner)
{
	struct roster_bot bot = { .number = number };

	snprintf(bot.name, sizeof(bot.name), "bot-%u", number);
	snprintf(bot.owner, sizeof(bot.owner), "%s", owner);
	return bot;
}

/* Wishes a trial, whose version gets the bot's name as its hash. */
static bool
wish(unsigned number, const char *owner)
{
	const struct trial_wish what = { .games = 1, .ladder = "quick" };
	struct roster_bot bot = bot_of(number, owner);

	if (!trials_may_wish(trials, &bot))
		return false;
	trials_wish(trials, &bot, &what);
	trials_came(trials, bot.name, bot.name);
	return true;
}

static bool
is_there(unsigned number)
{
	return trials_need(trials, bot_of(number, "").name);
}

Test(trials, one_of_each_owner_and_no_more)
{
	char owner[16];
	unsigned i;

	for (i = 0; i < SERVE_TRIALS; i++) {
		snprintf(owner, sizeof(owner), "owner-%u", i);
		cr_expect(wish(i, owner), "%u", i);
	}
	cr_expect_not(wish(1000, "late"), "all places are an owner's only one");
	cr_expect(wish(3, "owner-3"), "a bot's trial replaces its own");
	for (i = 0; i < SERVE_TRIALS; i++)
		cr_expect(is_there(i), "%u", i);
	trials_drop(trials, 5);
	cr_expect(wish(1000, "late"));
}

Test(trials, who_has_most_makes_room)
{
	unsigned i;

	cr_expect(wish(0, "ann"));
	for (i = 1; i < SERVE_TRIALS; i++)
		cr_expect(wish(i, "crowd"));
	cr_expect(wish(500, "ben"));
	cr_expect(is_there(0), "ann keeps the only one that she has");
	cr_expect_not(is_there(1), "the crowd's oldest is gone");
	cr_expect(wish(600, "crowd"));
	cr_expect(is_there(0));
	cr_expect(is_there(500));
	cr_expect_not(is_there(2));
}
