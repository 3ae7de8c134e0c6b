/* tests/unit/test-check-watch.c - conversations, and the findings about them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/check/check-report.h"
#include "referee/check/check-watch.h"

static struct watch watch;
static struct watch_seen seen;
static char why[WATCH_WHY_BYTES];

static void
begin(void)
{
	memset(&watch, 0, sizeof(watch));
	memset(&seen, 0, sizeof(seen));
	watch_begin(&watch, 2, &seen);
}

TestSuite(check_watch, .init = begin);

static enum fault
sent(const char *line)
{
	return watch_sent(&watch, line, strlen(line));
}

static enum watch_verdict
said(const char *line)
{
	return watch_said(&watch, LINE_OK, line, strlen(line));
}

static void
charged(enum fault fault, const char *expected)
{
	watch_why(&watch, fault, why);
	cr_expect_str_eq(why, expected);
}

Test(check_watch, an_answer)
{
	sent("ask 1 300 pass knock");
	cr_expect(watch_waits(&watch));
	cr_expect_eq(said("do 1 knock"), WATCH_FINE);
	cr_expect_not(watch_waits(&watch));
	cr_expect_not(watch.owed);
	cr_expect_eq(watch.useless, 0u);
}

Test(check_watch, an_illegal_one)
{
	sent("ask 17 300 pass mulligan");
	cr_expect_eq(said("do 17 knock"), WATCH_FINE);
	cr_expect_eq(sent("fault 2 illegal"), FAULT_ILLEGAL);
	charged(FAULT_ILLEGAL, "answered ask 17 with `knock`, which was not "
			       "among `pass`, `mulligan`");
}

Test(check_watch, a_long_list_is_cut)
{
	char line[4096];
	size_t n = (size_t)snprintf(line, sizeof(line), "ask 1 300");
	int i;

	for (i = 0; i < 300; i++)
		n += (size_t)snprintf(line + n, sizeof(line) - n, " play:%03d",
				      i);
	sent(line);
	said("do 1 x");
	watch_why(&watch, FAULT_ILLEGAL, why);
	cr_expect_not_null(strstr(why, "`play:000`, `play:001`"));
	cr_expect_not_null(strstr(why, " and 2"), "%s", why);
	cr_expect_not_null(strstr(why, " more"), "%s", why);
	cr_expect_eq(seen.longest_list, 300u);
	cr_expect_eq(seen.longest_line, strlen(line));
}

/* Common mistakes are named. */
Test(check_watch, usual_mistakes)
{
	static const struct {
		const char *line, *hint;
		enum fault fault;
	} cases[] = {
		{ "do 1 PLAY:7H", "small and capital letters differ",
		  FAULT_ILLEGAL },
		{ "do 1 stake:1..9", "stands for one of its numbers",
		  FAULT_ILLEGAL },
		{ "do 1 0", "not its number", FAULT_ILLEGAL },
		{ "play:7H", "begins with `do` and the number",
		  FAULT_PROTOCOL },
		{ "> do 1 play:7H", "a prompt before the answer?",
		  FAULT_PROTOCOL },
		{ "thinking about 7H", "a debug print?", FAULT_PROTOCOL },
	};

	for (size_t i = 0; i < NELEM(cases); i++) {
		begin();
		sent("ask 1 1000 play:7H stake:1..9 pass");
		(void)said(cases[i].line);
		watch_why(&watch, cases[i].fault, why);
		cr_expect_not_null(strstr(why, cases[i].hint), "%s: %s",
				   cases[i].line, why);
	}
}

Test(check_watch, too_early)
{
	cr_expect_eq(said("do 1 pass"), WATCH_SUSPECT);
	charged(FAULT_PROTOCOL, "answered ask 1 before any ask");
	cr_expect(watch.owed);
	cr_expect_eq(sent("fault 2 protocol"), FAULT_PROTOCOL);
	cr_expect_not(watch.owed);
	sent("ask 1 300 pass");
	cr_expect_eq(said("do 2 pass"), WATCH_SUSPECT);
	/* The first of several is charged. */
	cr_expect_eq(said("dance"), WATCH_SUSPECT);
	charged(FAULT_PROTOCOL,
		"answered ask 2 before it was made; the last was 1");
}

