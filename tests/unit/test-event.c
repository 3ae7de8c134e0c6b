/* tests/unit/test-event.c */
#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "protocol/event.h"
#include "protocol/hidden.h"
#include "tests/unit/expect-bug.h"

static struct events ev;

static void
begin_wanted(void)
{
	ev = (struct events){ .wanted = true };
}

static void
check_text(const char *expected)
{
	cr_assert_eq(ev.used, strlen(expected));
	cr_assert_eq(memcmp(ev.text, expected, ev.used), 0, "`%.*s`",
		     (int)ev.used, ev.text);
}

Test(event, writes_lines_and_marks, .init = begin_wanted)
{
	event_begin(&ev, "deal");
	event_number(&ev, 1);
	event_hide(&ev);
	event_word(&ev, "7H");
	cr_assert_eq(ev.tokens, 3);
	event_word(&ev, "TC");
	event_seen_by(&ev, 1u << 1);
	event_end(&ev);
	event_begin(&ev, "move");
	event_number(&ev, 0);
	event_word(&ev, "show:Y3");
	event_hide(&ev);
	event_part(&ev, "n");
	event_seen_by(&ev, 1u << 0 | 1u << 2 | 1u << 7);
	event_word(&ev, "left");
	event_part(&ev, ":now");
	event_end(&ev);
	event_begin(&ev, "pool");
	event_hide(&ev);
	event_number(&ev, 12);
	event_seen_by(&ev, 0);
	event_end(&ev);
	event_begin(&ev, "quiet");
	event_end(&ev);
	check_text("deal 1 {7H TC}1\n"
		   "move 0 show:Y3{n}027 left:now\n"
		   "pool {12}\n"
		   "quiet\n");
	cr_assert_eq(ev.lines, 4);
	cr_assert_eq(ev.tokens, 0);
}

/* hidden_redact() understands the marks that are written here, for all 256 sets of
 * seats. */
Test(event, every_mark_is_understood, .init = begin_wanted)
{
	char out[LINE_REFEREE_BYTES];
	unsigned seats;
	ssize_t n;
	int viewer;

	for (seats = 0; seats < 256; seats++) {
		events_clear(&ev);
		event_begin(&ev, "deal");
		event_hide(&ev);
		event_word(&ev, "7H");
		event_word(&ev, "TC");
		event_seen_by(&ev, seats);
		event_end(&ev);
		for (viewer = VIEW_PUBLIC; viewer < SEATS_MAX; viewer++) {
			n = hidden_redact(ev.text, ev.used - 1, viewer, out);
			cr_assert_gt(n, 0);
			if (viewer >= 0 && (seats >> viewer & 1))
				cr_assert_eq(memcmp(out, "deal 7H TC", 10), 0);
			else
				cr_assert_eq(memcmp(out, "deal ? ?", 8), 0);
		}
	}
}

Test(event, numbers, .init = begin_wanted)
{
	static const long numbers[] = { 0,  1,	  9,	    10,	     -1,
					-9, 4096, LONG_MAX, LONG_MIN };
	char expected[64];
	size_t i;

	for (i = 0; i < NELEM(numbers); i++) {
		events_clear(&ev);
		event_begin(&ev, "score");
		event_number(&ev, numbers[i]);
		event_end(&ev);
		snprintf(expected, sizeof(expected), "score %ld\n", numbers[i]);
		check_text(expected);
	}
}

Test(event, clear_starts_anew, .init = begin_wanted)
{
	event_begin(&ev, "deal");
	event_hide(&ev);
	events_clear(&ev);
	cr_assert_eq(ev.used, 0);
	cr_assert_eq(ev.lines, 0);
	event_begin(&ev, "trick");
	event_number(&ev, 1);
	event_end(&ev);
	check_text("trick 1\n");
}

Test(event, unwanted_writes_nothing)
{
	ev = (struct events){ .wanted = false };
	event_begin(&ev, "deal");
	event_number(&ev, 12345);
	event_hide(&ev);
	event_word(&ev, "7H");
	event_part(&ev, "x");
	event_seen_by(&ev, 1);
	event_end(&ev);
	cr_assert_eq(ev.used, 0);
	cr_assert_eq(ev.lines, 0);
	cr_assert_eq(ev.tokens, 0);
	cr_assert_not(ev.hide);
}

static void
write_line(size_t n)
{
	size_t i;

	event_begin(&ev, "x");
	for (i = 1; i < n; i++)
		event_part(&ev, "x");
	event_end(&ev);
}

Test(event, the_longest_line, .init = begin_wanted)
{
	write_line(LINE_REFEREE_BYTES);
	cr_assert_eq(ev.used, LINE_REFEREE_BYTES + 1);
}

Test(event, a_longer_line_is_our_bug, .init = begin_wanted)
{
	EXPECT_BUG("an event line is longer than 8191 bytes",
		   write_line(LINE_REFEREE_BYTES + 1));
}

Test(event, the_longest_step, .init = begin_wanted)
{
	while (ev.used < EVENTS_BYTES)
		write_line(1);
	cr_assert_eq(ev.lines, EVENTS_BYTES / 2);
}

Test(event, a_longer_step_is_our_bug, .init = begin_wanted)
{
	EXPECT_BUG("a step has more than 32768 bytes of events",
		   for (;;) write_line(1));
}

Test(event, an_empty_mark_is_our_bug, .init = begin_wanted)
{
	event_begin(&ev, "deal");
	event_hide(&ev);
	EXPECT_BUG("an empty mark in an event line", event_seen_by(&ev, 1));
}
