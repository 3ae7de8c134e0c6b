/* tests/unit/test-trials.c - which trial makes room for another one, and whose turn
 * comes next. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "protocol/clock.h"
#include "referee/base/loop.h"
#include "referee/base/serve-limits.h"
#include "referee/base/subprocess.h"
#include "referee/web/trials.h"
#include "tests/unit/ladder-kit.h"

#define LOOK_US 500000 /* between two looks if a trial may begin */

static struct loop loop;
static struct config config = { .data = "/nowhere" };
static struct pages pages = { .config = &config };
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

/* ---- turns ------------------------------------------------------------ */

static uint64_t now_us;

static uint64_t
tell_time(void)
{
	return now_us;
}

/* No day ends. */
static int64_t
tell_date(void)
{
	return INT64_C(1700000000000);
}

/* Starts a process that never ends by itself. */
static struct subprocess *
start(void)
{
	static const char *const argv[] = { "tail", "-f", "/dev/null", NULL };

	return subprocess_start(&(struct subprocess_order){
		.program = "/usr/bin/tail", .argv = argv, .in = -1 });
}

/* Moves the clock, and lets the trials look. */
static void
pass(uint64_t us)
{
	now_us += us;
	timers_fire(&loop.timers);
}

static void
expect_state(unsigned number, const char *state)
{
	json_t *told = trials_tell(trials, number);

	cr_expect_str_eq(json_string_value(json_object_get(told, "state")),
			 state, "%u", number);
	json_decref(told);
}

static const char *
failed(unsigned number)
{
	static char sentence[128];
	json_t *told = trials_tell(trials, number);
	const char *why = json_string_value(json_object_get(told, "failed"));

	snprintf(sentence, sizeof(sentence), "%s", why != NULL ? why : "");
	json_decref(told);
	return sentence;
}

static void
begin_turns(void)
{
	static const struct local_bot_calls none;
	const struct local_bot_setup setup = { .games = 1 };
	struct error why;

	kit_begin();
	clock_us = tell_time;
	clock_calendar_ms = tell_date;
	now_us = 1000000;
	begin();
	cr_assert_eq(roster_open(kit_path("."), &pages.roster, &why), 0, "%s",
		     why.text);
	pages.logger = log_new(open("/dev/null", O_WRONLY), LOG_LEVEL_INFO);
	pages.locals = local_bots_new(&loop, &none, NULL);
	local_bots_set(pages.locals, &setup);
	trials_play_by(trials, start);
}

static void
end_turns(void)
{
	trials_free(trials);
	trials = NULL;
	local_bots_free(pages.locals);
	log_free(pages.logger);
	roster_close(pages.roster);
	loop_release(&loop);
	kit_end();
}

TestSuite(trial_turns, .init = begin_turns, .fini = end_turns);

Test(trial_turns, a_long_one_makes_room_for_another_owner)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	expect_state(1, "plays");
	cr_expect(wish(2, "ann"));
	cr_expect(wish(3, "ben"));
	pass(SERVE_TRIAL_TURN_MS * UINT64_C(1000) - 1);
	expect_state(1, "plays");
	pass(LOOK_US);
	expect_state(1, "over");
	cr_expect_str_eq(failed(1), "it made room for another owner's trial "
				    "after 5 minutes: ask for fewer games");
	expect_state(3, "plays");
	expect_state(2, "waits");
	trials_drop(trials, 3);
	pass(LOOK_US);
	expect_state(2, "plays");
}

Test(trial_turns, a_long_one_goes_on_if_only_its_owner_waits)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	cr_expect(wish(2, "ann"));
	pass(2 * SERVE_TRIAL_TURN_MS * UINT64_C(1000));
	expect_state(1, "plays");
	expect_state(2, "waits");
}

Test(trial_turns, who_has_used_less_comes_first)
{
	cr_expect(wish(1, "ann"));
	pass(LOOK_US);
	pass(UINT64_C(10000000));
	trials_drop(trials, 1); /* its time counts, too */
	cr_expect(wish(2, "ann"));
	cr_expect(wish(3, ""));
	cr_expect(wish(4, ""));
	pass(LOOK_US);
	expect_state(3, "plays");
	pass(UINT64_C(5000000));
	trials_drop(trials, 3);
	pass(LOOK_US);
	expect_state(4, "plays");
	pass(UINT64_C(20000000));
	trials_drop(trials, 4);
	cr_expect(wish(3, ""));
	pass(LOOK_US);
	expect_state(3, "plays");
	expect_state(2, "waits");
}