Test(check_watch, twice)
{
	sent("ask 1 300 pass");
	said("do 1 pass");
	cr_expect_eq(said("do 1 pass"), WATCH_USELESS);
	cr_expect_str_eq(watch.useless_why, "answered ask 1 twice");
	sent("ask 2 300 pass");
	said("do 2 pass");
	cr_expect_eq(said("do 1 pass"), WATCH_USELESS);
	cr_expect_eq(watch.useless, 2u);
	cr_expect_not(watch.owed);
}

Test(check_watch, too_late_is_nobodys_fault)
{
	sent("ask 1 300 pass");
	sent("void 1");
	cr_expect_eq(said("do 1 pass"), WATCH_LATE);
	sent("ask 2 300 pass");
	cr_expect_eq(said("do 1 pass"), WATCH_LATE);
	cr_expect_eq(watch.useless, 0u);
	cr_expect_eq(seen.voids, 1u);
	/* An answer and a void that cross. */
	said("do 2 pass");
	sent("void 2");
	cr_expect_eq(said("do 2 pass"), WATCH_USELESS);
}

Test(check_watch, an_answer_of_the_game_before)
{
	sent("ask 45 300 pass");
	sent("void 45");
	sent("ask 46 300 pass");
	said("do 46 pass");
	watch_begin(&watch, 2, &seen);
	cr_expect(watch_is_stale(&watch, "do 45 pass", 10));
	cr_expect_not(watch_is_stale(&watch, "do 45 pass", 10), "only once");
	cr_expect_not(watch_is_stale(&watch, "do 46 pass", 10));
	cr_expect_not(watch_is_stale(&watch, "say so", 6));
	watch_begin(&watch, 2, &seen);
	sent("ask 9 300 pass");
	sent("void 9");
	watch_begin(&watch, 2, &seen);
	sent("ask 1 300 pass");
	said("do 1 pass");
	cr_expect_not(watch_is_stale(&watch, "do 9 pass", 9));
}

Test(check_watch, lines_that_break)
{
	cr_expect_eq(watch_said(&watch, LINE_TOO_LONG, NULL, 0), WATCH_SUSPECT);
	charged(FAULT_PROTOCOL, "said a line of more than 1023 bytes");
	begin();
	cr_expect_eq(watch_said(&watch, LINE_BAD_BYTE, "say \x1b[2J\0x", 10),
		     WATCH_SUSPECT);
	charged(FAULT_PROTOCOL, "said a line with the byte 0x1b, which is not "
				"printable ASCII: `say \\x1b[2J\\x00x`");
	begin();
	cr_expect_eq(watch_said(&watch, LINE_BAD_BYTE, "do\t1\tpass", 9),
		     WATCH_SUSPECT);
	charged(FAULT_PROTOCOL, "said a line with the byte 0x09, which is not "
				"printable ASCII: `do\t1\tpass`");
	begin();
	cr_expect_eq(said("do one pass"), WATCH_SUSPECT);
	watch_why(&watch, FAULT_PROTOCOL, why);
	cr_expect_eq(strncmp(why, "said `do one pass`: ", 20), 0, "%s", why);
	begin();
	charged(FAULT_PROTOCOL, "broke the protocol");
}

Test(check_watch, silence_and_death)
{
	sent("ask 3 250 pass");
	charged(FAULT_TIMEOUT, "did not answer ask 3 within 250 ms");
	charged(FAULT_CRASH, "ended, or closed its output, before ask 3 was "
			     "answered");
	said("do 3 pass");
	charged(FAULT_CRASH, "ended, or closed its output, before ask 4 was "
			     "answered");
}

Test(check_watch, which_void_ask_was_answered)
{
	sent("ask 3 250 pass");
	sent("void 3");
	sent("ask 4 250 pass");
	cr_expect_eq(watch.late, 0);
	cr_expect_eq(said("do 3 pass"), WATCH_LATE);
	cr_expect_eq(watch.late, 3);
}

