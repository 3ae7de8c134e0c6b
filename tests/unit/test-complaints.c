/* tests/unit/test-complaints.c - what the organiser reads about programs. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "referee/base/progress.h"
#include "referee/runner/complaints.h"
#include "referee/runner/job.h"

#define EXITED(code) ((code) << 8)

static struct complaints complaints;

static void
tell(unsigned bot, struct job_end end, const char *text)
{
	end.known = end.started = true;
	text_init(&end.complaint, 4096);
	if (text != NULL)
		text_str(&end.complaint, text);
	complaints_hear(&complaints, bot == 0 ? "ann" : "ben", bot, 12, 3,
			&end);
	text_release(&end.complaint);
}

static void
hear(unsigned bot, int status, const char *text)
{
	tell(bot, (struct job_end){ .status = status }, text);
}

Test(complaints, one_line_for_each_bad_end, .init = cr_redirect_stderr)
{
	static const char expected[] =
		"bot ann (game 12, seat 3) ended with status 7; it said: "
		"ValueError: no \\x1b[31m \xe2\x80\x98Q\n"
		"bot ben (game 12, seat 3) was ended by signal 11 "
		"(Segmentation fault)\n";

	hear(0, EXITED(0), "all is well\n");
	hear(0, SIGKILL, "it did not leave in time\n");
	hear(0, EXITED(7),
	     "Traceback\n"
	     "ValueError: no \033[31m \xe2\x80\x98Q\n \n");
	hear(1, SIGSEGV, "\n\n");
	fflush(stderr);
	cr_assert_stderr_eq_str(expected);
}

Test(complaints, what_ended_in_a_game_is_told, .init = cr_redirect_stderr)
{
	static const char expected[] =
		"bot ann (game 12, seat 3) ended with status 0 before its "
		"game was over; it said: well\n"
		"bot ann (game 12, seat 3) was killed, or closed its output "
		"and lived on\n"
		"bot ann (game 12, seat 3) was killed: its processes had more "
		"memory together than a bot may have, or more files in /tmp\n"
		"bot ben (game 12, seat 3) ended with status 4: its processes "
		"had more memory together than a bot may have, or more files "
		"in /tmp\n";
	struct job_end end = { .early = true };

	tell(0, end, "well\n");
	end.status = SIGKILL;
	tell(0, end, NULL);
	end.over = true;
	tell(0, end, NULL);
	end = (struct job_end){ .status = EXITED(4), .over = true };
	tell(1, end, NULL);
	fflush(stderr);
	cr_assert_stderr_eq_str(expected);
}

Test(complaints, only_a_few_for_each_bot, .init = cr_redirect_stderr)
{
	static const char expected[] =
		"bot ann (game 12, seat 3) ended with status 1\n"
		"bot ann (game 12, seat 3) ended with status 2\n"
		"bot ann (game 12, seat 3) ended with status 3\n"
		"bot ben (game 12, seat 3) ended with status 1\n";
	int i;

	for (i = 1; i < 9; i++)
		hear(0, EXITED(i), NULL);
	hear(1, EXITED(1), NULL);
	fflush(stderr);
	cr_assert_stderr_eq_str(expected);
}

Test(complaints, a_long_last_line_is_cut, .init = cr_redirect_stderr)
{
	static char text[1000], expected[1000];

	memset(text, 'x', sizeof(text) - 1);
	snprintf(expected, sizeof(expected),
		 "bot ann (game 12, seat 3) ended with status 1; it said: "
		 "%.200s...\n",
		 text);
	hear(0, EXITED(1), text);
	fflush(stderr);
	cr_assert_stderr_eq_str(expected);
}

Test(complaints, what_a_box_refuses_is_told_by_its_name)
{
	static const struct {
		const char *text;
		bool hint;
	} tries[] = {
		{ "OSError: [Errno 97] Address family not supported by "
		  "protocol\n",
		  true },
		{ "Error: connect EAFNOSUPPORT 192.0.2.1:80", true },
		{ "dial tcp: address family not supported by protocol", true },
		{ "gaierror: Temporary failure in name resolution", true },
		{ "KeyError: 'family'", false },
		{ "", false },
	};

	for (size_t i = 0; i < NELEM(tries); i++)
		cr_expect_eq(complaints_hint(tries[i].text,
					     strlen(tries[i].text)) != NULL,
			     tries[i].hint, "%s", tries[i].text);
	cr_expect_null(complaints_hint(NULL, 0));
}

Test(progress, tells_rate_and_time_left, .init = cr_redirect_stderr)
{
	progress_draw(0, 100, 0, "");
	progress_draw(10, 100, 2000000, "");
	progress_draw(1, 10000, 1000000, "");
	progress_erase();
	cr_assert_stderr_eq_str(
		"\r0 of 100 games\033[K"
		"\r10 of 100 games, 5.0 a second, 0:18 left\033[K"
		"\r1 of 10000 games, 1.0 a second, 166:39 left\033[K"
		"\r\033[K");
}
