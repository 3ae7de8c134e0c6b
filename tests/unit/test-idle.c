/* tests/unit/test-idle.c - programs that wait for their next game. */
#include <criterion/criterion.h>

#include "protocol/limits.h"
#include "referee/runner/idle.h"
#include "tests/unit/fake-bot.h"

#define BOTS 4

struct lounge {
	struct loop loop;
	struct idle idle;
	struct fake_bot bot[BOTS];
};

static void
begin(struct lounge *lounge)
{
	unsigned b;

	fake_clock_begin();
	cr_assert_eq(loop_init(&lounge->loop), 0);
	idle_init(&lounge->idle);
	for (b = 0; b < BOTS; b++)
		fake_init(&lounge->bot[b], &lounge->loop);
}

static void
end(struct lounge *lounge)
{
	unsigned b;

	idle_dismiss(&lounge->idle);
	for (b = 0; b < BOTS; b++)
		fake_release(&lounge->bot[b]);
	loop_release(&lounge->loop);
}

/* Program `b` of bot number b / 2 waits. */
static void
keep(struct lounge *lounge, unsigned b, unsigned most)
{
	idle_keep(&lounge->idle, b / 2, &lounge->bot[b].bot, most);
}

static bool
was_sent_away(struct lounge *lounge, unsigned b)
{
	fake_pass(&lounge->loop);
	return lounge->bot[b].parted && lounge->bot[b].grace_ms == BYE_MS &&
	       fake_has_read(&lounge->bot[b], "bye");
}

Test(idle, the_one_that_waits_longest_is_taken_first)
{
	struct lounge lounge;
	unsigned b;

	begin(&lounge);
	for (b = 0; b < BOTS; b++)
		keep(&lounge, b, BOTS);
	cr_expect_eq(lounge.idle.count, BOTS);
	cr_expect_eq(idle_take(&lounge.idle, 1), &lounge.bot[2].bot);
	cr_expect_eq(idle_take(&lounge.idle, 1), &lounge.bot[3].bot);
	cr_expect_null(idle_take(&lounge.idle, 1));
	keep(&lounge, 2, BOTS); /* after the last one, which has ended */
	cr_expect_eq(idle_take(&lounge.idle, 0), &lounge.bot[0].bot);
	cr_expect_eq(idle_take(&lounge.idle, 1), &lounge.bot[2].bot);
	cr_expect_eq(idle_take(&lounge.idle, 0), &lounge.bot[1].bot);
	cr_expect_eq(lounge.idle.count, 0);
	for (b = 0; b < BOTS; b++)
		cr_expect_not(lounge.bot[b].parted);
	end(&lounge);
}

Test(idle, who_has_ended_meanwhile_is_not_taken)
{
	struct lounge lounge;

	begin(&lounge);
	keep(&lounge, 0, BOTS);
	keep(&lounge, 1, BOTS);
	fake_die(&lounge.bot[0]);
	cr_expect_eq(idle_take(&lounge.idle, 0), &lounge.bot[1].bot);
	cr_expect(lounge.bot[0].parted);
	keep(&lounge, 1, BOTS);
	fake_die(&lounge.bot[1]);
	cr_expect_null(idle_take(&lounge.idle, 0));
	cr_expect_eq(lounge.idle.count, 0);
	end(&lounge);
}

Test(idle, no_more_than_so_many_wait)
{
	struct lounge lounge;

	begin(&lounge);
	keep(&lounge, 0, 2);
	keep(&lounge, 1, 2);
	keep(&lounge, 2, 2);
	cr_expect(was_sent_away(&lounge, 0));
	cr_expect_not(was_sent_away(&lounge, 1));
	idle_dismiss(&lounge.idle);
	cr_expect(was_sent_away(&lounge, 1));
	cr_expect(was_sent_away(&lounge, 2));
	end(&lounge);
}

Test(idle, counts_the_bytes_of_those_that_wait)
{
	struct lounge lounge;
	uint64_t out = 1, in = 1;

	begin(&lounge);
	for (unsigned b = 0; b < BOTS; b++) {
		lounge.bot[b].bot.bytes_out = 10;
		lounge.bot[b].bot.bytes_in = 1;
	}
	keep(&lounge, 0, BOTS);
	keep(&lounge, 1, BOTS);
	idle_traffic(&lounge.idle, &out, &in);
	cr_expect_eq(out, 20);
	cr_expect_eq(in, 2);
	end(&lounge);
}