Test(check_watch, useless_lines)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "pong x", "said `pong x`, which means something over TCP "
			    "only" },
		{ "quit", "said `quit`, which means something over TCP only" },
		{ "entropy 00", "sent entropy that was not asked for" },
	};
	size_t i;

	for (i = 0; i < NELEM(cases); i++) {
		begin();
		cr_expect_eq(said(cases[i].line), WATCH_USELESS);
		cr_expect_str_eq(watch.useless_why, cases[i].why);
	}
	begin();
	cr_expect_eq(said("bot 1 alice"), WATCH_FINE);
	cr_expect_eq(said("bot 1 alice"), WATCH_USELESS);
	/* A process sends it once for all its games. */
	watch_begin(&watch, 2, &seen);
	cr_expect_eq(said("bot 1 alice"), WATCH_USELESS);
}

Test(check_watch, slips)
{
	cr_expect_eq(said("say failed KeyError: start"), WATCH_SLIP);
	cr_expect_str_eq(watch.slip_why,
			 "failed while it was told something: KeyError: start");
	cr_expect_eq(watch.slipped, SLIP_FAILED);
	sent("ask 1 1000 pass knock");
	cr_expect_eq(said("say fallback illegal: x"), WATCH_SLIP);
	cr_expect_str_eq(
		watch.slip_why,
		"made the first legal move instead of its own: illegal: x");
	cr_expect_eq(watch.slipped, SLIP_FALLBACK);
	cr_expect_eq(watch.says, 0);
	cr_expect_eq(said("say fallback illegal: y"), WATCH_SLIP);
	cr_expect_eq(said("say fallback illegal: z"), WATCH_FINE);
	cr_expect_eq(watch.says, 1);
}

Test(check_watch, remarks_at_their_limit)
{
	unsigned i;

	for (i = 0; i < SAY_COUNT; i++)
		cr_assert_eq(said("say so"), WATCH_FINE);
	cr_expect_eq(said("say so"), WATCH_USELESS);
	cr_expect_str_eq(watch.useless_why,
			 "said more than 100 remarks in a game");
}

Test(check_watch, chatter_at_its_limit)
{
	unsigned i;

	for (i = 0; i < CHATTER_MAX; i++)
		cr_assert_eq(said("rest"), WATCH_USELESS);
	cr_expect_not(watch_flooded(&watch));
	cr_expect_eq(said("rest"), WATCH_SUSPECT);
	cr_expect(watch_flooded(&watch));
	charged(FAULT_PROTOCOL,
		"said more than 1000 useless lines in a game; the first: said "
		"`rest`, which means something over TCP only");
}

Test(check_watch, entropy)
{
	sent("entropy?");
	cr_expect(watch.entropy_wanted);
	cr_expect_eq(said("entropy 00ff"), WATCH_FINE);
	cr_expect_not(watch.entropy_wanted);
	cr_expect_eq(said("entropy 00ff"), WATCH_USELESS);
	cr_expect_eq(seen.entropy, 1u);
}

Test(check_watch, faults_of_others_are_theirs)
{
	cr_expect_eq(sent("fault 1 illegal"), FAULT_NONE);
	cr_expect_eq(sent("fault 2 crash"), FAULT_CRASH);
	cr_expect_eq(sent("fault 2 crash of another kind"), FAULT_NONE);
	cr_expect_eq(sent("fault 2"), FAULT_NONE);
}

Test(check_watch, what_it_has_seen)
{
	sent("ask 1 1 stake:4..30 pass");
	sent("over abc def");
	sent("abort abc why");
	cr_expect_eq(seen.asks, 1u);
	cr_expect_eq(seen.ranges, 1u);
	cr_expect_eq(seen.longest_list, 2u);
	cr_expect_eq(seen.over, 1u);
	cr_expect_eq(seen.aborted, 1u);
}

Test(check_watch, escapes_at_the_end_of_the_room)
{
	char to[12], all[256];
	size_t n, i;

	for (n = 0; n < 32; n++) {
		memset(all, '\x1b', sizeof(all));
		memset(to, 'z', sizeof(to));
		text_escape(to, sizeof(to), all, n);
		cr_expect_lt(strlen(to), sizeof(to));
		for (i = 0; to[i] != '\0'; i++)
			cr_expect(to[i] >= ' ' && to[i] < 0x7f);
	}
	text_escape(to, sizeof(to), "abc", 3);
	cr_expect_str_eq(to, "abc");
	text_escape(to, sizeof(to), "abcdefghijklmnop", 16);
	cr_expect_str_eq(to + strlen(to) - 3, "...");
}

