/* tests/unit/test-hands.c - describes a table in words. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "referee/frames/frame-model.h"
#include "referee/pages/hands.h"

static struct frame frame; /* too large for the stack */
static const struct site site;

static void
expect_words(const char *words)
{
	struct text text;
	struct html html;

	text_init(&text, SIZE_MAX);
	html_begin(&html, &site, &text, "../");
	hands_write(&html, &frame.table);
	html_end(&html);
	cr_expect(strstr(text_string(&text), words) != NULL, "%s: %s", words,
		  text_string(&text));
	text_release(&text);
}

static void
begin(void)
{
	const struct frame_setup setup = { .game = "durnius",
					   .seats = 2,
					   .name = { "<anna>", "bert" } };

	frame_begin(&frame, &setup);
	frame.table.zones = frame.table.gauges = 0;
	frame.table.seat[0].scored = frame.table.seat[1].scored = 0;
}

static unsigned
add_zone(const char *label, int owner)
{
	return frame_add_zone(&frame, "hand", label, owner, LAYOUT_FAN);
}

Test(hands, names_pieces_and_counts_hidden_ones)
{
	unsigned at;

	begin();
	at = add_zone("hand", 0);
	frame_put(frame_zone(&frame, at), "TH", -1, 0);
	frame_put(frame_zone(&frame, at), "?", -1, 0);
	frame_put(frame_zone(&frame, at), "7C", -1, 0);
	frame_put(frame_zone(&frame, at), "?", -1, 0);
	expect_words("<li>hand: ten of hearts, seven of clubs, 2 hidden</li>");
	begin();
	at = add_zone("stock", -1);
	frame_put(frame_zone(&frame, at), "?", -1, 0);
	expect_words("The middle of the table</p><ul><li>stock: 1 hidden</li>");
}

Test(hands, tells_who_played_a_piece_and_how_it_lies)
{
	unsigned at;

	begin();
	at = add_zone("trick", -1);
	frame_put(frame_zone(&frame, at), "TH", 0, 0);
	frame_put(frame_zone(&frame, at), "7C", 1, PIECE_WINNING);
	expect_words("<li>trick: ten of hearts (<bdi>&lt;anna&gt;</bdi>), "
		     "seven of clubs winning (<bdi>bert</bdi>)</li>");
	begin();
	at = add_zone("hand", 0);
	frame_put(frame_zone(&frame, at), "TH", 0, 0);
	expect_words("<li>hand: ten of hearts</li>");
}

Test(hands, leaves_out_what_is_empty)
{
	begin();
	add_zone("hand", 0);
	expect_words("</bdi>, seat 0</p><ul></ul>");
}

Test(hands, tells_gauges_that_have_a_value)
{
	begin();
	frame.table.gauges = 2;
	frame.table.gauge[0] = (struct frame_gauge){
		.label = "stake", .owner = -1, .known = 1, .value = 2, .goal = 7
	};
	frame.table.gauge[1] =
		(struct frame_gauge){ .label = "bid", .owner = -1 };
	expect_words("table</p><ul><li>stake: 2 of 7</li></ul>");
}

Test(hands, tells_of_each_seat_how_it_stands)
{
	begin();
	frame.table.seat[0].flags = SEAT_TURN;
	frame.table.seat[1].flags = SEAT_OUT;
	frame.table.seat[1].scored = 1;
	frame.table.seat[1].points = 1;
	frame.table.seat[1].place = 2;
	expect_words("<bdi>&lt;anna&gt;</bdi>, seat 0, turn</p>");
	expect_words("<bdi>bert</bdi>, seat 1, out, 1 point, place 2</p>");
}
