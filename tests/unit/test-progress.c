/* tests/unit/test-progress.c - the progress line. */
#include <criterion/criterion.h>

#include "referee/base/progress.h"

static const char *
line(uint64_t done, uint64_t us, unsigned columns)
{
	static char to[PROGRESS_BYTES];

	progress_write(to, done, 3000, us, "", columns);
	return to;
}

Test(progress, rate_and_time_come_with_the_first_game)
{
	cr_expect_str_eq(line(0, 5000000, 80), "0 of 3000 games");
	cr_expect_str_eq(line(0, 0, 80), "0 of 3000 games");
	cr_expect_str_eq(line(10, 2000000, 80),
			 "10 of 3000 games, 5.0 a second, 9:58 left");
}

Test(progress, there_may_be_no_end_and_more_to_say)
{
	char to[PROGRESS_BYTES];

	progress_write(to, 10, 0, 2000000, "LLR 1.00", 80);
	cr_expect_str_eq(to, "10 games, 5.0 a second, LLR 1.00");
	progress_write(to, 10, 20, 2000000, "lead 0.10 to 0.20", 80);
	cr_expect_str_eq(to, "10 of 20 games, 5.0 a second, 0:02 left, lead "
			     "0.10 to 0.20");
	progress_write(to, 0, 0, 0, "", 80);
	cr_expect_str_eq(to, "0 games");
}

Test(progress, the_line_is_narrower_than_the_terminal)
{
	cr_expect_str_eq(line(10, 2000000, 42),
			 "10 of 3000 games, 5.0 a second, 9:58 left");
	cr_expect_str_eq(line(10, 2000000, 41),
			 "10 of 3000 games, 5.0 a second, 9:58 lef");
	cr_expect_str_eq(line(10, 2000000, 6), "10 of");
	cr_expect_str_eq(line(10, 2000000, 1), "");
}