/* ---- reports ---------------------------------------------------------- */

Test(check_report, percentiles)
{
	uint32_t value[100];
	unsigned i;

	for (i = 0; i < 100; i++)
		value[i] = i + 1;
	cr_expect_eq(check_percentile(value, 0, 500), 0u);
	cr_expect_eq(check_percentile(value, 1, 990), 1u);
	cr_expect_eq(check_percentile(value, 2, 500), 1u);
	cr_expect_eq(check_percentile(value, 3, 500), 2u);
	cr_expect_eq(check_percentile(value, 100, 500), 50u);
	cr_expect_eq(check_percentile(value, 100, 900), 90u);
	cr_expect_eq(check_percentile(value, 100, 990), 99u);
	cr_expect_eq(check_percentile(value, 100, 1000), 100u);
	cr_expect_eq(check_percentile(value, 100, 0), 1u);
}

Test(check_report, three_of_a_kind_and_one_of_a_game)
{
	struct check_report report = { 0 };
	struct check_trial trial = { 0 };
	unsigned game, i;

	game_setup_init(&trial.setup, &game_toepen, 4);
	for (game = 1; game <= 6; game++)
		for (i = 0; i < 2; i++)
			check_report_add(&report, CHECK_ILLEGAL, &trial, game,
					 NULL, "answered wrongly");
	check_report_add(&report, CHECK_CRASH, &trial, 6, NULL, "ended");
	check_report_ended(&report, "it ended with status 1", "one\ntwo\n");
	cr_expect_eq(report.problems, 4u);
	cr_expect_eq(report.problem[2].game, 3u);
	cr_expect_eq(check_report_found(&report), 13u);
	cr_expect_str_eq(report.problem[0].sentence, "answered wrongly");
	cr_expect_str_eq(report.problem[3].sentence,
			 "ended: it ended with status 1");
	cr_expect_str_eq(report.problem[3].complaint, "one\ntwo");
	check_report_release(&report);
}

Test(check_report, where_it_was)
{
	struct check_trial trial = { .seat = 2 };
	char text[512];

	game_setup_init(&trial.setup, &game_toepen, 4);
	check_trial_text(&trial, 3, text, sizeof(text));
	cr_expect_str_eq(text, "Toepen, 4 seats, seat 2, game 3");
	trial.setup.option[0] = 5;
	trial.arrival = true;
	trial.style = CHECK_DRIP;
	check_trial_text(&trial, 3, text, sizeof(text));
	cr_expect_str_eq(text, "Toepen, 4 seats, seat 2, game 3 (points=5 "
			       "open=arrival; lines in single bytes)");
	trial.at_once = 4;
	check_trial_text(&trial, 3, text, sizeof(text));
	cr_expect_str_eq(text, "Toepen, 4 seats, seat 2, game 3 (points=5 "
			       "open=arrival; lines in single bytes; up to 4 "
			       "games at once)");
}

Test(check_report, both_ends_of_what_it_complained)
{
	struct check_report report = { 0 };
	struct check_trial trial = { 0 };
	char *much = malloc(5001);

	cr_assert_not_null(much);
	memset(much, 'x', 5000);
	much[4990] = '\n';
	much[5000] = '\0';
	game_setup_init(&trial.setup, &game_toepen, 4);
	check_report_add(&report, CHECK_ILLEGAL, &trial, 1, NULL, "wrong");
	check_report_ended(&report, "", much);
	cr_expect_lt(strlen(report.problem[0].complaint), 4200u);
	cr_expect_not_null(
		strstr(report.problem[0].complaint, "x\n[1 line]\nx"));
	cr_expect_not_null(strstr(report.problem[0].complaint, "x\nxxxxxxxxx"));
	check_report_release(&report);
	free(much);
}
