/* tests/unit/test-term.c - when games of a ladder may begin. */
#include <criterion/criterion.h>
#include <string.h>

#include "protocol/date.h"
#include "referee/scheduler/scheduler-term.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)

static int64_t
ms(const char *date)
{
	return date_read(date) * 1000;
}

Test(term, without_dates_is_open)
{
	const struct config_ladder ladder = { .begins = 0 };
	struct term term = { .games_a_day = 0 };

	cr_assert_eq(term_look(&term, &ladder, ms("2026-12-01T00:00:00Z")),
		     TERM_OPEN);
	cr_assert_str_eq(term.why, "");
	cr_assert_eq(term_next(&term, &ladder, 1), 0);
}

Test(term, opens_and_closes_at_its_dates)
{
	const struct config_ladder ladder = {
		.begins = date_read("2026-12-01T18:00:00Z"),
		.freezes = date_read("2027-02-22T18:00:00Z"),
		.ends = date_read("2027-03-01T18:00:00Z"),
	};
	struct term term = { .games_a_day = 0 };
	int64_t at = ladder.begins * 1000;

	cr_assert_eq(term_look(&term, &ladder, at - 1), TERM_BEFORE);
	cr_assert_str_eq(term.why, "the games begin at 2026-12-01T18:00:00Z");
	cr_assert_eq(term_next(&term, &ladder, at - 1), at);
	cr_assert_eq(term_look(&term, &ladder, at), TERM_OPEN);
	cr_assert_str_eq(term.why, "");
	cr_assert_eq(term_next(&term, &ladder, at), ladder.freezes * 1000);
	at = ladder.ends * 1000;
	cr_assert_eq(term_look(&term, &ladder, at - 1), TERM_OPEN);
	cr_assert_eq(term_next(&term, &ladder, at - 1), at);
	cr_assert_eq(term_look(&term, &ladder, at), TERM_AFTER);
	cr_assert_str_eq(term.why, "the games ended at 2027-03-01T18:00:00Z");
	cr_expect_not(term.paced);
	cr_assert_eq(term_next(&term, &ladder, at), 0);
}

/* Returns how many games begin in a day if one begins whenever it may, from `from` on
 * and looked at each `step`. */
static uint64_t
games_of_day(struct term *term, const struct config_ladder *ladder, int64_t day,
	     int64_t from, int64_t step)
{
	uint64_t begun = 0;
	int64_t at;

	for (at = day + from; at < day + DAY_MS; at += step)
		while (term_look(term, ladder, at) == TERM_OPEN) {
			term_use(term, ladder, at);
			begun++;
		}
	return begun;
}

Test(term, spreads_games_over_the_day)
{
	const uint64_t bounds[] = { 1, 7, 24, 1000, 86400 };
	const int64_t day = ms("2026-12-01T00:00:00Z");
	unsigned i;

	for (i = 0; i < NELEM(bounds); i++) {
		const struct config_ladder ladder = { .games_a_day =
							      bounds[i] };
		struct term term = { .games_a_day = 0 };

		/* The part in which it begins is used. */
		cr_assert_eq(games_of_day(&term, &ladder, day, 0, 500),
			     bounds[i] - 1);
		cr_assert_eq(games_of_day(&term, &ladder, day + DAY_MS, 0, 500),
			     bounds[i]);
		/* Half a day that was lost is not made good. */
		cr_assert_eq(games_of_day(&term, &ladder, day + 2 * DAY_MS,
					  DAY_MS / 2, 500),
			     bounds[i] - bounds[i] / 2);
	}
}

Test(term, says_when_the_next_game_may_begin)
{
	const struct config_ladder ladder = { .games_a_day = 24 };
	const int64_t now = ms("2026-12-01T23:10:00Z");
	struct term term = { .games_a_day = 0 };

	cr_assert_eq(term_look(&term, &ladder, now), TERM_PACED);
	cr_expect(term.paced);
	cr_assert_str_eq(term.why,
			 "games-a-day is 24, and the next game may begin at "
			 "2026-12-02T00:00:00Z");
	cr_assert_eq(term_next(&term, &ladder, now),
		     ms("2026-12-02T00:00:00Z"));
	cr_assert_eq(term_look(&term, &ladder, now + HOUR_MS), TERM_OPEN);
}

Test(term, goes_on_when_the_clock_is_set_back)
{
	const struct config_ladder ladder = { .games_a_day = 24 };
	const int64_t now = ms("2026-12-01T12:10:00Z");
	struct term term = { .games_a_day = 0 };

	term_use(&term, &ladder, now + 365 * DAY_MS);
	cr_assert_eq(term_look(&term, &ladder, now), TERM_PACED);
	cr_assert_eq(term_look(&term, &ladder, now + HOUR_MS), TERM_OPEN);
}

Test(term, takes_another_bound)
{
	struct config_ladder ladder = { .games_a_day = 1000 };
	const int64_t now = ms("2026-12-01T12:10:00Z");
	struct term term = { .games_a_day = 0 };

	term_use(&term, &ladder, now);
	ladder.games_a_day = 24;
	cr_assert_eq(term_look(&term, &ladder, now), TERM_PACED);
	cr_assert_eq(term_next(&term, &ladder, now),
		     ms("2026-12-01T13:00:00Z"));
	ladder.games_a_day = 0;
	cr_assert_eq(term_look(&term, &ladder, now), TERM_OPEN);
}
