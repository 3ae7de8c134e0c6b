/* tests/unit/test-opinion-queue.c - whose opinion comes next, and who makes room. */
#include <criterion/criterion.h>

#include <event2/event.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "ladder/roster-owner.h"
#include "protocol/clock.h"
#include "referee/base/serve-limits.h"
#include "referee/web/opinion-queue.h"
#include "tests/unit/ladder-kit.h"

static struct loop loop;
static struct logger *logger;
static struct roster *roster;
static struct opinion_queue *queue;
static struct error why;

static _Atomic uint64_t now_us;

/* Each look at the clock takes a second. */
static uint64_t
tell_time(void)
{
	return atomic_fetch_add(&now_us, 1000000) + 1000000;
}

/* No day ends. */
static int64_t
tell_date(void)
{
	return INT64_C(1700000000000);
}

/* The program is a shell, which runs its input. */
static void
begin(void)
{
	kit_begin();
	clock_us = tell_time;
	clock_calendar_ms = tell_date;
	now_us = 1000000;
	cr_assert_eq(loop_init(&loop), 0);
	OK(roster_open(kit_path("."), &roster, &why));
	logger = log_new(open("/dev/null", O_WRONLY), LOG_LEVEL_INFO);
	queue = opinion_queue_new(&loop, logger, roster);
	opinion_queue_set(queue, "/bin/sh");
}

static void
end(void)
{
	opinion_queue_free(queue);
	log_free(logger);
	roster_close(roster);
	loop_release(&loop);
	kit_end();
}

TestSuite(opinion_queue, .init = begin, .fini = end);

/* Asks for the opinion on a game, if there is room.  The program notes the game in
 * the file `order`. */
static bool
ask(const char *who, bool sat, const char *game)
{
	struct text input = { .max = SIZE_MAX };

	if (opinion_queue_room(queue, who, sat) != OPINION_ROOM)
		return false;
	text_fmt(&input, "echo %s >>%s; echo over 0 of 0\n", game,
		 kit_path("order"));
	opinion_queue_ask(queue, who, sat, game, 0, &input);
	return true;
}

static enum opinion_state
state_of(const char *game)
{
	return opinion_queue_find(queue, game, 0, NULL);
}

static void
wait_for(const char *game)
{
	while (state_of(game) == OPINION_COMING)
		event_base_loop(loop.base, EVLOOP_ONCE);
	cr_assert_eq(state_of(game), OPINION_READY, "%s", game);
}

static int64_t
used(const char *who)
{
	int64_t ms;

	OK(roster_count(roster, ROSTER_OPINION_TIME, who, roster_today(), &ms,
			&why));
	return ms;
}

static void
use(const char *who, int64_t ms)
{
	OK(roster_add_count(roster, ROSTER_OPINION_TIME, who, roster_today(),
			    ms, &why));
}

/* Has all places taken by SERVE_OPINIONS_WAITING clients, who have used time today.
 * The game of client I is `game-I`; that of 0 is worked out. */
static void
fill(bool sat)
{
	char who[16], game[16];

	for (unsigned i = 0; i < SERVE_OPINIONS_WAITING; i++) {
		snprintf(who, sizeof(who), "owner %u", i);
		snprintf(game, sizeof(game), "game-%u", i);
		use(who, 100);
		cr_assert(ask(who, sat, game), "%u", i);
	}
}

/* Expects that these came first, in this order. */
static void
expect_order(const char *expected)
{
	char text[256] = "";
	FILE *file = fopen(kit_path("order"), "r");

	cr_assert_not_null(file);
	(void)!fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[strlen(expected)] = '\0';
	cr_expect_str_eq(text, expected);
}

Test(opinion_queue, the_time_is_charged_to_who_asked)
{
	cr_expect(ask("owner ann", true, "one"));
	cr_expect_eq(used("owner ann"), 0);
	wait_for("one");
	cr_expect_geq(used("owner ann"), 1000);
	cr_expect_eq(used("owner ben"), 0);
}

Test(opinion_queue, who_has_used_less_time_displaces_and_comes_first)
{
	fill(true);
	use("owner ben", 100);
	cr_expect_not(ask("owner ben", true, "ben"), "as much as all others");
	use("owner eve", 101);
	cr_expect_not(ask("owner eve", true, "eve"));
	use("owner ann", 99);
	cr_expect(ask("owner ann", true, "ann"));
	cr_expect_eq(state_of("game-7"), OPINION_NONE, "the last made room");
	cr_expect_eq(state_of("game-6"), OPINION_COMING);
	wait_for("game-6");
	expect_order("game-0\nann\ngame-1\ngame-2\ngame-3\ngame-4\ngame-5\n"
		     "game-6\n");
}

Test(opinion_queue, the_time_of_the_first_counts_for_the_second)
{
	cr_expect(ask("owner ann", true, "ann-1"));
	cr_expect(ask("owner ann", true, "ann-2"));
	use("owner ben", 100);
	cr_expect(ask("owner ben", true, "ben"));
	cr_expect(ask("owner eve", false, "eve"));
	wait_for("eve");
	expect_order("ann-1\nben\nann-2\neve\n");
}

Test(opinion_queue, who_sat_there_comes_before_who_did_not)
{
	fill(false);
	use("owner ann", 86400000);
	cr_expect(ask("owner ann", true, "ann"));
	cr_expect_eq(state_of("game-7"), OPINION_NONE);
	wait_for("game-1");
	expect_order("game-0\nann\ngame-1\n");
}

Test(opinion_queue, who_did_not_sit_there_is_written_nowhere)
{
	cr_expect(ask("10.1.0.1", false, "one"));
	cr_expect(ask("owner ann", false, "two"));
	wait_for("one");
	wait_for("two");
	cr_expect_eq(used("10.1.0.1"), 0);
	cr_expect_eq(used("owner ann"), 0);
}

Test(opinion_queue, who_did_not_sit_there_takes_turns)
{
	cr_expect(ask("owner ann", false, "ann-1"));
	cr_expect(ask("owner ann", false, "ann-2"));
	use("owner ben", 100);
	cr_expect(ask("owner ben", false, "ben-1"));
	cr_expect(ask("owner ben", false, "ben-2"));
	cr_expect(ask("10.1.0.1", false, "one"));
	wait_for("ben-2");
	expect_order("ann-1\nann-2\nben-1\none\nben-2\n");
}

Test(opinion_queue, who_did_not_sit_there_displaces_nobody_who_did)
{
	fill(true);
	cr_expect_not(ask("owner ann", false, "ann"));
	cr_expect_not(ask("", false, "nobody"));
}
