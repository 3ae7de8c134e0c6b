/* tests/unit/test-check-aside.c - processor time that a bot takes while others are
 * asked. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "referee/check/check-inside.h"
#include "referee/check/check-tap.h"
#include "referee/spawner/bot-usage.h"
#include "tests/unit/fake-bot.h"

#define SILENCE_US (10 * CLOCK_BEAT_US)

void __wrap_tap_look(const struct bot *tap, struct bot_look *look);
bool __wrap_bot_usage_of(pid_t pid, bool boxed, struct bot_usage *usage);

static uint64_t cpu_us; /* that the bot has taken so far */

void
__wrap_tap_look(const struct bot *tap, struct bot_look *look)
{
	(void)tap;
	memset(look, 0, sizeof(*look));
}

bool
__wrap_bot_usage_of(pid_t pid, bool boxed, struct bot_usage *usage)
{
	(void)pid;
	(void)boxed;
	*usage = (struct bot_usage){ .cpu_us = cpu_us };
	return true;
}

static struct check_setup setup;
static struct check_report report;
static struct check check = { .setup = &setup, .report = &report };
static struct check_game game = { .check = &check,
				  .trial = { .style = CHECK_SLOW } };

/* Has a bot think on all processors between two quick answers.  Returns the time that
 * counts as taken while others were asked. */
static uint64_t
think(void (*wait)(void))
{
	cpu_us = 1;
	check_calls.thought(&game, 1, false);
	wait();
	cpu_us += (SILENCE_US - 2 * CLOCK_BEAT_US) *
		  (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	check_calls.thought(&game, 1, false);
	free(report.thought_us);
	return report.aside_cpu_us;
}

static void
move_clock(void)
{
	fake_now_us += SILENCE_US;
}

Test(check_aside, while_others_are_asked)
{
	fake_clock_begin();
	cr_expect_gt(think(move_clock), SILENCE_US / 2);
}

static void
be_silent(void)
{
	const uint64_t until_us = clock_machine_us() + SILENCE_US;

	while (clock_machine_us() < until_us)
		;
}

/* It may have thought about its ask meanwhile. */
Test(check_aside, while_the_clock_stands_still)
{
	clock_beat();
	cr_expect_eq(think(be_silent), 0u);
	clock_rest();
}
