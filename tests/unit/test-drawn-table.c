/* tests/unit/test-drawn-table.c - the table of a frame as HTML; that JavaScript makes
 * the same of it, test-web-tables.py says. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "protocol/hidden.h"
#include "referee/frames/frame-model.h"
#include "referee/pages/table.h"

static struct frame frame; /* too large for the stack */
static struct text text;

/* Seats, no zones, no gauges. */
static void
begin(unsigned seats)
{
	const struct frame_setup setup = { .game = "durnius", .seats = seats };

	frame_begin(&frame, &setup);
	frame.table.zones = frame.table.gauges = 0;
}

static const char *
drawn(int viewer)
{
	struct html html;

	text_init(&text, SIZE_MAX);
	html_begin(&html, &text, "../");
	table_write(&html, "static/", &frame.table, viewer);
	html_end(&html);
	return text_string(&text);
}

static unsigned
count(const char *in, const char *what)
{
	unsigned n = 0;

	while ((in = strstr(in, what)) != NULL) {
		in += strlen(what);
		n++;
	}
	return n;
}

static void
pile(const char *code, unsigned pieces, unsigned marks)
{
	const unsigned at =
		frame_add_zone(&frame, "heap", "heap", -1, LAYOUT_PILE);

	while (pieces-- > 0)
		frame_put(frame_zone(&frame, at), code, -1, marks);
}

Test(drawn_table, draws_the_top_of_a_large_pile)
{
	static const struct {
		const char *code;
		unsigned pieces, marks, drawn;
	} piles[] = {
		{ "TH", TABLE_PILE, 0, TABLE_PILE },
		{ "TH", TABLE_PILE + 1, 0, 1 },
		{ "TH", TABLE_PILE + 1, PIECE_SHOWN, 2 },
		{ "?", 2, 0, 1 },
		{ "?", 1, 0, 1 },
		{ "TH", 0, 0, 0 },
	};
	char all[64];
	unsigned i;

	for (i = 0; i < NELEM(piles); i++) {
		begin(2);
		pile(piles[i].code, piles[i].pieces, piles[i].marks);
		drawn(VIEW_ALL);
		cr_expect_eq(count(text_string(&text), "<li>"), piles[i].drawn,
			     "pile %u", i);
		snprintf(all, sizeof(all), "data-pieces=\"%u\"",
			 piles[i].pieces);
		cr_expect_eq(count(text_string(&text), all), 1, "pile %u", i);
		text_release(&text);
	}
}

Test(drawn_table, draws_a_bead_for_each_and_so_many_at_most)
{
	static const struct {
		int32_t value, goal;
		unsigned drawn;
	} beads[] = {
		{ 0, 0, 0 },
		{ 9, 0, 9 },
		{ 10, 0, 1 },
		{ 245, 0, 11 },
		{ 1, 3, 3 },
		{ -3, 0, 0 },
		{ 2299, 0, 40 },
		{ 2399, 0, 40 },
		{ 0, TABLE_BEADS, 40 },
		{ 0, TABLE_BEADS + 1, 40 },
	};
	unsigned i, at;

	for (i = 0; i < NELEM(beads); i++) {
		begin(2);
		at = frame_add_gauge(&frame, "pot", "pot", -1, GAUGE_BEADS,
				     beads[i].goal);
		frame_gauge_set(&frame, at, beads[i].value);
		cr_expect_eq(count(drawn(VIEW_ALL), "</i>"), beads[i].drawn,
			     "%d of %d", beads[i].value, beads[i].goal);
		text_release(&text);
	}
}

/* The bar is as long as the larger of value and goal. */
Test(drawn_table, draws_a_bar_to_its_goal_and_beyond)
{
	unsigned at;

	begin(2);
	at = frame_add_gauge(&frame, "sum", "sum", 0, GAUGE_BAR, 25);
	frame_gauge_set(&frame, at, 50);
	cr_expect_not_null(strstr(drawn(0), "M0 6H100\"></path><path class="
					    "\"goal\" d=\"M50 0V12"));
	text_release(&text);
	frame_gauge_set(&frame, at, INT32_MAX);
	cr_expect_not_null(strstr(drawn(0), "class=\"goal\" d=\"M0 0V12"));
	text_release(&text);
}

Test(drawn_table, seats_the_viewer_in_front)
{
	static const char *const first[] = { "data-seat=\"0\" data-at=\"S\"",
					     "data-seat=\"2\" data-at=\"S\"" };

	begin(4);
	cr_expect_not_null(strstr(drawn(VIEW_PUBLIC), first[0]));
	text_release(&text);
	cr_expect_not_null(strstr(drawn(2), first[1]));
	cr_expect_not_null(
		strstr(text_string(&text), "data-seat=\"3\" data-at=\"W\""));
	text_release(&text);
}

Test(drawn_table, names_are_only_names)
{
	begin(2);
	frame_text(frame.table.seat[1].name, FRAME_NAME, "<b>\"'&");
	frame_add_zone(&frame, "hand", "hand", 1, LAYOUT_FAN);
	frame_put(frame_zone(&frame, 0), "TH", 0, 0);
	cr_expect_null(strstr(drawn(0), "<b>\""));
	cr_expect_not_null(
		strstr(text_string(&text), "<bdi>&lt;b&gt;&quot;&#39;&amp;"));
	text_release(&text);
	cr_expect_not_null(strstr(drawn(1), "aria-label=\"your hand\""));
	text_release(&text);
}
